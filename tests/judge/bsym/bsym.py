# SPDX-License-Identifier: GPL-2.0-only
"""BSYM, versions 1.0 to 3.0, written from its document alone.

A file is {"version": (major, minor), "checksum", "tokens": [bytes], "renames": [(codeseg,
bytes)], "codesegs": [{"address", "name": bytes, "symbols": [(address, length, bytes)]}]}.
"""
import struct

PAGE = 4096


class Bad(Exception):
    pass


def be32(data, at):
    if at + 4 > len(data):
        raise Bad("a word at %#x of %#x" % (at, len(data)))
    return struct.unpack_from(">I", data, at)[0]


def string(data, at, order=">"):
    if at >= len(data):
        raise Bad("a string at %#x of %#x" % (at, len(data)))
    n, at = data[at], at + 1
    if n == 0xff:
        n, at = struct.unpack_from(order + "H", data, at)[0], at + 2
    if at + n > len(data):
        raise Bad("a string that ends at %#x of %#x" % (at + n, len(data)))
    return data[at:at + n]


def expand(raw, tokens):
    out = b""
    for byte in raw:
        if byte < 0x80:
            out += bytes([byte])
        else:
            out += tokens[byte - 0x80] if byte - 0x80 < len(tokens) else b"?"
    return out


def decode(data):
    if data[:4] != b"BSYM":
        raise Bad("no BSYM")
    major, minor = struct.unpack_from(">HH", data, 4)
    if major == 3:
        return decode_3(data)
    if major not in (1, 2):
        raise Bad("version %d.%d" % (major, minor))
    v = (major, minor)
    codesegs, symbols = be32(data, 8), be32(data, 12)
    ret = {"version": v, "checksum": 0, "tokens": [], "renames": [], "codesegs": []}
    if v >= (2, 0):
        at = be32(data, 16)
        ret["tokens"] = [string(data, be32(data, at + 4 + 4 * i)) for i in range(be32(data, at))]
    text = (lambda at: expand(string(data, at), ret["tokens"])) if major == 2 else \
        (lambda at: string(data, at))
    if v >= (2, 1) and be32(data, 20):
        at = be32(data, 20)
        ret["renames"] = [(be32(data, at + 4 + 8 * i), text(be32(data, at + 8 + 8 * i)))
                          for i in range(be32(data, at))]
    if v >= (2, 2):
        ret["checksum"] = be32(data, 24)
    for i in range(be32(data, codesegs)):
        address, count, name, first, prefixes = struct.unpack_from(">5I", data, codesegs + 4 + 20 * i)
        entry = {"address": address, "name": text(name), "symbols": []}
        for k in range(first, first + count):
            if k >= be32(data, symbols):
                raise Bad("symbol %d" % k)
            where, word, name = struct.unpack_from(">3I", data, symbols + 4 + 12 * k)
            length, prefix, front = word & 0xffff, word >> 16, b""
            if prefix and prefixes:
                front = text(be32(data, prefixes + 4 * (prefix - 1))) + b"::"
            elif prefix:
                length = word
            entry["symbols"].append((where, length, front + text(name)))
        ret["codesegs"].append(entry)
    return ret


def unpack(page, room):
    """Unpack byte pairs, {byte: (left, right)}, expanded from left to right."""
    nr, at, pairs, marker = page[0], 1, {}, None
    if nr:
        marker, at = page[1], 2
        if nr < 32:
            for _ in range(nr):
                pairs[page[at]] = page[at + 1], page[at + 2]
                at += 3
        else:
            bits, at = page[at:at + 32], at + 32
            for byte in range(256):
                if bits[byte >> 3] >> (byte & 7) & 1:
                    pairs[byte] = page[at], page[at + 1]
                    at += 2
    todo, out = list(reversed(page[at:])), bytearray()
    while todo:
        byte = todo.pop()
        if byte == marker:
            out.append(todo.pop())
        elif byte in pairs:
            todo += reversed(pairs[byte])
        else:
            out.append(byte)
    if len(out) != room:
        raise Bad("a page of %d bytes, wanted %d" % (len(out), room))
    return bytes(out)


def decode_3(data):
    order = "<" if struct.unpack_from("<I", data, 0x2c)[0] in (0, 48) else ">"
    (units, nr_units, symbols, nr_symbols, strings, strings_len, _, size,
     pages) = struct.unpack_from(order + "9I", data, 12)
    image = data[units:units + size]
    if data[9]:
        image = b""
        for i in range(struct.unpack_from(order + "I", data, pages + 4)[0]):
            at, n = struct.unpack_from(order + "II", data, pages + 8 + 8 * i)
            room = min(PAGE, size - len(image))
            page = data[units + at:units + at + n]
            image += page[:room] if n == PAGE else unpack(page, room)
    text = image[strings:strings + strings_len]
    name = lambda at: string(text, at, order) if at else b""
    ret = {"version": (3, 0), "checksum": 0, "tokens": [], "renames": [], "codesegs": []}
    for i in range(nr_units):
        unit = struct.unpack_from(order + "9I", image, 36 * i)
        first = unit[8]
        for k in range(3):
            entry = {"address": unit[2 * k], "name": name(unit[6]), "symbols": []}
            for s in range(first, first + unit[2 * k + 1]):
                where, length, scope, what, _ = struct.unpack_from(order + "5I", image, symbols + 20 * s)
                front = name(scope) + b"::" if scope else b""
                entry["symbols"].append((where, length, front + name(what)))
            first += unit[2 * k + 1]
            if entry["symbols"]:
                ret["codesegs"].append(entry)
    ret["codesegs"].sort(key=lambda c: c["address"])
    return ret


def pack(page):
    """Pack a page in byte pairs, with up to 60 tokens; it stays unchanged if it does not shrink."""
    unused = [b for b in range(256) if b not in page]
    tokens, data = [], page
    marker = unused.pop() if unused else None
    while unused and len(tokens) < 60:
        counts = {}
        for i in range(len(data) - 1):
            counts[data[i:i + 2]] = counts.get(data[i:i + 2], 0) + 1
        pair, count = max(counts.items(), key=lambda c: c[1], default=(b"", 0))
        if count < 4:
            break
        token = unused.pop(0)
        tokens.append((token, pair))
        data = data.replace(pair, bytes([token]))
    if not tokens:
        out = b"\0" + data
    elif len(tokens) < 32:
        out = bytes([len(tokens), marker]) + b"".join(bytes([t]) + p for t, p in tokens) + data
    else:
        bits = bytearray(32)
        for t, _ in tokens:
            bits[t >> 3] |= 1 << (t & 7)
        out = bytes([len(tokens), marker]) + bits + b"".join(p for _, p in sorted(tokens)) + data
    return out if len(out) < PAGE else page.ljust(PAGE, b"\0")


class Strings:
    """Strings in any order, at any offset, some of them twice."""

    def __init__(self, choice, at, order=">"):
        self.choice, self.at, self.order, self.bytes, self.known = choice, at, order, b"", {}

    def put(self, text):
        if text in self.known and self.choice.random() < 0.7:
            return self.known[text]
        at = self.at + len(self.bytes)
        if len(text) >= 255 or self.choice.random() < 0.1:
            self.bytes += b"\xff" + struct.pack(self.order + "H", len(text)) + text
        else:
            self.bytes += bytes([len(text)]) + text
        self.known[text] = at
        return at


def encode(what, choice):
    """Encode version 1 or 2; choice (random.Random) decides where prefixes and tokens are used."""
    version, major = what["version"], what["version"][0]
    header = {1: 16}.get(major, 20 + 4 * min(2, version[1])) if version != (2, 0) else 20
    nr = sum(len(c["symbols"]) for c in what["codesegs"])
    at_codesegs = header
    at_symbols = at_codesegs + 4 + 20 * len(what["codesegs"])
    at_tokens = at_symbols + 4 + 12 * nr
    at_renames = at_tokens + (4 + 4 * len(what["tokens"]) if major == 2 else 0)
    at = at_renames + (4 + 8 * len(what["renames"]) if version >= (2, 1) else 0)
    strings = Strings(choice, at)

    def put(text):
        for i, token in enumerate(what["tokens"]):
            if major == 2 and choice.random() < 0.8:
                text = text.replace(token, bytes([0x80 + i]))
        return strings.put(text)

    codesegs, symbols, first = b"", b"", 0
    for c in what["codesegs"]:
        prefixes, words = [], []
        for _, length, name in c["symbols"]:
            front, colons, _ = name.rpartition(b"::")
            if colons and front and length < 65536 and choice.random() < 0.8:
                if front not in prefixes:
                    prefixes.append(front)
                words.append((prefixes.index(front) + 1, name[len(front) + 2:]))
            else:
                words.append((0, name))
        if prefixes and any(s[1] > 65535 for s in c["symbols"]):
            prefixes, words = [], [(0, s[2]) for s in c["symbols"]]
        table = 0
        if prefixes:
            at_strings = [put(p) for p in prefixes]
            table = strings.at + len(strings.bytes)
            strings.bytes += struct.pack(">%dI" % len(prefixes), *at_strings)
        codesegs += struct.pack(">5I", c["address"], len(c["symbols"]), put(c["name"]), first, table)
        for (where, length, _), (number, name) in zip(c["symbols"], words):
            symbols += struct.pack(">3I", where, number << 16 | length, put(name))
        first += len(c["symbols"])
    tokens = [strings.put(t) for t in what["tokens"]]
    renames = b"".join(struct.pack(">2I", c, put(n)) for c, n in what["renames"])
    out = b"BSYM" + struct.pack(">HHII", *version, at_codesegs, at_symbols)
    if major == 2:
        out += struct.pack(">I", at_tokens)
    if version >= (2, 1):
        out += struct.pack(">I", at_renames if what["renames"] else 0)
    if version >= (2, 2):
        out += struct.pack(">I", what["checksum"])
    out += struct.pack(">I", len(what["codesegs"])) + codesegs + struct.pack(">I", nr) + symbols
    if major == 2:
        out += struct.pack(">%dI" % (1 + len(tokens)), len(tokens), *tokens)
    if version >= (2, 1):
        out += struct.pack(">I", len(what["renames"])) + renames
    assert len(out) == at
    return out + strings.bytes


def encode_3(what, choice):
    order, packed = choice.choice("<>"), choice.random() < 0.5
    strings = Strings(choice, 0, order)
    strings.bytes = b"\0"
    units, symbols, first = b"", b"", 0
    for c in what["codesegs"]:
        slot = choice.randrange(3)
        unit = [0] * 9
        unit[2 * slot], unit[2 * slot + 1] = c["address"], len(c["symbols"])
        unit[6], unit[8] = strings.put(c["name"]), first
        units += struct.pack(order + "9I", *unit)
        for where, length, name in c["symbols"]:
            front, colons, rest = name.rpartition(b"::")
            scope = strings.put(front) if colons and front else 0
            symbols += struct.pack(order + "5I", where, length, scope,
                                   strings.put(rest if scope else name), 0)
        first += len(c["symbols"])
    image = units + symbols + strings.bytes
    pages = b""
    if packed:
        parts = [pack(image[i:i + PAGE]) for i in range(0, len(image), PAGE)]
        pages, at = struct.pack(order + "2I", PAGE, len(parts)), 0
        for p in parts:
            pages += struct.pack(order + "2I", at, len(p))
            at += len(p)
        data = b"".join(parts)
    else:
        data = image
    head = struct.pack(order + "9I", 48 + len(pages), len(what["codesegs"]), len(units), first,
                       len(units) + len(symbols), len(strings.bytes),
                       len(data) if packed else 0, len(image), 48)
    return b"BSYM" + struct.pack(">HHBBH", 3, 0, choice.randrange(2), packed, 0) + head + pages + data
