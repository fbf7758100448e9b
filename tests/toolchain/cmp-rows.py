#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares an .sframe section with a file's .eh_frame, row by row.

Both are read by readelf, so that neither cfi2asm.py nor ustack checks its own
output: `--sframe` of the first file against `-wF` of the second.

usage: cmp-rows.py READELF-FOR-SFRAME WITH-SFRAME READELF-FOR-EH-FRAME WITH-EH-FRAME
"""
import re
import subprocess
import sys

X86 = {"names": "rax rdx rcx rbx rsi rdi rbp rsp".split() + ["r%d" % i for i in range(8, 16)],
       "sp": "rsp", "fp": "rbp", "cfa": "sp+8", "ra": "c-8"}
ARM = {"names": ["x%d" % i for i in range(31)] + ["sp"],
       "sp": "sp", "fp": "x29", "cfa": "sp+0", "ra": None}


def run(*argv):
    return subprocess.run(argv, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def read_eh_frame(text):
    """{(start, end): [(address, {column: rule})]}"""
    table, rows, columns = {}, None, []
    for line in text.splitlines():
        m = re.search(r"(?:CIE|FDE)(?:.* pc=([0-9a-f]+)\.\.([0-9a-f]+))?", line)
        if m:
            rows = table.setdefault((int(m[1], 16), int(m[2], 16)), []) if m[1] else None
            continue
        f = line.split()
        if f and f[0] == "LOC":
            columns = f[1:]
        elif rows is not None and f and re.fullmatch("[0-9a-f]{16}", f[0]):
            rows.append((int(f[0], 16), dict(zip(columns, f[1:]))))
    return table


def read_sframe(text):
    """(start, end, address, CFA, FP, RA) of every row"""
    start = end = 0
    for line in text.splitlines():
        m = re.search(r"pc = 0x([0-9a-f]+), size = (\d+)", line)
        if m:
            start, end = int(m[1], 16), int(m[1], 16) + int(m[2])
        m = re.match(r"\s*([0-9a-f]{16})\s+(\S+)\s+(\S+)\s+(\S+)", line)
        if m:
            yield start, end, int(m[1], 16), m[2], m[3], m[4]


def same_rule(dwarf, sframe, fixed):
    """Whether two rules of readelf are the same; @fixed: the rule is the architecture's default, not printed."""
    dwarf = "u" if dwarf in ("s", None) else dwarf
    sframe = sframe.replace("[s]", "")
    if fixed and sframe in ("f", "u", "U"):     # 2.40, 2.44 and FLEX rows differ
        sframe = fixed
    if fixed and dwarf == "u":
        dwarf = fixed
    m = re.match(r"r(\d+)\+0$", sframe)         # kept in a register
    return dwarf in ("exp", sframe) or bool(m and dwarf == "r" + m[1])


def same_cfa(arch, dwarf, sframe):
    m = re.match(r"r(\d+)([-+]\d+)$", sframe)
    if m:
        return dwarf == arch["names"][int(m[1])] + m[2]
    m = re.match(r"([a-z]\w*)([-+]\d+)$", dwarf)
    if not m:
        return dwarf == "exp"
    short = {arch["sp"]: "sp", arch["fp"]: "fp"}.get(m[1], m[1])
    return short + m[2] == sframe


def main(argv):
    arch = ARM if "AArch64" in run(argv[0], "-h", argv[1]) else X86
    truth = read_eh_frame(run(argv[2], "-wFN", argv[3]))
    count = wrong = 0
    functions = set()
    for start, end, at, cfa, fp, ra in read_sframe(run(argv[0], "--sframe", argv[1])):
        count += 1
        functions.add(start)
        row = {"CFA": arch["cfa"].replace("sp", arch["sp"])}
        for address, rules in truth.get((start, end), []):
            if address <= at:
                row = rules
        if ((start, end) in truth and same_cfa(arch, row["CFA"], cfa) and
                same_rule(row.get(arch["fp"]), fp, None) and
                same_rule(row.get("ra"), ra, arch["ra"])):
            continue
        wrong += 1
        if wrong <= 10:
            print("%#x: .eh_frame %s, .sframe %s" % (at, row, (cfa, fp, ra)))
    print("cmp-rows: %d of %d functions, %d rows, %d differ" %
          (len(functions), len(truth), count, wrong))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
