#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the first inputs of the fuzz target macho_walk: libraries of x86-64 and arm64 whose
functions are unwound in all ways, cut off after __TEXT; libraries of these and of i386 whose
functions make their frames late; and captures.

usage: seed_unwind.py DIR
        writes DIR/{macho_walk,capture}/{seed,late}-*; needs clang, lld-19 and llvm-19
"""
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../judge/macho"))
sys.dont_write_bytecode = True
import forms                            # noqa: E402
import link32                           # noqa: E402

C = """long out(long); __attribute__((noinline)) long g(char *p, long x) { return p[x] + out(x); }
long f(long x) { char big[4000]; big[x] = 1; return g(big, x) + out(x + 1); }
long h(long x) { char *p = __builtin_alloca(x); return g(p, x) * f(x) + out(x); }
long leaf(long x) { return x * 3; }
"""
ASM = {"x86_64": """
_dwarf: .cfi_startproc
 pushq %rbx
 .cfi_def_cfa_offset 16
 .cfi_offset %rbx, -16
 movq %rsp, %rbx
 .cfi_def_cfa_register %rbx
 callq _leaf
 .cfi_escape 0x0f, 0x03, 0x77, 0x08, 0x06
 ret
 .cfi_endproc
""", "arm64": """
.p2align 2
_dwarf: .cfi_startproc
 str x30, [sp, #-16]!
 .cfi_def_cfa_offset 16
 .cfi_offset w30, -16
 bl _leaf
 .cfi_escape 0x0f, 0x03, 0x8f, 0x00, 0x06
 ret
 .cfi_endproc
"""}
CAPTURES = [
    b"arch arm64\nmemory 0 hex 0102030405060708\nthread a\nregister pc 0x1\nregister sp 0\n",
    b"# c\narch i386\nimage 0x1000 0x2000 5e67513ccda0436f78c9fd656fca111bc /a\nregister eip 1\n"
    b"register esp 4\nmemory 0x10 base64 AAAA\nregister eflags 2\n",
    b"arch x86_64\nimagemap AgVsaW51eAE=\nimage 1 2 - /b c\nregister rip 1\nregister rsp 2\n"
    b"register r12 3\nmemory 2 file x\n",
]


def cut(data):
    """The file up to the end of __TEXT's contents, followed by the starts of functions."""
    data, at, end, starts = bytearray(data), 32, 0, None
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 0x19 and data[at + 8:at + 14] == b"__TEXT":
            for i in range(struct.unpack_from("<I", data, at + 64)[0]):
                length, off = struct.unpack_from("<QI", data, at + 72 + 80 * i + 40)
                end = max(end, off + length)
        if kind == 0x26:
            starts = at
        at += size
    off, length = struct.unpack_from("<II", data, starts + 8)
    struct.pack_into("<I", data, starts + 8, end)
    return bytes(data[:end]) + bytes(data[off:off + length])


def link(tmp, arch, objects):
    """A seed from the whole library that a linker made."""
    out = os.path.join(tmp, "a")
    subprocess.run(["ld64.lld-19", "-dylib", "-arch", arch, "-platform_version", "macos", "13.0",
                    "13.0", "-undefined", "dynamic_lookup", "-no_fixup_chains", *objects, "-o",
                    out], check=True)
    return out


def read(path):
    with open(path, "rb") as f:
        return f.read()


def build(tmp, arch, flags):
    stem = os.path.join(tmp, "a")
    with open(stem + ".c", "w") as f:
        f.write(C)
    with open(stem + ".s", "w") as f:
        f.write(ASM[arch])
    objects = []
    for source in stem + ".c", stem + ".s":
        objects.append(source + ".o")
        subprocess.run(["clang", "-target", f"{arch}-apple-macos13", "-O1", "-fno-stack-protector",
                        *flags, "-c", source, "-o", objects[-1]], check=True)
    return cut(read(link(tmp, arch, objects)))


def small_i386(path):
    """Make a library with one segment from an object whose text begins with HEADER free bytes."""
    obj = link32.Object(path)
    memory = obj.laid_out()[:obj.named("__text")[2]]
    info = link32.unwind_info(obj, obj.laid_out(), len(memory))
    sections = ((b"__text", HEADER, len(memory) - HEADER, 0x80000400),
                (b"__unwind_info", len(memory), len(info), 0))
    end = len(memory) + len(info)
    rows = b"".join(struct.pack("<16s16s9I", name, b"__TEXT", addr, size, addr, 2, 0, 0, flags, 0,
                                0) for name, addr, size, flags in sections)
    segment = struct.pack("<II16s8I", 1, 56 + len(rows), b"__TEXT", 0, end, 0, end, 7, 7,
                          len(sections), 0) + rows
    head = struct.pack("<7I", 0xfeedface, 7, 3, 8, 1, len(segment), 0) + segment
    memory[:len(head)] = head
    return bytes(memory) + info


HEADER = 512


def build_late(tmp, arch):
    """Return: the library, and the address of each of its functions."""
    source, obj = os.path.join(tmp, "late.s"), os.path.join(tmp, "late.o")
    late = {name: lines for name, lines in forms.FORMS[arch].items() if name.startswith("late")}
    room = f".space {HEADER}\n" if arch == "i386" else ""
    with open(source, "w") as f:
        f.write(".text\n" + room + forms.assembly(arch, late) +
                ".globl _g, _target\n_g:\n_target: ret\n")
    system = "macos10.13" if arch == "i386" else "macos13"
    subprocess.run(["clang", "-target", f"{arch}-apple-{system}", "-c", source, "-o", obj], check=True)
    path = obj if arch == "i386" else link(tmp, arch, [obj])
    names = subprocess.run(["llvm-nm-19", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    starts = [int(row.split()[0], 16) for row in names.splitlines() if "_form_" in row]
    return small_i386(obj) if arch == "i386" else cut(read(path)), sorted(starts)


def start(pc, sp, fp, flags, seed):
    return struct.pack("<IBBBBQ", pc, sp, fp, flags, 0, seed)


def main():
    for name in "macho_walk", "capture":
        os.makedirs(os.path.join(sys.argv[1], name), exist_ok=True)
    n = 0
    with tempfile.TemporaryDirectory() as tmp:
        for arch in ASM:
            for flags in ["-fomit-frame-pointer"], ["-fno-omit-frame-pointer"]:
                data = build(tmp, arch, flags)
                for pc in 0x500, 0x520, 0x560:
                    with open(os.path.join(sys.argv[1], "macho_walk", f"seed-{n}"), "wb") as f:
                        f.write(data + start(pc + n, 1, 9, 2 * n % 16 | 8, n))
                    n += 1
        # interrupted before a frame is made, and while it is made
        for arch in "x86_64", "arm64", "i386":
            data, starts = build_late(tmp, arch)
            for i, pc in enumerate(starts):
                with open(os.path.join(sys.argv[1], "macho_walk", f"late-{arch}-{i}"), "wb") as f:
                    f.write(data + start(pc + 8 * (i % 2), 1, 9, 15, i))
    for i, text in enumerate(CAPTURES):
        with open(os.path.join(sys.argv[1], "capture", f"seed-{i}"), "wb") as f:
            f.write(text)


main()
