#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints a GSYM file as a listing, by a decoder that shares no code with ustack.

usage: decode.py [--prototype] [--header] FILE

Every number, offset and padding byte of the file is checked, and that no bytes are
left over. The listing is tab-separated (M instead of F is a merged function):

  F START END ORDER NAME
  L ADDR LINE DIR BASE
  C DEPTH NAME DIR BASE LINE START-END,START-END,...
  S OFFSET FLAGS EXPRESSION...
"""
import sys

LINES, INLINES, MERGED, SITES = 1, 2, 3, 4
HEADER = {"prototype": 28, "llvm1": 48, "llvm2": 20}


class Bad(Exception):
    pass


def need(what, message):
    if not what:
        raise Bad(message)


class Bytes:
    """Part of the file, with a position"""

    def __init__(self, data, order, at=0, end=None):
        self.data, self.order, self.at = data, order, at
        self.end = len(data) if end is None else end
        need(0 <= at <= self.end <= len(data), "range 0x%x-0x%x" % (at, self.end))

    def take(self, n):
        need(self.at + n <= self.end, "ends at 0x%x" % self.at)
        self.at += n
        return self.data[self.at - n:self.at]

    def fixed(self, n):
        return int.from_bytes(self.take(n), self.order)

    def uleb(self):
        v = shift = 0
        while True:
            b = self.take(1)[0]
            v |= (b & 0x7f) << shift
            shift += 7
            if not b & 0x80:
                need(v < 1 << 64, "a number of more than 64 bits")
                return v

    def sleb(self):
        v = shift = 0
        while True:
            b = self.take(1)[0]
            v |= (b & 0x7f) << shift
            shift += 7
            if not b & 0x80:
                return v - (1 << shift) if b & 0x40 else v

    def sub(self, n):
        start = self.at
        self.take(n)
        return Bytes(self.data, self.order, start, self.at)

    def done(self):
        need(self.at == self.end, "0x%x: bytes left over" % self.at)


class Gsym:
    def __init__(self, data, prototype=False):
        need(len(data) >= 20, "too short")
        order = {b"MYSG": "little", b"GSYM": "big"}.get(bytes(data[:4]))
        need(order, "no magic")
        self.data, self.order = data, order
        r = Bytes(data, order, 4)
        version, self.addr_size, byte7 = r.fixed(2), r.fixed(1), r.fixed(1)
        self.base, self.count = r.fixed(8), r.fixed(4)
        need(self.addr_size in (1, 2, 4, 8), "address size")
        need(version in (1, 2), "version %d" % version)
        self.layout = "llvm2" if version == 2 else "prototype" if prototype else "llvm1"
        self.wide = 8 if version == 2 else 4
        self.uuid = b""
        if version == 2:
            self.tables_2(r, byte7)
        else:
            self.tables_1(r, byte7)
        self.read_functions()

    def zeros(self, start, end):
        need(start <= end, "0x%x: parts overlap" % end)
        need(not any(self.data[start:end]), "0x%x: padding" % start)
        return end

    def tables_1(self, r, byte7):
        strings, size = r.fixed(4), r.fixed(4)
        if self.layout == "llvm1":
            uuid = r.take(20)
            need(byte7 <= 20 and not any(uuid[byte7:]), "UUID")
            self.uuid = uuid[:byte7]
        else:
            need(byte7 == 0, "byte 7")
            need(self.addr_size >= 2, "an address size that the prototype has not")
        need(r.at == HEADER[self.layout], "header")
        at = self.zeros(r.at, -(-r.at // self.addr_size) * self.addr_size)
        at = self.read_addrs(at)
        at = self.zeros(at, (at + 3) & ~3)
        r = Bytes(self.data, self.order, at)
        self.infos = [r.fixed(4) for _ in range(self.count)]
        r = self.read_files(r)
        need(r.at == strings, "strings do not follow the files")
        self.strings = self.data[strings:strings + size]
        need(len(self.strings) == size, "strings")
        self.after = strings + size

    def tables_2(self, r, byte7):
        need(byte7 == 0, "encoding of strings")
        sections = {}
        while True:
            kind, at, size = r.fixed(4), r.fixed(8), r.fixed(8)
            if kind == 0:
                need(at == size == 0, "last entry")
                break
            need(kind not in sections and kind <= 6, "section %d" % kind)
            need(at + size <= len(self.data), "section %d" % kind)
            sections[kind] = (at, size)
        need(set(sections) >= {1, 2, 3, 4, 5}, "sections missing")
        pos = r.at
        if 6 in sections:
            at, size = sections[6]
            need(at == pos, "UUID")
            self.uuid = self.data[at:at + size]
            pos += size
        at, size = sections[1]
        need(at % self.addr_size == 0 and size == self.count * self.addr_size, "addresses")
        pos = self.read_addrs(self.zeros(pos, at))
        at, size = sections[2]
        need(at % 8 == 0 and size == self.count * 8, "information offsets")
        self.zeros(pos, at)
        r = Bytes(self.data, self.order, at, at + size)
        self.infos = [r.fixed(8) + sections[5][0] for _ in range(self.count)]
        at, size = sections[4]
        need(at % 4 == 0, "files")
        self.zeros(r.at, at)
        r = self.read_files(Bytes(self.data, self.order, at, at + size))
        r.done()
        at, size = sections[3]
        need(at == r.at, "strings")
        self.strings = self.data[at:at + size]
        self.after = at + size
        at, size = sections[5]
        need(at % 4 == 0 and at + size == len(self.data), "functions")
        self.zeros(self.after, at)
        if not self.count:
            self.after = at

    def read_addrs(self, at):
        r = Bytes(self.data, self.order, at)
        self.addrs = [self.base + r.fixed(self.addr_size) for _ in range(self.count)]
        need(self.addrs == sorted(self.addrs), "addresses are not sorted")
        return r.at

    def read_files(self, r):
        n = r.fixed(4)
        empty = self.layout != "prototype"
        files = [(r.fixed(self.wide), r.fixed(self.wide)) for _ in range(n)]
        if empty:
            need(files and files[0] == (0, 0), "first file")
        else:
            files.insert(0, (0, 0))
        self.files = files
        return r

    def string(self, at):
        need(at < len(self.strings), "string 0x%x" % at)
        end = self.strings.find(b"\0", at)
        need(end >= 0, "string 0x%x has no end" % at)
        return self.strings[at:end].decode("utf-8", "surrogateescape")

    def file(self, number):
        need(number < len(self.files), "file %d" % number)
        return self.string(self.files[number][0]), self.string(self.files[number][1])

    def read_functions(self):
        need(self.strings[:1] == b"\0", "the empty string")
        need(len(set(self.files)) == len(self.files), "files that are the same")
        self.functions = []
        at = self.after
        for addr, info in zip(self.addrs, self.infos):
            need(info % 4 == 0, "alignment")
            self.zeros(at, info)
            r = Bytes(self.data, self.order, info)
            self.functions.append(self.function(r, addr))
            at = r.at
        if self.count or self.layout == "llvm2":
            need(at == len(self.data), "0x%x: bytes left over" % at)

    def function(self, r, addr):
        f = {"start": addr, "end": addr + r.fixed(4), "name": self.string(r.fixed(self.wide)),
             "lines": [], "calls": [], "merged": [], "sites": []}
        need(f["name"], "no name")
        last = 0
        while True:
            kind, size = r.fixed(4), r.fixed(4)
            if kind == 0:
                need(size == 0, "end of a function")
                return f
            need(kind > last, "order of entries")
            last = kind
            need(self.layout != "prototype" or kind <= INLINES, "entry %d" % kind)
            entry = r.sub(size)
            {LINES: self.lines, INLINES: self.inlines, MERGED: self.merged,
             SITES: self.sites}[kind](entry, f)
            entry.done()

    def lines(self, r, f):
        low, high = r.sleb(), r.sleb()
        width = high - low + 1
        need(width > 0, "window")
        addr, file, line = f["start"], 1, r.uleb()
        while True:
            need(0 <= line < 1 << 32, "line %d" % line)
            op = r.fixed(1)
            if op == 0:
                break
            if op == 1:
                file = r.uleb()
                continue
            if op == 3:
                line += r.sleb()
                continue
            if op == 2:
                addr += r.uleb()
            else:
                line += low + (op - 4) % width
                addr += (op - 4) // width
            need(0 <= line < 1 << 32, "line %d" % line)
            f["lines"].append((addr, line) + self.file(file))
        need(f["lines"], "no rows")

    def inlines(self, r, f):
        def siblings(base, depth):
            n = 0
            while True:
                nr = r.uleb()
                if nr == 0:
                    return n
                ranges = []
                for _ in range(nr):
                    start = base + r.uleb()
                    ranges.append((start, start + r.uleb()))
                children = r.fixed(1)
                need(children in (0, 1), "children")
                name = self.string(r.fixed(self.wide))
                call = self.file(r.uleb())
                node = (depth, name) + call + (r.uleb(), tuple(ranges))
                if depth == 0:
                    need(ranges == [(f["start"], f["end"])] and name == f["name"] and
                         node[2:5] == ("", "", 0), "root")
                else:
                    f["calls"].append(node)
                if children:
                    need(siblings(ranges[0][0], depth + 1), "no children")
                if depth == 0:
                    return 1
                n += 1

        siblings(f["start"], 0)

    def merged(self, r, f):
        n = r.fixed(4)
        need(n, "no merged functions")
        for _ in range(n):
            entry = r.sub(r.fixed(4))
            f["merged"].append(self.function(entry, f["start"]))
            entry.done()

    def sites(self, r, f):
        for _ in range(r.fixed(4)):
            offset, flags = r.fixed(8), r.fixed(1)
            match = tuple(self.string(r.fixed(self.wide)) for _ in range(r.fixed(4)))
            f["sites"].append((offset, flags, match))


def listing(f, kind="F", order="0"):
    yield "\t".join([kind, hex(f["start"]), hex(f["end"]), order, f["name"]])
    for addr, line, d, b in f["lines"]:
        yield "\t".join(["L", hex(addr), str(line), d, b])
    for depth, name, d, b, line, ranges in f["calls"]:
        yield "\t".join(["C", str(depth), name, d, b, str(line),
                         ",".join("0x%x-0x%x" % r for r in ranges)])
    for offset, flags, match in f["sites"]:
        yield "\t".join(["S", hex(offset), str(flags), *match])
    for m in f["merged"]:
        yield from listing(m, "M", order)


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    paths = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(paths) != 1:
        sys.exit(__doc__)
    try:
        g = Gsym(open(paths[0], "rb").read(), "--prototype" in options)
    except Bad as e:
        sys.exit("%s: %s" % (paths[0], e))
    sys.stdout.reconfigure(errors="surrogateescape")
    if "--header" in options:
        print(g.layout, g.order, g.addr_size, hex(g.base), g.uuid.hex(), len(g.files))
    for f in g.functions:
        print("\n".join(listing(f)))


if __name__ == "__main__":
    main()
