# SPDX-License-Identifier: GPL-2.0-only
"""Output of readers of DWARF in one form: functions and line tables.

A function is a Function; a line table is a list of sequences (rows, end), a row is
(address, path, line). Nothing that a reader prints is left out here.
"""
import bisect
import posixpath
import re
import struct
import subprocess


def output(*argv):
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode(errors='replace')


def path_of(*parts):
    """Join parts of a path; an absolute part discards the parts before it"""
    ret = posixpath.join(*[p for p in parts if p] or [''])
    return posixpath.normpath(re.sub('^/+', '/', ret)) if ret else ''


class Function:
    def __init__(self, name, ranges, table):
        self.name, self.ranges, self.table = name, ranges, table
        self.rows = None    # rows that the reader prints with the function
        self.calls = []     # [depth, ranges, path, line, name], callers first
        self.sites = []     # (address, name)


class Elf:
    """Executable sections of a 64-bit file, and the address of each section"""

    def __init__(self, path):
        with open(path, 'rb') as f:
            data = f.read()
        end = '>' if data[5] == 2 else '<'
        shoff, = struct.unpack_from(end + 'Q', data, 40)
        self.type, = struct.unpack_from(end + 'H', data, 16)
        num, strndx = struct.unpack_from(end + 'HH', data, 60)
        heads = [struct.unpack_from(end + 'IIQQQQIIQQ', data, shoff + 64 * i) for i in range(num)]
        strings = data[heads[strndx][4]:]
        self.names = [strings[h[0]:strings.index(b'\0', h[0])].decode() for h in heads]
        self.text = sorted((h[3], h[3] + h[5]) for h in heads
                           if h[2] & 6 == 6 and h[5] and self.type != 1)
        self.places = {}
        if self.type == 1:
            at = 0
            code = [i for i in range(num) if heads[i][2] & 6 == 6 and heads[i][5]]
            for i in sorted(code, key=lambda i: self.names[i] != '.text'):
                align = heads[i][8] or 1
                self.places[i] = at = (at + align - 1) // align * align
                at += heads[i][5]
                self.text.append((self.places[i], at))

    def is_relocatable(self):
        return self.type == 1

    def has_text(self, addr):
        return any(a <= addr < b for a, b in self.text)


def ranges_of(text):
    return [tuple(int(x, 16) for x in r.split('-')) for r in text.split(',') if r]


def tabbed(text):
    """Read the form of say.h. Return: functions, tables"""
    functions, tables, f, table = [], {}, None, None
    for line in text.split('\n'):
        what, *w = line.split('\t')
        if what == 'U':
            table = int(w[0], 16)
        elif what == 'F':
            f = Function(w[2], ranges_of('-'.join(w[:2])), table)
            f.rows = []
            functions.append(f)
        elif what == 'C':
            f.calls.append([int(w[0]), ranges_of(w[1]), path_of(w[2]), int(w[3]), w[4]])
        elif what == 'S':
            f.sites.append((int(w[0], 16), w[1]))
        elif what == 'R':
            f.rows.append((int(w[0], 16), path_of(w[1]), int(w[2])))
        elif what == 'T':
            rows, sequences = [], []
            tables[int(w[0], 16)] = sequences
        elif what == 'r':
            rows.append((int(w[0], 16), path_of(w[1]), int(w[2])))
        elif what == 'e':
            sequences.append((rows, int(w[0], 16)))
            rows = []
    return functions, tables


class Tree:
    """Makes functions of entries, which come in the order of a dump"""
    BLOCKS = {'DW_TAG_lexical_block', 'DW_TAG_try_block', 'DW_TAG_catch_block'}
    SITES = {'DW_TAG_call_site': ('DW_AT_call_return_pc', 'DW_AT_call_origin'),
             'DW_TAG_GNU_call_site': ('DW_AT_low_pc', 'DW_AT_abstract_origin')}

    def __init__(self):
        self.entries = {}       # offset -> attributes
        self.order = []         # (depth, tag, attributes)

    def add(self, off, depth, tag, attrs):
        self.entries[off] = attrs
        self.order.append((depth, tag, attrs))

    def is_split(self):
        return any(not depth and {'DW_AT_dwo_name', 'DW_AT_GNU_dwo_name'} & set(a)
                   for depth, _, a in self.order)

    def name(self, attrs):
        name = None
        for _ in range(16):
            name = name or attrs.get('DW_AT_name')
            linkage = attrs.get('DW_AT_linkage_name') or attrs.get('DW_AT_MIPS_linkage_name')
            ref = attrs.get('DW_AT_specification') or attrs.get('DW_AT_abstract_origin')
            if linkage or not ref or ref not in self.entries:
                return linkage or name or ''
            attrs = self.entries[ref]
        return name or ''

    def functions(self, ranges, path):
        """@ranges(unit, attributes), @path(unit, attributes, value): functions of the reader"""
        ret, unit, stack = [], None, []
        for depth, tag, a in self.order:
            if depth == 0:
                unit, stack = a, []
                continue
            del stack[depth - 1:]
            # for each enclosing entry: the function that it is part of, and its depth in calls
            f, calls = stack[-1] if stack else (None, 0)
            inside = (None, 0)
            if tag == 'DW_TAG_subprogram':
                r = ranges(unit, a)
                if r:
                    inside = (Function(self.name(a), r, unit.get('DW_AT_stmt_list')), 0)
                    ret.append(inside[0])
            elif tag == 'DW_TAG_inlined_subroutine' and f:
                inside = (f, calls + 1)
                f.calls.append([calls + 1, ranges(unit, a), path(unit, a, 'DW_AT_call_file'),
                                int(str(a.get('DW_AT_call_line', 0)), 0), self.name(a)])
            elif tag in self.BLOCKS:
                inside = (f, calls)
            elif tag in self.SITES and f:
                self.add_site(f, tag, a)
            stack.append(inside)
        return ret

    def add_site(self, f, tag, a):
        at, origin = self.SITES[tag]
        if at in a and not {'DW_AT_call_tail_call', 'DW_AT_GNU_tail_call'} & set(a):
            target = self.entries.get(a.get(origin))
            f.sites.append((a[at], self.name(target) if target else ''))


class Llvm:
    """llvm-dwarfdump"""
    ENTRY = re.compile(r'^0x([0-9a-f]+): ( *)(DW_TAG_\w+|NULL)')
    ATTR = re.compile(r'^ +(DW_AT_\w+)\t(?:\[.*?\]\t)?\((.*)$')
    REFS = {'DW_AT_abstract_origin', 'DW_AT_specification', 'DW_AT_call_origin'}
    ADDRS = {'DW_AT_low_pc', 'DW_AT_high_pc', 'DW_AT_call_return_pc', 'DW_AT_stmt_list'}

    def __init__(self, tool, path):
        self.tree = Tree()
        self.read(output(tool, '--debug-info', path))
        self.functions = self.tree.functions(self.ranges, self.path)
        self.tables = self.read_tables(output(tool, '--debug-line', path))

    def read(self, text):
        attrs, last = {}, None
        for line in text.split('\n'):
            m = self.ENTRY.match(line)
            if m:
                attrs = {}
                if m[3] != 'NULL':
                    self.tree.add(int(m[1], 16), len(m[2]) // 2, m[3], attrs)
                continue
            m = self.ATTR.match(line)
            if m:
                last = m[1]
                attrs[last] = self.value(last, m[2])
            elif last == 'DW_AT_ranges' and line.strip().startswith('['):
                attrs[last] += line

    def value(self, name, text):
        if name == 'DW_AT_ranges':
            return text
        text = text[:-1] if text.endswith(')') else text
        if name in self.REFS:
            m = re.match(r'(?:.*\{)?0x([0-9a-f]+)', text)
            return int(m[1], 16) if m else None
        if name in self.ADDRS:
            m = re.search(r'0x([0-9a-f]+)', text)
            return int(m[1], 16) if m else None
        return text[1:-1] if text.startswith('"') else text

    @staticmethod
    def ranges(unit, a):
        if 'DW_AT_high_pc' in a and 'DW_AT_low_pc' in a:
            r = [(a['DW_AT_low_pc'], a['DW_AT_high_pc'])]
        else:
            r = [(int(x, 16), int(y, 16)) for x, y in
                 re.findall(r'\[0x([0-9a-f]+), 0x([0-9a-f]+)\)', a.get('DW_AT_ranges', ''))]
        return [x for x in r if x[0] < x[1]]

    @staticmethod
    def path(unit, a, name):
        return path_of(unit.get('DW_AT_comp_dir', ''), a[name]) if name in a else ''

    def comp_dirs(self):
        return {a.get('DW_AT_stmt_list'): a.get('DW_AT_comp_dir', '')
                for depth, _, a in self.tree.order if not depth}

    def read_tables(self, text):
        tables, comp_dirs = {}, self.comp_dirs()
        for part in re.split(r'^debug_line\[', text, flags=re.M)[1:]:
            off = int(part[:part.index(']')], 16)
            v5 = int(re.search(r'version: (\d+)', part)[1]) >= 5
            dirs = {int(i): s for i, s in
                    re.findall(r'^include_directories\[ *(\d+)\] = "(.*)"', part, re.M)}
            files = {int(i): path_of(comp_dirs.get(off, ''), dirs.get(0, '') if v5 else '',
                                     dirs.get(int(d), '') if v5 or int(d) else '', s)
                     for i, s, d in re.findall(
                         r'^file_names\[ *(\d+)\]:\n +name: "(.*)"\n +dir_index: (\d+)', part, re.M)}
            rows, tables[off] = [], []
            for m in re.finditer(r'^0x([0-9a-f]{16}) +(\d+) +\d+ +(\d+) .*?(end_sequence)?$', part, re.M):
                if m[4]:
                    tables[off].append((rows, int(m[1], 16)))
                    rows = []
                else:
                    rows.append((int(m[1], 16), files.get(int(m[3]), ''), int(m[2])))
        return tables


class Readelf:
    """readelf of binutils; it does not follow references to other files"""
    ENTRY = re.compile(r'^ <(\d+)><([0-9a-f]+)>: Abbrev Number: \d+ \((DW_TAG_\w+)\)')
    ATTR = re.compile(r'^ +<[0-9a-f]+> +(DW_AT_\w+) *: ?\((\w+)\) ?(.*)$')
    STRINGS = {'string', 'strp', 'line_strp', 'strx', 'strx1', 'strx2', 'strx3', 'strx4',
               'GNU_str_index', 'GNU_strp_alt', 'strp_sup'}

    def __init__(self, tool, path):
        self.tree, self.files = Tree(), {}
        tables = self.read_tables(output(tool, '-W', '--debug-dump=rawline', path))
        self.lists = self.read_lists(output(tool, '-W', '--debug-dump=Ranges', path))
        self.read(output(tool, '-W', '--debug-dump=info', path))
        try:
            self.functions = self.tree.functions(self.ranges, self.path)
        except KeyError:
            self.functions = None   # 2.40 prints only the first list of gcc's .debug_rnglists
        self.tables = self.with_paths(tables)

    def read(self, text):
        attrs, version, types = {}, 0, False
        for line in text.split('\n'):
            m = self.ENTRY.match(line)
            if m:
                attrs = {'version': version}
                if not types:
                    self.tree.add(int(m[2], 16), int(m[1]), m[3], attrs)
                continue
            if line.startswith('   Version:'):
                version = int(line.split()[1])
            if line.startswith('Contents of the .'):
                types = '.debug_types' in line
            m = self.ATTR.match(line)
            if m and 'Dir Name' not in line:
                attrs[m[1]] = self.value(m[1], m[2], m[3])

    def value(self, name, form, text):
        text = text.rstrip()
        if form in self.STRINGS:
            return re.sub(r'^\((?:alt )?(?:indirect string, )?offset: \w+\):? ?', '', text)
        m = re.match(r'(?:\(index: \w+\): )?<?(0x[0-9a-f]+|\d+)', text)
        n = int(m[1], 0) if m else text
        if name == 'DW_AT_high_pc':
            return (form, n)
        return n

    @staticmethod
    def read_lists(text):
        """Return: offset of a list -> its ranges, and whether a base is already added"""
        lists, at, ended, v5 = {}, None, True, False
        for line in text.split('\n'):
            if line.startswith('Contents of'):
                v5 = 'rnglists' in line
            m = re.match(r'^ +([0-9a-f]{8,}) (?:.*\(base address\)|'
                         r'([0-9a-f]{8,}) ([0-9a-f]{8,})( +\(base addr.*)?.*|(<End of list>))$', line)
            if not m:
                continue
            if ended:
                at = v5, int(m[1], 16)
                lists[at] = ([], False)
            ended = bool(m[5])
            if 'base addr' in line:
                lists[at] = (lists[at][0], True)
            elif m[2]:
                lists[at][0].append((int(m[2], 16), int(m[3], 16)))
        return lists

    def ranges(self, unit, a):
        low, high = a.get('DW_AT_low_pc'), a.get('DW_AT_high_pc')
        r = []
        if low is not None and high is not None:
            r = [(low, high[1] + (0 if high[0].startswith('addr') else low))]
        elif 'DW_AT_ranges' in a:
            v5 = a['version'] >= 5
            r, has_base = self.lists[v5, a['DW_AT_ranges']]
            base = 0 if has_base or not v5 else unit.get('DW_AT_low_pc', 0)
            r = [(base + x, base + y) for x, y in r]
        return [x for x in r if x[0] < x[1]]

    def path(self, unit, a, name):
        file = self.files.get(unit.get('DW_AT_stmt_list'), {}).get(a.get(name))
        return path_of(unit.get('DW_AT_comp_dir', ''), *file) if file else ''

    def read_tables(self, text):
        tables = {}
        own = [x for x in text.split('Raw dump of debug contents of section ') if
               re.match(r'\.z?debug_line[ :]', x)]
        for part in re.split(r'^  Offset: +', ''.join(own), flags=re.M)[1:]:
            off = int(part.split('\n', 1)[0], 16)
            v5 = int(re.search(r'DWARF Version: +(\d+)', part)[1]) >= 5
            head, _, program = part.partition(' Line Number Statements:')
            names = [re.findall(r'^  (\d+)\t(.*)$', x, re.M) for x in
                     (re.split('The (?:Directory|File Name) Table', head) + ['', ''])[1:3]]
            last = [[(int(i), s.split('\t'), s.rsplit(': ', 1)[-1].split('\t')[-1])
                     for i, s in x] for x in names]
            dirs = {i: s for i, _, s in last[0]}
            self.files[off] = files = {}
            for i, w, s in last[1]:
                d = int(w[1] if v5 else w[0])
                files[i] = (dirs.get(0, '') if v5 else '', dirs.get(d, ''), s)
            tables[off] = list(self.run(program))
        return tables

    @staticmethod
    def run(program):
        """Return: sequences of rows whose paths are numbers"""
        addr, file, line, rows = 0, 1, 1, []
        for s in program.split('\n'):
            m = re.search(r'(?:Address|PC) .*?to 0x([0-9a-f]+)', s)
            addr = int(m[1], 16) if m else addr
            m = re.search(r'Line by -?\d+ to (\d+)', s)
            line = int(m[1]) if m else line
            m = re.search(r'Set File Name to entry (\d+)', s)
            file = int(m[1]) if m else file
            if 'Special opcode' in s or re.search(r'\]  Copy', s):
                rows.append((addr, file, line))
            elif 'End of Sequence' in s:
                yield rows, addr
                addr, file, line, rows = 0, 1, 1, []

    def with_paths(self, tables):
        comp = {a.get('DW_AT_stmt_list'): a.get('DW_AT_comp_dir', '')
                for depth, _, a in self.tree.order if not depth}
        return {off: [([(a, path_of(comp.get(off, ''), *self.files[off].get(f, ('',))), n)
                        for a, f, n in rows], end) for rows, end in table]
                for off, table in tables.items()}


def plain_rows(rows):
    """Remove rows that are followed by one of the same address, or that say nothing new"""
    ret = []
    for i, r in enumerate(rows):
        if i + 1 < len(rows) and rows[i + 1][0] == r[0]:
            continue
        if not ret or ret[-1][1:] != r[1:]:
            ret.append(r)
    return ret


def plain_table(table, elf):
    """Return: sequences of code, in the order of their ends"""
    ret = []
    for rows, end in table:
        addrs = [r[0] for r in rows] + [end]
        if rows and addrs == sorted(addrs) and addrs[0] < end and elf.has_text(addrs[0]):
            ret.append((end, plain_rows(rows)))
    return sorted(ret, key=lambda s: s[0])


def rows_in(table, start, end):
    """Return: rows of [start, end) of a plain table; there may be none for the start"""
    at = bisect.bisect_right([s[0] for s in table], start)
    ret = []
    for _, rows in table[at:]:
        if rows[0][0] >= end or (ret and max(rows[0][0], start) < ret[-1][0]):
            break
        ret += [(max(a, start), p, n) for a, p, n in
                [r for i, r in enumerate(rows) if r[0] < end and
                 (r[0] >= start or i + 1 == len(rows) or rows[i + 1][0] > start)]]
    return plain_rows(ret)


def joined(ranges):
    ret = []
    for a, b in sorted(ranges):
        if ret and a <= ret[-1][1]:
            ret[-1] = (ret[-1][0], max(b, ret[-1][1]))
        else:
            ret.append((a, b))
    return ret


def calls_in(calls, start, end):
    """Return: the calls of a function, and their ranges, that lie in one range of it"""
    stack, ret = [(0, [(start, end)])], []
    for depth, ranges, path, line, name in calls:
        while stack[-1][0] >= depth:
            stack.pop()
        outer = stack[-1][1] if stack[-1][0] == depth - 1 else []
        inner = [r for r in joined(ranges) if any(a <= r[0] and r[1] <= b for a, b in outer)]
        if inner:
            stack.append((depth, inner))
            ret.append([depth, inner, path, line, name])
    return ret
