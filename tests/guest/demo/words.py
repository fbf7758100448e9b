# SPDX-License-Identifier: GPL-2.0-only
# The program that the demo profiles: Python code that sorts with a callback, so that C code calls Python again.
import functools
import sys
import time


def compare(a, b):
    return (a % 1009 > b % 1009) - (a % 1009 < b % 1009)


end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    words = [n * 7919 % 100003 for n in range(2000)]
    words.sort(key=functools.cmp_to_key(compare))
