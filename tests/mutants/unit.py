# SPDX-License-Identifier: GPL-2.0-only
"""Mutants of what the plain unit tests link: compile, link, run.

make says how an object is compiled and a test is linked; the linker says which members of
the archive a test takes, so which tests can notice a change of a file.
"""
import collections
import hashlib
import os
import re
import resource
import shlex
import shutil
import subprocess
import threading

import inlined

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
# a make of its own, without the options of the make that called this
CLEAN = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
# no mutant is ever compiled twice
NO_CACHE = {**CLEAN, "CCACHE_DISABLE": "1"}
MEMORY = 8 << 30
HANG = 120	# seconds without an end, whatever the machine does: a sleep without an end


def sources_of(tree):
    """The files that git knows or would add; without git, as in a tarball, all files."""
    got = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=tree,
                         capture_output=True, text=True)
    if not got.returncode:
        return [n for n in got.stdout.split("\n") if n and os.path.isfile(os.path.join(tree, n))]
    names = []
    for place, folders, files in os.walk(tree):
        folders[:] = [f for f in folders if f not in ("build", ".git", "__pycache__")]
        names += [os.path.relpath(os.path.join(place, f), tree) for f in files]
    return names


def copy_tree(names, src, dst):
    """Copy the files of SRC that differ in DST; equal files keep their time."""
    for name in names:
        a, b = os.path.join(src, name), os.path.join(dst, name)
        if os.path.exists(b) and open(a, "rb").read() == open(b, "rb").read():
            continue
        os.makedirs(os.path.dirname(b), exist_ok=True)
        if os.path.lexists(b):
            os.unlink(b)
        shutil.copy2(a, b)


class Failed(Exception):
    """The unchanged tree does not build or pass, so mutants cannot be judged."""


class Build:
    """A built copy of the tree in ROOT/tree; ROOT/N is worker N's own copy of its sources."""

    def __init__(self, top, root, jobs):
        root = os.path.abspath(root)
        self.root, self.tree, self.jobs = root, os.path.join(root, "tree"), jobs
        names = sources_of(top)
        copy_tree(names, top, self.tree)
        tests = sorted(os.path.basename(n)[:-2] for n in names
                       if re.fullmatch(r"tests/unit/\w+/test_\w+\.c", n))
        goals = ["build/plain/unit/" + t for t in tests]
        self.make(["-j%d" % jobs, *goals])
        self.compiles, self.links = {}, {}
        self.read_commands(self.make(["-n", "-B", *goals]), set(goals))
        if len(self.links) != len(tests):
            raise Failed("make says how %d of %d tests are linked" % (len(self.links), len(tests)))
        self.gather_objects()
        self.find_readers()
        self.find_reach()
        self.seconds, self.texts = {}, {}
        self.inlined = inlined.Inlined(self.tree, self.compiles)
        self.fresh, self.one_at_a_time = {}, threading.Lock()
        for n in range(jobs):
            self.make_worker(n)

    def make(self, args):
        got = subprocess.run(["make", "--no-print-directory", *args], cwd=self.tree,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=CLEAN)
        if got.returncode:
            raise Failed("make %s:\n%s" % (" ".join(args[:3]), got.stdout[-2000:]))
        return got.stdout

    def read_commands(self, text, goals):
        """The compiler's command of each object, the linker's of each test."""
        for line in text.replace("\\\n", " ").split("\n"):
            if " -o " not in line or line.startswith("echo"):
                continue
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            out = words[words.index("-o") + 1] if "-o" in words[:-1] else None
            if "-c" in words and out:
                src = [w for w in words if w.endswith(".c")]
                if len(src) == 1:
                    # objects are compared, so they contain no debug information
                    self.compiles[out] = src[0], [w for w in words if not w.startswith(
                        ("-g", "-MM", "-MP", "-MD", "-Werror"))] + ["-w", "-g0"]
            elif out and out.removesuffix(".new") in goals:
                self.links[out.removesuffix(".new")] = words

    def gather_objects(self):
        """The objects that a test's command names, except the test's own, become one archive: then the
        linker takes those that the test needs, and not those in a list."""
        own = re.compile(r"(.*/)?test_\w+\.o")
        objects = sorted({w for cmd in self.links.values() for w in cmd
                          if w.endswith(".o") and not own.fullmatch(w)})
        if not objects:
            return
        archive = "objects.a"
        path = os.path.join(self.tree, archive)
        if os.path.exists(path):
            os.unlink(path)
        subprocess.run(["ar", "rcsT", archive, *objects], cwd=self.tree, check=True, **QUIET)
        for test, cmd in self.links.items():
            first = next((i for i, w in enumerate(cmd) if w in objects), None)
            if first is not None:
                cmd[first:first] = [archive]
                self.links[test] = [w for w in cmd if w not in objects]

    def find_readers(self):
        """The objects that a file is compiled into, itself or as a header: from the first rule in
        the dependency file of each object."""
        self.objects_of = collections.defaultdict(set)
        for obj, (src, _) in self.compiles.items():
            rules = os.path.join(self.tree, obj.removesuffix(".o") + ".d")
            names = [src]
            if os.path.exists(rules):
                text = open(rules).read().replace("\\\n", " ")
                names = text.split("\n")[0].split()[1:]
            for name in names:
                self.objects_of[os.path.normpath(name)].add(obj)

    def find_reach(self):
        """The objects of each test: those that its command names, and the members that the linker takes
        from archives."""
        self.tests_of = collections.defaultdict(set)
        by_member = collections.defaultdict(set)
        for obj in self.compiles:
            by_member[os.path.basename(obj)].add(obj)
        for test, cmd in self.links.items():
            cmd = list(cmd)
            cmd[cmd.index("-o") + 1] = os.path.join(self.root, "trace")
            got = subprocess.run(cmd + ["-Wl,--trace"], cwd=self.tree, capture_output=True,
                                 text=True)
            if got.returncode:
                raise Failed("%s does not link:\n%s" % (test, got.stderr[-2000:]))
            for word in got.stdout.split():
                m = re.fullmatch(r"(?:.*[(])?([^()]*\.o)[)]?", word)
                path = os.path.normpath(m[1]) if m else ""
                if path in self.compiles:
                    self.tests_of[path].add(test)
                else:
                    for obj in by_member.get(os.path.basename(path), ()):
                        self.tests_of[obj].add(test)

    def make_worker(self, n):
        place = os.path.join(self.root, str(n))
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        for name in os.listdir(self.tree):
            if name in ("kmod", "user", "bpf", "tests"):
                subprocess.run(["cp", "-al", os.path.join(self.tree, name), place], check=True)
        os.makedirs(os.path.join(place, "build"))
        for name in os.listdir(os.path.join(self.tree, "build")):
            os.symlink(os.path.join(self.tree, "build", name), os.path.join(place, "build", name))
        os.makedirs(os.path.join(place, "out"))

    def compile(self, obj, place, out, *more):
        """Whether OBJ's source, as it is in PLACE, compiles; writes OUT."""
        cmd = list(self.compiles[obj][1])
        cmd[cmd.index("-o") + 1] = out
        return not subprocess.run(cmd + list(more), cwd=place, **QUIET, env=NO_CACHE).returncode

    def is_text_same(self, obj, place):
        """Whether OBJ's source is the same after preprocessing although the header changed: then the line
        is in an #if for another environment."""
        cmd = [w for w in self.compiles[obj][1] if w != "-c"]
        at = cmd.index("-o")
        cmd = cmd[:at] + cmd[at + 2:] + ["-E", "-P"]

        def text(folder):
            return subprocess.run(cmd, cwd=folder, capture_output=True, env=NO_CACHE).stdout

        if obj not in self.texts:
            self.texts[obj] = hashlib.sha256(text(self.tree)).digest()
        return hashlib.sha256(text(place)).digest() == self.texts[obj]

    def code(self, path):
        """The loaded parts of an object, without names of files and notes."""
        subprocess.run(["objcopy", "--strip-unneeded", "-R", ".comment", "-R", ".note*", path],
                       check=True)
        return open(path, "rb").read()

    def original(self, obj, *more):
        """The bytes of the unchanged object, compiled as the mutants are."""
        key = obj, more
        with self.one_at_a_time:
            if key not in self.fresh:
                out = os.path.join(self.root, "original.o")
                if not self.compile(obj, self.tree, out, *more):
                    raise Failed(obj + " does not compile")
                self.fresh[key] = self.code(out)
        return self.fresh[key]

    def limits(self, seconds):
        def set_limits():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.setsid()
        return set_limits

    def passes(self, binary, test):
        """Run it. A hang is more than ten times the CPU time that it needs."""
        p = subprocess.Popen([binary], cwd=self.tree, **QUIET,
                             preexec_fn=self.limits(2 + int(10 * self.seconds.get(test, 60))))
        try:
            status = p.wait(HANG)
        except subprocess.TimeoutExpired:
            status = 1
        try:
            os.killpg(p.pid, 9)
        except ProcessLookupError:
            pass
        p.wait()
        return not status

    def prove_original(self, files):
        """Each test is proven when a mutant first needs it: see prove()."""

    def prove(self, test):
        """Run the unchanged TEST once: it must pass; note its CPU time, or a little more while other
        jobs run."""
        with self.one_at_a_time:
            if test in self.seconds:
                return
            before = os.times()
            if not self.passes(os.path.join(self.tree, test), test):
                raise Failed(test + " does not pass")
            after = os.times()
            self.seconds[test] = (after.children_user + after.children_system -
                                  before.children_user - before.children_system)

    def try_one(self, worker, path, new, kills):
        """One of 'no build', 'equivalent', 'killed', 'survived'; and the test that noticed."""
        place = os.path.join(self.root, str(worker))
        target = os.path.join(place, path)
        os.unlink(target)
        with open(target, "w") as f:
            f.write(new)
        try:
            changed = Changed(self, place, path, new)
            test = self.noticed(place, changed, kills)
            if test:
                return "killed", test
            same = not changed.all() or self.same_when_optimised(place, changed)
            return "equivalent" if same else "survived", None
        except NoBuild:
            return "no build", None
        finally:
            os.unlink(target)
            os.link(os.path.join(self.tree, path), target)

    def same_when_optimised(self, place, changed):
        """The compiler shows that the two are equal, with more optimization."""
        out = os.path.join(place, "out", "o2.o")
        return all(self.compile(obj, place, out, "-O3") and
                   self.code(out) == self.original(obj, "-O3") for obj in changed.all())

    def noticed(self, place, changed, kills):
        """The first test that does not pass with the changed file."""
        tests = set().union(*(self.tests_of[obj] for obj in changed.objects))

        def cost(test):
            return (self.seconds.get(test, 0) + 0.2) / (1 + kills[test]), test

        for test in sorted(tests, key=cost):
            mine = changed.of_test(test)
            if not mine:
                continue
            self.prove(test)
            binary = os.path.join(place, "out", "test")
            cmd = list(self.links[test])
            cmd[cmd.index("-o") + 1] = binary
            extra = [new for obj, new in mine.items() if obj not in cmd]
            cmd = [mine.get(w, w) for w in cmd]
            # before the archive, so that the archive's member of this name is not used
            at = next((i for i, w in enumerate(cmd) if w.endswith(".a")), len(cmd))
            cmd[at:at] = extra
            if subprocess.run(cmd, cwd=self.tree, **QUIET).returncode:
                return test + " (does not link)"
            if not self.passes(binary, test):
                kills[test] += 1
                return test
        return None


class NoBuild(Exception):
    pass


class Changed:
    """The objects that a changed file is compiled into, each made when it is needed."""

    def __init__(self, build, place, path, new):
        self.build, self.place, self.is_header = build, place, path.endswith(".h")
        self.objects = sorted(o for o in build.objects_of[path] if build.tests_of[o])
        if self.is_header:
            old = open(os.path.join(build.tree, path)).read().split("\n")
            line = next(n for n, text in enumerate(new.split("\n")) if text != old[n])
            self.objects = [o for o in self.objects if build.inlined.may_change(o, path, line)]
        self.made = {}

    def get(self, obj):
        """The new object; None if it equals the old one."""
        if obj not in self.made and self.is_header and self.build.is_text_same(obj, self.place):
            self.made[obj] = None
        if obj not in self.made:
            out = os.path.join(self.place, "out", "%d.o" % self.objects.index(obj))
            if not self.build.compile(obj, self.place, out):
                raise NoBuild
            same = self.build.code(out) == self.build.original(obj)
            self.made[obj] = None if same else out
        return self.made[obj]

    def of_test(self, test):
        """Old object -> new one, for all objects that TEST links."""
        return {obj: new for obj in self.objects if test in self.build.tests_of[obj]
                for new in [self.get(obj)] if new}

    def all(self):
        return {obj: new for obj in self.objects for new in [self.get(obj)] if new}
