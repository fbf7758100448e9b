# SPDX-License-Identifier: GPL-2.0-only
"""The limits for the cost of operations with the module loaded, while nobody samples: each as a multiple of
the cost without the module, with its reason."""

# The goals were 1.01 for all but CODE, and 1.10 for that. Documentation/decisions/0010-price.md
# says what exceeds them, and why.
PROCESS = (1.02, 'a fork shares the list of mappings, and an exec begins an empty one')
ANONYMOUS = (1.015, 'no code is mapped: a hook looks and returns')
NO_CODE = (1.015, 'nothing is mapped')
FILE = (1.045, 'is looked up once: code that may not be executed any more looks the same')
JIT = (1.06, 'is looked up twice')
# a chunk of the list is copied; this cost does not depend on what else the call does
CODE = (1.75, 'a mapping and its file are noted, and taken back')
PROTECTION = (2.3, 'the same, for a call that does next to nothing')
LIBRARY = (1.10, 'code is mapped and unmapped, and data')
# in a process that has thousands of mappings
MANY_MAPPINGS = 5000
MANY = (1.25, 'the price must not grow with the number of mappings')

LIMITS = {
    'fork+exit': PROCESS,
    'fork+exec, static': PROCESS,
    'fork+exec, dynamic': PROCESS,
    'map+unmap, code': CODE,
    'map+unmap, file': FILE,
    'map+unmap, anonymous': ANONYMOUS,
    'mprotect, code off+on': PROTECTION,
    'mprotect, JIT off+on': JIT,
    'dlopen+dlclose': LIBRARY,
    'thread create+join': NO_CODE,
}

# For loops on many CPUs at once: the least share of the runs per second without the module, which are
# rough. A lock that all processes take would let one CPU run at a time.
LOOPS = {
    'map+unmap, code': (0.40, 'each process has its own list, and pays for its own mappings'),
    'fork+exit': (0.60, 'parent and child share a list'),
    'page faults': (0.60, 'nothing is hooked'),
}


def limit_of(name, mappings):
    """(ratio, reason)"""
    own = LIMITS[name]
    return MANY if mappings >= MANY_MAPPINGS and own[0] < PROTECTION[0] else own
