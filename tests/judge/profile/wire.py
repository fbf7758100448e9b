# SPDX-License-Identifier: GPL-2.0-only
"""Reads and writes pprof's files, independent of all other code."""
import gzip


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    """Encodes a field: an int, the bytes of a message, or a list of ints (packed)."""
    if isinstance(value, list):
        value = b"".join(map(varint, value))
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*fields):
    return b"".join(field(n, v) for n, v in fields)


def take_varint(b, at):
    n = shift = 0
    while True:
        n |= (b[at] & 127) << shift
        shift += 7
        at += 1
        if not b[at - 1] & 128:
            return n, at


def fields(b):
    at = 0
    while at < len(b):
        tag, at = take_varint(b, at)
        if tag & 7 == 0:
            value, at = take_varint(b, at)
        elif tag & 7 == 2:
            n, at = take_varint(b, at)
            value, at = b[at:at + n], at + n
        else:
            raise ValueError("wire type %d" % (tag & 7))
        yield tag >> 3, value


def numbers(value):
    """Return: the numbers of a packed field, or the number of a field that is not packed."""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        n, at = take_varint(value, at)
        out.append(n)
    return out


class Profile:
    """types: [(type, unit)]; samples: [(frames, values, labels)], frames innermost first as
    (address, file, function or None, inlined), labels as sets of (key, text or number)"""

    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        top = list(fields(data))
        self.strings = [v.decode(errors="replace") for n, v in top if n == 6]
        one = lambda b: {n: v for n, v in fields(b)}
        text = lambda m, n: self.strings[m.get(n, 0)]
        maps = {m.get(1, 0): text(m, 5) for m in (one(v) for n, v in top if n == 3)}
        funcs = {f.get(1, 0): text(f, 2) or text(f, 3)
                 for f in (one(v) for n, v in top if n == 5)}
        self.types = [(text(t, 1), text(t, 2)) for t in (one(v) for n, v in top if n == 1)]
        heads = {n: v for n, v in top if n in (9, 10, 12, 14)}
        self.default = self.strings[heads.get(14, 0)]
        self.period = heads.get(12, 0)
        places = {}
        for v in (v for n, v in top if n == 4):
            m = one(v)
            file = maps.get(m.get(2, 0), "")
            lines = [funcs[f] for f in (one(w).get(1, 0) for n, w in fields(v) if n == 4) if f]
            frames = [(m.get(3, 0), file, f, i + 1 < len(lines)) for i, f in enumerate(lines)]
            places[m[1]] = frames or [(m.get(3, 0), file, None, False)]
        self.samples = []
        for v in (v for n, v in top if n == 2):
            frames, values, labels = [], [], set()
            for n, w in fields(v):
                if n == 1:
                    for where in numbers(w):
                        frames += places[where]
                elif n == 2:
                    values += [x - (1 << 64) if x >> 63 else x for x in numbers(w)]
                elif n == 3:
                    m = one(w)
                    labels.add((text(m, 1), text(m, 2) or m.get(3, 0)))
            self.samples.append((frames, values, labels))

    def default_index(self):
        names = [t for t, _ in self.types]
        return names.index(self.default) if self.default in names else len(names) - 1

    def folded(self, index):
        """Return: {line without its count: count}, as ustack export has to write it"""
        out = {}
        for frames, values, labels in self.samples:
            names = [f or (file.rsplit("/", 1)[-1] + "+" if file else "") + hex(address)
                     for address, file, f, _ in reversed(frames)]
            names = [t for k, t in labels if k == "command"] + names
            line = ";".join(n.replace(";", ":") for n in names) or "[unknown]"
            out[line] = out.get(line, 0) + values[index]
        return {k: v for k, v in out.items() if v}
