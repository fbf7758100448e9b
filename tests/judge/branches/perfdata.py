# SPDX-License-Identifier: GPL-2.0-only
"""Writes perf.data files with branch stacks, as perf record -b does on a CPU that has them.

The layout is that of tools/perf/Documentation/perf.data-file-format.txt and <linux/perf_event.h>; no code
is shared with the reader of ustack.
"""
import struct

IP, TID, TIME, PERIOD, BRANCH_STACK = 1, 2, 4, 1 << 8, 1 << 11
BRANCH_USER, BRANCH_ANY, BRANCH_HW_INDEX = 1, 8, 1 << 17
MISC_USER, MISC_BUILD_ID, MISC_COMM_EXEC = 2, 1 << 14, 1 << 13
MMAP2, COMM, SAMPLE = 10, 3, 9
FLAGS = 1 << 5 | 1 << 6 | 1 << 8 | 1 << 9 | 1 << 18 | 1 << 23 | 1 << 24


def text(s):
    s = s.encode() + b'\0'
    return s + bytes(-len(s) % 8)


def counted(s):
    s = text(s)
    return struct.pack('<I', len(s)) + s


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def attr(branch_type, build_ids):
    flags = FLAGS | (1 << 34 if build_ids else 0)
    return struct.pack('<IIQQQQQIIQQQQIiQIHHIIQ', 0, 128, 0, 1000003,
                       IP | TID | TIME | PERIOD | BRANCH_STACK, 0, flags, 0, 0, 0, 0,
                       BRANCH_ANY | branch_type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


class Writer:
    """Collects records; write() makes the file.

    hw_index: each stack begins with the word of PERF_SAMPLE_BRANCH_HW_INDEX
    map_ids: records of mappings have build ids (perf record --buildid-mmap)
    """

    def __init__(self, hw_index=False, map_ids=False):
        self.hw_index, self.map_ids = hw_index, map_ids
        self.records, self.time = [], 1000

    def tick(self):
        self.time += 1000
        return self.time

    def end(self, pid):
        return struct.pack('<IIQ', pid, pid, self.tick())

    def comm(self, pid, name):
        self.records.append(record(COMM, MISC_COMM_EXEC,
                                   struct.pack('<II', pid, pid) + text(name) + self.end(pid)))

    def map(self, pid, start, length, offset, path, build_id=b'', inode=0):
        misc, ident = MISC_USER, struct.pack('<IIQQ', 8, 1, inode, 0)
        if self.map_ids and build_id:
            misc |= MISC_BUILD_ID
            ident = struct.pack('<BBH', len(build_id), 0, 0) + build_id.ljust(20, b'\0')
        body = struct.pack('<IIQQQ', pid, pid, start, length, offset) + ident
        body += struct.pack('<II', 5, 2) + text(path) + self.end(pid)
        self.records.append(record(MMAP2, misc, body))

    def sample(self, pid, ip, branches):
        """branches: (from, to, flags), the latest first"""
        body = struct.pack('<QIIQQQ', ip, pid, pid, self.tick(), 1000003, len(branches))
        if self.hw_index:
            body += struct.pack('<Q', 5)
        body += b''.join(struct.pack('<QQQ', *b) for b in branches)
        self.records.append(record(SAMPLE, MISC_USER, body))

    def write(self, path, build_ids=()):
        """build_ids: (path, build id) for the list at the file's end"""
        a = attr(BRANCH_USER | (BRANCH_HW_INDEX if self.hw_index else 0), self.map_ids)
        data = b''.join(self.records)
        ids = b''
        for name, ident in build_ids:
            body = struct.pack('<i', -1) + ident.ljust(20, b'\0') + bytes([len(ident), 0, 0, 0]) + text(name)
            ids += record(0, MISC_USER | 1 << 15, body)
        features = {3: counted('made'), 4: counted('6.1.0'), 5: counted('6.1'), 6: counted('x86_64'),
                    12: struct.pack('<II', 1, len(a)) + a + struct.pack('<I', 1) + counted('cycles:u') +
                    struct.pack('<Q', 7)}
        if ids:
            features[2] = ids
        head, ids_at = 104, 104
        attrs_at = ids_at + 8
        data_at = attrs_at + len(a) + 16
        bits = [0, 0, 0, 0]
        for n in features:
            bits[n // 64] |= 1 << n % 64
        at = data_at + len(data) + 16 * len(features)
        sections, bodies = b'', b''
        for n in sorted(features):
            sections += struct.pack('<QQ', at + len(bodies), len(features[n]))
            bodies += features[n]
        with open(path, 'wb') as f:
            f.write(struct.pack('<8sQQQQQQQQ4Q', b'PERFILE2', head, len(a) + 16, attrs_at, len(a) + 16,
                                data_at, len(data), 0, 0, *bits))
            f.write(struct.pack('<Q', 7) + a + struct.pack('<QQ', ids_at, 8))
            f.write(data + sections + bodies)
