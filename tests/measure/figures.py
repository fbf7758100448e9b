# SPDX-License-Identifier: GPL-2.0-only
"""The figures that can be measured: one entry each, in figures/NAME.toml. README explains the keys."""
import glob
import os
import re
import shlex
import subprocess
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
KEYS = {'title': str, 'text': str, 'command': str, 'seconds': int, 'paths': list, 'guests': list,
        'clock': bool, 'peer': dict, 'table': list, 'value': list}
NEEDED = ('title', 'text', 'command', 'seconds', 'paths')
TABLE_KEYS = {'caption', 'columns', 'row', 'rows', 'least', 'begin', 'end', 'turned'}
VALUE_KEYS = {'label', 'read', 'unit', 'begin', 'end'}
# programs that a command may call besides make and the tree's own scripts
TOOLS = {'grep'}


class Entry:
    """A figure: its attributes are the keys of the file."""

    def __init__(self, name, keys):
        self.name = name
        self.faults = faults_of(keys)
        self.title, self.text = keys.get('title', ''), ' '.join(keys.get('text', '').split())
        self.command, self.seconds = keys.get('command', ''), keys.get('seconds', 0)
        self.paths, self.guests = keys.get('paths', []), keys.get('guests', [])
        self.clock, self.peer = keys.get('clock', False), keys.get('peer')
        self.tables, self.values = keys.get('table', []), keys.get('value', [])

    def command_in(self, guest):
        return self.command.replace('{guest}', guest)


def faults_of(keys):
    """Errors in the keys of an entry, a sentence each."""
    faults = ['it has no %s' % k for k in NEEDED if not keys.get(k)]
    for key, value in keys.items():
        if not isinstance(value, KEYS.get(key, ())):
            faults.append('the key %s is unknown or of the wrong type' % key)
    if not keys.get('table') and not keys.get('value'):
        faults.append('it reads nothing')
    if bool(keys.get('guests')) != ('{guest}' in keys.get('command', '')):
        faults.append('guests and {guest} in the command belong together')
    if 'peer' in keys and set(keys['peer']) != {'variable', 'why'}:
        faults.append('peer has the keys variable and why')
    for table in keys.get('table', []):
        faults += table_faults(table)
    for value in keys.get('value', []):
        if not set(value) <= VALUE_KEYS or not {'label', 'read'} <= set(value):
            faults.append('a value has label and read, and may have unit, begin and end')
        elif re.compile(value['read'], re.M).groups != 1:
            faults.append('%s: read has not one group' % value['label'])
    return faults


def table_faults(table):
    if not set(table) <= TABLE_KEYS or not {'columns', 'row'} <= set(table):
        return ['a table has columns and row, and may have %s' %
                ', '.join(sorted(TABLE_KEYS - {'columns', 'row'}))]
    if ('rows' in table) == ('least' in table):
        return ['a table has either rows, the names of them, or least, how many there must be']
    groups = re.compile(table['row'], re.M).groups + ('rows' in table)
    if groups != len(table['columns']):
        return ['%d columns, and %d groups' % (len(table['columns']), groups)]
    return []


def load(folder=None):
    """All entries by name."""
    folder = folder or os.path.join(HERE, 'figures')
    found = {}
    for name in sorted(os.path.basename(path)[:-len('.toml')]
                       for path in glob.glob(os.path.join(folder, '*.toml'))):
        with open(os.path.join(folder, name + '.toml'), 'rb') as f:
            found[name] = Entry(name, tomllib.load(f))
    return found


def git(*words):
    return subprocess.run(['git', '-C', TOP, *words], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def make_targets():
    """Every target that a rule of the tree names, except those made from variables."""
    found = set()
    for path in [os.path.join(TOP, 'Makefile')] + sorted(
            path for folder in ('bpf', 'dist', 'kmod', 'tests', 'user')
            for path in glob.glob(os.path.join(TOP, folder, '**/*.mk'), recursive=True)):
        with open(path) as f:
            text = f.read().replace('\\\n', ' ')
        for line in text.splitlines():
            head, colon, rest = line.partition(':')
            if colon and not line.startswith(('\t', '#')) and not rest.startswith('='):
                found.update((rest if head.strip() == '.PHONY' else head).split())
    return found


def commands(text):
    """The words of each command of a shell line, without assignments before it."""
    part = []
    for word in shlex.split(text, posix=True):
        if word in ('&&', ';', '|'):
            yield part
            part = []
        elif part or not re.match(r'\w+=', word):
            part.append(word)
    yield part


def missing(entry, targets):
    """Names in an entry that do not exist in the tree, a sentence each."""
    lacks = ['the path %s is not in the tree' % p for p in entry.paths
             if not git('ls-files', '--', p)]
    for words in commands(entry.command):
        program = words[0] if words else ''
        if program == 'make':
            lacks += ['there is no target %s' % w for w in words[1:]
                      if '=' not in w and not w.startswith(('-', 'build/')) and w not in targets]
        elif program.startswith('tests/'):
            if not os.access(os.path.join(TOP, program), os.X_OK):
                lacks.append('there is no command %s' % program)
        elif program not in TOOLS:
            lacks.append("'%s' is neither make nor a script of the tree" % program)
    return lacks
