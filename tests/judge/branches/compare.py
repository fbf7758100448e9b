#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares what ustack branches has written with what other programs make of the same perf.data.

usage: compare.py script AUTOFDO PERFDATA PROGRAM	sums of perf script -F ip,brstack
       compare.py profgen AUTOFDO RAW PROGRAM		llvm-profgen --skip-symbolization
       compare.py fdata OURS PERF2BOLTS			every line

It prints what differs, and how many lines it compared.
"""
import collections
import re
import subprocess
import sys


def parts(path):
    """Return: the parts of AutoFDO's text or llvm-profgen's, each {text before the count: count}"""
    ret, left = [], 0
    for line in open(path):
        if not left:
            left = int(line)
            ret.append({})
            continue
        key, count = line.rsplit(':', 1)
        ret[-1][key] = int(count)
        left -= 1
    return ret


def code_of(program):
    out = subprocess.run(['readelf', '-lW', program], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        w = line.split()
        if len(w) > 7 and w[0] == 'LOAD' and 'E' in ''.join(w[6:-1]):
            return int(w[2], 16), int(w[1], 16), int(w[4], 16)
    raise SystemExit('no code in ' + program)


def of_script(perfdata, program):
    """Ranges, samples and branches by perf's own reading of the records."""
    run = lambda *args: subprocess.run(('perf', 'script', '-i', perfdata) + args, check=True,
                                       capture_output=True, text=True).stdout
    base = None
    for m in re.finditer(r'MMAP2.*?\[0x([0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*?\]: .*? (/.*)$',
                         run('--show-mmap-events'), re.M):
        if m[4] == program:
            base = int(m[1], 16), int(m[2], 16), int(m[3], 16)
    start, size, offset = base
    place = lambda a: a - start + offset if start <= a < start + size else None
    ranges, samples, branches = (collections.Counter() for _ in range(3))
    for line in run('-F', 'ip,brstack').splitlines():
        words = line.split()
        ip = place(int(words[0], 16))
        if ip is not None:
            samples['%x' % ip] += 1
        later = None
        for w in words[1:]:
            a, b = (place(int(x, 16)) for x in w.split('/')[:2])
            if b is not None and later is not None:
                ranges['%x-%x' % (b, later)] += 1
            if a is not None and b is not None:
                branches['%x->%x' % (a, b)] += 1
            later = a
    return [dict(ranges), dict(samples), dict(branches)]


def of_profgen(path, program):
    """llvm-profgen counts from the start of the code, AutoFDO from the start of the file. Branches from
    outside have a mark for their source there, and are not in AutoFDO's text."""
    offset = code_of(program)[1]
    moved = lambda key: re.sub('[0-9a-f]+', lambda m: '%x' % (int(m[0], 16) + offset), key)
    return [{moved(k): n for k, n in p.items() if not k.startswith('fffffffff')} for p in parts(path)]


def in_text(part, program):
    """Leaves out what is not in .text: llvm-profgen does not count the code of the PLT."""
    out = subprocess.run(['readelf', '-SW', program], check=True, capture_output=True, text=True).stdout
    m = re.search(r'\.text +PROGBITS +\S+ (\S+) (\S+)', out)
    start, size = int(m[1], 16), int(m[2], 16)
    inner = lambda key: all(start <= int(a, 16) < start + size for a in re.split('->|-', key))
    return {k: n for k, n in part.items() if inner(k)}


def fdata(path):
    """Return: Counter of (line without its counts) -> (missed, count); what BOLT calls a PLT is no function"""
    ret = {}
    for line in open(path):
        w = line.split()
        for at in (0, 3):
            if '@PLT' in w[at + 1] or '__BOLT_PSEUDO' in w[at + 1]:
                w[at:at + 3] = '0', '[unknown]', '0'
        if w[0] == w[3] == '0':
            continue
        key = ' '.join(w[:6])
        old = ret.get(key, (0, 0))
        ret[key] = old[0] + int(w[6]), old[1] + int(w[7])
    return ret


def compare(pairs):
    bad = nr = 0
    for name, ours, theirs in pairs:
        nr += len(theirs)
        for key in sorted(set(ours) | set(theirs)):
            if ours.get(key) != theirs.get(key):
                bad += 1
                if bad < 20:
                    print('%s %s: ours %s, theirs %s' % (name, key, ours.get(key), theirs.get(key)))
    print('%d compared, %d differ' % (nr, bad))
    return 1 if bad or not nr else 0


def main():
    kind, ours, theirs = sys.argv[1:4]
    if kind == 'fdata':
        return compare([('line', fdata(ours), fdata(theirs))])
    ours = parts(ours)
    if kind == 'profgen':
        names, ours = ('range', 'branch'), [in_text(p, sys.argv[4]) for p in (ours[0], ours[2])]
        theirs = [in_text(p, sys.argv[4]) for p in of_profgen(theirs, sys.argv[4])]
    else:
        names, theirs = ('range', 'sample', 'branch'), of_script(theirs, sys.argv[4])
    return compare(list(zip(names, ours, theirs)))


if __name__ == '__main__':
    sys.exit(main())
