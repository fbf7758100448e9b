# SPDX-License-Identifier: GPL-2.0-only
"""The Compact ImageMap Format, written from its document alone.

A map is {"platform": str, "word": 16 | 32 | 64, "images": [{"base", "end": int,
"build_id": bytes, "path": bytes or None}]}.
"""

FIXED = {0: b"/lib", 1: b"/usr/lib", 2: b"/usr/local/lib", 3: b"/opt/lib",
         4: b"/System/Library/Frameworks", 5: b"/System/Library/PrivateFrameworks",
         6: b"/System/iOSSupport", 7: b"/Library/Frameworks", 8: b"/System/Applications",
         9: b"/Applications", 10: b"C:\\Windows\\System32", 11: b"C:\\Program Files"}


class Bad(Exception):
    pass


class Decoder:
    def __init__(self, data):
        self.data, self.at = data, 0
        self.prefixes, self.next = dict(FIXED), 32

    def take(self, n):
        if n > len(self.data) - self.at:
            raise Bad("out of data at %d" % self.at)
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self):
        value = 0
        while True:
            byte = self.take(1)[0]
            value = value << 7 | byte & 0x7f
            if byte < 0x80:
                return value

    def path(self):
        op = self.take(1)[0]
        if op == 0:
            return None
        result, base = b"", None
        while op:
            if op < 0x40:
                if base is None:
                    base = len(result)
                for byte in self.take(op):
                    if byte in b"/\\" and len(result) > base:
                        self.prefixes[self.next] = result[base:]
                        self.next += 1
                    result += bytes([byte])
            elif op < 0x80:
                version, name = self.take(1), self.take((op & 0x3f) + 1)
                return result + b"/" + name + b".framework/Versions/" + version + b"/" + name
            else:
                code = op & 0x3f
                if op >= 0xc0:
                    code = int.from_bytes(self.take(code + 1), "big") + 64
                if code not in self.prefixes:
                    raise Bad("prefix %d at %d" % (code, self.at))
                result += self.prefixes[code]
            op = self.take(1)[0]
        return result

    def image(self, last, mask):
        header = self.take(1)[0]
        base = int.from_bytes(self.take((header >> 3 & 7) + 1), "big", signed=True)
        end = int.from_bytes(self.take((header & 7) + 1), "big", signed=True)
        if header & 0x80:
            base += last
        base &= mask
        return {"base": base, "end": (base + end) & mask,
                "build_id": self.take(self.number()), "path": self.path()}

    def map(self):
        info = self.take(1)[0]
        if info >> 2 or info & 3 == 3:
            raise Bad("info byte %#x" % info)
        word = 16 << (info & 3)
        ret = {"platform": self.take(self.take(1)[0]).decode(), "word": word, "images": []}
        last = 0
        for _ in range(self.number()):
            ret["images"].append(self.image(last, (1 << word) - 1))
            last = ret["images"][-1]["base"]
        if self.at != len(self.data):
            raise Bad("%d bytes too many" % (len(self.data) - self.at))
        return ret


def decode(data):
    return Decoder(data).map()


def number(value, more=0):
    groups = [value & 0x7f]
    while value >> 7 or more:
        more -= more > 0 and not value >> 7
        value >>= 7
        groups.append(0x80 | value & 0x7f)
    return bytes(reversed(groups))


def signed(value, more=0):
    n = 1
    while not -(1 << 8 * n - 1) <= value < 1 << 8 * n - 1:
        n += 1
    return value.to_bytes(min(8, n + more), "big", signed=True)


class Encoder:
    """Write a map in any way that the document allows, by the choices of random.Random."""

    def __init__(self, choice):
        self.choice = choice
        self.prefixes, self.next = dict(FIXED), 32

    def define(self, text):
        for i, byte in enumerate(text):
            if i and byte in b"/\\":
                self.prefixes[self.next] = text[:i]
                self.next += 1

    def expand(self, code):
        if code < 64 and (code < 32 or self.choice.random() < 0.9):
            return bytes([0x80 | code])
        if code < 64:
            return bytes([0x80 | code])
        more = self.choice.choice([0, 0, 0, 1, 7])
        code = (code - 64).to_bytes(max(1, ((code - 64).bit_length() + 7) // 8) + more, "big")
        return bytes([0xc0 | len(code) - 1]) + code

    def framework(self, rest):
        name = rest[rest.rfind(b"/") + 1:]
        version = rest[len(name) + 21:len(name) + 22]
        if 0 < len(name) <= 64 and version and version != b"/" and \
                rest == b"/" + name + b".framework/Versions/" + version + b"/" + name:
            return bytes([0x40 | len(name) - 1]) + version + name
        return None

    def path(self, path):
        out = b""
        while path:
            fit = [c for c, p in self.prefixes.items() if path.startswith(p)]
            if not fit or self.choice.random() < 0.2:
                break
            code = self.choice.choice(fit)
            out += self.expand(code)
            path = path[len(self.prefixes[code]):]
        if path and self.framework(path) and self.choice.random() < 0.8:
            return out + self.framework(path)
        if path:
            self.define(path)
        while path:
            n = self.choice.choice([min(63, len(path)), self.choice.randint(1, min(63, len(path)))])
            out += bytes([n]) + path[:n]
            path = path[n:]
        return out + b"\0"

    def image(self, image, last):
        base, relative = image["base"], self.choice.random() < 0.5
        more = self.choice.choice([0, 0, 0, 1, 8])
        value = base - last if relative else base
        if value >= 1 << 63:
            value -= 1 << 64
        if value < -(1 << 63):
            value += 1 << 64
        place, end = signed(value, more), signed(image["end"] - base, more)
        return bytes([relative << 7 | len(place) - 1 << 3 | len(end) - 1]) + place + end + \
            number(len(image["build_id"]), self.choice.choice([0, 0, 1])) + image["build_id"] + \
            (self.path(image["path"]) if image["path"] else b"\0")

    def map(self, what):
        platform = what["platform"].encode()
        out = bytes([{16: 0, 32: 1, 64: 2}[what["word"]], len(platform)]) + platform
        out += number(len(what["images"]), self.choice.choice([0, 0, 1]))
        last = 0
        for image in what["images"]:
            out += self.image(image, last)
            last = image["base"]
        return out
