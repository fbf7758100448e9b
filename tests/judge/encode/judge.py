#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Have other programs read what the encoder writes.

usage: judge.py [--seeds N] [--no-growth] ENCODE_ROWS USTACK DIR FILE...
  Random functions, and those of every FILE, are encoded in every form (version 3;
  version 2; version 2 with starts from the section, as binutils 2.44 knows it),
  written to an ELF file in DIR and read by
    readelf --sframe and objdump --sframe   2.47: all three; 2.44: the last one
    ustack sframe verify and dump
  None may complain or lose anything, and the rows that readelf and objdump print must be
  those that were given, word by word. (encode_rows again compares what the core reads.)
  Then the instructions that encoding takes are counted: they must grow as the rows do.
"""
import argparse
import os
import re
import subprocess
import sys

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "toolchain", "get")
FORMS = {"3": ["2.47"], "2": ["2.47"], "2s": ["2.47", "2.44"]}
SEEDS = 8
FUNCTIONS = 400
# numbers of functions to count instructions for, and the largest factor for four times as
# many: measured 3.9, and 4.2 shuffled, as these are sorted. A row takes 250, and 370
FEW, MANY = 4000, 16000
MOST = {"ascending": 4.3, "shuffled": 4.7}
MOST_EACH = 600


def tool(version, arch, name):
    run = subprocess.run([TOOLS, "binutils-%s-%s" % (version, arch)],
                         capture_output=True, text=True, check=True)
    return os.path.join(run.stdout.strip(), name)


# long columns have no space between them
COLUMN = re.compile(r"RA undefined|\((?:sp|fp|r\d+)[+-]\d+\)|(?:sp|fp|c|r\d+)\+?-?\d+|[ufU]")


def expected(text):
    """{start: (size, mask, signal, [row])}"""
    funcs, rows = {}, None
    for line in text.splitlines():
        words = line.split()
        if words[0] == "func":
            rows = []
            funcs[int(words[1], 16)] = (int(words[2]), "mask" in words,
                                        "signal" in words, rows)
        else:
            rows.append((int(words[0], 16), " ".join(words[1:])))
    return funcs


def printed(text):
    """The same from the output of readelf or objdump."""
    funcs, start, mask, rows = {}, None, False, []
    for line in text.splitlines():
        m = re.match(r" +func idx \[\d+\]: pc = 0x([0-9a-f]+), size = (\d+) bytes(.*)", line)
        if m:
            start, rows = int(m[1], 16), []
            head = int(m[2]), "S" in m[3].partition("attr")[2]
            continue
        if "STARTPC" in line:
            mask = "STARTPC[m]" in line
            funcs[start] = (head[0], mask, head[1], rows)
            continue
        m = re.match(r" +([0-9a-f]{16}) +(\S.*)", line)
        if m and start is not None:
            words = COLUMN.findall(m[2])
            # f and U mean: at its fixed place
            if words and words[-1] in ("f", "U"):
                words[-1] = "u"
            rows.append((int(m[1], 16), " ".join(words).replace("+-", "-")))
    return funcs


class Judge:
    def __init__(self):
        self.wrong, self.rows, self.files, self.read = 0, 0, 0, 0

    def complain(self, what, why):
        self.wrong += 1
        if self.wrong < 20:
            print("    WRONG %s: %s" % (what, why))

    def reader(self, argv, out, want):
        run = subprocess.run(argv + [out], capture_output=True, text=True, errors="replace")
        name = "%s of %s" % (" ".join(argv[-2:]), out)
        # the tools print some errors to stdout
        said = [s for s in (run.stdout + run.stderr).splitlines()
                if re.search(r"rror|arning|ssert|invalid|orrupt|not supported", s)]
        if run.returncode or run.stderr or said:
            self.complain(name, (said + run.stderr.splitlines() + ["?"])[0])
            return
        got = printed(run.stdout)
        if sorted(got) != list(got):
            self.complain(name, "out of order")
        if got.keys() != want.keys():
            self.complain(name, "%d functions, not %d" % (len(got), len(want)))
        for start in got.keys() & want.keys():
            if got[start] != want[start]:
                pairs = [p for p in zip(got[start][3], want[start][3]) if p[0] != p[1]]
                self.complain(name, "function 0x%x: %r, given: %r" %
                              (start, *((pairs + [(got[start], want[start])])[0])))
        self.rows += sum(len(f[3]) for f in got.values())
        self.read += 1

    def ustack(self, program, out, want):
        run = subprocess.run([program, "sframe", "verify", out], capture_output=True, text=True)
        rows = sum(len(f[3]) for f in want.values())
        if run.returncode or run.stderr or \
                ", %d function%s, %d row" % (len(want), "s" * (len(want) != 1), rows) \
                not in run.stdout or " lost" in run.stdout.replace(" 0 lost", ""):
            self.complain("ustack sframe verify " + out, run.stdout + run.stderr)
        run = subprocess.run([program, "sframe", "dump", out], capture_output=True, text=True)
        lines = re.findall(r"^  (?:0x|\+0x)", run.stdout, re.M)
        if run.returncode or run.stderr or len(lines) != rows:
            self.complain("ustack sframe dump " + out, "%d rows, not %d: %s" %
                          (len(lines), rows, run.stderr))

    def form(self, make, arch, form, out, ustack):
        run = subprocess.run(make + [out], capture_output=True, text=True)
        if run.returncode:
            self.complain(" ".join(make), run.stderr)
            return ""
        want = expected(run.stdout)
        for version in FORMS[form]:
            # 2.44 is older than the erratum on rows without words
            given = expected(run.stdout.replace("RA undefined", "fp-1 u u")) \
                if version == "2.44" else want
            self.reader([tool(version, arch, "readelf"), "--sframe"], out, given)
            self.reader([tool(version, arch, "objdump"), "--sframe"], out, given)
        self.ustack(ustack, out, want)
        self.files += 1
        return run.stderr


def instructions(program, form, order, functions):
    """Instructions that sframe_encode() executes, by valgrind: the same each time, unlike time."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          "--toggle-collect=sframe_encode", program, "once", form, order,
                          str(functions)], capture_output=True, text=True, check=True)
    return int(run.stdout), int(re.search(r"Collected : (\d+)", run.stderr)[1])


def growth(judge, program):
    for form, order in [(f, "ascending") for f in FORMS] + [("3", "shuffled")]:
        few, many = (instructions(program, form, order, n) for n in (FEW, MANY))
        print("growth: form %s, %s: %d rows in %.1f instructions each, %d in %.1f" % (
            form, order, few[0], few[1] / few[0], many[0], many[1] / many[0]))
        if not few[1] or many[1] / few[1] > MOST[order] or many[1] / many[0] > MOST_EACH:
            judge.complain("growth", "%d instructions for %d functions, %d for %d" % (
                few[1], FEW, many[1], MANY))


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--seeds", type=int, default=SEEDS)
    p.add_argument("--no-growth", action="store_true")
    for name in "program", "ustack", "where":
        p.add_argument(name)
    p.add_argument("files", nargs="*")
    opt = p.parse_args()
    program, ustack, where = opt.program, opt.ustack, opt.where
    judge = Judge()
    for arch in "x86_64", "aarch64":
        for form in FORMS:
            for seed in range(1, opt.seeds + 1):
                judge.form([program, "random", arch, form, str(seed), str(FUNCTIONS)],
                           arch, form, os.path.join(where, "random-%s-%s" % (arch, form)),
                           ustack)
    print("encode: %d random files, %d readings, %d rows" %
          (judge.files, judge.read, judge.rows))
    pcs = 0
    for path in opt.files:
        arch = "aarch64" if "aarch64" in path else "x86_64"
        left = []
        for form in FORMS:
            said = judge.form([program, "again", path, form], arch, form,
                              os.path.join(where, "again-%s" % form), ustack)
            left += ["%s %s" % (form, c) for c in re.findall(r"[A-Z_]+:\d+", said)]
            pcs += sum(map(int, re.findall(r"pcs (\d+)", said)))
        if left:
            print("    left out of %s: %s" % (os.path.basename(path), ", ".join(left)))
    if not opt.no_growth:
        growth(judge, program)
    print("encode: %d files, %d readings, %d rows read by GNU, %d pcs read by the core, "
          "%d wrong" % (judge.files, judge.read, judge.rows, pcs, judge.wrong))
    return 1 if judge.wrong or not judge.rows or not (pcs or not opt.files) else 0


sys.exit(main())
