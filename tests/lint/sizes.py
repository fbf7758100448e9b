#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""No file above 800 lines, and no C function's body above 60, unless it is listed.

usage: sizes.py LIST FILE...
        LIST has a line "PATH FUNCTION why" for every exception, "PATH file why" for a
        long file. Kernel style is assumed: a body opens with "{" and closes with "}" in
        the first column.
"""
import re
import sys

MAX_FILE, MAX_BODY = 800, 60


def bodies(lines):
    """(name, lines of the body)"""
    name, start = None, None
    for i, line in enumerate(lines):
        if start is None:
            m = re.match(r"[A-Za-z_].*?(\w+)\(", line)
            if m and not line.rstrip().endswith(";"):
                name = m[1]
            # a body, not an initialiser: what is in front ended a parameter list
            if line.rstrip() == "{" and i and lines[i - 1].rstrip().endswith(")"):
                start = i
        elif line.startswith("}"):
            yield name, i - start - 1
            start = None


def main():
    listed = {}
    for line in open(sys.argv[1]):
        if line.strip() and not line.startswith("#"):
            path, name, _ = line.split(None, 2)
            listed[path, name] = False
    wrong, sizes = [], []

    def check(path, name, n, most):
        if n > most and (path, name) in listed:
            listed[path, name] = True
        elif n > most:
            wrong.append("%s: %s has %d lines, more than %d" % (path, name, n, most))

    for path in sys.argv[2:]:
        lines = open(path, errors="replace").read().split("\n")
        check(path, "file", len(lines) - 1, MAX_FILE)
        for name, n in bodies(lines) if path.endswith((".c", ".h")) else ():
            sizes.append(n)
            check(path, name, n, MAX_BODY)
    wrong += ["%s: %s is listed but short" % k for k, used in listed.items()
              if not used and k[0] in sys.argv[2:]]
    for w in wrong:
        print("  " + w)
    sizes.sort()
    if sizes:
        print("  %d functions, median %d lines, longest %d" %
              (len(sizes), sizes[len(sizes) // 2], sizes[-1]))
    return 1 if wrong or not sizes else 0


sys.exit(main())
