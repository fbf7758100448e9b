# SPDX-License-Identifier: GPL-2.0-only
"""A program's own idea of its stack. mark() writes the stack down, innermost frame first, and makes
the system call that is sampled; so each sample has a stack that is known, line by line."""
import json
import os
import sys
import time

log = None


def begin(name='log'):
    """Each process has a log of its own."""
    global log
    log = os.open(os.environ['PROBE_LOG'] + '.%s.%d' % (name, os.getpid()),
                  os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)
    warm()


def warm():
    """Samples of a process that is not known yet have no frames of a language."""
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        os.getppid()


def stack(frame):
    frames = []
    while frame:
        code = frame.f_code
        frames.append([code.co_qualname, code.co_filename, frame.f_lineno or 0])
        frame = frame.f_back
    return frames


def write(frames):
    os.write(log, (json.dumps(frames) + '\n').encode())


def mark(*ignored):
    frames = stack(sys._getframe())
    frames[0][2] = mark.__code__.co_firstlineno + 4
    write(frames)
    os.getppid()
    return 0
