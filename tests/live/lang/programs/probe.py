# SPDX-License-Identifier: GPL-2.0-only
"""A program's own view of its stack. mark() writes the stack down, innermost frame first, and makes
the system call that is sampled; so the stack of each sample is known, line by line."""
import json
import os
import sys
import time

log = None


def begin(name='log'):
    """Each process has its own log."""
    global log
    log = os.open(os.environ['PROBE_LOG'] + '.%s.%d' % (name, os.getpid()),
                  os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o666)
    warm()


def warm():
    """Samples have no frames of a language until ustack has inspected the process. Each sample asks for
    that, so a hundred are enough. A pause is longer than the shortest wait that is recorded.
    PROBE_SLOW is how many times slower the machine is than others."""
    end = time.monotonic() + 0.5 * float(os.environ.get('PROBE_SLOW', 1))
    while time.monotonic() < end:
        os.getppid()
        time.sleep(0.004)


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
