#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write the first inputs of the fuzz targets of DWARF: small programs, compiled.

usage: seed_dwarf.py DIR
        writes DIR/{dwarf,dwarf_elf,dwarf_line}/seed-*; needs gcc, g++, clang, objcopy
"""
import os
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
]
# in the order that fuzz_dwarf.c has them
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


def main():
    out = sys.argv[1]
    tmp = tempfile.mkdtemp()
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
