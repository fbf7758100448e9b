# SPDX-License-Identifier: GPL-2.0-only
"""Makes profiles whose flame graphs are known, as pprof files.

usage: profiles.py DIR
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "judge", "profile"))
from wire import field, message, varint  # noqa: E402


class Maker:
    def __init__(self, unit="nanoseconds"):
        self.strings, self.numbers = [], {}
        self.parts, self.functions, self.maps = [], {}, {}
        self.string("")
        self.parts.append(field(1, message((1, self.string("cpu")), (2, self.string(unit)))))

    def string(self, s):
        s = s if isinstance(s, bytes) else s.encode()
        if s not in self.numbers:
            self.numbers[s] = len(self.strings)
            self.strings.append(s)
        return self.numbers[s]

    def mapping(self, file):
        if file not in self.maps:
            self.maps[file] = len(self.maps) + 1
            self.parts.append(field(3, message((1, self.maps[file]), (3, 1 << 47),
                                               (5, self.string(file)))))
        return self.maps[file]

    def frame(self, name, file="/usr/bin/prog", source="a.c"):
        """Return: the number of a location, for add()."""
        key = (name, file)
        if key not in self.functions:
            n = self.functions[key] = len(self.functions) + 1
            self.parts.append(field(5, message((1, n), (2, self.string(name)),
                                               (4, self.string(source)))))
            address = n << 4 | (1 << 63 if file == "[kernel.kallsyms]" else 0)
            self.parts.append(field(4, message((1, n), (2, self.mapping(file)), (3, address),
                                               (4, message((1, n), (2, n))))))
        return self.functions[key]

    def add(self, frames, value, command="prog", why="complete"):
        """@frames: outermost first; bytes are allowed too, while there are few locations"""
        labels = [(3, message((1, self.string(k)), (2, self.string(v))))
                  for k, v in (("command", command), ("stack", why)) if v]
        self.parts.append(field(2, message((1, frames[::-1]), (2, [value]), *labels)))

    def save(self, path, comment="host: here"):
        self.parts.append(field(13, self.string(comment)))
        head = b"".join(field(6, s) for s in self.strings)
        tail = varint(9 << 3) + varint(1700000000 * 10 ** 9) + varint(10 << 3) + varint(10 ** 10)
        with open(path, "wb") as f:
            f.write(head + b"".join(self.parts) + tail)


def small(path, work, wait):
    """50 % work, 20 % wait in the kernel, 20 % fib called by fib called by fib, 10 % not
    complete"""
    m = Maker()
    main, libc = m.frame("main"), "/lib/libc.so.6"
    m.add([main, m.frame("work")], work)
    m.add([main, m.frame("read", libc), m.frame("vfs_read", "[kernel.kallsyms]")], wait)
    fib = m.frame("fib")
    m.add([main, fib, fib, m.frame("add"), fib], 200)
    m.add([m.frame("jitted", "[jit:7]"), m.frame("work")], 100, why="no_table")
    m.save(path)


HOSTILE = ["</script><script>window.pwned = 1</script>", "<!--<script>", "<img src=x onerror=window.pwned=2>",
           "a\x1b[31mb\x07\nc", "\u202eevil\u2066\u200b", b"bad\xff\xc3(", "${window.pwned=3}", "__proto__",
           "constructor", "'\"&quot;&amp;", "\u5f88" * 30, "e\u0301" * 40, "\U0001f525" * 30, "x" * 5000, "",
           "javascript:window.pwned=4", "]]>\u2028\ufffe"]


def hostile(path):
    m = Maker("</script>")
    for name in HOSTILE:
        m.add([m.frame(name, "/tmp/" + name if isinstance(name, str) else "/tmp/f", name), m.frame("f")], 10,
              command=name, why=name if name == HOSTILE[2] else "complete")
    m.save(path, HOSTILE[0])


def deep(path, levels=20000):
    """Recursion with a sample at each level: its tree of callers would have 2 * 10^8 nodes."""
    m = Maker()
    f, g = (bytes([m.frame(name)]) for name in "fg")
    for n in range(1, levels, 20):
        m.add((f + g) * (n // 2) + f, 1)
    m.add((f + g) * (levels // 2), 5)
    m.save(path)


def large(path, stacks=50000, names=6000):
    """Stacks that share callers like those of programs: somewhat more than 300,000 nodes"""
    r = random.Random(1)
    m = Maker()
    files = ["/usr/bin/prog", "/usr/lib/libone.so.1", "/usr/lib/libtwo.so.2", "/lib/libc.so.6",
             "[kernel.kallsyms]", "[jit:1]"]
    frames = [m.frame("ns%d::type<%s>::function_%d" % (n % 40, "int, " * (n % 5) + "char", n),
                      files[min(r.randrange(9), 5)]) for n in range(names)]
    path_now = []
    for _ in range(stacks):
        keep = int(len(path_now) * r.random() ** 0.25)
        path_now = path_now[:keep]
        want = min(120, keep + 1 + int(r.expovariate(1 / 5.0)))
        while len(path_now) < want:
            near = int(r.gauss(len(path_now) * 50, 300)) % names
            path_now.append(frames[near])
        m.add(path_now, r.randint(1, 20) * 10101010, command="prog%d" % (len(path_now) % 3))
    m.save(path)


def main(where):
    os.makedirs(where, exist_ok=True)
    small(os.path.join(where, "small"), 500, 200)
    small(os.path.join(where, "before"), 100, 600)
    hostile(os.path.join(where, "hostile"))
    deep(os.path.join(where, "deep"))
    large(os.path.join(where, "large"))
    Maker().save(os.path.join(where, "empty"))


if __name__ == "__main__":
    main(sys.argv[1])
