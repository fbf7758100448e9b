# SPDX-License-Identifier: GPL-2.0-only
"""Mutants of the module's kernel side, which KUnit's suites include: compile one object, link
a user-mode kernel, run the suite. The kernel is a build of its own in the cache, so that
`make kunit` is not disturbed.
"""
import fcntl
import glob
import os
import re
import subprocess

import unit
from unit import QUIET

HANG = 120	# seconds of a suite that takes less than ten
INSIDE = "tree/drivers/misc/ustack"


class Failed(Exception):
    """The unchanged tree does not build or pass, so mutants cannot be judged."""


class Build:
    jobs = 1	# there is one tree, and make uses all processors

    def __init__(self, top, root, jobs):
        self.top, self.suites, self.cpus = top, None, "ncpus=2 seccomp=on"
        cache = os.environ.get("USTACK_CACHE") or os.path.expanduser("~/.cache/ustack")
        cache = os.path.join(cache, "kunit")
        os.makedirs(cache, exist_ok=True)
        self.lock = open(os.path.join(cache, "mutants.lock"), "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        source = self.tell([os.path.join(top, "tests/guest/kunit/source")]).strip()
        self.place = os.path.join(cache, "mutants-" + os.path.basename(source))
        # compiled once for this folder, once for that of `make kunit`: with ccache, once
        self.env = {**unit.CLEAN, "CCACHE_BASEDIR": cache, "CCACHE_NOHASHDIR": "1"}
        plant = os.path.join(top, "tests/guest/kunit/plant")
        if not os.path.isdir(self.place):
            self.tell([plant, source, self.place])
        self.tell([plant, "--files", self.place])
        self.build = os.path.join(self.place, "build")
        self.tree = os.path.join(self.place, "tree")
        wanted = os.path.join(top, "kmod/tests/.kunitconfig")
        if not os.path.exists(os.path.join(self.build, ".config")):
            self.tell(["python3", "tools/testing/kunit/kunit.py", "config", "--arch=um",
                       "--build_dir=" + self.build, "--kunitconfig=" + wanted])
        self.tell(self.make_command(jobs))

    def make_command(self, jobs=2):
        return ["make", "-s", "ARCH=um", "O=" + self.build, "-j%d" % jobs, "linux"]

    def tell(self, cmd):
        got = subprocess.run(cmd, cwd=getattr(self, "tree", None), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, env=getattr(self, "env", None))
        if got.returncode:
            raise Failed("%s:\n%s" % (" ".join(cmd[:3]), got.stdout[-2000:]))
        return got.stdout

    def commands(self, path):
        """(object, command) of each object that PATH is part of, as kbuild has kept them."""
        name = "drivers/misc/ustack/" + path
        for cmd in glob.glob(os.path.join(self.build, "drivers/misc/ustack/**/.*.o.cmd"),
                             recursive=True):
            text = open(cmd).read()
            saved = re.search(r"^savedcmd_(\S+) := (.*)$", text, re.M)
            reads = {os.path.normpath(w) for w in text.replace("\\\n", " ").split()}
            if saved and any(w.endswith(name) for w in reads) and " -c " in saved[2]:
                yield saved[1], saved[2].replace("$(pound)", "#").replace("$$", "$")

    def compile(self, path, out):
        """The bytes of each object that PATH is part of; None if it does not compile."""
        made = {}
        for obj, cmd in self.commands(path):
            cmd = re.sub(r" -o \S+", " -o " + out, cmd.split(" ; ")[0])
            cmd = re.sub(r"-Wp,-MMD,\S+|-g\S*", "", cmd)
            if subprocess.run(["sh", "-c", cmd], cwd=self.build, **QUIET).returncode:
                return None
            subprocess.run(["objcopy", "--strip-unneeded", "-R", ".comment", out], check=True)
            made[obj] = open(out, "rb").read()
        return made

    def passes(self):
        """Run the suite: all cases passed, and the kernel complained about nothing."""
        log = os.path.join(self.build, "test.log")
        if os.path.exists(log):
            os.unlink(log)
        subprocess.run(["python3", "tools/testing/kunit/kunit.py", "exec", "--arch=um",
                        "--build_dir=" + self.build, "--timeout=%d" % HANG,
                        "--kernel_args=" + self.cpus, self.suites + ".*"],
                       cwd=self.tree, env=self.env, **QUIET)
        if not os.path.exists(log) or not re.search("^KTAP", open(log, errors="replace").read(),
                                                    re.M):
            return None
        report = os.path.join(self.top, "tests/guest/kunit/report")
        return not subprocess.run([report, "--quiet", log], **QUIET).returncode

    def prove_original(self, files):
        ok = self.passes()
        # two processors need seccomp filters, which not every container allows
        if ok is None:
            self.cpus = "ncpus=1"
            ok = self.passes()
        if not ok:
            raise Failed("%s does not pass" % self.suites)
        out = os.path.join(self.place, "mutant.o")
        self.original = {path: self.compile(path, out) for path in files}
        for path, made in self.original.items():
            if not made:
                raise Failed("kbuild says nothing of " + path)

    def try_one(self, worker, path, text, kills):
        """As unit.Build.try_one()."""
        target = os.path.join(self.place, INSIDE, path)
        out = os.path.join(self.place, "mutant.o")
        self.put(target, text)
        try:
            made = self.compile(path, out)
            if made is None:
                return "no build", None
            if made == self.original[path]:
                return "equivalent", None
            if subprocess.run(self.make_command(), cwd=self.tree, env=self.env,
                              **QUIET).returncode:
                return "no build", None
            return ("survived", None) if self.passes() else ("killed", self.suites)
        finally:
            self.put(target, open(os.path.join(self.top, path)).read())

    def put(self, target, text):
        # the file may be a link to one that other workers read
        os.unlink(target)
        with open(target, "w") as f:
            f.write(text)
