#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Let others read what the encoder writes.

usage: judge.py ENCODE_ROWS USTACK DIR FILE...
  random functions, and those of every FILE again, in every form (version 3;
  version 2; version 2 with starts from the section, as binutils 2.44 knows it),
  each wrapped in an ELF file in DIR and read by
    readelf --sframe and objdump --sframe   2.47: all three; 2.44: the last one
    ustack sframe verify and dump
  None may complain or lose anything, and the rows of readelf and objdump are those
  that were given, word by word. (encode_rows again compares what the core reads.)
"""
import os
import re
import subprocess
import sys
import time

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "toolchain", "get")
FORMS = {"3": ["2.47"], "2": ["2.47"], "2s": ["2.47", "2.44"]}
SEEDS = range(1, 9)
FUNCTIONS = 400
MAX_MS = 100    # for a million rows in ascending order; measured: 35


def tool(version, arch, name):
    run = subprocess.run([TOOLS, "binutils-%s-%s" % (version, arch)],
                         capture_output=True, text=True, check=True)
    return os.path.join(run.stdout.strip(), name)


# long ones have no space between them
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
    """The same of what readelf or objdump prints."""
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
            # f and U: where it always is
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
        # the tools say some errors on stdout
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


def main():
    program, ustack, where = sys.argv[1:4]
    judge = Judge()
    start = time.time()
    for arch in "x86_64", "aarch64":
        for form in FORMS:
            for seed in SEEDS:
                judge.form([program, "random", arch, form, str(seed), str(FUNCTIONS)],
                           arch, form, os.path.join(where, "random-%s-%s" % (arch, form)),
                           ustack)
    print("encode: %d random files, %d readings, %d rows, %.0f s" %
          (judge.files, judge.read, judge.rows, time.time() - start))
    pcs = 0
    for path in sys.argv[4:]:
        arch = "aarch64" if "aarch64" in path else "x86_64"
        left = []
        for form in FORMS:
            said = judge.form([program, "again", path, form], arch, form,
                              os.path.join(where, "again-%s" % form), ustack)
            left += ["%s %s" % (form, c) for c in re.findall(r"[A-Z_]+:\d+", said)]
            pcs += sum(map(int, re.findall(r"pcs (\d+)", said)))
        print("%-40s %s" % (os.path.basename(path), ", ".join(left) or "all of it"))
    for line in subprocess.run([program, "speed"], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        form, rows, ms = line.split()
        print("speed: form %s, %s rows in %s ms of CPU" % (form, rows, ms))
        if "shuffled" not in form and float(ms) > MAX_MS:
            judge.complain("speed", "more than %d ms" % MAX_MS)
    print("encode: %d files, %d readings, %d rows read by GNU, %d pcs read by the core, "
          "%d wrong, %.0f s" % (judge.files, judge.read, judge.rows, pcs, judge.wrong,
                                time.time() - start))
    return 1 if judge.wrong or not judge.rows or not pcs else 0


sys.exit(main())
