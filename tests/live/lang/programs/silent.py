# SPDX-License-Identifier: GPL-2.0-only
"""Spins in a function whose name is in memory that cannot be read.

usage: silent.py FILE
The name's first and last bytes can be read. A page between them is mapped from FILE, on a file system
that does not answer (silent_files.py).
"""
import ctypes
import os
import struct
import sys

PAGE = 4096
READ, READ_WRITE, PRIVATE, FIXED, ANONYMOUS = 1, 3, 2, 16, 32
HEAD = 48       # bytes before the characters of an ASCII str in CPython 3.11
BEFORE = 100    # characters in the first page


def spin(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def map_pages(libc, at, pages, protection, flags, fd):
    got = libc.mmap(at, pages * PAGE, protection, flags, fd, 0)
    if got in (None, ctypes.c_void_p(-1).value):
        sys.exit("mmap: " + os.strerror(ctypes.get_errno()))
    return got


def forge(libc, path):
    """Return: address of a str whose second page cannot be read."""
    at = map_pages(libc, None, 3, READ_WRITE, PRIVATE | ANONYMOUS, -1)
    head = bytearray(ctypes.string_at(id(spin.__code__.co_qualname), HEAD))
    struct.pack_into("<q", head, 0, 1 << 20)
    struct.pack_into("<q", head, 16, BEFORE + PAGE + 200)
    name = at + PAGE - BEFORE - HEAD
    ctypes.memmove(name, bytes(head), HEAD)
    ctypes.memset(name + HEAD, ord("a"), BEFORE)
    ctypes.memset(at + 2 * PAGE, ord("z"), PAGE)
    fd = os.open(path, os.O_RDONLY)
    map_pages(libc, at + PAGE, 1, READ, PRIVATE | FIXED, fd)
    return name


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    old = id(spin.__code__.co_qualname)
    new = forge(libc, sys.argv[1])
    for offset in range(0, 256, 8):
        word = ctypes.c_uint64.from_address(id(spin.__code__) + offset)
        if word.value == old:
            word.value = new
    print("forged", flush=True)
    while True:
        spin(100000)


main()
