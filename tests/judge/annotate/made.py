# SPDX-License-Identifier: GPL-2.0-only
"""A profile of a program whose samples are known: where each lies is written down here, not recorded.

usage: made.py PROGRAM OUT   a profile of x86-64's program, in which instructions have different shares
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../profile"))
sys.dont_write_bytecode = True
from wire import field, message  # noqa: E402

FUNCTIONS = ["hash", "divide", "add", "main"]
TOOLS = {"x86_64": "", "aarch64": "aarch64-linux-gnu-"}


def output(*args):
    return subprocess.run(args, check=True, capture_output=True, text=True,
                          env=dict(os.environ, LC_ALL="C")).stdout


def symbols(path, arch):
    text = output(TOOLS[arch] + "nm", "-S", path)
    return {m[3]: (int(m[1], 16), int(m[2], 16)) for m in re.finditer(r"^(\w+) (\w+) [tT] (\w+)$", text, re.M)}


def made_profile(path, arch, to, value=lambda nr: nr):
    """A profile with a sample at each fourth byte of each function, and without names. @value: of the
    sample with this number, from 1 on"""
    notes = output(TOOLS[arch] + "readelf", "-n", path)
    build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
    loads = re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R E",
                       output(TOOLS[arch] + "readelf", "-lW", path))
    offset, vaddr, size = [int(v, 16) for v in loads[0]]
    words = [b"", b"samples", b"count", path.encode(), build_id.encode()]
    content = b"".join(field(6, w) for w in words) + field(1, message((1, 1), (2, 2)))
    content += field(3, message((1, 1), (2, vaddr), (3, vaddr + size), (4, offset), (5, 3), (6, 4)))
    nr = 0
    for name in FUNCTIONS:
        start, size = symbols(path, arch)[name]
        for at in range(start, start + size, 4):
            nr += 1
            content += field(4, message((1, nr), (2, 1), (3, at)))
            content += field(2, message((1, [nr]), (2, [value(nr)])))
    with open(to, "wb") as f:
        f.write(content)


if __name__ == "__main__":
    # 97 and 101 are primes: shares with digits of all kinds, and few are equal
    made_profile(sys.argv[1], "x86_64", sys.argv[2], lambda nr: nr * 97 % 101 + 1)
