#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes a program with so many functions that its unwind table is larger than a bin.

Each function is 16 bytes that push and pop four registers, and has CFI for each of these.
The program counts down and ends; its functions are never called.

usage: large.py FUNCTIONS FILE
"""
import struct
import sys

CODE = bytes.fromhex("5355415441559041" "5d415c5d5bc39090")
TEXT = 0x1000	# offset and address
# push %rax; mov $0x30000000, %ecx; 1: dec %ecx; jnz 1b; mov $SYS_exit, %eax; xor %edi, %edi; syscall
START = bytes.fromhex("50b900000030ffc975fcb83c00000031ff0f05").ljust(32, b"\xcc")

CIE = struct.pack("<II", 20, 0) + b"\x01zR\0\x01\x78\x10\x01\x1b" + b"\x0c\x07\x08\x90\x01" + bytes(2)
# after each instruction: the frame's size, and the slots of rbx and rbp
RULES = bytes([0x41, 0x0e, 16, 0x83, 2, 0x41, 0x0e, 24, 0x86, 3, 0x42, 0x0e, 32, 0x42, 0x0e, 40,
               0x43, 0x0e, 32, 0x42, 0x0e, 24, 0x41, 0x0e, 16, 0x41, 0x0e, 8])
FDE = 48


def frames(functions, at):
    """.eh_frame, for this address."""
    fde = (struct.pack("<IIiIB", FDE - 4, 0, 0, len(CODE), 0) + RULES).ljust(FDE, b"\0")
    out = bytearray(CIE + fde * functions + bytes(4))
    for i in range(functions):
        place = len(CIE) + i * FDE
        struct.pack_into("<Ii", out, place + 4, place + 4, TEXT + len(START) + i * len(CODE) - (at + place + 8))
    return out


def section(name, kind, flags, at, size):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, at, at, size, 0, 0, 8, 0)


def main():
    functions, path = int(sys.argv[1]), sys.argv[2]
    text = len(START) + functions * len(CODE)
    at = TEXT + text
    eh_frame = frames(functions, at)
    names = b"\0.text\0.eh_frame\0.shstrtab\0"
    headers = at + len(eh_frame) + len(names) + 7 & -8
    elf = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, TEXT, 64, headers, 0, 64, 56, 1, 64, 4, 3)
    # one segment has everything
    elf += struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, headers, headers, 4096)
    with open(path, "wb") as out:
        out.write(elf.ljust(TEXT, b"\0"))
        out.write(START + CODE * functions)
        out.write(eh_frame + names)
        out.write(bytes(headers - out.tell()))
        out.write(bytes(64) + section(1, 1, 6, TEXT, text) + section(7, 1, 2, at, len(eh_frame)) +
                  section(17, 3, 0, at + len(eh_frame), len(names)))


main()
