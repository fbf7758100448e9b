#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts addresses where a judge saw a difference, by function; fails for unknown functions.

usage: stepjudge --go --list FILE | diffs.py KNOWN FILE
"""
import bisect
import collections
import re
import subprocess
import sys

known = {line.strip() for line in open(sys.argv[1]) if line[0] != "#"}
nm = subprocess.run(["nm", sys.argv[2]], capture_output=True, text=True, check=True)
symbols = sorted((int(m[1], 16), m[2]) for m in
                 re.finditer(r"^([0-9a-f]+) [tT] (\S+)$", nm.stdout, re.M))
starts = [s[0] for s in symbols]
seen, ended = collections.Counter(), False
for line in sys.stdin:
    if line.startswith("0x"):
        name = symbols[bisect.bisect_right(starts, int(line, 16)) - 1][1]
        seen[re.sub(r"\.abi0$|\.abiinternal$", "", name)] += 1
    ended |= line.endswith("differ\n")
others = {n: seen[n] for n in seen if n not in known}
print("%s: %d addresses in %d functions that are known for it, %d in others" %
      (sys.argv[2].rsplit("/", 1)[-1], sum(seen.values()) - sum(others.values()),
       len(seen) - len(others), sum(others.values())))
for name, n in sorted(others.items())[:20]:
    print("  %s: %d" % (name, n))
sys.exit(bool(others) or not ended)
