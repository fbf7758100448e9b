# SPDX-License-Identifier: GPL-2.0-only
"""tests/mutants/equivalent: mutants that no test can see, each with its reason."""
import os

import operators


def read(path):
    """{(file, line, mutated line): reason}; each text without leading and trailing space."""
    entries, entry = {}, []
    with open(path) as f:
        lines = [*f.read().split("\n"), ""]
    for n, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        if line.strip():
            entry.append(line)
            continue
        if not entry:
            continue
        if len(entry) < 4 or entry[1][:2] != "- " or entry[2][:2] != "+ ":
            raise SystemExit("%s:%d: an entry is FILE, - LINE, + MUTANT, reason" % (path, n))
        entries[entry[0], entry[1][2:].strip(), entry[2][2:].strip()] = " ".join(entry[3:])
        entry = []
    return entries


def stale(entries, top):
    """The entries whose line is not in the file, or whose mutant no operator makes."""
    texts = {}
    for name, old, new in entries:
        if name not in texts:
            path = os.path.join(top, name)
            text = open(path).read() if os.path.exists(path) else ""
            lines = text.split("\n")
            texts[name] = {(lines[n].strip(), m.strip()) for n, m in operators.mutants(text)}
        if (old, new) not in texts[name]:
            yield name, old, new
