#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Mach-O files with a section __unwind_info of a common encoding, a compressed page, a regular
one and LSDA: thin ones for x86-64 and arm64, and a fat one of both. And the stack that the
tests of the framehop crate walk, with an image that is made up for it.

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


UUID = bytes(range(16))
EXAMPLE = [('outer', 0xe4000, 0x04000001), ('middle', 0x100000, 0x04000000), ('nothing', 0x110000, 0),
           ('leaf', 0x129000, 0x02000000), ('_ZN4main3runEv', 0x12c000, 0x04000000)]


def example():
    """five functions of arm64, with symbols"""
    section = struct.pack('<13I', 1, 28, 0, 28, 0, 28, 2, EXAMPLE[0][1], 52, 52, 0x12d000, 0, 52)
    section += struct.pack('<2I', 2, len(EXAMPLE) << 16 | 8)
    section += b''.join(struct.pack('<II', *e[1:]) for e in EXAMPLE)
    off = 32 + 72 + 2 * 80 + 24 + 24
    symbols, strings = b'', b'\0'
    for name, addr, _ in EXAMPLE:
        symbols += struct.pack('<IBBHQ', len(strings), 0xf, 1, 0, BASE + addr)
        strings += b'_' + name.encode() + b'\0'
    command = struct.pack('<II16sQQQQIIII', 0x19, 72 + 160, b'__TEXT', BASE, 0x1d8000, 0,
                          off + len(section), 5, 5, 2, 0)
    command += struct.pack('<16s16sQQIIIIIIII', b'__text', b'__TEXT', BASE + 0xe4000, 0x49000, 0, 2,
                           0, 0, 0x80000400, 0, 0, 0)
    command += struct.pack('<16s16sQQIIIIIIII', b'__unwind_info', b'__TEXT', BASE + off,
                           len(section), off, 2, 0, 0, 0, 0, 0, 0)
    command += struct.pack('<II16s', 0x1b, 24, UUID)
    command += struct.pack('<6I', 2, 24, off + len(section), len(EXAMPLE),
                           off + len(section) + len(symbols), len(strings))
    return struct.pack('<8I', 0xfeedfacf, 0x0100000c, 0, 2, 3, len(command), 0, 0) + command + \
        section + symbols + strings


def capture():
    base = 0x1003fc000
    words = [1, 2, 3, 4, 0x40, base + 0x100dc4, 5, 6, 0x70, base + 0x12ca28, 7, 8, 9, 10, 0, 0]
    return f'''# the stack that framehop's tests have
arch arm64
memory 0 hex {struct.pack('<16Q', *words).hex()}
thread main
register pc {base + 0x1292c0:#x}
register lr {base + 0xe4830:#x}
register sp 0x10
register fp 0x20
'''


def main():
    with open(os.path.join(sys.argv[1], 'example'), 'wb') as f:
        f.write(example())
    with open(os.path.join(sys.argv[1], 'capture'), 'w') as f:
        f.write(capture())
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
