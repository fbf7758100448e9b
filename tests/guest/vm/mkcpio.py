#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write initramfs archives (cpio, "newc"), with every file owned by root.

usage: mkcpio.py DIR >ARCHIVE
Used by fetch for the root; run uses Archive for what a single run adds. The
kernel unpacks concatenated archives one over the other.
"""
import os
import re
import stat
import sys

# in the root /bin and so on are links; an entry below one would replace the link
MERGED = re.compile(r'^/*(s?bin|lib(64)?)/')


class Archive:
    """an archive being written to a binary file"""

    def __init__(self, out):
        self.out, self.ino, self.dirs = out, 0, set()

    def _entry(self, name, mode, size):
        self.ino += 1
        raw = name.strip('/').encode() + b'\0'
        fields = (self.ino, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, len(raw), 0)
        head = b'070701' + b''.join(b'%08x' % f for f in fields) + raw
        self.out.write(head + b'\0' * (-len(head) % 4))

    def _body(self, chunks):
        size = 0
        for chunk in chunks:
            size += len(chunk)
            self.out.write(chunk)
        self.out.write(b'\0' * (-size % 4))

    def _place(self, name):
        """the place of NAME; the folders above it are written first"""
        name = MERGED.sub(r'usr/\1/', name)
        parts = name.strip('/').split('/')[:-1]
        for n in range(1, len(parts) + 1):
            self.mkdir('/'.join(parts[:n]))
        return name

    def mkdir(self, name, mode=0o755):
        name = name.strip('/')
        if name and name not in self.dirs:
            self.dirs.add(name)
            self._entry(name, stat.S_IFDIR | mode, 0)

    def data(self, name, content, mode=0o644):
        self._entry(self._place(name), stat.S_IFREG | mode, len(content))
        self._body([content])

    def link(self, name, target):
        self._entry(self._place(name), stat.S_IFLNK | 0o777, len(target.encode()))
        self._body([target.encode()])

    def file(self, name, path):
        """a regular file of this machine, at NAME"""
        name = self._place(name)
        with open(path, 'rb') as f:
            st = os.fstat(f.fileno())
            self._entry(name, stat.S_IFREG | stat.S_IMODE(st.st_mode), st.st_size)
            self._body(iter(lambda: f.read(1 << 20), b''))

    def tree(self, name, path):
        """a folder of this machine with all that is in it, at NAME"""
        for top, dirs, files in os.walk(path):
            below = os.path.normpath(os.path.join(name, os.path.relpath(top, path)))
            if below.strip('/.'):
                self.mkdir(self._place(below))
            for entry in sorted(dirs + files):
                src, dst = os.path.join(top, entry), os.path.join(below, entry)
                if os.path.islink(src):
                    self.link(dst, os.readlink(src))
                elif os.path.isfile(src):
                    self.file(dst, src)

    def close(self):
        self._entry('TRAILER!!!', 0, 0)
        self.out.write(b'\0' * (-self.out.tell() % 512))


def main(argv):
    archive = Archive(open(sys.stdout.fileno(), 'wb', closefd=False))
    archive.tree('/', argv[1])
    archive.close()
    archive.out.flush()


if __name__ == '__main__':
    main(sys.argv)
