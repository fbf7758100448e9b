# SPDX-License-Identifier: GPL-2.0
"""A store, the driver that pushes it, and the list of cases."""
import functools
import json
import os
import re
import signal
import subprocess
import tempfile
import time


def terminate(p):
    """SIGTERM, when it is caught: one that has just started would die of it."""
    caught = 0
    end = time.monotonic() + 10
    while p.poll() is None and not caught >> (signal.SIGTERM - 1) & 1 and time.monotonic() < end:
        with open(f'/proc/{p.pid}/status') as f:
            caught = int(re.search(r'^SigCgt:\s*(\w+)', f.read(), re.M)[1], 16)
    p.send_signal(signal.SIGTERM)


class Case:
    """A store, and what the driver does with it."""

    driver = None
    tmp = None

    def __init__(self, windows=0, segment=2500):
        self.dir = tempfile.mkdtemp(dir=Case.tmp)
        self.store = os.path.join(self.dir, 'store')
        self.state = os.path.join(self.dir, 'state')
        self.sums = {}
        self.environment = {}
        if windows:
            self.append(0, windows, segment)

    def append(self, first, nr, segment=2500):
        out = subprocess.run([Case.driver, 'append', self.store, str(first), str(nr), str(segment)],
                             check=True, stdout=subprocess.PIPE).stdout
        self.know(out)

    def know(self, out):
        for line in out.decode().splitlines():
            w = json.loads(line)
            if 'nr' in w:
                self.sums[(w['segment'], w['record'])] = w

    def start(self, kind, url, *words, name='target'):
        p = subprocess.Popen([Case.driver, 'push', self.store, self.state, name, kind, url, *words],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=os.environ | self.environment)
        RUNNING.append(p)
        return p

    def finish(self, p, timeout=40):
        try:
            out, err = p.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
            raise AssertionError('it does not end: ' + err.decode()[-400:])
        assert p.returncode == 0, (p.returncode, err.decode()[-2000:])
        self.know(out)
        info = json.loads(out.decode().splitlines()[-1])
        info['notes'] = err.decode()
        assert info['stop_seconds'] < 1, info
        return info

    def push(self, kind, url, *words, idle=None):
        return self.finish(self.start(kind, url, *words, f'idle={idle or len(self.sums)}'))

    def position(self, name='target'):
        with open(os.path.join(self.state, name + '.position'), encoding='ascii') as f:
            words = f.read().split()
        return int(words[3]), int(words[4]), int(words[5])

    def check(self, peer, twice=False, without=()):
        """All that the store has has arrived, and nothing else; once unless @twice."""
        assert not peer.wrong, peer.wrong[:3]
        got = {}
        ranges = {}
        for part in peer.parts:
            host, at, moment, extent = part['identity'].split('/')
            window = tuple(int(n) for n in at.split('.'))
            assert host == 'machine-1' and part['host'] == 'machine-1', part
            assert part['cluster'] == 'a b', part
            assert int(moment) == 1700000000 * 10**9 + self.sums[window]['nr'] * 10**10, part
            key = (window, extent)
            if key in ranges:
                assert twice, f'{key} came twice'
                assert ranges[key] == part['values'], f'{key} came again with other values'
                continue
            ranges[key] = part['values']
            sums = got.setdefault(window, {'samples': 0, 'extents': []})
            sums['extents'].append(tuple(int(n) for n in extent.split('-')))
            for k, v in part['values'].items():
                sums[k] = sums.get(k, 0) + v
        for window, w in self.sums.items():
            if window in without:
                assert window not in got, window
                continue
            if not w['samples']:
                assert window not in got, window
                continue
            assert window in got, f'{window} did not come'
            assert (got[window]['samples'], got[window]['cpu']) == (w['count'], w['cpu']), window
            extents = sorted(got[window]['extents'])
            assert extents[0][0] == 0 and extents[-1][1] == w['samples'], extents
            assert all(a[1] == b[0] for a, b in zip(extents, extents[1:])), extents


RUNNING = []


def kill_all():
    for p in RUNNING:
        if p.poll() is None:
            p.kill()


def give_up(*_):
    """A case that hangs is a failure, too."""
    print('FAILED: not done after 180 s', flush=True)
    kill_all()
    os._exit(1)


def segments(c):
    """Numbers of those that are there."""
    try:
        return sorted(int(n[:-4], 16) for n in os.listdir(c.store) if n.endswith('.seg'))
    except FileNotFoundError:
        return []


def segment_of(part):
    return int(part['identity'].split('/')[1].split('.')[0])


def wait_for(truth, seconds=10):
    end = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < end, 'it does not happen'
        time.sleep(0.005)


CASES = []


def case(f):
    CASES.append((f.__name__, f))
    return f


def each(*kinds):
    def decorate(f):
        for kind in kinds:
            CASES.append((f'{f.__name__}[{kind}]', functools.partial(f, kind)))
        return f
    return decorate


ALL = ('pyroscope', 'parca', 'otlp')
