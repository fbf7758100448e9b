# SPDX-License-Identifier: GPL-2.0-only
"""Threads that wait after releasing the interpreter's lock; each writes down where."""
import os
import select
import sys
import threading
import time

import probe


def about_to(line):
    """The caller is about to wait, @line lines further."""
    frames = probe.stack(sys._getframe(1))
    frames[0][2] += line
    probe.write(frames)


def sleeps(depth, n):
    if depth:
        return sleeps(depth - 1, n)
    for _ in range(n):
        about_to(1)
        time.sleep(0.04)


def polls(n):
    r, w = os.pipe()
    for _ in range(n):
        about_to(1)
        select.select([r], [], [], 0.04)


def in_key(n):
    def wait(x):
        about_to(1)
        time.sleep(0.04)
        return x
    for _ in range(n):
        sorted([2, 1], key=wait)


def main(n):
    threads = [threading.Thread(target=f, args=args) for f, args in
               [(sleeps, (0, n)), (sleeps, (12, n)), (polls, (n,)), (in_key, (n // 2,))]]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


probe.begin()
main(int(sys.argv[1]))
