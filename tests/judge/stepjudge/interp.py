#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A second judge, which shares nothing with the first: the rows of GNU readelf's
--debug-dump=frames-interp against the rules of a synthesized section's table.

usage: interp.py USTACK READELF FILE...
Expressions are not judged: readelf does not say what is in them there.
"""
import bisect
import concurrent.futures
import functools
import re
import subprocess
import sys
import tempfile

SHOWN = 20
FDE = re.compile(r'^[0-9a-f]{8,} [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) '
                 r'pc=([0-9a-f]+)\.\.([0-9a-f]+)')
CIE = re.compile(r'^([0-9a-f]{8,}) [0-9a-f]+ [0-9a-f]+ CIE "(\w*)".* ra=(\d+)')
ROW = re.compile(r'^([0-9a-f]{16}) (.*)')
CELL = re.compile(r'r\d+ \(\w+\)|\S+')
NOWHERE = 'CFA=SP RA=*(CFA-8)'  # on AMD64, where no step believes it
NAMES = {'rsp': 'SP', 'sp': 'SP', 'rbp': 'FP', 'x29': 'FP'}


def run(*command, check=True):
    return subprocess.run(command, stdout=subprocess.PIPE, check=check,
                          universal_newlines=True).stdout


def register(name):
    return NAMES.get(name, name.upper())


def with_offset(base, number):
    return base + (number if int(number) else '')


def cell(text):
    """A column's rule in the words of ustack; None for nothing, '?' for an expression"""
    if text in ('u', 's'):
        return None
    if text in ('exp', 'vexp'):
        return '?'
    if text[0] in 'cv' and text[1] in '+-':
        value = with_offset('CFA', text[1:])
        return '*(%s)' % value if text[0] == 'c' else value
    return register(re.search(r'\((\w+)\)', text)[1])


def rule(columns, texts, signal, arm):
    """The rule of a row; None if the row cannot have one, '?' if it is not judged."""
    row = dict(zip(columns, texts))
    ra = cell(row.get('ra', 'u'))
    if ra is None and not arm:
        return 'outermost'
    if 'exp' in row['CFA']:
        return '?'
    name, number = re.match(r'(\w+)([+-]\d+)$', row['CFA']).groups()
    sp = cell(row.get('rsp', row.get('sp', 'u')))
    fp = cell(row.get('rbp', row.get('x29', 'u')))
    if '?' in (ra, fp, sp):
        return '?'
    if sp not in (None, 'CFA'):
        return None
    return 'CFA=%s RA=%s%s%s' % (with_offset(register(name), number), ra or 'LR',
                                 ' FP=' + fp if fp and fp != 'FP' else '',
                                 ' signal' if signal else '')


def without_popped(rows, arm):
    """The rows with "u" for a register that was popped: it is below SP, in the slot where the last row that
    does not have it below SP had it (kmod/core/popped.h)."""
    had = {}
    for at, columns, texts in rows:
        row = dict(zip(columns, texts))
        by_sp = re.match(r'r?sp([+-]\d+)$', row['CFA'])
        for name in ('x29', 'ra') if arm else ('rbp',):
            slot = re.match(r'c([+-]\d+)$', row.get(name, 'u'))
            if not (slot and by_sp and int(by_sp[1]) + int(slot[1]) < 0):
                had[name] = slot and slot[1]
            elif slot[1] == had.get(name):
                row[name] = 'u'
        yield at, columns, [row[name] for name in columns]


def fde_spans(start, end, cie, rows, arm):
    """[(start, end, rule)] of an entry; without rows of its own it has its CIE's"""
    initial, signal, ra = cie
    rows = rows or [(start,) + initial]
    rows = rows if signal else list(without_popped(rows, arm))
    for i, (at, columns, texts) in enumerate(rows):
        stop = min(end, rows[i + 1][0]) if i + 1 < len(rows) else end
        what = rule(columns, texts, signal, arm)
        # a column that is not the link register's is not mentioned: RA_RULE
        if arm and ra != 30 and 'ra' not in columns:
            what = None
        if at < stop:
            yield at, stop, what


def mended(spans):
    """glibc's AArch64 resolver has its return address above the CFA, in a word that PLT0 has pushed; or in
    the link register, if that is all there is (user/sframe/synth_fixup.h)."""
    if not any(what and ' RA=*(CFA+8)' in what for _, _, what in spans):
        return spans
    ret = []
    for start, end, what in spans:
        m = re.match(r'CFA=SP([+-]\d+)? RA=(.*)$', what)
        off = int(m[1] or 0) + 16
        ra = '*(CFA-8)' if m[2] == '*(CFA+8)' and off else 'LR'
        ret.append((start, end, 'CFA=%s RA=%s' % (with_offset('SP', '%+d' % off), ra)))
    return ret


def readelf_rows(text, arm):
    """[(start, end, rule)], ascending"""
    cies, spans, fde, rows, columns, cie = {}, [], None, [], [], None
    for line in text.splitlines() + ['00000000 0 0 CIE "" ra=0']:
        c, f, r = CIE.match(line), FDE.match(line), ROW.match(line)
        if (c or f) and fde:
            here = list(fde_spans(fde[0], fde[1], cies[fde[2]], rows, arm))
            spans.extend(mended(here) if arm else here)
        if c:
            fde, cie = None, int(c[1], 16)
            cies[cie] = (['CFA'], ['exp']), 'S' in c[2], int(c[3])
        elif f:
            fde, rows = (int(f[2], 16), int(f[3], 16), int(f[1], 16)), []
        elif line.startswith('   LOC'):
            columns = line.split()[1:]
        elif r and fde:
            rows.append((int(r[1], 16), columns, CELL.findall(r[2])))
        elif r:
            cies[cie] = ((columns, CELL.findall(r[2])),) + cies[cie][1:]
    return sorted(spans, key=lambda span: span[:2])


def register_rows(text, start, name):
    """[(start, end, column of a register)] of the entry for the code at start"""
    fde, columns, rows = None, [], []
    for line in text.splitlines():
        f, r = FDE.match(line), ROW.match(line)
        if f or CIE.match(line):
            if fde:
                break
            fde = f if f and int(f[2], 16) == start else None
        elif fde and line.startswith('   LOC'):
            columns = line.split()[1:]
        elif fde and r:
            rows.append((int(r[1], 16), dict(zip(columns, CELL.findall(r[2]))).get(name)))
    stops = [at for at, _ in rows[1:]] + ([int(fde[3], 16)] if fde else [])
    return [(at, stop, what) for (at, what), stop in zip(rows, stops)]


def table_rows(text):
    """The starts of the table's rows, and for each (end, rule)."""
    starts, rows = [], []
    for line in text.splitlines():
        m = re.match(r'0x([0-9a-f]+)-0x([0-9a-f]+)  (.*)', line)
        if m and m[3] != 'no row':
            starts.append(int(m[1], 16))
            rows.append((int(m[2], 16), m[3]))
    return starts, rows


class File:
    def __init__(self, ustack, readelf, path):
        self.path, self.counts, self.shown = path, {}, []
        with tempfile.NamedTemporaryFile(suffix='.sframe') as out:
            synth = run(ustack, 'sframe', 'synth', '--extended', '-o', out.name, path)
            dump = run(ustack, 'sframe', 'dump', '--table', out.name)
        self.said = sum(int(n) for n in re.findall(r'left out \d+, (\d+) bytes', synth))
        self.starts, self.rows = table_rows(dump)
        self.arm = arm = ', aarch64, ' in dump.splitlines()[0]
        # status 1 after a warning
        self.text = run(readelf, '--debug-dump=frames-interp', path, check=False)
        spans = readelf_rows(self.text, arm)
        behind = 0
        for start, end, want in spans:
            start = max(start, behind)
            if start < end:
                self.compare(start, end, want)
                behind = end

    def count(self, what, n):
        self.counts[what] = self.counts.get(what, 0) + n

    def compare(self, at, end, want):
        """Compare readelf's row with all that the table has for its addresses."""
        while at < end:
            i = bisect.bisect_right(self.starts, at) - 1
            if i >= 0 and self.rows[i][0] > at:
                stop, have = min(end, self.rows[i][0]), self.rows[i][1]
            else:
                stop = min(end, self.starts[i + 1] if i + 1 < len(self.starts) else end)
                have = None
            self.judge(at, stop, want, have)
            at = stop

    def has_rule(self, start, end):
        """Whether a walk can come from there; where there is no rule, the module guesses."""
        while start < end:
            i = bisect.bisect_right(self.starts, start) - 1
            if i < 0 or self.rows[i][0] <= start or self.rows[i][1] != NOWHERE:
                return True
            start = self.rows[i][0]
        return False

    def is_saved(self, start, end, want, have):
        """The last byte of a call, where the CFA is found from what the callee has saved, if the callee has
        a rule for it (user/sframe/synth_saved.h)."""
        r = re.match(r'CFA=(R\w+)(\+\d+ RA=.*)', want or '')
        m = re.match(r'CFA=\*\(SP-(\d+)\)(\+\d+ RA=.*)', have)
        if end != start + 1 or not r or not m or r[2] != m[2]:
            return False
        code = run('objdump', '-d', '--start-address=%d' % (start - 4),
                   '--stop-address=%d' % end, self.path)
        call = re.search(r'\tcall +([0-9a-f]+) ', code)
        rows = call and register_rows(self.text, int(call[1], 16), r[1].lower())
        return rows and all(what == 'c-' + m[1] or not self.has_rule(at, stop)
                            for at, stop, what in rows)

    def judge(self, start, end, want, have):
        if have is None or have == NOWHERE and not self.arm:
            self.count('left out', end - start)
        elif want == '?':
            self.count('expressions', end - start)
        # readelf prints "u" for "undefined" and also if there is no rule
        elif want == have or (have == 'outermost' and want and ' RA=LR' in want):
            self.count('same', end - start)
        elif self.is_saved(start, end, want, have):
            self.count('saved by a callee', end - start)
        else:
            self.count('differ', end - start)
            self.shown.append('%s: 0x%x..0x%x: readelf %s, table %s' %
                              (self.path, start, end, want, have))


def judge_file(ustack, readelf, path):
    """(bytes by verdict, messages)"""
    f = File(ustack, readelf, path)
    if not f.counts.get('same'):
        f.count('differ', 1)
        f.shown.append('%s: nothing to compare' % path)
    if f.counts.get('left out', 0) != f.said:
        f.count('differ', 1)
        f.shown.append('%s: %d bytes without rows, the synthesizer said %d' %
                       (path, f.counts.get('left out', 0), f.said))
    return f.counts, f.shown


def main():
    total, shown = {}, []
    with concurrent.futures.ProcessPoolExecutor() as pool:
        judge = functools.partial(judge_file, sys.argv[1], sys.argv[2])
        for counts, lines in pool.map(judge, sys.argv[3:]):
            shown += lines
            for what, n in counts.items():
                total[what] = total.get(what, 0) + n
    print(*shown[:SHOWN], sep='\n', end='\n' if shown else '')
    print('interp: %d files against readelf: bytes of text: %s; %d differ' %
          (len(sys.argv) - 3,
           ', '.join('%d %s' % (n, what) for what, n in sorted(total.items())
                     if what != 'differ'), total.get('differ', 0)))
    return 1 if total.get('differ') else 0


if __name__ == '__main__':
    sys.exit(main())
