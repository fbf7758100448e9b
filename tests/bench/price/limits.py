# SPDX-License-Identifier: GPL-2.0-only
"""How much dearer an operation may be with the module loaded, while nobody samples: times of what
it costs without the module, and why."""

# in a process that has few mappings of code, or hundreds
PROCESS = (1.01, 'a fork shares the list of mappings, and an exec begins an empty one')
NO_CODE = (1.01, 'no code is mapped: a hook looks and returns')
CODE = (1.10, 'a mapping and its file are noted')
# and in one that has thousands
MANY_MAPPINGS = 5000
MANY = (1.20, 'the price must not grow with the number of mappings')

LIMITS = {
    'fork+exit': PROCESS,
    'fork+exec, static': PROCESS,
    'fork+exec, dynamic': PROCESS,
    'map+unmap, code': CODE,
    'map+unmap, file': NO_CODE,
    'map+unmap, anonymous': NO_CODE,
    'mprotect, code off+on': CODE,
    'mprotect, JIT off+on': CODE,
    'dlopen+dlclose': CODE,
    'thread create+join': NO_CODE,
}


def limit_of(name, mappings):
    """(ratio, reason)"""
    return MANY if mappings >= MANY_MAPPINGS else LIMITS[name]
