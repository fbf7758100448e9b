#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare three readers of the same .sframe, row by row.

usage: compare.py CORE_ROWS FILE...
  core     kmod/core's compiled table, asked for every pc (core_rows)
  naive    sframe_naive.py, after the deviations that it names
  readelf  readelf --sframe of the binutils that linked the file, against the
           records as stored
"""
import os
import re
import subprocess
import sys

import sframe_naive as naive

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "toolchain", "get")


def core_rows(program, path):
    run = subprocess.run([program, path], capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip()
    return run.stdout.splitlines(), run.stderr.strip()


def readelf_for(path):
    arch, version, _ = os.path.basename(path).split("-")
    bin_dir = subprocess.run([TOOLS, "binutils-%s-%s" % (version, arch)],
                             capture_output=True, text=True, check=True).stdout.strip()
    return os.path.join(bin_dir, "readelf")


def readelf_records(path):
    """[(start, size, [(row start, cfa, fp, ra)])], or None if it cannot read it"""
    run = subprocess.run([readelf_for(path), "--sframe", path], capture_output=True,
                         text=True, errors="replace")
    funcs = []
    for line in run.stdout.splitlines():
        m = re.match(r" +func idx \[\d+\]: pc = 0x([0-9a-f]+), size = (\d+) bytes", line)
        if m:
            funcs.append((int(m[1], 16), int(m[2]), []))
            continue
        m = re.match(r" +([0-9a-f]{16})  (RA undefined|\S+) *(\S*) *(\S*)", line)
        if m and funcs:
            funcs[-1][2].append((int(m[1], 16), m[2], m[3], m[4]))
    return funcs or None


def stored_records(parts, funcs):
    """The same from the naive decoder; rows in readelf's words."""
    out = []
    for f in funcs:
        rows = []
        for r in f.rows:
            at = r.start if f.mask else f.start + r.start
            if r.cfa == "outermost":
                rows.append((at, "RA undefined", "", ""))
            else:
                rows.append((at, r.cfa, r.fp or "u", r.ra or "u"))
        out.append((f.start, f.size, rows))
    return out


def plain(row):
    """A row without details that only readelf prints: signed RA, and how RA got its default."""
    at, cfa, fp, ra = row
    ra = ra.replace("[s]", "")
    return at, cfa, fp, "u" if ra in ("f", "U") else ra


def compare_readelf(path, parts, funcs):
    """(rows compared, list of differences); readelf reads the first part only and
    prints functions relative to the section's anchor by default."""
    theirs = readelf_records(path)
    if theirs is None or len(parts) > 1:
        return 0, []
    ours = stored_records(parts, funcs)
    wrong = []
    if len(theirs) != len(ours):
        return 0, ["%d functions, readelf has %d" % (len(ours), len(theirs))]
    rows = 0
    for (start, size, mine), (tstart, tsize, other) in zip(ours, theirs):
        mine = [plain(r) for r in mine]
        other = [plain(r) for r in other]
        if (start, size, mine) != (tstart, tsize, other):
            wrong.append("function 0x%x: %r, readelf 0x%x: %r" %
                         (start, mine[:4], tstart, other[:4]))
        rows += len(mine)
    return rows, wrong


def compare_core(program, path, parts, funcs, text):
    lines, said = core_rows(program, path)
    rules = naive.Rules(parts[0].abi, funcs, text)
    want = ["%x %s" % c for c in rules.changes()]
    if lines is None:
        return 0, ["the core refuses it: " + said], rules
    wrong = ["core '%s', naive '%s'" % pair for pair in zip(lines, want)
             if pair[0] != pair[1]]
    if len(lines) != len(want):
        wrong.append("%d changes, naive has %d" % (len(lines), len(want)))
    return len(want), wrong, rules


def main():
    program, files = sys.argv[1], sys.argv[2:]
    total = {"core": 0, "readelf": 0, "wrong": 0}
    for path in files:
        parts, funcs, text = naive.decode(path)
        rows, wrong, rules = compare_core(program, path, parts, funcs, text)
        read, more = compare_readelf(path, parts, funcs)
        if wrong or more or rules.lost:
            print("%-34s %d functions, %d changes of the core, %d rows of readelf; deviations: %s" %
                  (os.path.basename(path), len(funcs), rows, read,
                   " ".join("%s:%d" % i for i in sorted(rules.lost.items())) or "none"))
        for w in (wrong + more)[:5]:
            print("    MISMATCH " + w)
        total["core"] += rows
        total["readelf"] += read
        total["wrong"] += len(wrong) + len(more)
    print("oracle: %d files, %d rows of the core, %d rows of readelf, %d mismatches" %
          (len(files), total["core"], total["readelf"], total["wrong"]))
    return 1 if total["wrong"] or not total["core"] or not total["readelf"] else 0


sys.exit(main())
