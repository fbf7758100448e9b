# SPDX-License-Identifier: GPL-2.0-only
"""Writes Documentation/measurements.md from the entries and their results."""
import os
import re

from figures import TOP

PATH = os.path.join(TOP, 'Documentation/measurements.md')
HEAD = '''# Measurements

<!-- Written by tests/measure/run --page. Do not edit: make measure ONLY=NAME measures again. -->

Every figure that a document of this tree names stands here, with the command that gave it, the
machine, its kernel, the commit of the code that was measured, and the date (UTC). A commit is
the last one that changed what the figure measures. Figures from an earlier report say so: their
command, commit and date are those of the report.

`make measure` measures all of it, `make measure ONLY="NAME..."` some;
[tests/measure/README](../tests/measure/README) says how to add one.
'''
NOTHING = 'Not measured yet: `make measure ONLY=%s` (about %s).'


def duration(seconds):
    if seconds < 120:
        return '%d s' % seconds
    if seconds < 7200:
        return '%d min' % round(seconds / 60)
    return '%d h' % round(seconds / 3600)


def cell(text):
    """A number with commas if it is long, as in the documents."""
    text = str(text).replace('|', '\\|')
    return re.sub(r'(?<![\w.,])\d{5,}(?![\w.])', lambda m: format(int(m[0]), ','), text)


def is_number(text):
    return bool(re.match(r'[-+(]?[\d,.]+( ?(%|[a-zA-Zµ/ ]{1,16}))?\)?$', str(text)))


def table(columns, rows, numbers=True):
    """Lines of a table; columns of numbers stand to the right."""
    right = [numbers and n > 0 and all(is_number(row[n]) for row in rows) for n in range(len(columns))]
    lines = ['| ' + ' | '.join(columns) + ' |',
             '|' + '|'.join('---:' if r else '---' for r in right) + '|']
    return lines + ['| ' + ' | '.join(cell(c) for c in row) + ' |' for row in rows]


def where(run):
    """The origin of the figures of a run, if no command of this tree measured them."""
    return ' (from %s)' % run['from'] if run.get('from') else ''


def provenance(runs, guests):
    columns = (['guest'] if guests else []) + ['command', 'machine', 'kernel', 'commit', 'date']
    rows = []
    for run in runs:
        row = ['`%s`' % run['command'], run['machine'], run['kernel'],
               run['commit'] + where(run), run['date']]
        rows.append(([run.get('guest', '')] if guests else []) + row)
    return table(columns, rows, numbers=False)


def tables(runs, guests):
    """Tables of different guests with the same columns become one."""
    joined = {}
    for run in runs:
        for t in run['tables']:
            rows = joined.setdefault((t['caption'], tuple(t['columns'])), [])
            rows += [([run.get('guest', '')] if guests else []) + list(row) for row in t['rows']]
    lines = []
    for (caption, columns), rows in joined.items():
        lines += ['', caption + ':'] if caption else []
        lines += [''] + table((['guest'] if guests else []) + list(columns), rows)
    return lines


def figure(entry, runs):
    """Lines of its section"""
    lines = ['## ' + entry.name, '', '**%s.** %s' % (entry.title, entry.text), '']
    if entry.peer and not runs:
        return lines + ['Skipped: %s. With it: `make measure ONLY=%s %s=...`.' %
                        (entry.peer['why'], entry.name, entry.peer['variable'])]
    if not runs:
        return lines + [NOTHING % (entry.name, duration(entry.seconds))]
    lines += provenance(runs, entry.guests) + tables(runs, entry.guests)
    lacking = [g for g in entry.guests if g not in [r.get('guest') for r in runs]]
    if lacking:
        lines += ['', 'Not measured yet in %s: `make measure ONLY=%s:GUEST` (about %s each).' %
                  (', '.join(lacking), entry.name, duration(entry.seconds))]
    return lines


def overview(entries, results):
    rows = []
    for name, entry in entries.items():
        runs = results.get(name, [])
        dates = sorted({run['date'] for run in runs})
        commits = sorted({run['commit'] for run in runs})
        rows.append(['[%s](#%s)' % (name, name), entry.title,
                     ', '.join(commits) if len(commits) < 3 else '%d commits' % len(commits),
                     ' to '.join(dict.fromkeys([dates[0], dates[-1]])) if dates
                     else 'not measured yet'])
    return table(['figure', 'what it is', 'commit', 'date'], rows)


def render(entries, results):
    lines = [HEAD] + overview(entries, results)
    for name, entry in entries.items():
        lines += [''] + figure(entry, results.get(name, []))
    return '\n'.join(lines) + '\n'
