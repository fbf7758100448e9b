# SPDX-License-Identifier: GPL-2.0-only
"""Forked children that share their parent's memory, and one that executes a program."""
import os
import sys

import probe
from probe import mark


def deep(n):
    return deep(n - 1) if n else mark()


def child(n):
    probe.begin('child')
    for _ in range(20):
        deep(n)
        mark()
    # names of functions are read while the process is still running
    probe.warm()
    os._exit(0)


def parent(n):
    for i in range(n):
        pid = os.fork()
        if not pid:
            child(i)
        for _ in range(20):
            deep(i)
        os.waitpid(pid, 0)


def after_exec():
    for i in range(20):
        deep(i)
    probe.warm()


probe.begin('exec' if len(sys.argv) > 2 else 'log')
if len(sys.argv) > 2:
    after_exec()
else:
    parent(int(sys.argv[1]))
    probe.warm()
    os.execv(sys.executable, [sys.executable, __file__, '1', 'again'])
