#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints a listing of many functions, for measuring speed and memory.

usage: many.py FUNCTIONS
        16 rows each on average, 3,000 files, names as of C++, some inlined calls
"""
import random
import sys


def main():
    n, rng = int(sys.argv[1]), random.Random(1)
    files = [("/usr/src/dir%d" % (i % 97), "file%d.c" % i) for i in range(3000)]
    addr = 0x401000
    for i in range(n):
        rows, at = [], addr
        file, line = files[i * len(files) // n], rng.randrange(1, 4000)
        for _ in range(max(1, int(rng.expovariate(1 / 16.6)))):
            rows.append("L\t%d\t%d\t%s\t%s" % (at, line, *file))
            at += rng.choice([1, 2, 3, 3, 4, 4, 5, 5, 7, 8, 11, 15, 30])
            line += rng.choice([-7, -3, -2, -1, 1, 1, 1, 1, 2, 2, 3, 4, 9, -20, 60, -200])
            line = max(1, line)
            if rng.random() < .1:
                file = rng.choice(files[:50])
        at += rng.randrange(1, 16)
        print("F\t%d\t%d\t%d\t_ZN3lib%dsub%d8function%dEPKcRKSt6vectorIiSaIiEE" %
              (addr, at, i, i % 13, i % 501, i))
        print("\n".join(rows))
        for _ in range(rng.randrange(4) if i % 2 else 0):
            start = rng.randrange(addr, at)
            print("C\t1\tinline%d\t%s\t%s\t%d\t%d-%d" % (
                rng.randrange(20000), *file, rng.randrange(4000), start, start + 1))
        addr = (at + 15) & ~15


main()
