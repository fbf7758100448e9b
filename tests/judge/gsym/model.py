# SPDX-License-Identifier: GPL-2.0-only
"""Makes random functions, and tells what a file made from them must contain.

This is a second implementation of the rules in user/formats/gsym/build.h, written for clarity.
It shares nothing with the program or decode.py except the form of a function.
"""
import random

WORDS = ["run", "get", "put", "main", "loop", "parse", "vec", "std", "x"]


def name(rng, distinct):
    s = "_".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 4)))
    n = rng.randrange(distinct)
    return rng.choice([s, "%s%d" % (s, n), "f%d" % n, "_ZN%d%sEv" % (n, s)])


class Maker:
    """Makes functions of one kind of program, which depends on the seed"""

    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.base = rng.choice([0, 0x400000, 1 << 40])
        self.spread = rng.choice([12, 200, 4000, 1 << 20, 1 << 34])
        self.distinct = rng.choice([3, 50, 1000])
        self.step = rng.choice([1, 5, 30, 500, 100000])
        self.bytes = rng.choice([1, 4, 12, 60, 400])
        self.messy = rng.random() < .5
        self.deep = rng.choice([0, 2, 6])
        self.sites = rng.random() < .3
        self.files = [("", "")] + [
            (rng.choice(["", "/usr/src", "/a", "a", "/b/c", "/"]), name(rng, 100) + ".c")
            for _ in range(rng.choice([1, 3, 200]))]
        self.text = [(self.base + self.spread * i, self.base + self.spread * (i + 1) - 7)
                     for i in (1, 3, 4)] if rng.random() < .2 else []

    def lines(self, start, end):
        rng, rows, addr = self.rng, [], start
        line, file = rng.randrange(1, 3000), rng.choice(self.files)
        if self.messy:
            addr += rng.randrange(-3, 4)
        while addr < end + (9 if self.messy else 0) and len(rows) < 400:
            rows.append((max(addr, 0), line) + file)
            addr += rng.choice([0] * self.messy + [1, 1 + rng.randrange(self.bytes)])
            line += rng.choice([0, 1, 1, 2, -1, 3, rng.randrange(-self.step, self.step + 1)])
            line = min(max(line, 0), (1 << 32) - 1)
            if rng.random() < .03:
                line = rng.choice([0, (1 << 32) - 1, 1 << 31])
            if rng.random() < .15:
                file = rng.choice(self.files)
        return rows

    def ranges(self, inside):
        """Random ranges inside ranges; some are adjacent"""
        rng, ret = self.rng, []
        for start, end in inside:
            at = start
            while at < end and len(ret) < 4 and rng.random() < .8:
                low = rng.randrange(at, end)
                high = rng.randrange(low + 1, end + 1)
                ret.append((low, high))
                at = high if rng.random() < .3 else high + 1
        return ret

    def calls(self, inside, depth):
        ret, rng = [], self.rng
        for _ in range(rng.randrange(0, 3)):
            ranges = self.ranges(joined(inside))
            if not ranges or depth > self.deep:
                continue
            ret.append((depth, name(rng, self.distinct)) + rng.choice(self.files) +
                       (rng.randrange(0, 900), tuple(ranges)))
            ret += self.calls(ranges, depth + 1)
        return ret

    def function(self, order):
        rng = self.rng
        start = self.base + rng.randrange(self.spread)
        if rng.random() < .05:
            start = max(0, start - rng.randrange(self.spread))
        end = start + rng.choice([0, 1, rng.randrange(1, 200), rng.randrange(1, 3000)])
        f = {"start": start, "end": end, "order": order, "name": name(rng, self.distinct),
             "lines": [], "calls": [], "sites": []}
        if rng.random() < .6:
            f["lines"] = self.lines(start, end)
        if rng.random() < .5 and end > start and self.deep:
            f["calls"] = self.calls([(start, end)], 1)
        if self.sites and rng.random() < .3:
            f["sites"] = [(rng.randrange(0, 99), rng.randrange(4),
                           tuple(name(rng, 9) for _ in range(rng.randrange(3))))
                          for _ in range(rng.randrange(1, 4))]
        return f

    def functions(self, n):
        ret = []
        while len(ret) < n:
            f = self.function(len(ret))
            ret.append(f)
            for _ in range(self.rng.choice([0, 0, 0, 1, 3])):
                twin = dict(f, order=len(ret))
                if self.rng.random() < .7:
                    twin["name"] = name(self.rng, self.distinct)
                if self.rng.random() < .5:
                    twin["lines"] = self.lines(f["start"], f["end"])
                ret.append(twin)
        return ret[:n]


def joined(ranges):
    """Joins adjacent ranges"""
    ret = []
    for r in ranges:
        if ret and ret[-1][1] == r[0]:
            ret[-1] = (ret[-1][0], r[1])
        else:
            ret.append(r)
    return ret


def clean(f):
    """A function as the file keeps it: without redundant rows and ranges"""
    rows = []
    inside = [r for r in f["lines"] if f["start"] <= r[0] < f["end"]]
    for i, r in enumerate(inside):
        last = i + 1 == len(inside) or inside[i + 1][0] != r[0]
        if last and not (rows and rows[-1][1:] == r[1:]):
            rows.append(r)
    calls = [c[:5] + (tuple(joined(c[5])),) for c in f["calls"]]
    return dict(f, lines=rows, calls=calls, merged=[])


def content(f):
    return f["name"], f["lines"], f["calls"], f["sites"]


def richness(f):
    return bool(f["lines"]), len(f["calls"]), len(f["lines"])


def expected(functions, base, text, merge, sites):
    """The functions that the file must contain"""
    groups, ret, reach = {}, [], 0
    for f in functions:
        if f["start"] < base:
            continue
        if text and not any(a <= f["start"] < b for a, b in text):
            continue
        groups.setdefault((f["start"], f["end"]), []).append(clean(f))
    starts = {s for s, e in groups if e > s}
    for start, end in sorted(groups):
        if start == end and (reach > start or start in starts):
            continue
        reach = max(reach, end)
        group = groups[start, end]
        best = max(group, key=lambda f: richness(f) + (f["order"],))
        others = []
        for f in group if merge else []:
            if content(f) not in [content(o) for o in others + [best]]:
                others.append(f)
        best["merged"] = others
        ret.append(best)
    if ret and text and ret[-1]["start"] == ret[-1]["end"]:
        end = next(b for a, b in text if a <= ret[-1]["start"] < b)
        for f in [ret[-1]] + ret[-1]["merged"]:
            f["end"] = end
    for f in ret if not sites else []:
        f["sites"] = []
    return ret


def row_at(f, addr):
    rows = [r for r in f["lines"] if r[0] <= addr]
    return rows[-1] if rows else None
