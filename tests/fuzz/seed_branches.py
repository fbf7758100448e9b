#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Seeds for the fuzzer of branches: a small program, and recordings with its branches.

usage: seed_branches.py CORPUS
        writes CORPUS/branches/NAME
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../judge/branches'))
sys.dont_write_bytecode = True
from perfdata import Writer  # noqa: E402

ID = bytes(range(20))
BASE = 0x400000
# dec %edi; jz b; cmp $3,%edi; je 0; jmp 0; ret; call 0; ret
CODE = bytes.fromhex('ffcf740783ff0374f7ebf5c3e8effffffff5c3')


def program():
    """An ELF file of x86-64 with one segment, a build id and a symbol table."""
    note = struct.pack('<III4s', 4, 20, 3, b'GNU\0') + ID
    names = b'\0loop\0twin\0a b\0'
    symbols = bytes(24)
    for name, info, at, size in ((1, 0x12, 0, 12), (6, 2, 12, 7), (6, 2, 4, 0), (11, 0x12, 0, 4)):
        symbols += struct.pack('<IBBHQQ', name, info, 0, 1, BASE + 0x200 + at, size)
    body = bytes(0x200 - 64 - 2 * 56 - len(note)) + CODE
    body = note + body + bytes(-len(CODE) % 8)
    at = 0x200 + len(CODE) + -len(CODE) % 8
    section = lambda kind, flags, addr, off, size, link=0, entry=0: struct.pack(
        '<IIQQQQIIQQ', 0, kind, flags, addr, off, size, link, 0, 8, entry)
    sections = bytes(64) + section(1, 6, BASE + 0x200, 0x200, len(CODE)) + \
        section(2, 0, 0, at, len(symbols), 3, 24) + section(3, 0, 0, at + len(symbols), len(names))
    shoff = at + len(symbols) + len(names)
    head = b'\x7fELF\x02\x01\x01' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 2, 62, 1, BASE + 0x200, 64, shoff,
                                                          0, 64, 56, 2, 64, 4, 0)
    load = struct.pack('<IIQQQQQQ', 1, 5, 0, BASE, BASE, shoff, shoff, 0x1000)
    notes = struct.pack('<IIQQQQQQ', 4, 4, 64 + 112, BASE, BASE, len(note), len(note), 4)
    return head + load + notes + body + symbols + names + sections


def recording(hw_index, map_ids, path):
    w = Writer(hw_index, map_ids)
    w.comm(7, 'p')
    w.map(7, 0x7000, 0x1000, 0, '/p', ID, 5)
    loop, kernel = 0x7200, 0xffffffff81000000
    w.sample(7, loop, [(loop + 11, loop + 17, 2), (loop + 2, loop + 11, 1), (loop + 7, loop, 2),
                       (loop + 9, loop, 1), (loop + 12, loop, 2), (0x100, loop + 12, 2)])
    w.sample(7, loop, [(loop + 7, loop, 2), (loop + 7, loop, 1 << 24), (kernel, loop, 2), (loop, kernel, 2)])
    w.sample(7, 0x10, [])
    w.write(path, [('/p', ID)] if not map_ids else [])
    with open(path, 'rb') as f:
        return f.read()


def main():
    folder = os.path.join(sys.argv[1], 'branches')
    os.makedirs(folder, exist_ok=True)
    elf = program()
    for name, hw_index, map_ids in (('listed', False, False), ('mapped', True, True)):
        path = os.path.join(folder, name)
        data = recording(hw_index, map_ids, path)
        with open(path, 'wb') as f:
            f.write(struct.pack('<H', len(elf)) + elf + data)


if __name__ == '__main__':
    main()
