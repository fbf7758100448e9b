# SPDX-License-Identifier: GPL-2.0-only
# What is profiled: Python that sorts with a callback, in C that calls Python again.
import functools
import sys
import time


def compare(a, b):
    return (a % 1009 > b % 1009) - (a % 1009 < b % 1009)


end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    words = [n * 7919 % 100003 for n in range(2000)]
    words.sort(key=functools.cmp_to_key(compare))
