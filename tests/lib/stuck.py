# SPDX-License-Identifier: GPL-2.0-only
"""Reports what the processes of a target that hangs are doing, and ends them.

A target may start daemons, guests and processes with sessions of their own. All of them
inherit the environment variable MARK, by which they are found.
"""
import os
import signal
import time

MARK = 'SUITE_TARGET'
GRACE_SECONDS = 10


def read(path):
    """The text of a file of /proc; empty when the process has ended."""
    try:
        with open(path, 'rb') as f:
            return f.read().decode(errors='replace')
    except OSError:
        return ''


def processes(mark):
    """The numbers of the processes that have MARK=mark in their environment."""
    wanted = '%s=%s' % (MARK, mark)
    return [int(pid) for pid in os.listdir('/proc') if pid.isdigit() and int(pid) != os.getpid() and
            wanted in read('/proc/%s/environ' % pid).split('\0')]


def describe(pid):
    """A line about a process, and one for each of its threads: where it waits in the kernel, if that is known."""
    stat = read('/proc/%d/stat' % pid).rpartition(')')[2].split()
    if not stat:
        return []
    command = read('/proc/%d/cmdline' % pid).replace('\0', ' ').strip()
    lines = ['%d, child of %s, state %s: %s' % (pid, stat[1], stat[0], command[:300])]
    try:
        threads = os.listdir('/proc/%d/task' % pid)
    except OSError:
        threads = []
    for thread in threads:
        where = '/proc/%d/task/%s/' % (pid, thread)
        stack = [line.split()[-1] for line in read(where + 'stack').splitlines()]
        call = read(where + 'syscall').strip()
        waits = ' < '.join(stack[:6]) or read(where + 'wchan')
        lines.append('    thread %s: system call %s; in %s' % (thread, call or '?', waits or '?'))
    return lines


def stop(mark):
    """End the processes of a target. Return: the lines that describe them, from describe()."""
    lines = [line for pid in sorted(processes(mark)) for line in describe(pid)]
    # SIGTERM first, so that tests can unmount and remove what they have made
    for sig, patience in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, 0)):
        for pid in processes(mark):
            try:
                os.kill(pid, sig)
            except ProcessLookupError:
                pass
        until = time.monotonic() + patience
        while processes(mark) and time.monotonic() < until:
            time.sleep(0.1)
    return lines
