#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that each relative path and each make target that a document names exists.

usage: documents.py FILES DOCUMENT...
        FILES lists the files of the tree, one a line. Prints how many names were
        looked up; or prints the missing ones, and returns 1.

A path is the target of a link, or any word that begins with a folder of the tree's
top. A target is a word after "make" in code, and a word of code in the first column of
a table whose head says "target".
"""
import fnmatch
import os
import re
import subprocess
import sys

LINK = re.compile(r'\]\(([^)#\s]+)')
WORD = re.compile(r'(?<![\w/.<>$~{}-])((?:%s)/[\w./+*{},@-]*\w[*}/]?)(?![\w<>$])')
CODE = re.compile(r'`([^`]+)`')
MAKE = re.compile(r'(?:^|[\s;&|(])make((?: +[\w=$().,/-]+)+)')
TARGET = re.compile(r'[a-z][a-z0-9-]*')


def targets():
    """the targets for which make has a rule"""
    listing = subprocess.run(['make', '-pRrqn', 'no-such-target'], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    names = set(re.findall(r'^([a-z][a-z0-9-]*):', listing, re.M))
    if len(names) < 10:
        sys.exit('  make lists only %d targets' % len(names))
    return names


def braces(word):
    """a/{b,c} as a/b and a/c"""
    found = re.search(r'\{([^{}]*)\}', word)
    if not found:
        return [word]
    return [w for part in found[1].split(',')
            for w in braces(word[:found.start()] + part + word[found.end():])]


class Tree:
    def __init__(self, files):
        self.names = set(files)
        for name in files:
            while '/' in name:
                name = name.rsplit('/', 1)[0]
                self.names.add(name)
        self.tops = sorted({n for n in self.names if any(f.startswith(n + '/') for f in files)
                            and '/' not in n})

    def has(self, path):
        path = os.path.normpath(path)
        if '*' in path:
            return bool(fnmatch.filter(self.names, path))
        return path in self.names


def code(lines):
    """(line number, code) of each span and each line of a block"""
    fenced = False
    for n, line in enumerate(lines, 1):
        if line.lstrip().startswith('```'):
            fenced = not fenced
        elif fenced or line.startswith('    '):
            yield n, line.split(' #')[0]
        else:
            for span in CODE.findall(line):
                yield n, span


def first_columns(lines):
    """(line number, cell) of the tables of targets"""
    inside = False
    for n, line in enumerate(lines, 1):
        if not line.startswith('|'):
            inside = False
        elif re.match(r'\| *target', line):
            inside = True
        elif inside:
            yield n, line.split('|')[1]


def paths_of(document, lines, tops):
    word = re.compile(WORD.pattern % '|'.join(map(re.escape, tops)))
    for n, line in enumerate(lines, 1):
        for link in LINK.findall(line):
            if not re.match(r'[a-z]+:', link):
                yield n, os.path.join(os.path.dirname(document), link)
        for path in word.findall(re.sub(r'\]\([^)]*\)', ']', line)):
            for one in braces(path):
                yield n, one


def targets_of(lines):
    for n, text in code(lines):
        for words in MAKE.findall(re.sub(r'"[^"]*"', '', text)):
            for name in words.split():
                if TARGET.fullmatch(name):
                    yield n, name
    for n, cell in first_columns(lines):
        for name in CODE.findall(cell):
            yield n, name.split()[0]


def main():
    tree = Tree(open(sys.argv[1]).read().split('\n'))
    known = targets()
    looked, missing = 0, []
    for document in sys.argv[2:]:
        lines = open(document).read().split('\n')
        for n, path in paths_of(document, lines, tree.tops):
            looked += 1
            if not tree.has(path):
                missing.append('%s:%d: no file %s' % (document, n, path))
        for n, name in targets_of(lines):
            looked += 1
            if not fnmatch.filter(known, name):
                missing.append('%s:%d: make has no target %s' % (document, n, name))
    for one in missing:
        print('  ' + one)
    if not missing:
        print(looked)
    return 1 if missing else 0


sys.exit(main())
