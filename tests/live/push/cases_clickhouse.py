# SPDX-License-Identifier: GPL-2.0-only
"""Cases about ClickHouse, with a stand-in for its tables."""
import tables
from harness import Case, case
from stand_ins import ClickHouse


def to_tables(plan, failure, *words, questions=(), windows=9, inserts=None):
    c = Case(windows)
    with ClickHouse(plan, questions) as peer:
        info = c.push('clickhouse', peer.url, 'batch=3', *words)
        peer.check(c)
        assert set(info['failures']) == ({failure} if failure else set()), info
        assert not info['refused'], info
        # the first insert has one window
        assert inserts is None or peer.tables.inserts == inserts, peer.tables.inserts
        return info


@case
def clickhouse_once():
    to_tables([], None)


@case
def clickhouse_lost_acknowledgements():
    to_tables(['no acknowledgement', 'good', 'no acknowledgement'], 'broken', inserts=4)


@case
def clickhouse_lost_inserts():
    to_tables(['hang up', 'good', 'hang up'], 'broken', inserts=6)


@case
def clickhouse_some_tables():
    for to in (['samples'], ['leaves_by_hour', 'stacks_by_hour'], list(tables.TARGETS[1:])):
        to_tables(['good', {'to': to}], 'broken', inserts=4)


@case
def clickhouse_errors():
    """No error makes the target skip a window, not even statuses that mean "refused" elsewhere."""
    to_tables([(500, b'Code: 252, Too many parts')] * 2, 'server', inserts=6)
    to_tables([(400, b'Code: 117')], 'not-there', inserts=5)
    to_tables([(200, b'Code: 1, DB::Exception')], 'lied', inserts=5)


@case
def clickhouse_lies():
    """Wrong answers to each question: the settings, the running inserts, the marks."""
    to_tables([], 'lied', questions=[(200, b'<html>')])
    to_tables([], 'lied', questions=[None, (200, b'many')])
    to_tables([], 'lied', questions=[None, None, (200, b'0\t1\n')])


@case
def clickhouse_still_running():
    c = Case(6)

    def runs_on():
        peer.tables.running = 2
        return 'no acknowledgement'

    with ClickHouse([runs_on]) as peer:
        info = c.push('clickhouse', peer.url, 'batch=3', idle=6)
        peer.check(c)
        assert info['failures'].get('busy') == 1, info


@case
def clickhouse_moves_while_in_doubt():
    """A request that may have arrived is repeated unchanged, also if the session begins again."""
    c = Case(3)

    def away():
        c.append(3, 3)
        peer.questions[:] = [(404, b'Code: 81', {'Retry_After': '1'})]
        return 'hang up'

    # the first request has one window, the second has the two others
    with ClickHouse(['good', away]) as peer:
        info = c.push('clickhouse', peer.url, 'batch=60', idle=6)
        peer.check(c)
        assert set(info['failures']) == {'broken', 'not-there'}, info
        attempts = peer.tables.attempts
        assert len(attempts[1]) == 2 and attempts[1] == attempts[2], attempts
