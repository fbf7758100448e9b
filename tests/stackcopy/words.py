# SPDX-License-Identifier: GPL-2.0
# Sorting with a callback: the interpreter, C, the interpreter. usage: words.py SECONDS
import functools
import random
import sys
import time

end = time.time() + float(sys.argv[1])
random.seed(1)
words = [str(random.random()) for _ in range(20000)]


def compare(a, b):
    return (a > b) - (a < b)


while time.time() < end:
    sorted(words, key=functools.cmp_to_key(compare))
