#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the command lines of ustack in documents against what its -h says.

usage: documents.py PROGRAM FILE...

A command line stands in a document of Markdown in an indented or fenced block, in a manual
page after .Dl or in a literal display. Checked are: the command and its sub-command, each
option, whether it takes an argument, and whether operands are allowed or needed. Between
backticks a command is only mentioned: its arguments may be missing. Nothing is run but
PROGRAM COMMAND -h.

Prints "FILE:LINE: what is wrong: the command" for each error and, last, how many command
lines were checked. Ends with 1 if there was an error.
"""
import re
import shlex
import subprocess
import sys

OPTION = re.compile(r"^ {1,8}(?:(-\w)(?:, +| *$)?)? *(--[a-z0-9-]+)?((?: [A-Z][A-Z]*)*)(?:  .*)?$")
SEPARATORS = {"|", "||", "&&", ";", "&", "(", ")", ">", ">>", "<", "2>", ">&", "<("}


class Help:
    """What PROGRAM NAME -h says."""

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
    text = re.sub(r"\$\([^()]*\)", "SUBSTITUTED", text)
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
    checker = Checker(sys.argv[1])
    checked = errors = 0
    for path in sys.argv[2:]:
        lines = open(path).read().replace("\\\n", " ").split("\n")
        for n, text, mentioned in (markdown if path.endswith(".md") else manual)(lines):
            for words in filter(is_example, commands(text)):
                checked += 1
                wrong = checker.wrong(words, mentioned)
                if wrong:
                    errors += 1
                    print("%s:%d: %s: ustack %s" % (path, n, wrong, " ".join(words)))
    print("%d command lines, %d errors" % (checked, errors))
    sys.exit(errors > 0)


if __name__ == "__main__":
    main()
