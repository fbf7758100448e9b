# SPDX-License-Identifier: GPL-2.0-only
"""The results: a file for each figure, Documentation/measurements/NAME.json, with one run for each guest,
or only one. Each row is on a line of its own, so that changes are readable."""
import json
import os

from figures import TOP

FOLDER = os.path.join(TOP, 'Documentation/measurements')
# a run that no command of this tree made also has `from`: where its figures were written down
RUN_KEYS = ('guest', 'from', 'command', 'machine', 'kernel', 'commit', 'date')


class Broken(Exception):
    """A file of results that this program cannot have written."""


def check(result, name):
    for run in result.get('runs', []):
        for key in RUN_KEYS:
            if key not in ('guest', 'from') and not run.get(key):
                raise Broken('%s: a run has no %s' % (name, key))
        for table in run.get('tables', []):
            if any(len(row) != len(table['columns']) or not all(map(str, row[1:]))
                   for row in table['rows']):
                raise Broken('%s: a row that lacks cells' % name)
        if not run.get('tables'):
            raise Broken('%s: a run without a table' % name)
    return result


def load(folder=None):
    """Runs by the name of the figure, which is the name of the file."""
    folder = folder or FOLDER
    found = {}
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if file.endswith('.json'):
            with open(os.path.join(folder, file)) as f:
                try:
                    found[file[:-5]] = check(json.load(f), file)['runs']
                except (ValueError, KeyError) as e:
                    raise Broken('%s: %s' % (file, e)) from e
    return found


def text_of(runs):
    out = ['{"runs": [']
    for n, run in enumerate(runs):
        out.append(' {')
        for key in RUN_KEYS:
            if key in run:
                out.append('  %s: %s,' % (json.dumps(key), json.dumps(run[key])))
        out.append('  "tables": [')
        for t, table in enumerate(run['tables']):
            out.append('   {"caption": %s,' % json.dumps(table['caption']))
            out.append('    "columns": %s,' % json.dumps(table['columns']))
            out.append('    "rows": [\n     %s\n    ]}%s' % (
                ',\n     '.join(json.dumps(row) for row in table['rows']),
                ',' if t + 1 < len(run['tables']) else ''))
        out.append('  ]\n }' + (',' if n + 1 < len(runs) else ''))
    return '\n'.join(out) + '\n]}\n'


def save(name, run, order, folder=None):
    """Replace an older run of the same guest; the order is that of the guests."""
    folder = folder or FOLDER
    os.makedirs(folder, exist_ok=True)
    runs = [r for r in load(folder).get(name, []) if r.get('guest') != run.get('guest')] + [run]
    runs.sort(key=lambda r: order.index(r['guest']) if r.get('guest') in order else -1)
    path = os.path.join(folder, name + '.json')
    with open(path + '.part', 'w') as f:
        f.write(text_of(runs))
    os.replace(path + '.part', path)
