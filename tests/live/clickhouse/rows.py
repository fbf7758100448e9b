# SPDX-License-Identifier: GPL-2.0-only
"""Makes windows of some hosts, both as a store and as rows of a database. The two are made by
different code, from Documentation/clickhouse.md and store.md."""
import hashlib
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, 'tests/live/cli')
from profiles import Profile  # pylint: disable=wrong-import-position

SECOND = 10**9
LONG = 10  # seconds of a window: make_store's
TWO = (('samples', 'count'), ('cpu', 'nanoseconds'))
THREE = (('cpu', 'nanoseconds'), ('faults', 'count'), ('samples', 'count'))
KERNEL = '[kernel.kallsyms]'


def number(*parts):
    """Return: a number for anything; readers do not depend on how it is computed"""
    digest = hashlib.blake2b(repr(parts).encode('utf-8', 'surrogateescape'), digest_size=8)
    return struct.unpack('<Q', digest.digest())[0]


def raw(text):
    """Return: bytes of a text as a store has it: U+FFFD for bytes that are not UTF-8"""
    return text.decode('utf-8', 'replace').encode() if isinstance(text, bytes) else text.encode()


def cell(value):
    """Return: a value in RowBinary; a number comes with its width: (value, 'B')"""
    if isinstance(value, (bytes, str)):
        return leb(len(raw(value))) + raw(value)
    if isinstance(value, list):
        return leb(len(value)) + b''.join(cell(v) for v in value)
    return struct.pack('<' + value[1], value[0])


def leb(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


class Window:
    """A window of one host, ten seconds long."""

    def __init__(self, host, machine, seconds, types, samples):
        self.host, self.machine, self.seconds = host, machine, seconds
        self.types, self.samples = types, samples
        self.profile = Profile(types)
        for frames, values, labels in samples:
            self.profile.add(frames, values, **labels)

    def frame(self, what):
        """Return: (binary, address, names) of a frame, as class Profile has it"""
        n = self.profile.numbers['location'][what]
        if isinstance(what, int):
            return '/usr/bin/prog', what, []
        kernel = what[:1] in ('[', b'[')
        text = what[1:-1] if kernel else what
        names = text.split(b'<' if isinstance(text, bytes) else '<')
        return (KERNEL if kernel else '/usr/bin/prog', ((1 << 63) if kernel else 0) + 0x1000 + n,
                [(name, 10 + i) for i, name in enumerate(names)])


class Tables:
    """Rows of a database, by table."""

    def __init__(self, names=True):
        self.rows = {}
        self.names = names
        self.known = set()

    def put(self, table, *cells):
        self.rows.setdefault(table, []).append(b''.join(cell(c) for c in cells))

    def once(self, table, ident, *cells):
        if (table, ident) not in self.known:
            self.known.add((table, ident))
            self.put(table, *cells)
        return ident

    def labels(self, day, labels):
        if not labels:
            return 0
        pairs = sorted((raw(k), v) for k, v in labels.items())
        ident = number('labels', pairs)
        return self.once(
            'labels', ident, (day, 'H'), (ident, 'Q'), [k for k, _ in pairs],
            ['' if isinstance(v, int) else v for _, v in pairs],
            [(v if isinstance(v, int) else 0, 'q') for _, v in pairs], [''] * len(pairs))

    def frame(self, day, window, what):
        binary, address, names = window.frame(what)
        b = number('binary', binary)
        self.once('binaries', b, (day, 'H'), (b, 'Q'), '', binary)
        ident = number('frame', binary, address, names)
        self.once('frames', ident, (day, 'H'), (ident, 'Q'), (b, 'Q'), (address, 'Q'))
        if names and self.names:
            self.once('names', ident, (day, 'H'), (ident, 'Q'), (2, 'B'),
                      [n for n, _ in names], [n for n, _ in names], ['prog.c'] * len(names),
                      [(0, 'I')] * len(names), [(line, 'I') for _, line in names])
        return ident, b

    def add(self, w, record):
        day = w.seconds // 86400
        machine = self.labels(day, w.machine)
        kinds = [name for name, _ in w.types]
        sums = [0, 0]
        for frames, values, labels in w.samples:
            made = [self.frame(day, w, f) for f in reversed(frames)]
            idents = [i for i, _ in made]
            stack = number('stack', idents) if idents else 0
            if idents:
                self.once('stacks', stack, (day, 'H'), (stack, 'Q'), [(i, 'Q') for i in idents])
            by_name = dict(zip(kinds, values))
            count, cpu = by_name.get('samples', 0), by_name.get('cpu', 0)
            sums = [sums[0] + count, sums[1] + cpu]
            service = next((labels[k] for k in ('service_name', 'unit', 'container', 'command')
                            if k in labels), 'unknown_service')
            self.put('incoming', (day, 'H'), (w.seconds, 'I'), w.host, (machine, 'Q'), service,
                     labels.get('release', w.machine.get('release', '')), labels.get('stack', ''),
                     (self.labels(day, labels), 'Q'), (stack, 'Q'),
                     (idents[0] if idents else 0, 'Q'), (made[0][1] if made else 0, 'Q'),
                     (made[-1][1] if made else 0, 'Q'), (count, 'q'), (cpu, 'q'),
                     [(v, 'q') for k, v in zip(kinds, values) if k not in ('samples', 'cpu')],
                     (0, 'Q'))
        self.put('incoming', (day, 'H'), (w.seconds, 'I'), w.host, (machine, 'Q'), '', '', '',
                 (len(w.samples), 'Q'), (0, 'Q'), (0, 'Q'), (0, 'Q'), (0, 'Q'), (0, 'q'), (0, 'q'),
                 [], (number('part', w.host, record), 'Q'))
        self.put('windows', (day, 'H'), w.host, (1, 'Q'), (record, 'Q'), (w.seconds * SECOND, 'Q'),
                 (LONG * SECOND, 'Q'), (machine, 'Q'), kinds, [u for _, u in w.types], '',
                 (0, 'q'), '', '', [], (len(w.samples), 'I'), (sums[0], 'q'), (sums[1], 'q'))

    def insert(self, server, database='ustack', **settings):
        for table, rows in self.rows.items():
            server.post(f'INSERT INTO {database}.{table} FORMAT RowBinary', b''.join(rows),
                        **settings)


def save_store(folder, windows, make_store):
    """Makes a store of the windows, in their order."""
    words = []
    os.makedirs(folder + '.files', exist_ok=True)
    for i, w in enumerate(windows):
        path = os.path.join(folder + '.files', str(i))
        w.profile.save(path)
        words += [str(w.seconds), path]
    subprocess.run([make_store, folder, '20000', *words], check=True)


STACKS = [['main', 'serve'], ['main', 'serve', 'parse<read_all'], ['main', 'idle', '[schedule]'],
          ['main', 0x4242], ['main', 'serve', 0x4250], [], ['main', b'bad\xff\xfe', 'caf\u00e9'],
          ['main', "it's;\\"], ['start', 'work', 'work', 'work']]
COMMANDS = ['web', 'db,1', 'worker-7', "o'dd\\", 'caf\u00e9', b'\xff\xfebytes', 'line\nfeed', 'WEB',
            '\u65e5\u672c']


def labels_of(r):
    out = {'command': r.choice(COMMANDS), 'pid': r.randrange(1, 40),
           'stack': r.choice(['complete', 'no_table', 'depth'])}
    if r.random() < 0.5:
        out['unit'] = r.choice(['web.service', 'db.service', 'x\\y.service'])
    if r.random() < 0.2:
        out['container'] = '0123456789abcdef%04d' % r.randrange(4)
    if r.random() < 0.1:
        out['release'] = 'own'
    if r.random() < 0.1:
        out = {'pid': -5}
    if r.random() < 0.02:
        out = {}
    return out


def windows_of(hosts, each, first, seed, types=(TWO, TWO, THREE)):
    """Return: random windows, the same for the same seed"""
    r = random.Random(seed)
    out = []
    for h in range(hosts):
        machine = {'host': f'host{h}', 'region': "it's" if h else 'here'}
        if h % 2:
            machine['release'] = f'r{h}'
        for i in range(each):
            kinds = types[r.randrange(len(types))] if h == 1 else types[0]
            seen = {}
            for _ in range(r.randrange(30)):
                stack, labels = r.choice(STACKS), labels_of(r)
                values = [r.randrange(1, 50) for _ in kinds]
                seen[repr((stack, sorted(labels.items(), key=str)))] = (stack, values, labels)
            out.append(Window(f'host{h}', machine, first + i * 10 + h, kinds, list(seen.values())))
    return out
