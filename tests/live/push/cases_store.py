# SPDX-License-Identifier: GPL-2.0-only
"""Cases in which the store, position files or the process are damaged or removed."""
import os
import random
import shutil
import threading
import time

from harness import ALL, HANG, Case, case, each, segments, wait_for
from stand_ins import Peer


@case
def removed_before_they_were_sent():
    """The store removes segments while their target is away."""
    c = Case(12)
    with Peer('parca') as peer:
        c.push('parca', peer.url)
    first = max(c.sums)[0]
    c.append(12, 30)
    numbers = sorted({w[0] for w in c.sums})
    assert len(numbers) > 6, numbers
    gone = [n for n in numbers if n > first][1:4]
    for n in gone:
        os.unlink(os.path.join(c.store, f'{n:016x}.seg'))
    c.sums = {w: v for w, v in c.sums.items() if w[0] not in gone and v['nr'] >= 12}
    with Peer('parca') as peer:
        info = c.push('parca', peer.url)
        c.check(peer)
        assert info['lost_segments'] == 3 and not info['lost'], info
        assert 'removed' in info['notes'], info


@case
def removed_while_the_server_is_away():
    """Lost windows are counted one by one if they were appended meanwhile."""
    c = Case()
    back = threading.Event()

    def away(_):
        assert back.wait(HANG)
        return 'no acknowledgement'

    with Peer('parca', [away]) as peer:
        p = c.start('parca', peer.url, 'append=30', 'every=5', 'batch=1')
        wait_for(lambda: p.output()[0].count(b'\n') == 30 and peer.times)
        c.know(p.output()[0])
        gone = segments(c)[1:4]
        for n in gone:
            os.unlink(os.path.join(c.store, f'{n:016x}.seg'))
        back.set()
        wait_for(c.is_through)
        p.terminate()
        info = c.finish(p)
        lost = [w for w in c.sums if w[0] in gone]
        c.check(peer, twice=True, without=lost)
        assert info['failures'] == {'broken': 1}, info
        assert info['lost'] == len(lost) > 3 and not info['lost_segments'], info
        assert info['windows'] + info['lost'] == 30, info


@case
def a_store_that_was_removed():
    """The segments of a new store may have lower numbers, for example because the clock was set
    back. The first window that is appended shows that."""
    c = Case(30)
    with Peer('parca') as peer:
        c.push('parca', peer.url)
        shutil.rmtree(c.store)
        c.sums = {}
        peer.parts.clear()
        os.mkdir(c.store, 0o700)
        with open(os.path.join(c.store, 'last'), 'w', encoding='ascii') as f:
            f.write('7\n')
        info = c.finish(c.start('parca', peer.url, 'append=3', 'every=10', 'first=20',
                                'idle=3'))
        c.check(peer)
        assert 'after the end of the store' in info['notes'], info


@case
def an_end_that_was_lost():
    """The machine crashed before the store had synced windows that were sent already."""
    c = Case(4, segment=10**6)
    with Peer('parca') as peer:
        c.push('parca', peer.url)
        path = os.path.join(c.store, f'{segments(c)[0]:016x}.seg')
        os.truncate(path, os.path.getsize(path) - 10)
        c.sums = {}
        peer.parts.clear()
        info = c.finish(c.start('parca', peer.url, 'append=2', 'every=10', 'first=20', 'idle=2'))
        assert min(c.sums)[1] == 3, c.sums
        c.check(peer)
        assert 'after the end of the store' in info['notes'], info


@case
def segments_that_are_damaged():
    c = Case(12)
    number = segments(c)[1]
    with open(os.path.join(c.store, f'{number:016x}.seg'), 'r+b') as f:
        f.seek(-40, os.SEEK_END)
        f.write(b'damage')
    bad = [w for w in c.sums if w[0] == number]
    with Peer('otlp') as peer:
        info = c.push('otlp', peer.url, idle=12 - len(bad))
        assert info['unreadable'] == 1 and 'cannot be read' in info['notes'], info
        came = {p['identity'].split('/')[1] for p in peer.parts}
        c.check(peer, without=[w for w in bad if f'{w[0]}.{w[1]}' not in came])


@case
def a_disk_that_cannot_be_read():
    """A part that cannot be read is tried again, and then skipped; windows after it arrive."""
    for behind in 0, 1:
        c = Case(12)
        number = segments(c)[1]
        name = f'{number:016x}.seg'
        size = os.path.getsize(os.path.join(c.store, name))
        c.environment = {'PUSH_BAD': name, 'PUSH_BAD_FROM': str((0, size - 40)[behind])}
        bad = [w for w in c.sums if w[0] == number]
        with Peer('otlp') as peer:
            info = c.push('otlp', peer.url, 'batch=1', idle=12 - len(bad[-1:] if behind else bad))
            assert info['unreadable'] == 1 and 'Input/output error' in info['notes'], info
            assert info['failures'] == {'local': 4}, info
            came = {p['identity'].split('/')[1] for p in peer.parts}
            c.check(peer, without=[w for w in bad if f'{w[0]}.{w[1]}' not in came])
            assert behind or not came & {f'{w[0]}.{w[1]}' for w in bad}, came


@case
def a_disk_that_is_away():
    """If no part of the store can be read, nothing is skipped."""
    c = Case(6)
    c.environment = {'PUSH_BAD': '.seg', 'PUSH_BAD_FROM': '0'}
    with Peer('otlp') as peer:
        info = c.finish(c.start('otlp', peer.url, 'failures=7'))
        assert not info['unreadable'] and set(info['failures']) == {'local'}, info
        assert info['failures']['local'] >= 7 and not info['windows'], info
        c.environment = {}
        c.push('otlp', peer.url)
        c.check(peer)


@case
def folders_that_others_write_to():
    c = Case(1)
    os.mkdir(c.state)
    os.chmod(c.state, 0o770)
    status, _, err = c.start('parca', 'http://127.0.0.1:1').end()
    assert b'others may write' in err and status == 1, err


@case
def positions_that_are_damaged():
    c = Case(3)
    path = os.path.join(c.state, 'target.position')
    with Peer('parca') as peer:
        c.push('parca', peer.url)
        with open(path, 'rb') as f:
            whole = f.read()
        for bad in whole[:-5], b'', whole.replace(b' 3 ', b' 4 ', 1)[:-2] + b'0\n', b'x' * 9999:
            with open(path, 'wb') as f:
                f.write(bad)
            peer.parts.clear()
            info = c.push('parca', peer.url)
            c.check(peer)
            assert 'is damaged' in info['notes'], info
    os.unlink(path)
    os.mkdir(path)
    status, _, err = c.start('parca', 'http://127.0.0.1:1').end()
    assert b'Is a directory' in err and status == 1, err


@each(*ALL)
def killed(kind):
    """kill -9 at random moments, while some acknowledgements are lost, too."""
    rng, servers_rng = random.Random(kind), random.Random(kind)
    c = Case(20, segment=3500)
    kills = working = 0
    with Peer(kind, [rng.choice(['good', 'good', 'good', 'no acknowledgement'])
                     for _ in range(60)]) as peer:
        peer.delay = lambda: servers_rng.random() * 0.02
        while kills < 25:
            before = len(peer.times)
            p = c.start(kind, peer.url, f'batch={rng.choice([1, 3, 10])}')
            # kill some before the first request, and most while they wait for an answer
            asked = rng.choice([0, 1, 1, 2, 5])
            # pylint: disable=cell-var-from-loop
            wait_for(lambda: len(peer.times) >= before + asked or c.is_through())
            time.sleep(rng.random() * 0.02)
            p.kill()
            p.wait()
            kills += 1
            working += len(peer.times) > before
            # the next driver always has something to send
            c.append(20 + 3 * kills, 3, segment=3500)
        p = c.start(kind, peer.url)
        wait_for(c.is_through)
        p.terminate()
        c.finish(p)
        c.check(peer, twice=True)
        assert working >= 15, working
        # only requests in flight are sent twice: at most one for each kill or lost answer
        names = [r['identity'] for r in peer.requests]
        lost = sum(r['what'] != 'good' for r in peer.requests)
        again = len(names) - len(set(names))
        assert again <= kills + lost, (again, kills, lost)
        # and each part is sent in the same request again, whatever batch= is now
        company = {}
        for r in peer.requests:
            for part in r['parts']:
                company.setdefault(part['identity'], set()).add(r['identity'])
        assert all(len(names) == 1 for names in company.values()), company
        windows = [p['identity'] for p in peer.parts]
        print(f'       {kind}: {len(windows)} parts, {len(windows) - len(set(windows))} of them '
              f'again, after {kills} kills and {lost} lost acknowledgements')
