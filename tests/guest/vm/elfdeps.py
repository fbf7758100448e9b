#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The shared libraries that ELF files need, found in given folders.

usage: elfdeps.py --search DIR... -- FILE...
Prints one path a line: the interpreter and every library, recursively. Used by
mkroot (for a guest's root) and by run (for the files given with --with).
"""
import os
import re
import subprocess
import sys


def is_elf(path):
    try:
        with open(path, 'rb') as f:
            return f.read(4) == b'\x7fELF'
    except OSError:
        return False


def direct(path):
    """(interpreter or None, [sonames]) of one ELF file"""
    text = subprocess.run(['readelf', '-W', '-l', '-d', path], text=True,
                          capture_output=True, env={**os.environ, 'LC_ALL': 'C'}).stdout
    interp = re.search(r'program interpreter: (\S+)\]', text)
    return (interp.group(1) if interp else None,
            re.findall(r'\(NEEDED\)\s+Shared library: \[([^]]+)\]', text))


def closure(files, search, known=()):
    """{soname: path} needed by FILES; names in KNOWN are not looked into.
    Names found nowhere have the path None."""
    found, todo = {}, list(files)
    while todo:
        interp, needed = direct(todo.pop())
        names = needed + ([os.path.basename(interp)] if interp else [])
        for name in names:
            if name in found or name in known:
                continue
            paths = (os.path.join(d, name) for d in search)
            found[name] = next((p for p in paths if os.path.exists(p)), None)
            if found[name]:
                todo.append(found[name])
    return found


def main(argv):
    cut = argv.index('--')
    search, files = argv[1:cut], argv[cut + 1:]
    for name, path in sorted(closure(files, search).items()):
        if path is None:
            sys.exit(f'elfdeps: {name} is in none of {" ".join(search)}')
        print(path)


if __name__ == '__main__':
    main([a for a in sys.argv if a != '--search'])
