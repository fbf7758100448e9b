# SPDX-License-Identifier: GPL-2.0-only
"""A store, the driver that pushes it, and the list of cases."""
import functools
import json
import os
import re
import signal
import subprocess
import tempfile
import time

RUNNING = []


def kill_all():
    for p in RUNNING:
        if p.poll() is None:
            p.kill()


# Seconds after which a wait counts as a hang.
HANG = 180
# Options of the driver unless a case has others: a back-off of a minute takes a second, and no
# request fails only because the machine is busy.
DEFAULTS = {'scale': '60', 'timeout': '300000'}


def wait_for(truth, why='it does not happen'):
    """Waits until the condition holds."""
    end = time.monotonic() + HANG
    while not truth():
        assert time.monotonic() < end, why() if callable(why) else why
        time.sleep(0.005)


class Driver(subprocess.Popen):
    """A running driver. Its output goes to files, which a case can read while the driver runs."""

    def __init__(self, words, folder, environment):
        files = [tempfile.mkstemp(dir=folder) for _ in range(2)]
        self.files = [path for _, path in files]
        super().__init__([Case.driver, *words], stdout=files[0][0], stderr=files[1][0],
                         env=os.environ | environment)
        for fd, _ in files:
            os.close(fd)
        RUNNING.append(self)

    def output(self):
        """Return: (standard output, notes) so far"""
        texts = []
        for path in self.files:
            with open(path, 'rb') as f:
                texts.append(f.read())
        return texts

    def end(self):
        """Return: (status, standard output, notes), after the driver has ended"""
        try:
            self.wait(HANG)
        except subprocess.TimeoutExpired:
            self.kill()
            self.wait()
            raise AssertionError('it does not end: %r' % self.output()[1][-400:]) from None
        return self.returncode, *self.output()

    def terminate(self):
        """Sends SIGTERM after the driver has installed its handler; before that, the signal would kill it."""
        def is_caught():
            if self.poll() is not None:
                return True
            with open(f'/proc/{self.pid}/status', encoding='ascii', errors='replace') as f:
                caught = re.search(r'^SigCgt:\s*(\w+)', f.read(), re.M)
            return caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1
        wait_for(is_caught)
        self.send_signal(signal.SIGTERM)


class Case:
    """A store, a state folder, and runs of the driver on them."""

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
        given = {word.partition('=')[0] for word in words}
        words += tuple(f'{k}={v}' for k, v in DEFAULTS.items() if k not in given)
        return Driver(['push', self.store, self.state, name, kind, url, *words], self.dir,
                      self.environment)

    def finish(self, p):
        status, out, err = p.end()
        assert status == 0, (status, err.decode()[-2000:])
        self.know(out)
        info = json.loads(out.decode().splitlines()[-1])
        info['notes'] = err.decode()
        return info

    def push(self, kind, url, *words, idle=None):
        return self.finish(self.start(kind, url, *words, f'idle={idle or len(self.sums)}'))

    def position(self, name='target'):
        with open(os.path.join(self.state, name + '.position'), encoding='ascii') as f:
            words = f.read().split()
        return int(words[3]), int(words[4]), int(words[5])

    def is_through(self):
        """Return: whether the position is after the last window that is known here"""
        try:
            return self.position()[:2] > max(self.sums)
        except (OSError, IndexError, ValueError):
            return False

    def check(self, peer, twice=False, without=()):
        """Checks that everything in the store has arrived and nothing else; once unless @twice.
        @without: windows that must not have arrived"""
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


def segments(c):
    """Return: numbers of the store's segments"""
    try:
        return sorted(int(n[:-4], 16) for n in os.listdir(c.store) if n.endswith('.seg'))
    except FileNotFoundError:
        return []


def segment_of(part):
    return int(part['identity'].split('/')[1].split('.')[0])


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
