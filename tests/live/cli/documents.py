#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the command lines of ustack in documents against what its -h says.

usage: documents.py [--run] PROGRAM FILE...

A command line stands in a document of Markdown in an indented or fenced block, in a manual
page after .Dl or in a literal display. Checked are: the command and its sub-command, each
option, whether it takes an argument, and whether operands are allowed or needed. Between
backticks a command is only mentioned: its arguments may be missing. Nothing is run but
PROGRAM COMMAND -h, unless --run is given: then each command is run as well, except those that are
only mentioned, with no rights, in an empty folder, for some seconds at most. Files and services that it
names are not there, so it fails; but it may not say that the command line is wrong (status 2).

Prints "FILE:LINE: what is wrong: the command" for each error and, last, how many command
lines were checked. Ends with 1 if there was an error.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

OPTION = re.compile(r"^ {1,8}(?:(-\w)(?:, +| *$)?)? *(--[a-z0-9-]+)?((?: [A-Z][A-Z]*)*)(?:  .*)?$")
# Values that replace the placeholders of a document
STANDS_FOR = {"PID": "1", "TID": "1", "URL": "clickhouse://127.0.0.1:1/x"}
SECONDS = 10
NOBODY = 65534
SEPARATORS = {"|", "||", "&&", ";", "&", "(", ")", ">", ">>", "<", "2>", ">&", "<("}


class Help:
    """The output of PROGRAM NAME -h."""

    def __init__(self, program, names):
        text = subprocess.run([program] + names + ["-h"], capture_output=True, text=True,
                              check=True).stdout
        self.options = {}
        self.commands = []
        self.usages = []
        for line in text.splitlines():
            usage = re.match(r"(?:usage:|   or:) (ustack .*)", line)
            command = re.match(r"    ([a-z][a-z-]*) +\S", line)
            option = OPTION.match(line)
            if usage:
                self.usages.append(usage.group(1).split()[1 + len(names):])
            elif command:
                self.commands.append(command.group(1))
            elif option and (option.group(1) or option.group(2)):
                for name in option.group(1), option.group(2):
                    if name:
                        self.options[name] = bool(option.group(3))

    def operands(self):
        """The operands of each usage: a list of (word, whether it is needed)."""
        for usage in self.usages:
            depth, last, found = 0, "", []
            for word in usage:
                opened = depth + word.count("[")
                name = word.strip("[]().|")
                if name.isupper() and not last.startswith("-") and word != "[...]":
                    found.append((name, not opened and "|" not in usage))
                depth = opened - word.count("]")
                last = "" if "]" in word else name or last
            yield found

    def is_prefix_command(self):
        """Whether what follows the first operand belongs to another program."""
        return any(name == "COMMAND" for usage in self.operands() for name, _ in usage)


class Checker:
    def __init__(self, program):
        self.program = program
        self.known = {}

    def help(self, *names):
        if names not in self.known:
            self.known[names] = Help(self.program, list(names))
        return self.known[names]

    def wrong(self, words, mentioned):
        """Return: what is wrong with the words that follow "ustack", or None."""
        if words[0] in ("-h", "--help", "--version"):
            return None
        if words[0] not in self.help().commands:
            return "there is no command '%s'" % words[0]
        names, rest = words[:1], words[1:]
        # A list of sub-commands, and not of the examples of one
        if any(u and u[0] == "COMMAND" for u in self.help(*names).usages) and names != ["record"]:
            subs = self.help(*names).commands
            if subs and rest and not rest[0].startswith("-"):
                if rest[0] not in subs:
                    return "there is no command '%s %s'" % (names[0], rest[0])
                names, rest = words[:2], words[2:]
        return self.wrong_arguments(self.help(*names), rest, mentioned)

    def wrong_arguments(self, known, words, mentioned):
        words, operands = list(words), 0
        while words:
            word = words.pop(0)
            if word == "--":
                operands += len(words)
                break
            if word == "-" or not word.startswith("-"):
                operands += 1
                if known.is_prefix_command():
                    break
                continue
            name, value = word.partition("=")[::2] if word.startswith("--") else (word[:2], word[2:])
            if name not in known.options and name not in ("-h", "--help"):
                return "there is no option '%s'" % name
            if known.options.get(name):
                if not value and not words and not mentioned:
                    return "'%s' needs an argument" % name
                if not value and words:
                    words.pop(0)
            elif value and word.startswith("--"):
                return "'%s' takes no argument" % name
            elif value:
                words.insert(0, "-" + value)
        return self.wrong_operands(known, operands, mentioned)

    def wrong_operands(self, known, operands, mentioned):
        usages = list(known.operands())
        if operands and not any(usages):
            return "there are no operands"
        if not operands and not mentioned and usages and all(
                any(needed for _, needed in usage) for usage in usages):
            return "an operand is missing"
        return None


class Runner:
    """Runs commands as nobody, in a folder without files."""

    def __init__(self, program, directory):
        self.program = os.path.join(directory, "ustack")
        self.directory = os.path.join(directory, "empty")
        os.chmod(directory, 0o755)
        os.mkdir(self.directory)
        subprocess.run(["cp", program, self.program], check=True)
        self.ran = {}

    def wrong(self, words):
        """Return: the sentence with which the program refuses the words, or None."""
        words = tuple(STANDS_FOR.get(w, w) for w in words)
        if words not in self.ran:
            self.ran[words] = self.run(words)
        return self.ran[words]

    def run(self, words):
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if not os.geteuid() else {}
        environment = {"PATH": os.environ["PATH"], "HOME": self.directory, "TERM": "dumb",
                       "DEBUGINFOD_URLS": "http://127.0.0.1:1", "USTACK_SFRAME_CACHE": self.directory}
        try:
            done = subprocess.run([self.program, *words], cwd=self.directory, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, **who)
        except subprocess.TimeoutExpired:
            return None
        return done.stderr.decode(errors="replace").split("\n")[0] if done.returncode == 2 else None


def markdown(lines):
    """The pieces of code of a document: (line, text, whether it is between backticks)."""
    fenced, text = False, []
    for n, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield n, line.strip(), False
        else:
            text.append((n, line))
    whole, starts, at = "", [], 0
    for n, line in text:
        starts.append((len(whole), n))
        whole += line + "\n"
    for span in re.finditer(r"`([^`]+)`", whole):
        while at + 1 < len(starts) and starts[at + 1][0] <= span.start():
            at += 1
        yield starts[at][1], " ".join(span.group(1).split()), True


def manual(lines):
    literal = False
    for n, line in enumerate(lines, 1):
        line = line.replace(r"\(dq", '"').replace(r"\(aq", "'").replace(r"\-", "-")
        if line.startswith(".Bd"):
            literal = "-literal" in line
        elif line.startswith(".Ed"):
            literal = False
        elif line.startswith(".Dl "):
            yield n, line[4:], False
        elif literal:
            yield n, line, False


def commands(text):
    """The commands of ustack in a line of a shell."""
    text = re.sub(r"^([$#]|sudo) ", "", text)
    # what the shell puts there: the number of a process, an address
    text = re.sub(r"\$\([^()]*\)|\$!", "1", text)
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = "#"
        words = list(lexer)
    except ValueError:
        return
    command = []
    for word in words + [";"]:
        if word not in SEPARATORS:
            command.append(word)
            continue
        if command and command[0] == "sudo":
            command.pop(0)
        if len(command) > 1 and command[0] in ("ustack", "build/ustack"):
            yield command[1:]
        elif len(command) > 1 and command[0] in ("ustackd", "build/ustackd"):
            yield ["daemon"] + command[1:]
        command = []


def is_example(words):
    """Not: a synopsis, an output, or a sentence."""
    return not any(re.search(r"[\[\]{}]|\.\.\.", w) for w in words) and \
        re.fullmatch(r"-{0,2}[a-z][a-z-]*", words[0])


def main():
    run = sys.argv[1] == "--run"
    program, *paths = sys.argv[1 + run:]
    with tempfile.TemporaryDirectory() as directory:
        check(Checker(program), Runner(program, directory) if run else None, paths)


def check(checker, runner, paths):
    checked = errors = 0
    for path in paths:
        lines = open(path).read().replace("\\\n", " ").split("\n")
        for n, text, mentioned in (markdown if path.endswith(".md") else manual)(lines):
            for words in filter(is_example, commands(text)):
                checked += 1
                wrong = checker.wrong(words, mentioned)
                if not wrong and runner and not mentioned:
                    wrong = runner.wrong(words)
                if wrong:
                    errors += 1
                    print("%s:%d: %s: ustack %s" % (path, n, wrong, " ".join(words)))
    if runner:
        print("%d were run" % len(runner.ran))
    print("%d command lines, %d errors" % (checked, errors))
    sys.exit(errors > 0)


if __name__ == "__main__":
    main()
