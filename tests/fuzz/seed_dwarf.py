#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the first inputs of the fuzz targets of DWARF: small programs, compiled.

usage: seed_dwarf.py DIR
        writes DIR/{dwarf,dwarf_elf,dwarf_line,dwarf_package}/seed-*; needs gcc, g++, clang,
        objcopy, llvm-dwarfdump
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

C = """static inline int sq(int x) { return x > 9 ? x * x : x; }
extern int out(int);
__attribute__((cold)) static int rare(int x) { return out(x) + 1; }
int f(int x) { int i, s = 0; for (i = 0; i < x; i++) s += sq(i);
        return s < 0 ? rare(s) : out(s); }
"""
CXX = """namespace n { namespace { struct S { int v;
__attribute__((noinline)) int get(int x) { return v * x; } }; }
int g(int x) { S s{x}; auto l = [&](int y) { return s.get(y) + x; };
        return l(3) + l(x); } }
"""
VARIANTS = [
    ("gcc", C, "-gdwarf-2 -gstrict-dwarf"), ("gcc", C, "-gdwarf-3"),
    ("gcc", C, "-gdwarf-4"), ("gcc", C, "-gdwarf-5"), ("gcc", C, "-gdwarf-5 -gdwarf64"),
    ("g++", CXX, "-gdwarf-4 -fdebug-types-section"), ("g++", CXX, "-gdwarf-5"),
    ("gcc", C, "-gdwarf-5 -ffunction-sections"), ("gcc", C, "-gdwarf-5 -m32"),
    ("clang", C, "-gdwarf-4"), ("clang", C, "-gdwarf-5"),
    ("clang++", CXX, "-gdwarf-5"), ("clang", C, "-gdwarf-5 -gz=zlib"),
    ("gcc", C, "-gdwarf-5 -gz=zlib-gnu"), ("clang", C, "-gdwarf-5 --target=powerpc64"),
    ("clang", C, "-gdwarf-4 --target=riscv64"),
    ("clang", C, "-gdwarf-4 --target=x86_64-apple-macos13"),
    ("clang", C, "-gdwarf-5 --target=arm64-apple-macos13"),
    ("clang", C, "-gdwarf-4 --target=i386-apple-macos10.13"),
    ("clang++", CXX, "-gdwarf-5 -nostdinc++ --target=x86_64-apple-macos13"),
]
# the sections in the order of fuzz_dwarf.c
SECTIONS = ["abbrev", "str", "line_str", "str_offsets", "addr", "line", "ranges", "rnglists"]


def section(path, name):
    with tempfile.NamedTemporaryFile() as f:
        subprocess.run(["objcopy", "-O", "binary", "--set-section-flags", name + "=alloc",
                        "--change-section-address", name + "=0", "-j", name, path, f.name],
                       stderr=subprocess.DEVNULL, check=False)
        return f.read()


def write(out, target, name, data):
    os.makedirs(os.path.join(out, target), exist_ok=True)
    with open(os.path.join(out, target, "seed-" + name), "wb") as f:
        f.write(data)


# the sections in the order of fuzz_dwarf_package.c; those in MAIN are the program's, not the package's
PACKED = ["abbrev.dwo", "str.dwo", "line_str", "str_offsets.dwo", "addr", "line", "ranges",
          "rnglists.dwo", "cu_index", "sup"]
MAIN = {"line_str", "addr", "line", "ranges"}


def packages(out):
    for i, (cc, v) in enumerate([("gcc", 4), ("gcc", 5), ("clang", 5)]):
        tmp = tempfile.mkdtemp()
        with open(os.path.join(tmp, "p.c"), "w") as f:
            f.write(C)
        for cmd in ([cc, "-O2", "-gdwarf-%d" % v, "-gsplit-dwarf", "-fdebug-prefix-map=%s=/s" % tmp,
                     "-c", "p.c", "-o", "p.o"], [cc, "-shared", "-nostdlib", "p.o", "-o", "p.so"]):
            subprocess.run(cmd, cwd=tmp, check=True)
        so, dwo = os.path.join(tmp, "p.so"), os.path.join(tmp, "p.dwo")
        parts = [section(so if s in MAIN else dwo, ".debug_" + s) for s in PACKED]
        info = section(dwo, ".debug_info.dwo")
        text = subprocess.run(["llvm-dwarfdump-14", dwo], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False).stdout
        dwo_id = int(re.search(rb"(?:DWO_id = |dwo_id\t\()0x([0-9a-f]+)", text)[1], 16)
        # a package of one unit, whose shares are the whole sections
        sizes = [(1, len(info)), (3, len(parts[0])), (6, len(parts[3]))] + [(8, len(parts[7]))] * (v == 5)
        slot = dwo_id & 1
        parts[8] = struct.pack("<4I", 5 if v == 5 else 2, len(sizes), 1, 2) + struct.pack(
            "<2Q2I", *[dwo_id if k == slot else 0 for k in range(2)],
            *[int(k == slot) for k in range(2)]) + b"".join(
            struct.pack("<%dI" % len(sizes), *row) for row in
            ([k for k, _ in sizes], [0] * len(sizes), [n for _, n in sizes]))
        parts.append(b"common\0" + bytes(range(20)))
        write(out, "dwarf_package", "%02d" % i, struct.pack("<BQ", 2 * (v == 5), dwo_id) +
              b"".join(struct.pack("<H", len(p)) for p in parts) + b"".join(parts) + info)
    write(out, "dwarf_package", "sup", struct.pack("<BQ", 0, 0) + struct.pack(
        "<11H", *[0] * 9, 16, 0) + b"\5\0\0common\0\5abcde")


def main():
    out = sys.argv[1]
    tmp = tempfile.mkdtemp()
    packages(out)
    for i, (cc, text, flags) in enumerate(VARIANTS):
        src = os.path.join(tmp, "a." + ("c" if text is C else "cc"))
        obj, exe = os.path.join(tmp, "a.o"), os.path.join(tmp, "a.so")
        with open(src, "w") as f:
            f.write(text)
        if subprocess.run([cc, "-O2", *flags.split(), "-fdebug-prefix-map=%s=/s" % tmp,
                           "-c", src, "-o", obj]).returncode:
            continue
        write(out, "dwarf_elf", "%02d" % i, open(obj, "rb").read())
        if "target" in flags or "-m32" in flags or "-gz" in flags:
            continue
        subprocess.run([cc, "-shared", "-nostdlib", obj, "-o", exe], check=True)
        parts = [section(exe, ".debug_" + s) for s in SECTIONS]
        write(out, "dwarf", "%02d" % i, bytes([0, 0]) +
              b"".join(struct.pack("<H", len(p)) for p in parts) + b"".join(parts) +
              section(exe, ".debug_info"))
        write(out, "dwarf_line", "%02d" % i, b"\0" + section(exe, ".debug_line"))


main()
