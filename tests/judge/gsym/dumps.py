# SPDX-License-Identifier: GPL-2.0-only
"""Functions shared by the judges of real programs: output of tools, and comparable dumps."""
import os
import re
import subprocess

USTACK = os.environ.get('USTACK') or 'build/ustack'
LLVM = 'llvm-gsymutil-14'


def output(argv, **kwargs):
    return subprocess.run(argv, check=True, text=True, errors='replace',
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **kwargs).stdout


def functions_of(text):
    """the functions of a dump, without their offsets in the file"""
    return re.sub(r'^FunctionInfo @ 0x[0-9a-f]+', 'FunctionInfo', text[text.index('FunctionInfo @'):],
                  flags=re.M)


def first_difference(a, b):
    for x, y in zip(a.split('\n'), b.split('\n')):
        if x != y:
            return f'{x!r} and {y!r}'
    return 'one ends early'
