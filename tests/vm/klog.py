#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Find what a kernel log must never hold: warnings, oopses, lock and RCU
splats, sanitizer reports, leaks, hangs.

usage: klog.py [LOG]...   prints the offending lines; status 1 if there are any
"""
import re
import sys

BAD = re.compile(r'''
    \bWARNING: | \bBUG[: ] | \bOops\b | \[\#\d+\] | Internal\ error: |
    ------------\[\ cut\ here | Kernel\ panic | Unable\ to\ handle\ kernel |
    \b(KASAN|KCSAN|KMSAN|UBSAN|KFENCE): | general\ protection\ fault,\ (maybe|probably) |
    lock\ held\ when | (circular|recursive)\ lock | inconsistent\ lock\ state |
    INFO:\ (possible|suspicious|trying\ to\ register) | suspicious\ RCU | RCU\ used\ illegally |
    detected\ (expedited\ )?stalls | self-detected\ stall | rcu_.*kthread\ starved |
    unreferenced\ object | new\ suspected\ memory\ leaks |
    blocked\ for\ more\ than\ \d+\ seconds | (soft|hard)\ (lockup|LOCKUP) |
    scheduling\ while\ atomic | sleeping\ function\ called |
    Objects\ remaining | Slab\ cache\ still\ has\ objects | kmem_cache_destroy |
    refcount_t: | (list_add|list_del)\ corruption | Bad\ page | page\ allocation\ failure |
    ODEBUG: | DEBUG_LOCKS | bad:\ scheduling | percpu_ref.*(leak|underflow) |
    Call\ [Tt]race:
''', re.X)
# what a complaint brings along: its own trace and registers, up to here
CONTEXT_LINES = 45
END = re.compile(r'---\[ end (trace|Kernel panic)')


def complaints(text):
    """the bad lines of a log, each with the trace that follows it"""
    found, left = [], 0
    for line in text.splitlines():
        if BAD.search(line):
            left = CONTEXT_LINES
        if left > 0:
            found.append(line)
            left = 0 if END.search(line) else left - 1
    return found


def main(paths):
    bad = []
    for path in paths or ['/dev/stdin']:
        with open(path, errors='replace') as f:
            bad += complaints(f.read())
    print(*bad, sep='\n', end='\n' if bad else '')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
