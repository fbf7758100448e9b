#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# Compares the decoder of x86 instructions with GNU objdump: length and target of every
# instruction in the files' executable sections. Instructions that the decoder does not know
# are counted, and must be few.
#
# usage: compare.py INSNS FILE...		files of x86-64 and of i386
#        compare.py --as-i386 INSNS FILE...	any files; their text is read as i386 code
# 64-bit text read as i386 code has instructions that compilers do not write: there 1 in 50 may
# be unknown. Most of these are 16-bit branches.
import collections
import os
import re
import subprocess
import sys
import tempfile

PREFIXES = r"(?:(?:bnd|notrack|rep|repz|repnz|lock|data16|addr16|addr32|[cdefgs]s|rex\S*)\s+)*"
LINE = re.compile(r"^\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*(?:\t\s*" + PREFIXES + r"(\S+)\s*(\S*).*)?$")
ENDS = {"ret", "retq", "lret", "lretw", "iret", "iretq", "sysret", "sysretl", "sysretq", "ud2", "hlt",
        "int3", "retw", "lretl", "lretq", "iretl", "iretw", "sysretd"}


def sections(path):
    """Name, address and architecture of each executable section."""
    out = subprocess.run(["readelf", "-hSW", path], capture_output=True, text=True, check=True).stdout
    arch = "i386" if re.search(r"Machine: +Intel 80386", out) else "x86_64"
    for m in re.finditer(r"^\s*\[ *\d+\] (\S+) +PROGBITS +(\S+) \S+ \S+ \S+ +(\S+)", out, re.M):
        if "X" in m[3]:
            yield m[1], m[2], arch


def kind_of(mnemonic, operand):
    """Kind and target (or 0) of an instruction, from objdump's text."""
    to = int(operand, 16) if re.fullmatch(r"(0x)?[0-9a-f]+", operand) else 0
    if re.match(r"l?call", mnemonic):
        return "call", to
    if re.match(r"l?jmp", mnemonic):
        return "jump", to
    if re.match(r"j|loop", mnemonic):
        return "branch", to
    return ("end" if mnemonic in ENDS else "other"), 0


def disassembly(command):
    """objdump's reading of a section: address, bytes, kind, target, text."""
    out = subprocess.Popen(["objdump", "--insn-width=16", *command], stdout=subprocess.PIPE, text=True)
    for line in out.stdout:
        m = LINE.match(line)
        if not m or not m[3]:
            continue
        code = m[2].split()
        # objdump prints fwait together with the instruction after it
        size = 1 if code[0] == "9b" else len(code)
        yield int(m[1], 16), size, *kind_of(m[3], m[4]), line.strip()
    if out.wait():
        sys.exit(f"objdump fails on {command[-1]}")


def compare(insns, path, section, vaddr, arch, sums):
    with tempfile.TemporaryDirectory() as tmp:
        raw = os.path.join(tmp, "bytes")
        subprocess.run(["objcopy", "-O", "binary", "-j", section, path, raw], check=True)
        command = ["-d", "-j", section, path]
        if arch == "as-i386":
            command = ["-D", "-b", "binary", "-m", "i386", f"--adjust-vma=0x{vaddr}", raw]
        want = list(disassembly(command))
        out = subprocess.run([insns, raw, vaddr, arch.removeprefix("as-")], input="\n".join(f"{w[0]:x}" for w in want),
                             capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(out) == len(want)
    for got, (_, size, kind, to, text) in zip(out, want):
        if re.search(r"\(bad\)|\.byte|[\t ]rex\S*$", text):
            sums["no instruction"] += 1
        elif got == "?":
            sums["not known"] += 1
            print(f"{path}: not known: {text}") if sums["not known"] <= 5 else None
        elif got == f"{size} {kind} {to:x}":
            sums["same"] += 1
        else:
            sums["differ"] += 1
            print(f"{path}: {got}: {text}") if sums["differ"] <= 20 else None


def main():
    sums = collections.Counter()
    forced = sys.argv[1] == "--as-i386"
    insns, *paths = sys.argv[1 + forced:]
    for path in paths:
        for section, vaddr, arch in sections(path):
            compare(insns, path, section, vaddr, "as-i386" if forced else arch, sums)
    print(f"insn: {len(paths)} files; {sums['same']} instructions the same, "
          f"{sums['not known']} not known, {sums['differ']} differ; "
          f"{sums['no instruction']} are none to objdump")
    sys.exit(sums["differ"] > 0 or sums["same"] < 1000 or
             sums["not known"] > sums["same"] // (50 if forced else 1000))


main()
