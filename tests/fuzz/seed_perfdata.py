#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Seeds for the fuzzers of perf's formats: small files of both modes, and output of perf script.

usage: seed_perfdata.py CORPUS
        writes CORPUS/perfdata/NAME and CORPUS/perf_script/NAME
"""
import os
import struct
import subprocess
import sys

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD = (1 << i for i in range(9))
RAW, BRANCH, REGS, STACK = 1 << 10, 1 << 11, 1 << 12, 1 << 13
IDENTIFIER = 1 << 16
USER, KERNEL = 2, 1
BASE = IP | TID | TIME | PERIOD


def attr(sample_type, config=0, flags=1 << 18, regs=0, stack=0):
    """struct perf_event_attr, of 112 bytes."""
    a = struct.pack("<IIQQQQQ", 1, 112, config, 1000000, sample_type, 0, flags)
    return a + struct.pack("<IIQQQQIiQIHH", 0, 0, 0, 0, 0, regs, stack, 0, 0, 0, 0, 0)[:64].ljust(64, b"\0")


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    b = s.encode() + b"\0"
    return b + b"\0" * (-len(b) % 8)


def sample_id(time):
    return struct.pack("<IIQ", 7, 8, time)


def sample(time, chain=(), extra=b"", ip=0x1000, mode=USER):
    body = struct.pack("<QIIQQ", ip, 7, 8, time, 1)
    if chain:
        body += struct.pack("<Q", len(chain)) + struct.pack("<%dQ" % len(chain), *chain)
    return record(9, body + extra, mode)


def pipe(a, *records):
    return b"PERFILE2" + struct.pack("<Q", 16) + record(64, a + struct.pack("<Q", 5)) + b"".join(records)


def tasks():
    return (record(3, struct.pack("<II", 7, 7) + text("work") + sample_id(1), 1 << 13) +
            record(10, struct.pack("<IIQQQ", 7, 7, 0x1000, 0x1000, 0) +
                   struct.pack("<IIQQII", 8, 1, 4711, 0, 5, 2) + text("/bin/work") + sample_id(1), USER) +
            record(7, struct.pack("<IIIIQ", 9, 7, 9, 7, 2) + sample_id(2)) +
            record(2, struct.pack("<QQ", 5, 12) + sample_id(3)))


def in_file(a, ids, data, features):
    """A file in file mode: one event, features as {number: bytes}."""
    head = 104 + len(a) + 16
    start = head + 8 * len(ids)
    bits = [0, 0, 0, 0]
    for f in features:
        bits[f // 64] |= 1 << f % 64
    out = b"PERFILE2" + struct.pack("<QQQQQQQQ4Q", 104, len(a) + 16, 104, len(a) + 16, start, len(data), 0, 0, *bits)
    out += a + struct.pack("<QQ", head, 8 * len(ids)) + struct.pack("<%dQ" % len(ids), *ids) + data
    at = len(out) + 16 * len(features)
    for f in sorted(features):
        out += struct.pack("<QQ", at, len(features[f]))
        at += len(features[f])
    return out + b"".join(features[f] for f in sorted(features))


def string(s):
    b = text(s)
    return struct.pack("<I", len(b)) + b


def perfdata():
    round_end = record(68, b"")
    chain = BASE | CALLCHAIN
    yield "pipe", pipe(attr(chain), record(80, struct.pack("<Q", 3) + string("box")), tasks(),
                       sample(4, (2**64 - 512, 0x1000)), sample(3, (2**64 - 512, 0x1004)), round_end, round_end)
    yield "deferred", pipe(attr(chain), sample(4, (2**64 - 128, 0xffffffff81000000, 2**64 - 640, 77), mode=KERNEL),
                           record(22, struct.pack("<QQQQ", 77, 2, 2**64 - 512, 0x1000) + sample_id(5)))
    regs = struct.pack("<QQQ", 2, 11, 22) + struct.pack("<QQQQ", 16, 1, 2, 8)
    yield "stack", pipe(attr(BASE | REGS | STACK, regs=5, stack=16), sample(4, extra=regs))
    branches = struct.pack("<QQQQ", 1, 0x2000, 0x1000, 0)
    yield "branches", pipe(attr(BASE | RAW | BRANCH), sample(4, extra=struct.pack("<II", 4, 9) + branches))
    build_id = record(0, struct.pack("<I", 2**32 - 1) + bytes(range(20)) + b"\0" * 4 + text("[kernel.kallsyms]"), KERNEL)
    events = struct.pack("<II", 1, 112) + attr(BASE) + struct.pack("<I", 1) + string("cpu-clock:u") + struct.pack("<Q", 5)
    yield "file", in_file(attr(BASE), [5], tasks() + sample(4), {
        2: build_id, 3: string("box"), 4: string("6.1.0"), 5: string("6.1"), 6: string("x86_64"),
        11: struct.pack("<I", 2) + string("perf") + string("record"), 12: events,
        29: struct.pack("<IIQQ", 1, 1, 1000, 10)})
    packed = subprocess.run(["zstd", "-q", "-c"], input=sample(4) * 4, stdout=subprocess.PIPE, check=True).stdout
    yield "packed", pipe(attr(BASE), record(81, packed), round_end)
    yield "packed2", pipe(attr(BASE), record(83, struct.pack("<Q", len(packed)) + packed))
    yield "auxtrace", pipe(attr(BASE), record(71, struct.pack("<Q", 8) + b"\0" * 32) + b"12345678",
                           record(66, struct.pack("<I", 5)) + b"12345678", sample(1))
    yield "kernel", pipe(attr(BASE), record(17, struct.pack("<QIHH", 2**63, 64, 1, 0) + text("bpf_prog") + sample_id(1)),
                         record(19, struct.pack("<Q", 12) + text("/a") + sample_id(1)))
    yield "swapped", b"2ELIFREP" + b"\0" * 8


SCRIPT = {
    "chain": "work  6123 [001]  1234.567890:    1001001 cpu-clock: \n"
             "\t    7f2a3b4c5d6e msort_with_tmp.part.0+0x1e (/usr/lib/libc.so.6)\n"
             "\tffffffff81000000 [unknown] ([kernel.kallsyms])\n\n",
    "flat": "            work   12/13    [000] 1.000000001:          1    page-faults:ffff8 f(int)+0x1 (/a b)\n",
    "words": "a 1 b 2 17 9.5: 3 sched:sched_switch: prev=1\n\t 12 g (inlined)\n\t 12 h+0x2 (/x (deleted))\n  a.c:12\n\n",
    "comment": "# captured\nidle 0 [000] 1.0: cycles:\n\n",
    "bad": "work 1 1.5: cycles:\n\tnot hexadecimal\n",
}


def main():
    for folder, seeds in (("perfdata", perfdata()), ("perf_script", ((n, t.encode()) for n, t in SCRIPT.items()))):
        path = os.path.join(sys.argv[1], folder)
        os.makedirs(path, exist_ok=True)
        for name, content in seeds:
            with open(os.path.join(path, name), "wb") as f:
                f.write(content)


main()
