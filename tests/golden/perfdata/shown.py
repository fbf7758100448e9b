#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads perf script -D and prints the records that the test compares, a line for each, sorted.

    sample TIME PID TID IP PERIOD CHAIN     CHAIN as perf has it, with its marks, joined by commas
    map TIME PID START LEN OFFSET BUILD-ID PATH
    comm TIME PID TID EXEC NAME
    fork TIME PID TID PARENT
    exit TIME PID TID
"""
import re
import sys

HEAD = re.compile(r'^(?:\d+ )?(\d+) 0x[0-9a-f]+ \[0x[0-9a-f]+\]: PERF_RECORD_(.*)$')
SAMPLE = re.compile(r'SAMPLE\(\w+, 0x[0-9a-f]+\): (\d+)/(\d+): 0x([0-9a-f]+) period: (\d+)')
MAP = re.compile(r'MMAP2? (-?\d+)/\d+: \[0x([0-9a-f]+)\((?:0x)?([0-9a-f]+)\) @ (?:0x)?([0-9a-f]+)(?: ([^]]*))?\]: '
                 r'\S+ (.*)$')
COMM = re.compile(r'COMM( exec)?: (.*):(\d+)/(\d+)$')
TASK = re.compile(r'(FORK|EXIT)\((\d+):(\d+)\):\((\d+):\d+\)')
CHAIN = re.compile(r'^\.\.\.\.\. +\d+: ([0-9a-f]{16})')


def shown(lines):
    sample = None
    for line in lines:
        m = CHAIN.match(line)
        if m and sample:
            sample[1].append(m[1].lstrip('0') or '0')
            continue
        m = HEAD.match(line.rstrip('\n'))
        if not m:
            continue
        if sample:
            yield '%s %s' % (sample[0], ','.join(sample[1]) or '-')
        sample, time, rest = None, m[1], m[2]
        if m := SAMPLE.match(rest):
            sample = 'sample %s %s %s %s %s' % (time, m[1], m[2], m[3], m[4]), []
        elif m := MAP.match(rest):
            ident = re.match('<([0-9a-f]+)>', m[5] or '')
            yield 'map %s %s %s %s %s %s %s' % (time, int(m[1]) & 0xffffffff, m[2], m[3], m[4],
                                                ident[1] if ident else '-', m[6])
        elif m := COMM.match(rest):
            yield 'comm %s %s %s %d %s' % (time, m[3], m[4], bool(m[1]), m[2])
        elif m := TASK.match(rest):
            yield '%s %s %s %s%s' % (m[1].lower(), time, m[2], m[3], ' ' + m[4] if m[1] == 'FORK' else '')
    if sample:
        yield '%s %s' % (sample[0], ','.join(sample[1]) or '-')


if __name__ == '__main__':
    sys.stdout.write(''.join(line + '\n' for line in sorted(shown(sys.stdin))))
