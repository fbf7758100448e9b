#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares names of the symbol store with those of elfutils, at random addresses of stock files.

usage: judge.py NAMES COUNT FILE...
        NAMES is the program built from names.c; COUNT addresses of each file are compared

elfutils (eu-addr2line -i -f) finds debug files by build id, as the store does, and reads DWARF
and symbols itself. Where it differs, binutils (addr2line -i -f) is asked, too. Differences are
counted by kind. The test fails if a kind is not in KINDS or is above its share, or if a
file has too few addresses that both name.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../lib'))
from check import Checks  # noqa: E402  pylint: disable=wrong-import-position

# kind: (largest share of addresses, why)
KINDS = {
    'same': (1, ''),
    'line 0': (0.02, 'compilers give code without a line the number 0: eu-addr2line prints it, '
               'the store the row before'),
    'no line': (0.05, 'eu-addr2line prints ??:0 where the line table ends, the store has a line'),
    'name of a copy': (0.03, 'NAME.part.0, NAME.cold, aliases and versions of one address: '
                       'DWARF has the function, the symbol table its copies'),
    'assembler': (0.05, 'functions of assembler files are in the symbol table, not in DWARF, '
                  'or the other way around'),
    'neither': (1, 'both have no function: padding, .plt, what is stripped; see NAMED_LEAST'),
    'between functions': (0.02, 'in padding eu-addr2line prints the row before, and the scopes '
                          'of that, but has no function'),
    'elfutils alone': (0.005, 'binutils says what the store says'),
    'only here': (0.03, 'the store gives the gap behind a symbol without size to it'),
}
# Kinds where both name a function, and the lowest share of such addresses, by source of the names.
# A stripped program only has names of functions that it exports.
NAMED = ('same', 'line 0', 'no line', 'name of a copy')
NAMED_LEAST = {'dwarf': 0.9, 'symtab': 0.9, 'dynsym': 0.4}


def text_ranges(path):
    out = subprocess.run(['readelf', '-SW', path], capture_output=True, text=True).stdout
    found = []
    for m in re.finditer(r'\.(text)\s+PROGBITS\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)', out):
        found.append((int(m[2], 16), int(m[3], 16)))
    return found


def addresses(path, count):
    rng = random.Random(path)
    ranges = text_ranges(path)
    return sorted(start + rng.randrange(size) for start, size in
                  rng.choices(ranges, weights=[r[1] for r in ranges], k=count))


def ours(names, path, asked, cache):
    text = '\n'.join('%x' % a for a in asked) + '\n'
    out = subprocess.run([names, path, cache], input=text, capture_output=True, text=True,
                         timeout=900).stdout
    head, _, rest = out.partition('\n')
    answers = [[]]
    for l in rest.split('\n')[:-1]:
        if l == '.':
            answers.append([])
        else:
            answers[-1].append(tuple(l.rsplit('\t', 1)))
    # a function known only from unwind tables is named by its address, which is not a name
    answers = [[f for f in frames if not re.fullmatch(r'\+0x[0-9a-f]+', f[0])]
               for frames in answers]
    answers.pop()
    assert len(answers) == len(asked), (len(answers), len(asked))
    return head, answers


def gnu(path, address):
    lines = subprocess.run(['addr2line', '-i', '-f', '-e', path, '%x' % address],
                           capture_output=True, text=True, timeout=300).stdout.split('\n')
    return [(lines[i], re.sub(r' \(discriminator.*', '', lines[i + 1]))
            for i in range(0, len(lines) - 1, 2)]


def theirs(path, asked):
    """-a prints the addresses. A frame has two lines: NAME[ inlined at ...], FILE:LINE."""
    text = '\n'.join('0x%x' % a for a in asked) + '\n'
    out = subprocess.run(['eu-addr2line', '-a', '-i', '-f', '-e', path], input=text,
                         capture_output=True, text=True, timeout=900).stdout
    answers, lines = [], out.split('\n')[:-1]
    i = 0
    while i < len(lines):
        if re.match(r'0x[0-9a-f]{8,}$', lines[i]):
            answers.append([])
            i += 1
            continue
        name = re.sub(r' inlined at .*', '', lines[i])
        name = re.sub(r'\+0x[0-9a-f]+$', '', name)
        where = lines[i + 1] if i + 1 < len(lines) else '??:0'
        answers[-1].append((name, re.sub(r'^(.*?:\d+)(:\d+)?.*$', r'\1', where)))
        i += 2
    assert len(answers) == len(asked), (len(answers), len(asked))
    return answers


def plain(name):
    return re.sub(r'(\.(part|constprop|isra|cold|lto_priv|localalias)(\.\d+)?)+$|@@?.*$', '', name)


def line(where):
    return where.rsplit(':', 1)[-1]


def kind(a, b):
    if len(b) > 1 and b[0][0] == '??' and not a:
        return 'between functions'
    b = [f for f in b if f[0] != '??']
    if not a and not b:
        return 'neither'
    if not b:
        return 'only here'
    if not a:
        return 'only there'
    # of paths only the last part is compared
    names = [f[0] for f in a] == [f[0] for f in b]
    if not names:
        if [plain(f[0]) for f in a] != [plain(f[0]) for f in b]:
            if len(a) == len(b) == 1:
                if a[0][1].split(':')[0].endswith('.S') or b[0][1].split(':')[0].endswith('.S') \
                        or b[0][1].startswith('??') or a[0][1].startswith(':'):
                    return 'assembler'
                if line(a[0][1]) == line(b[0][1]):
                    return 'name of a copy'
            return 'names'
        return 'name of a copy'
    for x, y in zip(a, b):
        if line(x[1]) == line(y[1]) and (x[1].split('/')[-1] == y[1].split('/')[-1]):
            continue
        if y[1].startswith('??'):
            if x[1].startswith(':'):
                continue
            return 'no line'
        if line(y[1]) == '0' or line(x[1]) == '0':
            return 'line 0'
        return 'lines'
    return 'same'


def judge(checks, names, path, count):
    asked = addresses(path, count)
    with tempfile.TemporaryDirectory() as cache:
        head, a = ours(names, path, asked, cache)
        again, b = ours(names, path, asked, cache)
    checks.check(path + ': the cache says the same', head == again and a == b,
                 '%s, %s' % (head, again))
    kinds, first = collections.Counter(), {}
    for address, x, y in zip(asked, a, theirs(path, asked)):
        k = kind(x, y)
        if k not in KINDS and kind(x, gnu(path, address)) == 'same':
            k = 'elfutils alone'
        kinds[k] += 1
        first.setdefault(k, (address, x, y))
    print('%s (%s): %s' % (path, head.strip(), ', '.join(
        '%s %d' % p for p in kinds.most_common())), flush=True)
    for k, n in kinds.items():
        most = KINDS[k][0] * len(asked) if k in KINDS else 0
        checks.check('%s: %s' % (path, k), n <= most, '%d of %d at most, such as %x: %r, '
                     'eu-addr2line %r' % ((n, most) + first[k]))
    checks.at_least(path + ': both name', sum(kinds[k] for k in NAMED),
                    NAMED_LEAST.get(head.split()[0], 1) * count)


def main():
    names, count, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    checks = Checks('symstore-judge')
    for path in files:
        judge(checks, names, path, count)
    return checks.finish(least=3 * len(files) or 1)


if __name__ == '__main__':
    sys.exit(main())
