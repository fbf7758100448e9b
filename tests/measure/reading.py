# SPDX-License-Identifier: GPL-2.0-only
"""Reads figures from the output of a command. A missing figure is an error, never an empty cell."""
import re


class Unread(Exception):
    """The reason why a figure is not in an output."""


def between(text, begin, end):
    """The text after the line that begin matches, up to the one that end matches."""
    if begin:
        match = re.search(begin, text, re.M)
        if not match:
            raise Unread("no line matches '%s'" % begin)
        text = text[match.end():]
    if end:
        match = re.search(end, text, re.M)
        if not match:
            raise Unread("no line matches '%s'" % end)
        text = text[:match.start()]
    return text


def read_table(table, text):
    """{caption, columns, rows}"""
    part = between(text, table.get('begin'), table.get('end'))
    rows = [[(cell or '').strip() for cell in match.groups()]
            for match in re.finditer(table['row'], part, re.M)]
    names = table.get('rows')
    if names:
        if len(rows) != len(names):
            raise Unread("%d lines match '%s', %d wanted: %s" %
                         (len(rows), table['row'], len(names), ', '.join(names)))
        rows = [[name] + row for name, row in zip(names, rows)]
    elif len(rows) < table['least'] or not rows:
        raise Unread("%d lines match '%s', at least %d wanted" %
                     (len(rows), table['row'], table['least']))
    for row in rows:
        if not all(row):
            raise Unread("an empty cell in the line of '%s'" % (row[0] or table['row']))
    columns = table['columns']
    if table.get('turned'):
        columns, *rows = [list(line) for line in zip(columns, *rows)]
    return {'caption': table.get('caption', ''), 'columns': columns, 'rows': rows}


def read_value(value, text):
    """[label, value with its unit]; exactly one place must have it"""
    part = between(text, value.get('begin'), value.get('end'))
    found = re.findall(value['read'], part, re.M)
    if len(found) != 1:
        raise Unread("%s: %d places match '%s', 1 wanted" %
                     (value['label'], len(found), value['read']))
    if not found[0].strip():
        raise Unread('%s: an empty cell' % value['label'])
    unit = value.get('unit', '')
    return [value['label'], found[0].strip() + (' ' + unit if unit else '')]


def read(entry, text):
    """All tables of an entry; its values are the first of them."""
    tables = []
    if entry.values:
        tables.append({'caption': '', 'columns': ['', 'value'],
                       'rows': [read_value(v, text) for v in entry.values]})
    return tables + [read_table(t, text) for t in entry.tables]
