# SPDX-License-Identifier: GPL-2.0-only
"""A program that is sampled anywhere. A comment after a call names what it calls: so the line of
each caller in a stack tells which callees are possible; a leaf may be at any of its lines."""
import functools
import re
import sys
import time


def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s


def key(x):
    return leaf(6) + x  #> leaf


def sort():
    return sorted(range(40), key=key)  #> key


def numbers(n):
    for i in range(n):
        leaf(5)  #> leaf
        yield i


def total():
    return sum(numbers(30))  #> numbers


def more(n):
    yield from numbers(n)  #> numbers
    leaf(20)  #> leaf


def generated():
    s = 0
    for x in more(20):  #> more
        s += x
    return s


def replace(m):
    return str(leaf(3))  #> leaf


def substituted():
    return re.sub('[aeiou]', replace, 'a cat sat on the mat' * 3)  #> replace,sub


def raising(n):
    if n:
        try:
            return raising(n - 1)  #> raising
        except ValueError:
            leaf(4)  #> leaf
            raise
    raise ValueError


def caught():
    try:
        raising(12)  #> raising
    except ValueError:
        return leaf(9)  #> leaf


class Thing:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return leaf(self.n) < other.n  #> leaf

    def walk(self, n):
        if n:
            return self.walk(n - 1)  #> Thing.walk
        return self.short()  #> Thing.short

    def short(self):
        return self.n


def things():
    found = sorted(Thing(i % 5) for i in range(30))  #> things.<locals>.<genexpr>,Thing.__lt__,Thing.__init__
    return [t.walk(15) for t in found]  #> things.<locals>.<listcomp>,Thing.walk


@functools.lru_cache(None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)  #> fibonacci


def cached():
    fibonacci.cache_clear()
    return fibonacci(40)  #> fibonacci


def once():
    sort()  #> sort
    total()  #> total
    generated()  #> generated
    substituted()  #> substituted
    caught()  #> caught
    things()  #> things
    cached()  #> cached


def main():
    end = time.monotonic() + float(sys.argv[1])
    while time.monotonic() < end:
        once()  #> once


main()  #> main
