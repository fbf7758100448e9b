# SPDX-License-Identifier: GPL-2.0-only
"""A file system (FUSE) whose files can be opened and mapped, but reading them never ends.

usage: silent_files.py FOLDER USER
Mounts itself on FOLDER, only for USER, prints "mounted", and serves until it is killed. Numbers
and structures are those of linux/fuse.h, version 7.31.
"""
import ctypes
import os
import struct
import sys

LOOKUP, FORGET, GETATTR, OPEN, READ, INIT, BATCH_FORGET = 1, 2, 3, 14, 15, 26, 42
ENOSYS = 38
ROOT, FILE = 1, 2


def attributes(node):
    mode = 0o40755 if node == ROOT else 0o100755
    return struct.pack("<6Q10I", node, 1 << 20, 2048, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(code, node):
    """Return: (error, bytes), or None for no answer."""
    if code == INIT:
        return 0, struct.pack("<4I2H2I2H8I", 7, 31, 65536, 0, 12, 9, 65536, 1, 0, 0, *[0] * 8)
    if code == LOOKUP:
        return 0, struct.pack("<4Q2I", FILE, 0, 100, 100, 0, 0) + attributes(FILE)
    if code == GETATTR:
        return 0, struct.pack("<Q2I", 100, 0, 0) + attributes(node)
    if code == OPEN:
        return 0, struct.pack("<Q2I", 1, 0, 0)
    if code in (READ, FORGET, BATCH_FORGET):
        return None
    return -ENOSYS, b""


def main():
    folder, user = sys.argv[1], int(sys.argv[2])
    device = os.open("/dev/fuse", os.O_RDWR)
    libc = ctypes.CDLL(None, use_errno=True)
    options = "fd=%d,rootmode=40000,user_id=%d,group_id=%d" % (device, user, user)
    if libc.mount(b"silent", folder.encode(), b"fuse", 0, options.encode()):
        sys.exit("mount: " + os.strerror(ctypes.get_errno()))
    print("mounted", flush=True)
    while True:
        request = os.read(device, 1 << 20)
        _, code, unique, node = struct.unpack_from("<IIQQ", request)
        said = answer(code, node)
        if said:
            os.write(device, struct.pack("<IiQ", 16 + len(said[1]), said[0], unique) + said[1])


main()
