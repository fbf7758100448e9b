#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write down, from unstripped files, what a checker of stacks must know.

Lines of the output, read by chaincheck/truth.c:
  arch NAME                      the architecture
  image NAME                     the file's name; the lines below are about it
  load OFFSET VADDR SIZE         an executable segment
  func VADDR SIZE CLASS NAME     CLASS: own (ours), plt, sig (signal return), lib
  call VADDR TARGET              a return address, and who was called (* unknown)
  tail NAME TARGET               NAME jumps to TARGET and leaves no frame
  fixed VADDR NAME               NAME's executable segment may be here, untold
A system library has no symbol table: its functions are its FDEs.
"""
import argparse
import bisect
import os
import re
import subprocess
import sys

# mov $15, %rax; syscall: the code that sa_restorer points to on x86-64
X86_RESTORER = bytes.fromhex("48c7c00f0000000f05")


def run(*argv):
    # readelf's status also reports things that do not matter here
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True)
    if done.returncode and not done.stdout:
        sys.exit("mktruth: %s: status %d" % (" ".join(argv), done.returncode))
    return done.stdout


def plain(name):
    """The name the programmer gave: without version and compiler suffixes."""
    name = name.split("@")[0]
    return re.sub(r"\.(cold|part|isra|constprop|lto_priv)(\.\d+)*$", "", name)


class Image:
    def __init__(self, path, args, own):
        self.path, self.args, self.own = path, args, own
        self.name = os.path.basename(path)
        self.loads, self.funcs = [], {}
        self.calls, self.tails = [], set()
        self.tool = lambda t, *a: run(os.path.join(args.tools, t), *a, path)

    def read(self, system=False):
        self.read_loads()
        symbols = self.tool("nm", "-n", "-S", "-D" if system else "--defined-only")
        self.read_symbols(symbols, system)
        if system:
            self.read_fdes()
        self.read_restorer()
        self.disassemble()
        return self

    def read_loads(self):
        for line in self.tool("readelf", "-lW").splitlines():
            f = line.split()
            if f and f[0] == "LOAD" and "E" in f[6:-1]:
                self.loads.append((int(f[1], 16), int(f[2], 16), int(f[4], 16)))

    def add(self, vaddr, size, kind, name):
        old = self.funcs.get(vaddr)
        if not old or (kind == "own" and old[1] != "own"):
            self.funcs[vaddr] = (size, kind, name)

    def read_symbols(self, text, system):
        for line in text.splitlines():
            m = re.match(r"([0-9a-f]+) (?:([0-9a-f]+) )?([TtWwi]) (\S+)$", line)
            if not m or m[4].startswith("$"):
                continue
            name = plain(m[4])
            kind = "own" if name in self.own and not system else "lib"
            self.add(int(m[1], 16), int(m[2] or "0", 16), kind, name)

    def read_fdes(self):
        """An FDE gives better limits of a function than an exported alias."""
        for line in self.tool("readelf", "-wf").splitlines():
            m = re.search(r" FDE .* pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
            if m:
                lo, hi = int(m[1], 16), int(m[2], 16)
                name = self.funcs.get(lo, (0, "lib", "%s+%#x" % (self.name, lo)))[2]
                self.funcs[lo] = (hi - lo, "lib", name)

    def read_restorer(self):
        if self.args.arch != "x86_64":
            return
        with open(self.path, "rb") as f:
            data = f.read()
        at = data.find(X86_RESTORER)
        while at >= 0:
            for offset, vaddr, size in self.loads:
                if offset <= at < offset + size:
                    self.funcs[at - offset + vaddr] = (9, "sig", "signal_return")
            at = data.find(X86_RESTORER, at + 1)

    def close_gaps(self, end):
        """A symbol without a size lasts until the next one."""
        starts = sorted(self.funcs)
        for start, following in zip(starts, starts[1:] + [end]):
            size, kind, name = self.funcs[start]
            if not size:
                self.funcs[start] = (following - start, kind, name)

    def disassemble(self):
        insns, end = [], 0
        for line in self.tool("objdump", "-d", "-w", "--no-show-raw-insn").splitlines():
            m = re.match(r"([0-9a-f]+) <(.+)>:$", line)
            if m:
                self.label(int(m[1], 16), m[2])
                continue
            m = re.match(r" *([0-9a-f]+):\t(.*)$", line)
            if m:
                insns.append((int(m[1], 16), m[2]))
                end = int(m[1], 16) + 16
        self.close_gaps(end)
        self.starts = sorted(self.funcs)
        for i, (vaddr, text) in enumerate(insns):
            following = insns[i + 1][0] if i + 1 < len(insns) else vaddr + 4
            self.instruction(vaddr, following, text)

    def label(self, vaddr, name):
        m = re.match(r"(.*)@plt([-+]0x[0-9a-f]+)?$", name)
        if m:
            self.add(vaddr, 0, "plt", "plt0" if m[2] else plain(m[1]))
        elif name == ".plt" or name.startswith("_PROCEDURE_LINKAGE"):
            self.add(vaddr, 0, "plt", "plt0")

    def at(self, vaddr):
        """(class, name) of the function around an address."""
        i = bisect.bisect_right(self.starts, vaddr) - 1
        if i < 0:
            return None, None
        size, kind, name = self.funcs[self.starts[i]]
        return (kind, name) if vaddr < self.starts[i] + size else (None, None)

    def target(self, vaddr):
        """A stub has the name of the function that it calls; stubs without a name may call any function."""
        kind, name = self.at(vaddr)
        return "*" if not name or name == "plt0" or name.startswith("*") else name

    def instruction(self, vaddr, following, text):
        op, _, rest = text.partition("\t") if "\t" in text else text.partition(" ")
        if op in ("bnd", "notrack", "addr32"):
            op, _, rest = rest.strip().partition(" ")
        rest = rest.strip()
        m = re.search(r"([0-9a-f]+) <[^>]*>\s*$", rest)
        target = self.target(int(m[1], 16)) if m and not rest.startswith("*") else None
        if op in ("call", "callq", "bl", "blr") or op.startswith("blra"):
            self.calls.append((following, target or "*"))
        elif op in ("jmp", "jmpq", "br") or op.startswith("bra"):
            self.tail(vaddr, target or "*")
        elif (op.startswith("j") or op.startswith("b") or op.startswith("cb")
              or op.startswith("tb")) and target:
            self.tail(vaddr, target)

    def tail(self, vaddr, target):
        kind, name = self.at(vaddr)
        if name and kind != "plt" and name != target:
            self.tails.add((name, target))

    def write(self, alias=None):
        print("image", alias or self.name)
        for load in self.loads:
            print("load %#x %#x %#x" % load)
        for vaddr in self.starts:
            size, kind, name = self.funcs[vaddr]
            print("func %#x %#x %s %s" % (vaddr, size, kind, name))
        for vaddr, target in self.calls:
            print("call %#x %s" % (vaddr, target))
        for name, target in sorted(self.tails):
            print("tail %s %s" % (name, target))


def own_names(args):
    names = set()
    if not args.objects:
        return names
    for folder, _, files in os.walk(args.objects):
        for file in files:
            if not file.endswith(".o"):
                continue
            text = run(os.path.join(args.tools, "nm"), "--defined-only",
                       os.path.join(folder, file))
            for line in text.splitlines():
                f = line.split()
                if len(f) == 3 and f[1] in "TtWw":
                    names.add(plain(f[2]))
    return names


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--tools", required=True, help="directory of nm, objdump, readelf")
    ap.add_argument("--arch", required=True)
    ap.add_argument("--objects", help="where our own objects are")
    ap.add_argument("--jit", help="the ELF file whose text the JIT copies")
    ap.add_argument("--fixed", action="append", default=[], help="VADDR:NAME")
    ap.add_argument("--system", action="append", default=[], help="a stock library")
    ap.add_argument("images", nargs="*")
    args = ap.parse_args()

    own = own_names(args)
    print("# made by mktruth.py: what chaincheck knows of these files")
    print("arch", args.arch)
    for path in args.images:
        Image(path, args, own).read().write()
    if args.jit:
        Image(args.jit, args, own).read().write("//anon")
    for path in args.system:
        Image(path, args, set()).read(system=True).write()
    for fixed in args.fixed:
        print("fixed", *fixed.split(":"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
