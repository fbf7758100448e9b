#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes perf.data with the branches that a program took, from the addresses that it executed.

usage: tests/judge/branches/make.py ADDRESSES MAPS PROGRAM OUT [hw-index] [map-ids] [no-ids]

Every 61 branches there is a sample with the last 32. Where an instruction of the program ends is known
from objdump; elsewhere a step of 1 to 15 bytes is taken for no branch.
"""
import array
import random
import subprocess
import sys

from perfdata import Writer

PID, EACH, DEPTH = 4321, 61, 32


def lengths(program):
    """Return: {link-time address: length of the instruction there}"""
    out = subprocess.run(['objdump', '-d', '-w', '--no-show-raw-insn', program], check=True,
                         capture_output=True, text=True).stdout
    at = []
    for line in out.splitlines():
        word = line.strip().split(':')[0]
        if line.startswith(' ') and ':' in line:
            at.append(int(word, 16))
    # an instruction ends where the next one begins, except at the end of a section
    return {a: b - a for a, b in zip(at, at[1:]) if 0 < b - a <= 15}


def build_id(program):
    out = subprocess.run(['readelf', '-n', program], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        if 'Build ID:' in line:
            return bytes.fromhex(line.split()[-1])
    return b''


def code_of(program):
    """Return: (link-time address, file offset) of the program's code"""
    out = subprocess.run(['readelf', '-lW', program], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        w = line.split()
        if len(w) > 7 and w[0] == 'LOAD' and 'E' in ''.join(w[6:-1]):
            return int(w[2], 16), int(w[1], 16)
    raise SystemExit('no code in ' + program)


def mappings(path):
    for line in open(path):
        w = line.split(None, 5)
        if 'x' in w[1] and len(w) == 6:
            start, end = (int(x, 16) for x in w[0].split('-'))
            yield start, end - start, int(w[2], 16), int(w[4]), w[5].strip()


def branches(pcs, length, bias):
    """Return: (index in pcs of the target, from, to) of each branch"""
    for i in range(len(pcs) - 1):
        a, b = pcs[i], pcs[i + 1]
        known = length.get(a - bias)
        if a != b and (b - a != known if known else not 0 < b - a <= 15):
            yield i + 1, a, b


def main():
    addresses, maps, program, out = sys.argv[1:5]
    options = sys.argv[5:]
    random.seed(11)
    pcs = array.array('Q')
    with open(addresses, 'rb') as f:
        pcs.frombytes(f.read())
    vaddr, offset = code_of(program)
    w = Writer('hw-index' in options, 'map-ids' in options)
    ident = b'' if 'no-ids' in options else build_id(program)
    w.comm(PID, 'work')
    bias = None
    for start, size, off, inode, path in mappings(maps):
        if path == program:
            bias = start - off - (vaddr - offset)
        w.map(PID, start, size, off, path, ident if path == program else b'', inode)
    recent, n = [], 0
    for i, a, b in branches(pcs, lengths(program), bias):
        recent = [(a, b, random.choice((1, 2, 2, 2)))] + recent[:DEPTH - 1]
        n += 1
        if n % EACH == 0:
            w.sample(PID, pcs[i], recent)
    w.write(out, [(program, ident)] if ident else [])


if __name__ == '__main__':
    main()
