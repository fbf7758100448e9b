#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Mach-O files with a section __unwind_info of a common encoding, a compressed page, a regular
one and LSDA: thin ones for x86-64 and arm64, and a fat one of both.

usage: macho.py DIR
"""
import os
import struct
import sys

BASE = 0x100000000
SECTION = struct.pack(
    '<36I',
    1, 28, 1, 32, 1, 36, 3,
    0x04000000,
    0x4008,
    0x1000, 96, 72, 0x2000, 120, 88, 0x3000, 0, 96,
    0x1000, 0x7000, 0x1800, 0x7010, 0x2100, 0x7020,
    3, 0x2000c, 0x10014, 0, 0x01000800, 0x54000001,
    2, 0x20008, 0x2000, 0x02001000, 0x2100, 0x54000002)
X86_64 = struct.pack('<19I', 1, 28, 0, 28, 0, 28, 2, 0x500, 52, 52, 0x700, 0, 52,
                     2, 0x20008, 0x500, 0x02061400, 0x600, 0x03044400)


def thin(cputype, cpusubtype, section):
    off = 32 + 72 + 80
    command = struct.pack('<II16sQQQQIIII', 0x19, 152, b'__TEXT', BASE, 0x4000, 0,
                          off + len(section), 5, 5, 1, 0)
    command += struct.pack('<16s16sQQIIIIIIII', b'__unwind_info', b'__TEXT', BASE + off,
                           len(section), off, 2, 0, 0, 0, 0, 0, 0)
    return struct.pack('<8I', 0xfeedfacf, cputype, cpusubtype, 2, 1, len(command), 0, 0) + command + section


def main():
    parts = {'x86_64': (0x01000007, 3, X86_64), 'arm64': (0x0100000c, 0, SECTION)}
    fat, data = struct.pack('>2I', 0xcafebabe, 2), b''
    for name, (cputype, cpusubtype, section) in parts.items():
        part = thin(cputype, cpusubtype, section)
        with open(os.path.join(sys.argv[1], name), 'wb') as f:
            f.write(part)
        fat += struct.pack('>5I', cputype, cpusubtype, 4096 + len(data), len(part), 12)
        data += part.ljust(4096, b'\0')
    with open(os.path.join(sys.argv[1], 'fat'), 'wb') as f:
        f.write(fat.ljust(4096, b'\0') + data)


main()
