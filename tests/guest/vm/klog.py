#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Finds lines that a kernel log must never contain: warnings, oopses, lock and RCU
splats, sanitizer reports, leaks, hangs.

usage: klog.py [LOG]...   prints the offending lines; status 1 if there are any
       klog.py --foreign-races [LOG]...   prints how many data races KCSAN has reported
                          whose stacks have no function of the module
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
    CFI\ failure | refcount_t: | (list_add|list_del)\ corruption | Bad\ page | page\ allocation\ failure |
    ODEBUG: | DEBUG_LOCKS | bad:\ scheduling | percpu_ref.*(leak|underflow) |
    Call\ [Tt]race:
''', re.X)
# lines that belong to a complaint: its trace and registers, up to this line
CONTEXT_LINES = 45
END = re.compile(r'---\[ end (trace|Kernel panic)')
# KCSAN's reports are between two such lines
RULE = re.compile(r'={60,}$')
# an access in a report of KCSAN, whose stack follows, innermost function first
INTERRUPT = re.compile(r'\bby interrupt on cpu \d+:$')
# the function in which the interrupt began: what follows was interrupted, and is not part of the race
ENTRY = re.compile(r'\] +(asm_\w+|el\d\w+_irq\w*|call_on_irq_stack)\+0x')
EMPTY = re.compile(r'^\[[ \d.]+\]\s*$')


def without_interrupted(report):
    """the lines of a report of KCSAN but those of functions that an access's interrupt has interrupted"""
    kept, by_interrupt, skips = [], False, False
    for line in report:
        if INTERRUPT.search(line):
            by_interrupt = True
        elif EMPTY.search(line):
            by_interrupt = skips = False
        if not skips:
            kept.append(line)
        skips = skips or (by_interrupt and bool(ENTRY.search(line)))
    return kept


def is_foreign_race(report):
    """whether this is a report of KCSAN without a function of ours, and not another complaint"""
    bad = [line for line in report if BAD.search(line)]
    return (bad and all('BUG: KCSAN: ' in line for line in bad) and
            not any('[ustack' in line for line in without_interrupted(report)))


def without_foreign_races(lines):
    """(lines without those reports of KCSAN that contain no function of ours, number of such
    reports)

    A kernel that is compiled with KCSAN reports many races in its own code.
    """
    kept, report, foreign = [], None, 0
    for line in lines:
        if report is not None:
            report.append(line)
        elif not RULE.search(line):
            kept.append(line)
        else:
            report = [line]
        if report and len(report) > 1 and RULE.search(line):
            if is_foreign_race(report):
                foreign += 1
            else:
                kept += report
            report = None
    return kept + (report or []), foreign


def complaints(text):
    """the bad lines of a log, each with the trace that follows it"""
    found, left = [], 0
    for line in without_foreign_races(text.splitlines())[0]:
        if BAD.search(line):
            left = CONTEXT_LINES
        if left > 0:
            found.append(line)
            left = 0 if END.search(line) else left - 1
    return found


def main(paths):
    count = paths[:1] == ['--foreign-races']
    bad, foreign = [], 0
    for path in paths[count:] or ['/dev/stdin']:
        with open(path, errors='replace') as f:
            text = f.read()
        bad += complaints(text)
        foreign += without_foreign_races(text.splitlines())[1]
    if count:
        print(foreign)
        return 0
    print(*bad, sep='\n', end='\n' if bad else '')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
