# SPDX-License-Identifier: GPL-2.0-only
"""Makes a static ELF program of Linux from a Mach-O dylib: its segments at BASE, and code that
calls one of its functions. An imported function is bound to one of its own when it is called
for the first time, through __stub_helper, as dyld does it."""
import struct
import subprocess

BASE = 0x40000000
START = 0x30001000      # address of the added code
WORD = {'x86_64': 8, 'arm64': 8, 'i386': 4}


def output(*argv):
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True).stdout


class Dylib:
    """contents of the file, by llvm-objdump and by its headers"""

    def __init__(self, path, arch):
        self.arch = arch
        with open(path, 'rb') as f:
            self.bytes = f.read()
        self.segments = []
        self.sections = {}
        wide = arch != 'i386'
        at = 32 if wide else 28
        for _ in range(struct.unpack_from('<I', self.bytes, 16)[0]):
            kind, size = struct.unpack_from('<II', self.bytes, at)
            if kind == (0x19 if wide else 1):
                self.read_segment(at, wide)
            if kind == 0x1b:
                self.uuid = self.bytes[at + 8:at + 24]
            at += size
        self.symbols = {}
        for line in output('llvm-nm-19', '--defined-only', path).splitlines():
            addr, _, name = line.split()
            self.symbols[name] = int(addr, 16)

    def read_segment(self, at, wide):
        head, row = ('<16sQQQQIII', '<16s16sQQI') if wide else ('<16sIIIIIII', '<16s16sIII')
        values = struct.unpack_from(head, self.bytes, at + 8)
        _, addr, size, off, file_size, _, _, nr = values
        self.segments.append((addr, self.bytes[off:off + file_size].ljust(size, b'\0')))
        at += 72 if wide else 56
        for i in range(nr):
            name, _, addr, size, _ = struct.unpack_from(row, self.bytes,
                                                        at + i * (80 if wide else 68))
            self.sections[name.rstrip(b'\0').decode()] = (addr, size)

    def memory(self):
        """all segments in one array, from the first segment's address on"""
        end = max(addr + len(b) for addr, b in self.segments)
        ret = bytearray(end)
        for addr, b in self.segments:
            ret[addr:addr + len(b)] = b
        return ret


def binder_slot(memory, arch, helper):
    """address of the slot in which __stub_helper expects the binder's address"""
    if arch == 'x86_64':
        rel, = struct.unpack_from('<i', memory, helper + 11)
        return helper + 15 + rel
    adrp, ldr = struct.unpack_from('<II', memory, helper + 12)
    page = (adrp >> 5 & 0x7ffff) << 2 | adrp >> 29 & 3
    return (helper + 12 & ~0xfff) + (page << 12) + (ldr >> 10 & 0xfff) * 8


def entry(arch, function, bound):
    """code at START that calls @function(1, 2), and the binder, which jumps to @bound; and
    offsets of the binder, and of the call's return address"""
    if arch == 'x86_64':
        call = bytes.fromhex('31ed bf01000000 be02000000 48b8') + struct.pack('<Q', function) + \
            bytes.fromhex('ffd0')
        leave = bytes.fromhex('31ff b83c000000 0f05')
        binder = bytes.fromhex('4883c410 49bb') + struct.pack('<Q', bound) + bytes.fromhex('41ffe3')
    elif arch == 'i386':
        call = bytes.fromhex('31ed 6a02 6a01 b8') + struct.pack('<I', function) + \
            bytes.fromhex('ffd0')
        leave = bytes.fromhex('31db b801000000 cd80')
        binder = b''
    else:
        def move(reg, value):
            return b''.join(struct.pack('<I', op | (value >> 16 * i & 0xffff) << 5 | i << 21 | reg)
                            for i, op in enumerate((0xd2800000, 0xf2800000, 0xf2800000)))
        call = move(0, 1) + move(1, 2) + move(29, 0) + move(30, 0) + move(9, function) + \
            struct.pack('<I', 0xd63f0120)
        leave = move(0, 0) + move(8, 93) + struct.pack('<I', 0xd4000001)
        binder = struct.pack('<I', 0x910043ff) + move(9, bound) + struct.pack('<I', 0xd61f0120)
    return call + leave + binder, len(call + leave), len(call)


def program(dylib, path, function, bound=None):
    """writes the ELF file; returns the return address of the first call"""
    arch, memory = dylib.arch, dylib.memory()
    to = lambda name: BASE + dylib.symbols[name] if name else 0
    code, binder, after = entry(arch, to(function), to(bound))
    if bound:
        addr, size = dylib.sections['__la_symbol_ptr']
        for at in range(addr, addr + size, WORD[arch]):
            struct.pack_into('<Q', memory, at, struct.unpack_from('<Q', memory, at)[0] + BASE)
        helper = dylib.sections['__stub_helper'][0]
        struct.pack_into('<Q', memory, binder_slot(memory, arch, helper), START + binder)
    machine = {'x86_64': 62, 'arm64': 183, 'i386': 3}[arch]
    if arch == 'i386':
        head = struct.pack('<4sBBB9xHHIIIIIHHHHHH', b'\x7fELF', 1, 1, 1, 2, machine, 1, START,
                           52, 0, 0, 52, 32, 2, 0, 0, 0)
        load = lambda off, addr, size: struct.pack('<IIIIIIII', 1, off, addr, addr, size, size, 7,
                                                   0x1000)
    else:
        head = struct.pack('<4sBBB9xHHIQQQIHHHHHH', b'\x7fELF', 2, 1, 1, 2, machine, 1,
                           START, 64, 0, 0, 64, 56, 2, 0, 0, 0)
        load = lambda off, addr, size: struct.pack('<IIQQQQQQ', 1, 7, off, addr, addr, size, size,
                                                   0x1000)
    body = 0x2000
    with open(path, 'wb') as f:
        f.write(head + load(0x1000, START, len(code)) + load(body, BASE, len(memory)))
        f.seek(0x1000)
        f.write(code)
        f.seek(body)
        f.write(memory)
    return START + after
