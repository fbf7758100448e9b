#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the first inputs of the fuzz targets, from the golden samples.

usage: seed.py DIR
        writes DIR/TARGET/seed-* for every target. The corpora in the tree are
        these, grown by the fuzzer and minimised (make fuzz-merge).
"""
import glob
import os
import random
import struct
import sys

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "golden", "sframe")


def elf_section(path, name):
    """(address, bytes) of a section of a 64-bit ELF file of either byte order."""
    data = open(path, "rb").read()
    e = "<" if data[5] == 1 else ">"
    shoff, = struct.unpack_from(e + "Q", data, 40)
    shnum, shstrndx = struct.unpack_from(e + "HH", data, 60)
    sh = [struct.unpack_from(e + "IIQQQQ", data, shoff + 64 * i) for i in range(shnum)]
    for s in sh:
        at = sh[shstrndx][4] + s[0]
        if data[at:data.index(b"\0", at)].decode() == name:
            return s[3], data[s[4]:s[4] + s[5]]
    return None


def sections():
    """(name, arch flag, address, text start, text length, bytes)"""
    for path in sorted(glob.glob(GOLDEN + "/*.elf") + glob.glob(GOLDEN + "/*.o")):
        found = elf_section(path, ".sframe")
        if not found or found[1][:2] == b"\xde\xe2":
            continue
        addr, data = found
        name = os.path.basename(path)
        if path.endswith(".elf"):
            yield name, 0, addr, 0x1000, 0x1000, data
        else:   # not relocated: each start is the address of its own field
            arch = 1 if data[4] == 2 else 0
            yield name, arch, 0x10000, 0x10000, 0x10000, data


def small_elf(machine, sframe):
    """Headers, a note, .sframe and section headers in less than 1 KiB."""
    note = struct.pack("<III4s20s", 4, 20, 3, b"GNU\0", b"b" * 20)
    names = b"\0.sframe\0.shstrtab\0"
    off = 64 + 4 * 56
    note_off, sframe_off = off, off + len(note)
    names_off = sframe_off + len(sframe)
    sh_off = names_off + len(names)

    def ph(kind, flags, at, size):
        return struct.pack("<IIQQQQQQ", kind, flags, at, at, at, size, size, 8)

    def sh(name, kind, at, size):
        return struct.pack("<IIQQQQIIQQ", name, kind, 2, at, at, size, 0, 0, 8, 0)

    return (b"\x7fELF\2\1\1" + bytes(9) +
            struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, sh_off, 0, 64, 56,
                        4, 64, 3, 2) +
            ph(1, 5, 0, sh_off) + ph(1, 5, 0x1000, 0x1000) +
            ph(4, 4, note_off, len(note)) +
            ph(0x6474e554, 4, sframe_off, len(sframe) + 30) +
            note + sframe + names + sh(0, 0, 0, 0) +
            sh(1, 0x6ffffff4, sframe_off, len(sframe)) + sh(9, 3, names_off, len(names)))


CODE = {
    0: bytes.fromhex("ff35e22f0000ff25e42f00000f1f4000ff25e22f00006800000000e9e0ffffff"
                     "f30f1efa6800000000f2e9d1ffffff90" "48c7c00f0000000f05" "e800000000"),
    1: struct.pack("<13I", 0xd503245f, 0xa9bf7bf0, 0xb0000090, 0xf947fe11, 0x913fe210,
                   0xd61f0220, 0xb0000090, 0xf947fe11, 0x913fe210, 0xd61f0220,
                   0xd2801168, 0xd4000001, 0x94000000),
}


# Two prologues of Go's assemblers, each with its epilogue
GO_CODE = {
    0: bytes.fromhex("554889e54883ec10488b6228ffd04883c4105dc3" "4883ec2848896c2420488d6c2420"
                     "4883c428c3cccccc"),
    1: struct.pack("<12I", 0xf81e0ffe, 0xf81f83fd, 0xd10023fd, 0x9100001f, 0xd63f0000,
                   0xf85f83fd, 0xf84207fe, 0xd65f03c0, 0xd10083f4, 0xa93ffa9d, 0x9100029f,
                   0xd65f03c0),
}


def go_table(layout, arch, name):
    """A table in one of Go's four layouts, of two functions over GO_CODE[arch]."""
    code = GO_CODE[arch]
    unit = 4 if arch else 1
    half = len(code) // 2 // 4 * 4
    # {zigzag of the change, bytes / unit}: 0 at the entry, then a frame, then 0
    values = b"\0" + bytes([2, 4 // unit, 64 if arch else 16, (half - 8) // unit, 63 if arch
                            else 15, 4 // unit, 0]) if unit == 4 else \
        b"\0" + bytes([2, 1, 16, 3, 32, 10, 31, 5, 15, 1, 0])
    names = b"\0main.f\0" + name + b"\0"
    magic, wide, tail, flag = {12: (0xfffffffb, 1, 20, 0), 116: (0xfffffffa, 1, 36, 33),
                               118: (0xfffffff0, 0, 36, 33), 120: (0xfffffff1, 0, 40, 37)}[layout]
    text = 0x401000 if wide else 0
    entry = "<Q" if wide else "<I"
    header = {12: 16, 116: 64, 118: 72, 120: 72}[layout]
    size = struct.calcsize(entry)
    at_names = header
    at_values = at_names + len(names)
    at_funcs = (at_values + len(values) + 7) // 8 * 8
    n = 5 * size
    offs = [n, n + size + tail + 8]
    base, lst = at_funcs, at_funcs
    name_base, value_base = 0, 0
    if layout == 12:    # one part: the list follows the header
        lst, base, name_base, value_base = 16, 0, at_names, at_values
        at_names = 16 + n
        at_values = at_names + len(names)
        name_base, value_base = at_names, at_values
        offs = [at_values + len(values), at_values + len(values) + size + tail + 8]
    out = bytearray(offs[1] + base + size + tail + 8)
    struct.pack_into("<IBBBBQ", out, 0, magic, 0, 0, unit, 8, 2)
    if layout == 116:
        struct.pack_into("<6Q", out, 16, 0, at_names, at_values, at_values, at_values, at_funcs)
    elif layout > 116:
        struct.pack_into("<7Q", out, 16, 0, text, at_names, at_values, at_values, at_values,
                         at_funcs)
    out[at_names:at_names + len(names)] = names
    out[at_values:at_values + len(values)] = values
    ends = (0, half, len(code))
    for i in 0, 1:
        struct.pack_into(entry, out, lst + 2 * i * size, text + ends[i])
        struct.pack_into(entry, out, lst + (2 * i + 1) * size, offs[i])
        rec = base + offs[i]
        struct.pack_into(entry, out, rec, text + ends[i])
        struct.pack_into("<i", out, rec + size, name_base + (1 if i else 8))
        struct.pack_into("<I", out, rec + size + 12, value_base + 1)
        if flag:
            out[rec + size + flag] = 2 * i
    struct.pack_into(entry, out, lst + 4 * size, text + len(code))
    return bytes([arch]) + struct.pack("<H", len(out)) + bytes(out) + code


def main():
    rng = random.Random(1)
    out = sys.argv[1]

    def put(target, name, data):
        os.makedirs(os.path.join(out, target), exist_ok=True)
        with open(os.path.join(out, target, "seed-" + name), "wb") as f:
            f.write(data)

    for name, arch, addr, text, length, data in sections():
        head = struct.pack("<QQI", addr, text, length)
        whole = head + struct.pack("<I", arch) + data
        put("verify", name, whole)
        put("table", name, whole)
        put("elf", name, small_elf(183 if arch else 62, data))
        walk = head + struct.pack("<I", arch | len(data) << 16) + data
        for k in range(12):
            start = struct.pack("<HHBHH", rng.randrange(0x180), 16, 1, 32, 0x100)
            stack = b"".join(struct.pack("<H", rng.choice((
                rng.randrange(0x8000), 0x8000 + 2 * rng.randrange(64),
                0x8000 + 2 * rng.randrange(0x3f00)))) for _ in range(200))
            put("walk_aarch64" if arch else "walk_x86_64", "%s-%d" % (name, k),
                walk + start + CODE[arch] * 4 + stack)
    for arch in 0, 1:
        for at in range(0, len(CODE[arch]), 4):
            put("blind", "%d-%02d" % (arch, at),
                bytes([3 | arch << 4]) + struct.pack("<HHHH", at, 64, 64, 4) +
                CODE[arch] + bytes(rng.randrange(256) for _ in range(64)))
    for arch in 0, 1:
        for layout in 12, 116, 118, 120:
            for name in b"runtime.mcall", b"runtime.systemstack", b"runtime.sigpanic", \
                    b"runtime.sigreturn":
                put("gopclntab", "%d-%d-%s" % (arch, layout, name.decode()),
                    go_table(layout, arch, name))
    put("cursor", "all", bytes([2, 40, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 1, 2, 3]))


main()
