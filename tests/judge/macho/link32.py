# SPDX-License-Identifier: GPL-2.0-only
"""Does what no linker of Debian does: makes a bundle at BASE from an i386 object of Mach-O. The
object's first 4096 bytes of text are for the header; everything else keeps its place from the assembler."""
import struct

import image


class Object:
    def __init__(self, path):
        with open(path, 'rb') as f:
            self.bytes = f.read()
        self.sections, self.symbols, at = [], [], 28
        for _ in range(struct.unpack_from('<I', self.bytes, 16)[0]):
            kind, size = struct.unpack_from('<II', self.bytes, at)
            if kind == 1:
                for i in range(struct.unpack_from('<I', self.bytes, at + 48)[0]):
                    row = struct.unpack_from('<16s16sIIIIIII', self.bytes, at + 56 + 68 * i)
                    self.sections.append((row[0].rstrip(b'\0').decode(), *row[2:]))
            if kind == 2:
                self.symtab = struct.unpack_from('<IIII', self.bytes, at + 8)
            at += size

    def laid_out(self):
        """memory from address 0 on, relocated for image.BASE"""
        end = max(s[1] + s[2] for s in self.sections)
        memory = bytearray(end)
        for _, addr, size, off, _, relocs, nr, flags in self.sections:
            if flags & 0xff != 1:
                memory[addr:addr + size] = self.bytes[off:off + size]
            for i in range(nr):
                self.relocate(memory, addr, *struct.unpack_from('<II', self.bytes, relocs + 8 * i))
        return memory

    def relocate(self, memory, section, where, what):
        if where & 0x80000000:
            pc_relative, length, kind = where >> 30 & 1, where >> 28 & 3, where >> 24 & 15
            where &= 0xffffff
        else:
            pc_relative, length, kind = what >> 24 & 1, what >> 25 & 3, what >> 28
            if what >> 27 & 1:
                raise ValueError('a symbol that is not in the object')
        # differences of addresses do not change
        if kind or pc_relative:
            return
        if length != 2:
            raise ValueError('a relocation of another size')
        value, = struct.unpack_from('<I', memory, section + where)
        struct.pack_into('<I', memory, section + where, value + image.BASE)

    def named(self, name):
        return next((s for s in self.sections if s[0] == name), None)


def fdes(memory, section):
    """offset of each function's entry in __eh_frame"""
    ret, at, end = {}, section[1], section[1] + section[2]
    while at < end:
        size, cie = struct.unpack_from('<II', memory, at)
        if cie:
            start, = struct.unpack_from('<i', memory, at + 8)
            ret[at + 8 + start & 0xffffffff] = at - section[1]
        at += 4 + size
    return ret


def unwind_info(obj, memory, end):
    """one regular page, made from the table that the assembler writes for linkers"""
    rows, eh = [], obj.named('__eh_frame')
    entries = fdes(memory, eh) if eh else {}
    _, addr, size = obj.named('__compact_unwind')[:3]
    for at in range(addr, addr + size, 20):
        start, length, encoding = struct.unpack_from('<III', memory, at)
        start -= image.BASE
        if encoding >> 24 & 15 == 4:
            encoding |= entries[start]
        rows.append((start, start + length, encoding))
    rows.sort()
    page = []
    for i, (start, stop, encoding) in enumerate(rows):
        page.append((start, encoding))
        if stop < (rows[i + 1][0] if i + 1 < len(rows) else end):
            page.append((stop, 0))
    head = struct.pack('<13I', 1, 28, 0, 28, 0, 28, 2, page[0][0], 52, 52, end, 0, 52)
    return head + struct.pack('<IHH', 2, 8, len(page)) + \
        b''.join(struct.pack('<II', *row) for row in page)


def link(path, out):
    obj = Object(path)
    memory = obj.laid_out()
    text, eh = obj.named('__text'), obj.named('__eh_frame')
    while len(memory) % 4096:
        memory.append(0)
    info_at = len(memory)
    info = unwind_info(obj, memory, text[1] + text[2])
    memory += info
    sections = [('__text', 4096, text[2] - 4096, 0x80000400),
                ('__unwind_info', info_at, len(info), 0)]
    if eh:
        sections.append(('__eh_frame', eh[1], eh[2], 0))
    symbols, nr, strings, strings_len = obj.symtab
    tail = len(memory)
    rows = b''.join(struct.pack('<16s16sIIIIIIIII', name.encode(), b'__TEXT', addr, size, addr, 2,
                                0, 0, flags, 0, 0) for name, addr, size, flags in sections)
    commands = struct.pack('<II16sIIIIIIII', 1, 56 + len(rows), b'__TEXT', 0, tail, 0, tail, 7, 7,
                           len(sections), 0) + rows
    commands += struct.pack('<II16s', 0x1b, 24, b'a dylib of i386.')
    commands += struct.pack('<IIIIII', 2, 24, tail, nr, tail + 12 * nr, strings_len)
    header = struct.pack('<7I', 0xfeedface, 7, 3, 8, 3, len(commands), 0) + commands
    memory[:len(header)] = header
    with open(out, 'wb') as f:
        f.write(memory + obj.bytes[symbols:symbols + 12 * nr] +
                obj.bytes[strings:strings + strings_len])
