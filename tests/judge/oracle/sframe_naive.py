#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A naive SFrame decoder: versions 1, 2 and 3, written from the specification.

It shares no code and no idea with kmod/core: it reads every record as the text
of the specification says, keeps everything, and answers "which rule holds at
this pc" by looking at all functions. Slow and obvious on purpose.

usage: sframe_naive.py [--stored] FILE
        FILE is a linked ELF file. By default one line for every pc at which the
        rule changes: "ADDRESS CFA RA FP [signal]", "ADDRESS outermost" or
        "ADDRESS none". --stored prints the records as they stand in the file.

A location is written as in readelf --sframe: sp+8 is a value, (fp-8) the word
there, c-16 the word at CFA-16; "u" unchanged, "lr" the link register.
"""
import struct
import sys

MAGIC = 0xdee2
SORTED, FRAME_POINTER, PCREL = 1, 2, 4
AMD64, AARCH64 = 3, 2
REGS = {AMD64: {7: "sp", 6: "fp"}, AARCH64: {31: "sp", 29: "fp"}}


class Bad(Exception):
    """A function or a section that the specification does not allow."""


class Elf:
    """The parts of a linked 64-bit little-endian ELF file that a decoder needs."""

    def __init__(self, path):
        self.data = d = open(path, "rb").read()
        if d[:6] != b"\x7fELF\2\1":
            raise Bad("not a 64-bit little-endian ELF file")
        self.machine, = struct.unpack_from("<H", d, 18)
        phoff, shoff = struct.unpack_from("<QQ", d, 32)
        phnum, = struct.unpack_from("<H", d, 56)
        shnum, shstrndx = struct.unpack_from("<HH", d, 60)
        self.text = []
        for i in range(phnum):
            kind, flags, off, vaddr, _, filesz = struct.unpack_from(
                "<IIQQQQ", d, phoff + 56 * i)
            if kind == 1 and flags & 1:
                self.text.append((vaddr, vaddr + filesz))
        heads = [struct.unpack_from("<IIQQQQ", d, shoff + 64 * i) for i in range(shnum)]
        names = heads[shstrndx][4]
        self.sframe = None
        for h in heads:
            end = d.index(b"\0", names + h[0])
            if d[names + h[0]:end] == b".sframe":
                self.sframe = (h[3], d[h[4]:h[4] + h[5]])


class Row:
    def __init__(self, start, cfa, ra, fp):
        self.start, self.cfa, self.ra, self.fp = start, cfa, ra, fp


class Func:
    """One function descriptor entry with its rows."""

    def __init__(self, place):
        self.place = place      # offset of the entry, for the order of equals
        self.rows = []
        self.bad = None

    def block(self):
        return 16 if self.version == 1 else self.rep


def read(data, off, fmt):
    if off < 0 or off + struct.calcsize(fmt) > len(data):
        raise Bad("truncated")
    return struct.unpack_from(fmt, data, off)


def reg_text(abi, reg, off):
    return "%s%+d" % (REGS[abi].get(reg, "r%d" % reg), off)


def flex_location(abi, words, signed, at, size):
    """(text or None, words used) of one control word and its offset."""
    if at >= len(words):
        return None, 0
    control = words[at]
    if control == 0:
        return None, 1
    if at + 1 >= len(words):
        raise Bad("control word without offset")
    off = signed[at + 1]
    reg_p, deref_p, reg = control & 1, control >> 1 & 1, control >> 3
    if reg_p:
        text = reg_text(abi, reg, off)
        if reg > (15 if abi == AMD64 else 31):
            raise Bad("register %d" % reg)
        return ("(%s)" % text if deref_p else text), 2
    return ("c%+d" % off if deref_p else "=c%+d" % off), 2


def flex_row(abi, start, words, signed, size):
    cfa, n = flex_location(abi, words, signed, 0, size)
    ra, used = flex_location(abi, words, signed, n, size)
    n += used
    fp, used = flex_location(abi, words, signed, n, size)
    n += used
    if n != len(words):
        raise Bad("left-over words")
    if cfa is None or cfa.startswith(("c", "=c")):
        raise Bad("CFA without a register")
    if ra and ra.startswith("=c"):
        raise Bad("a return address on the stack")
    return Row(start, cfa, ra, fp)


def default_row(abi, start, info, signed):
    cfa = ("sp%+d" if info & 1 else "fp%+d") % signed[0]
    if abi == AMD64:
        if len(signed) > 2:
            raise Bad("too many words")
        return Row(start, cfa, None, "c%+d" % signed[1] if len(signed) > 1 else None)
    if len(signed) > 3:
        raise Bad("too many words")
    return Row(start, cfa, "c%+d" % signed[1] if len(signed) > 1 else None,
               "c%+d" % signed[2] if len(signed) > 2 else None)


def read_row(section, abi, off, end, func):
    """(row, offset of the next one)"""
    width = 1 << func.fre_type
    data = section[:end]
    start, info = read(data, off, "<" + "BHI"[func.fre_type] + "B")
    count, code = info >> 1 & 15, info >> 5 & 3
    off += width + 1
    if code == 3 or count > 6:
        raise Bad("row encoding")
    raw = list(read(data, off, "<%d%s" % (count, "BHI"[code])))
    signed = list(read(data, off, "<%d%s" % (count, "bhi"[code])))
    off += count << code
    if count == 0:
        if info:
            raise Bad("row without words but with bits")
        return Row(start, "outermost", None, None), off
    if func.flex:
        return flex_row(abi, start, raw, signed, 1 << code), off
    return default_row(abi, start, info, signed), off


class Part:
    """One header and what belongs to it."""

    def __init__(self, section, base):
        self.base = base
        (magic, self.version, self.flags, self.abi, self.fp_fixed, self.ra_fixed,
         aux, self.nfdes, self.nfres, fre_len, fdeoff, freoff) = read(
             section, base, "<HBBBbbBIIIII")
        if magic != MAGIC:
            raise Bad("magic")
        if self.version not in (1, 2, 3):
            raise Bad("version")
        body = base + 28 + aux
        self.fdes, self.fres, self.end = body + fdeoff, body + freoff, body + freoff + fre_len
        if self.end > len(section):
            raise Bad("truncated")
        self.funcs = [self.func(section, i) for i in range(self.nfdes)]

    def func(self, section, index):
        size = {1: 17, 2: 20, 3: 16}[self.version]
        place = self.fdes + index * size
        f = Func(place)
        f.version, f.flex, f.signal, f.rep = self.version, False, False, 0
        if self.version == 3:
            f.field, f.size, off = read(section, place, "<qII")
            at = self.fres + off
            nrows, info, info2, f.rep = read(section[:self.end], at, "<HBBB")
            at += 5
            f.flex = info2 & 31 == 1
            f.signal = bool(info & 0x80)
            if info2 & 31 > 1:
                f.bad = "FDE type"
        else:
            f.field, f.size, off, nrows, info = read(section, place, "<iIIIB")
            at = self.fres + off
            if self.version == 2:
                f.rep, = read(section, place + 17, "<B")
        f.fre_type, f.mask, f.pauth_b = info & 15, bool(info & 16), bool(info & 32)
        if f.fre_type > 2 or (f.mask and f.block() == 0):
            f.bad = "FDE info"
        try:
            for _ in range(0 if f.bad else nrows):
                row, at = read_row(section, self.abi, at, self.end, f)
                if f.rows and row.start < f.rows[-1].start:
                    raise Bad("row order")
                f.rows.append(row)
        except Bad as e:
            f.bad = str(e)
        return f


def parts_of(section):
    found, at = [], 0
    while at + 28 <= len(section) and section[at:at + 2] == b"\xe2\xde":
        part = Part(section, at)
        found.append(part)
        at = (part.end + 7) & ~7
    if not found:
        raise Bad("no SFrame header")
    return found


def place_functions(parts, vaddr):
    """Start addresses. Without PCREL a start is relative to the section if one
    linker has merged (a single sorted part), else to its own field."""
    merged = len(parts) == 1 and parts[0].flags & SORTED
    for part in parts:
        field = part.flags & PCREL or not merged
        for f in part.funcs:
            f.start = vaddr + f.field + (f.place if field else 0)
            yield f


# The cases in which the core deviates from the stored rows, by name.

def deviation_plt_bug(abi, f):
    """PLT rows that are wrong: V1's pc-mask functions and its .plt.sec, which looks
    like PLT0; pc-mask blocks that start with SP+16 (.plt.got)."""
    if abi != AMD64:
        return False
    first = f.rows[0].cfa if f.rows else None
    if f.mask:
        return f.version == 1 or first == "sp+16"
    return f.version == 1 and f.size == 16 and \
        [(r.start, r.cfa) for r in f.rows] == [(0, "sp+16"), (6, "sp+24")]


def deviation_outside_text(text, f):
    return not any(lo <= f.start and f.start + f.size <= hi for lo, hi in text)


def deviation_dup_rows(rows):
    """The rows without those that have the same start as the next row."""
    return [r for i, r in enumerate(rows)
            if i + 1 == len(rows) or rows[i + 1].start != r.start]


def below_sp(row, slot):
    """Whether the word c+N is below SP, by a CFA that is sp+N."""
    return slot is not None and slot.startswith("c") and row.cfa.startswith("sp") and \
        int(row.cfa[2:]) + int(slot[1:]) < 0


def deviation_popped(abi, f, rows):
    """The rows, with registers that were popped as unchanged: a register is popped if its slot is below
    SP and the last row with the slot above SP has the same slot. AArch64's return address likewise."""
    if f.mask or f.signal:
        return rows
    out, had = [], {"fp": None, "ra": None}
    for row in rows:
        new = Row(row.start, row.cfa, row.ra, row.fp)
        for name in ("fp",) if abi == AMD64 else ("fp", "ra"):
            slot = getattr(row, name)
            if not below_sp(row, slot):
                had[name] = slot
            elif slot == had[name]:
                setattr(new, name, None)
        out.append(new)
    return out


def deviation_overlaps(funcs):
    """The function that starts last owns what follows its start; of equal starts
    the one that is stored last."""
    return sorted(funcs, key=lambda f: (f.start, f.place))


class Rules:
    """The rule for each range of addresses, with the deviations applied and counted."""

    def __init__(self, abi, funcs, text):
        self.abi = abi
        self.lost = {}
        kept = []
        for f in funcs:
            why = (not f.size and "empty") or (f.bad and "bad") or \
                (deviation_outside_text(text, f) and "outside_text") or \
                (deviation_plt_bug(abi, f) and "plt_bug")
            if why:
                self.lost[why] = self.lost.get(why, 0) + 1
            else:
                kept.append(f)
        self.funcs = deviation_overlaps(kept)

    def text_of(self, f, row):
        if row.cfa == "outermost":
            return "outermost"
        ra = row.ra or ("c-8" if self.abi == AMD64 else "lr")
        return "%s %s %s%s" % (row.cfa, ra, row.fp or "u", " signal" if f.signal else "")

    def in_function(self, f, off):
        if f.mask:
            off %= f.block()
        text = "none"
        for row in deviation_popped(self.abi, f, deviation_dup_rows(f.rows)):
            if row.start > off:
                break
            text = self.text_of(f, row)
        return text

    def changes(self):
        """[(address, text)], neighbours different"""
        out = []

        def emit(at, text):
            if out and out[-1][0] == at:
                out.pop()
            if not out or out[-1][1] != text:
                out.append((at, text))

        for i, f in enumerate(self.funcs):
            end = f.start + f.size
            if i + 1 < len(self.funcs):
                end = min(end, self.funcs[i + 1].start)
            if end == f.start:
                continue
            at = {0} | {r.start for r in f.rows}
            if f.mask:
                at = {k * f.block() + a for a in at if a < f.block()
                      for k in range(f.size // f.block() + 1)}
            for a in sorted(at):
                if f.start + a < end:
                    emit(f.start + a, self.in_function(f, a))
            emit(end, "none")
        return [c for i, c in enumerate(out) if i or c[1] != "none"]


def decode(path):
    """(parts, functions in stored order, text ranges)"""
    elf = Elf(path)
    if not elf.sframe:
        raise Bad("no .sframe")
    vaddr, section = elf.sframe
    parts = parts_of(section)
    return parts, list(place_functions(parts, vaddr)), elf.text


def print_stored(parts, funcs):
    for f in funcs:
        print("func 0x%x size %d%s%s" % (f.start, f.size, " mask" if f.mask else "",
                                         " BAD " + f.bad if f.bad else ""))
        for r in f.rows:
            print("  %x %s %s %s" % (r.start, r.cfa, r.ra or "-", r.fp or "u"))


def main():
    stored = sys.argv[1] == "--stored"
    parts, funcs, text = decode(sys.argv[-1])
    if stored:
        print_stored(parts, funcs)
        return
    for at, rule in Rules(parts[0].abi, funcs, text).changes():
        print("%x %s" % (at, rule))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        pass
