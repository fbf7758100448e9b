#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the first inputs of the fuzz targets of Mach-O: small libraries, linked.

usage: seed_macho.py DIR
        writes DIR/{macho,gsym_macho}/seed-*; needs clang, ld64.lld and llvm
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

C = """extern int out(int); static int t; __attribute__((noinline)) static int g(int x)
{ return out(x) + t; } int f(int x) { t = x; return g(x) + 1; }
"""
ARCHS = ["x86_64-apple-macos13", "arm64-apple-macos13", "i386-apple-macos10.13"]


def run(*argv):
    subprocess.run(argv, check=True)


def cut(data):
    """Remove the pages between sections, and correct the offsets in the file."""
    magic, = struct.unpack_from("<I", data)
    at, end = (32, 16) if magic == 0xfeedfacf else (28, 12)
    ncmds, = struct.unpack_from("<I", data, 16)
    out, moved = bytearray(data[:4096]), {}
    for _ in range(ncmds):
        cmd, size = struct.unpack_from("<II", data, at)
        # offset and length of the data of LC_SYMTAB (two of each) and LC_FUNCTION_STARTS
        pairs = {2: [(8, 12, end), (16, 20, 1)], 0x26: [(8, 12, 1)]}.get(cmd, [])
        for off, nr, each in pairs:
            start, = struct.unpack_from("<I", data, at + off)
            n, = struct.unpack_from("<I", data, at + nr)
            struct.pack_into("<I", out, at + off, len(moved) and moved["end"] or 2400)
            to, = struct.unpack_from("<I", out, at + off)
            out[to:to + n * each] = data[start:start + n * each]
            moved["end"] = to + n * each + 7 & ~7
        at += size
    return bytes(out[:moved.get("end", 4096)])


def big(data):
    """A header and segments in the other byte order, that of PowerPC."""
    words = struct.unpack_from("<7I", data)
    return struct.pack(">7I", words[0], 18, 0, *words[3:]) + re.sub(
        rb"(?s)(.)(.)(.)(.)", rb"\4\3\2\1", data[28:28 + words[5] & ~3])


def fat(slices, wide):
    out = struct.pack(">II", 0xcafebabf if wide else 0xcafebabe, len(slices))
    at = 128
    for s in slices:
        cpu, sub = struct.unpack_from("<II", s, 4)
        out += struct.pack(">IIQQII" if wide else ">IIIII", cpu, sub, at, len(s), 4,
                           *([0] if wide else []))
        at += len(s)
    return out.ljust(128, b"\0") + b"".join(slices)


def main():
    out, tmp, files = sys.argv[1], tempfile.mkdtemp(), []
    src, obj, lib = (os.path.join(tmp, n) for n in ("a.c", "a.o", "a.dylib"))
    with open(src, "w") as f:
        f.write(C)
    for target in ARCHS:
        run("clang", "-O1", "-target", target, "-c", src, "-o", obj)
        files.append(open(obj, "rb").read())
        if "i386" in target:
            files.append(big(files[-1]))
            continue
        run("ld64.lld-14", "-dylib", "-arch", target.split("-")[0], "-platform_version", "macos",
            "13.0", "13.0", "-undefined", "dynamic_lookup", "-install_name", "/a.dylib",
            obj, "-o", lib)
        files.append(cut(open(lib, "rb").read()))
    files += [fat([files[0], files[2]], False), fat([files[1]], True)]
    for i, data in enumerate(files):
        for target in "macho", "gsym_macho":
            os.makedirs(os.path.join(out, target), exist_ok=True)
            with open(os.path.join(out, target, "seed-%02d" % i), "wb") as f:
                f.write(data)


main()
