#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Seeds of profiles, each with something that another producer may write.

usage: seed_pprof.py DIR
"""
import gzip
import os
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """An int, the bytes of a message, or a list of ints (packed)."""
    if isinstance(value, list):
        value = b"".join(map(varint, value))
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*fields):
    return b"".join(field(n, v) for n, v in fields)


STRINGS = [b"", b"samples", b"count", b"cpu", b"nanoseconds", b"main", b"work", b"a.c",
           b"/usr/bin/prog", b"C0FFEE", b"thread", b"stack", b"no_table", b"pid", b"\xff\xfe",
           b"complete", b"[kernel.kallsyms]", b"a", b"end_timestamp_ns"]
strings = b"".join(field(6, s) for s in STRINGS)
types = field(1, message((1, 1), (2, 2))) + field(1, message((1, 3), (2, 4)))
head = message((9, 1700000000000000000), (10, 10 ** 10), (11, message((1, 3), (2, 4))),
               (12, 10101010), (14, 3))
mapping = field(3, message((1, 1), (2, 0x1000), (3, 0x9000), (4, 0x1000), (5, 8), (6, 9), (7, 1)))
kernel = field(3, message((1, 7), (2, 2 ** 64 - 2 ** 31), (3, 2 ** 64 - 1), (5, 16)))
functions = field(5, message((1, 1), (2, 5), (3, 5), (4, 7), (5, 3))) + \
    field(5, message((1, 900), (2, 6), (4, 7)))
lines = [(4, message((1, 900), (2, 12))), (4, message((1, 1), (2, 5)))]
locations = field(4, message((1, 3), (2, 1), (3, 0x1234), *lines)) + \
    field(4, message((1, 2 ** 63), (2, 7), (3, 2 ** 64 - 4096))) + \
    field(4, message((1, 1), (3, 0))) + field(4, message((1, 2), lines[0]))
label = [(3, message((1, 10), (2, 14))), (3, message((1, 13), (3, 77), (4, 2))),
         (3, message((1, 11), (2, 12)))]
samples = field(2, message((1, [2 ** 63, 3, 2, 1]), (2, [1, 10101010]), *label)) + \
    field(2, message((1, 3), (1, 2), (2, 5), (2, -7))) + \
    field(2, message((2, [1, 1]), label[2])) + \
    field(2, message((1, [3, 3, 3, 3]), (2, [2, 2]), label[0], label[0]))

timed = b"".join(field(2, message((1, [3, 2]), (2, [n, 7 * n]), label[0],
                                  (3, message((1, 18), (3, time), (4, 4)))))
                 for n, time in ((1, 1700000000000000001), (1, 1700000000000000000), (3, 5), (-1, 6), (1, -1), (300, 9)))

ordered = strings + types + head + mapping + kernel + functions + locations + samples
seeds = {
    "ordered": ordered,
    "gzip": gzip.compress(ordered, mtime=0),
    "members": gzip.compress(ordered[:99], mtime=0) + gzip.compress(ordered[99:], mtime=0),
    "strings-last": samples + locations + functions + kernel + mapping + head + types + strings,
    "no-tables": strings + types + field(4, message((1, 1), (2, 9), *lines)) +
    field(2, message((1, [1]), (2, [1, 2]))),
    "comments": strings + field(13, [1, 2, 3]) + field(13, 4) + field(15, 2) + field(99, b"x"),
    "empty": field(6, b""),
    "id-twice": ordered + functions,
    "no-such-string": ordered + field(5, message((1, 3), (2, 200))),
    "no-such-location": ordered + field(2, message((1, [55]), (2, [1, 2]))),
    "values": ordered + field(2, message((1, [3]), (2, [1, 2, 3]))),
    "times": ordered + timed,
    "cut": ordered[:-3],
}

os.makedirs(sys.argv[1], exist_ok=True)
for name, seed in seeds.items():
    with open(os.path.join(sys.argv[1], name), "wb") as f:
        f.write(seed)
