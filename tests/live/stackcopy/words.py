# SPDX-License-Identifier: GPL-2.0-only
# Sorts with a callback: the stack has interpreter, C, interpreter. usage: words.py SECONDS
# of CPU time, so that other load changes no count
import functools
import random
import sys
import time

end = time.process_time() + float(sys.argv[1])
random.seed(1)
words = [str(random.random()) for _ in range(20000)]


def compare(a, b):
    return (a > b) - (a < b)


while time.process_time() < end:
    sorted(words, key=functools.cmp_to_key(compare))
