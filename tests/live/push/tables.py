# SPDX-License-Identifier: GPL-2.0-only
"""A stand-in for ClickHouse's tables: takes inserts in RowBinary, and answers which marks they
have."""
import gzip
import re
import struct
import urllib.parse

from siphash import siphash

TARGETS = ('samples', 'services_by_minute', 'stacks_by_hour', 'leaves_by_hour',
           'completeness_by_hour')
INCOMING = ('day', 'time', 'host', 'machine', 'service', 'release', 'outcome', 'labels',
            'stack', 'leaf', 'binary', 'ended', 'count', 'cpu', 'more', 'part')
TYPES = {'day': 'H', 'time': 'I', 'host': 's', 'service': 's', 'release': 's', 'outcome': 's',
         'count': 'q', 'cpu': 'q', 'more': 'a'}
KEPT = {'binaries', 'frames', 'names', 'stacks', 'labels', 'maps', 'processes', 'windows'}


class Rows:
    """Reads rows in RowBinary."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def fixed(self, code):
        (value,) = struct.unpack_from('<' + code, self.data, self.at)
        self.at += struct.calcsize('<' + code)
        return value

    def varint(self):
        value = shift = 0
        while True:
            byte = self.fixed('B')
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        length = self.varint()
        self.at += length
        if self.at > len(self.data):
            raise ValueError('a text after the end')
        return self.data[self.at - length:self.at].decode(errors='replace')

    def column(self, name):
        kind = TYPES.get(name, 'Q')
        if kind == 's':
            return self.text()
        if kind == 'a':
            return [self.fixed('q') for _ in range(self.varint())]
        return self.fixed(kind)

    def all(self):
        rows = []
        while self.at < len(self.data):
            rows.append({name: self.column(name) for name in INCOMING})
        return rows


class Tables:
    """The tables' rows. @plan says what to do with the next inserts of samples. @attempts has the
    times of the windows of each such insert, in seconds."""

    def __init__(self, plan=()):
        self.plan = list(plan)
        self.tables = {t: [] for t in TARGETS}
        self.kept = set()
        self.attempts = []
        self.inserts, self.questions, self.running = 0, 0, 0

    def insert(self, table, body):
        """Return: what to do with the request."""
        if table in KEPT:
            self.kept.add(table)
            return 'good'
        rows = Rows(gzip.decompress(body)).all()
        assert len({r['day'] for r in rows}) == 1 and rows[-1]['part'], 'no insert of a day'
        what, to = 'good', TARGETS
        if table != 'incoming':
            to = (table[len('incoming_'):],)
        else:
            self.inserts += 1
            self.attempts.append(sorted({r['time'] for r in rows}))
            what = self.plan.pop(0) if self.plan else 'good'
            what = what() if callable(what) else what
        if isinstance(what, dict):
            to = what['to']
        if what != 'hang up' and not isinstance(what, tuple):
            for target in to:
                self.tables[target] += rows
        return what

    def marks(self, sql):
        """Answers the question for marks as the server would."""
        self.questions += 1
        out = []
        for number, select in enumerate(sql.split(' UNION ALL ')):
            table = re.search(r'`ustack`\.`(\w+)`', select)[1]
            parts = {int(p) for p in re.findall(r'\d+', (re.search(
                r'part IN \(([\d,]+)\)', select) or [0, ''])[1])}
            for row in self.tables[table]:
                if row['part'] and (not number or row['part'] in parts):
                    first, end = (row['stack'], row['labels']) if not number else (0, 0)
                    out.append(f'{number}\t{row["part"]}\t{first}\t{end}\n')
        return ''.join(out)

    def answer(self, sql):
        if 'system.settings' in sql:
            return 'max_block_size\ninsert_distributed_sync\n'
        if 'system.processes' in sql:
            self.running -= self.running > 0
            return f'{self.running}\n'
        return self.marks(sql)

    def check(self, sums, host='machine-1'):
        """Checks that each window is in each table once."""
        windows = {(1700000000 + w['nr'] * 10): w for w in sums.values() if w['samples']}
        for target, rows in self.tables.items():
            marks = {r['part']: r for r in rows if r['part']}
            assert len(marks) == sum(r['part'] > 0 for r in rows), (target, 'twice')
            assert marks.keys() == {siphash(
                f'{host}/{w["segment"]}.{w["record"]}/{t}000000000/0-{w["samples"]}'.encode())
                for t, w in windows.items()}, target
            for time, w in windows.items():
                of = [r for r in rows if r['time'] == time and not r['part']]
                assert (len(of), sum(r['count'] for r in of), sum(r['cpu'] for r in of)) == (
                    w['samples'], w['count'], w['cpu']), (target, time)
        assert self.kept == KEPT, self.kept


def table_of(path):
    """Return: the table of an insert; None for a question"""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query)
    if 'query' not in query:
        return None
    assert query['insert_distributed_sync'] == ['1'], query
    return re.fullmatch(r'INSERT INTO `ustack`\.(\w+) \([\w, ]+\) FORMAT RowBinary',
                        query['query'][0])[1]
