# SPDX-License-Identifier: GPL-2.0-only
"""Profiles that tests of report, diff and top look at, as bytes of pprof's form.

usage: profiles.py DIR
	DIR/a	two processes, a function that is inlined, one without a name, the kernel
	DIR/b	the same with other counts, one function new and one gone
	DIR/renamed	the same as b, of a file and a command with other names
	DIR/odd	names that no terminal should see
	DIR/plain	values that are no numbers of samples, and none that are
	DIR/units	values as those of a, in another unit
	DIR/less	values that are less than nothing, as those of differences are
	DIR/deep	a stack of 3000 frames
"""
import sys

sys.path.insert(0, "tests/judge/profile")
from wire import field, message


class Profile:
    def __init__(self, types=(("samples", "count"), ("cpu", "nanoseconds")), path="/usr/bin/prog"):
        self.strings, self.out, self.numbers = [b""], [], {}
        for kind, unit in types:
            self.out.append(field(1, message((1, self.string(kind)), (2, self.string(unit)))))
        for i, file in enumerate([path, "[kernel.kallsyms]"], 1):
            start = (1 << 63) if i == 2 else 0
            self.out.append(field(3, message((1, i), (2, start), (3, start + (1 << 20)),
                                             (5, self.string(file)))))

    def string(self, s):
        s = s if isinstance(s, bytes) else s.encode()
        if s not in self.strings:
            self.strings.append(s)
        return self.strings.index(s)

    def number(self, kind, key, make):
        """The number of a thing that is stored once; @make makes the message of a new one from its number."""
        known = self.numbers.setdefault(kind, {})
        if key not in known:
            known[key] = len(known) + 1
            self.out.append(make(known[key]))
        return known[key]

    def function(self, name):
        return self.number("function", name, lambda n: field(5, message(
            (1, n), (2, self.string(name)), (4, self.string("prog.c")))))

    def location(self, frame):
        """"name", "inlined<name", "name@line", "[name]" of the kernel, or an address"""
        def make(n):
            if isinstance(frame, int):
                return field(4, message((1, n), (2, 1), (3, frame)))
            kernel = frame[:1] in ("[", b"[")
            text = frame[1:-1] if kernel else frame
            lines = [(4, message((1, self.function(t)), (2, 10 + i))) for i, t in
                     enumerate(text.split(b"<" if isinstance(text, bytes) else "<"))]
            return field(4, message((1, n), (2, 2 if kernel else 1),
                                    (3, ((1 << 63) if kernel else 0) + 0x1000 + n), *lines))
        return self.number("location", frame, make)

    def add(self, frames, values, **labels):
        """@frames: outermost first"""
        pairs = [(3, message((1, self.string(k)),
                             (3, v) if isinstance(v, int) else (2, self.string(v))))
                 for k, v in labels.items()]
        self.out.append(field(2, message((1, [self.location(f) for f in reversed(frames)]),
                                         (2, values), *pairs)))

    def save(self, path):
        with open(path, "wb") as f:
            f.write(b"".join(self.out) + b"".join(field(6, s) for s in self.strings))


def program(counts, extra=(), path="/usr/bin/prog"):
    p = Profile(path=path)
    one = dict(command=path.rpartition("/")[2], thread="worker", pid=7, tid=8, cgroup="/a", stack="complete")
    two = dict(command="other", thread="main", pid=9, tid=9, cgroup="/b", stack="no_table")
    stacks = [(["main", "heavy", "step<work"], one), (["main", "light"], one),
              (["main", "light", "[read]"], one), (["main", 0x4242], two)]
    for (stack, labels), n in zip(stacks + list(extra), counts):
        if n:
            p.add(stack, [n, n * 1000000], **labels)
    return p


def main(out):
    one = dict(command="prog", stack="complete")
    program([600, 250, 100, 50]).save(out + "/a")
    program([700, 250, 0, 52, 150], [(["main", "fresh"], one)]).save(out + "/b")
    renamed = dict(command="prog-2.0", stack="complete")
    program([700, 250, 0, 52, 150], [(["main", "fresh"], renamed)],
            "/opt/prog-2.0").save(out + "/renamed")

    # 99.98 % of user's stacks are complete, and a tenth of all is the kernel's
    p = Profile()
    for outcome, n in (("complete", 8998), ("guessed", 1), ("no_table", 1), ("kernel", 999), ("no_mm", 1)):
        p.add(["main"], [n, n * 1000000], command="prog", stack=outcome)
    p.save(out + "/outcomes")

    p = Profile()
    p.add(["main"], [1, 10], command="kthreadd", stack="kernel")
    p.save(out + "/kernel")

    p = Profile()
    p.add(["ma\x1b[31min", "caf\u00e9 \u65e5\u672c", b"bad\xff\xfe", "c1\u009b2J",
           "line\nfeed", "\u202egnirts"], [1, 10], command="pr\x07og", stack="complete")
    p.save(out + "/odd")

    Profile().save(out + "/empty")

    p = Profile([("alloc_space", "bytes")])
    p.add(["main", "grow"], [3 << 20], command="prog")
    p.add(["main"], [1 << 20], command="prog")
    p.save(out + "/plain")

    p = Profile((("samples", "count"), ("cpu", "milliseconds")))
    p.add(["main"], [1, 10])
    p.save(out + "/units")

    p = Profile([("inuse_space", "bytes")])
    p.add(["main", "shrink"], [-(3 << 20)], command="prog")
    p.add(["main", "grow"], [1 << 20], command="prog")
    p.add(["main", "same"], [0], command="prog")
    p.save(out + "/less")

    # no function has half a percent
    p = Profile()
    for i in range(500):
        p.add(["main", "Store::sort_Orders(Item%d const&)" % i], [1, 1000000 + i], command="prog", stack="complete")
    p.save(out + "/many")

    p = Profile()
    p.add(["deep%d" % i for i in range(3000)], [1, 10])
    p.save(out + "/deep")


if __name__ == "__main__":
    main(sys.argv[1])
