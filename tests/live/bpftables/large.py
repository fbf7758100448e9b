#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes a program with so many functions that its unwind table is larger than a bin.

Each function is 16 bytes that push and pop four registers, and has CFI for each of these. The
program calls the first and the last one for some tenths of a second of CPU time, and ends.

usage: large.py FUNCTIONS FILE
"""
import struct
import sys

CODE = bytes.fromhex("5355415441559041" "5d415c5d5bc39090")
TEXT = 0x1000	# offset and address
ROUNDS = 50000000
BEGIN = 28	# bytes of start(), which has no caller
CALLERS = 28	# bytes of the three functions after it, which keep nothing on the stack
HEAD = 64	# bytes of both, and padding


def call(at, to):
    return b"\xe8" + struct.pack("<i", to - (at + 5))


def head(functions):
    """start() calls outer(), that middle(), that inner() twice, and that the first and the last function."""
    outer, middle, inner = BEGIN, BEGIN + 6, BEGIN + 17
    out = b"\xbb" + struct.pack("<i", ROUNDS) + call(5, outer)	# mov $ROUNDS, %ebx; 1: call
    out += bytes.fromhex("ffcb75f7")				# dec %ebx; jnz 1b
    out += bytes.fromhex("b83c00000031ff0f05").ljust(BEGIN - len(out), b"\x90")	# _exit(0)
    out += call(outer, middle) + b"\xc3"
    out += call(middle, inner) + call(middle + 5, inner) + b"\xc3"
    out += call(inner, HEAD) + call(inner + 5, HEAD + (functions - 1) * len(CODE)) + b"\xc3"
    return out.ljust(HEAD, b"\xcc")


CIE = struct.pack("<II", 20, 0) + b"\x01zR\0\x01\x78\x10\x01\x1b" + b"\x0c\x07\x08\x90\x01" + bytes(2)
# after each instruction: the frame's size, and the slots of rbx and rbp
RULES = bytes([0x41, 0x0e, 16, 0x83, 2, 0x41, 0x0e, 24, 0x86, 3, 0x42, 0x0e, 32, 0x42, 0x0e, 40,
               0x43, 0x0e, 32, 0x42, 0x0e, 24, 0x41, 0x0e, 16, 0x41, 0x0e, 8])
FDE = 48


def frames(functions, at):
    """.eh_frame, for this address."""
    ranges = [(0, BEGIN, b"\x07\x10"), (BEGIN, CALLERS, b"")]	# the caller of start() is undefined
    ranges += [(HEAD + i * len(CODE), len(CODE), RULES) for i in range(functions)]
    out = bytearray(CIE)
    for start, size, rules in ranges:
        place = len(out)
        out += (struct.pack("<IIiIB", FDE - 4, place + 4, TEXT + start - (at + place + 8), size, 0) +
                rules).ljust(FDE, b"\0")
    return out + bytes(4)


def section(name, kind, flags, at, size):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, at, at, size, 0, 0, 8, 0)


def main():
    functions, path = int(sys.argv[1]), sys.argv[2]
    text = HEAD + functions * len(CODE)
    at = TEXT + text
    eh_frame = frames(functions, at)
    names = b"\0.text\0.eh_frame\0.shstrtab\0"
    headers = at + len(eh_frame) + len(names) + 7 & -8
    elf = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, TEXT, 64, headers, 0, 64, 56, 1, 64, 4, 3)
    # one segment has everything
    elf += struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, headers, headers, 4096)
    with open(path, "wb") as out:
        out.write(elf.ljust(TEXT, b"\0"))
        out.write(head(functions) + CODE * functions)
        out.write(eh_frame + names)
        out.write(bytes(headers - out.tell()))
        out.write(bytes(64) + section(1, 1, 6, TEXT, text) + section(7, 1, 2, at, len(eh_frame)) +
                  section(17, 3, 0, at + len(eh_frame), len(names)))


main()
