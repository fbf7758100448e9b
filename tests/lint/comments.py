#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the comments of C files.

usage: comments.py FILE...

A file has an opening comment, directly after its licence. No sentence begins with a bare Of,
What, Which, Who or Whose, unless it is a question. What is said of a field or a parameter
("@name: ...") does not begin with a pronoun or with "of". Prints "FILE:LINE: why" for each that
does; the exit status is 1 then.
"""
import re
import sys

# strings are matched first, so that what looks like a comment in one is none
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
LICENCE = re.compile(r'\s*(?://|/\*) (?:SPDX-License-Identifier:|Copyright)[^\n]*\n')
BARE = re.compile(r'(?:Of|What|Which|Who|Whose)\b')
FIELD = re.compile(r'@[\w.\[\]>-]+:\s+')
PRONOUN = re.compile(FIELD.pattern + r'(?:of|that|which|whose|who|it|its|they|theirs|these|those)\b')
SENTENCE = re.compile(r'(?<=[.:;?])\s+(?=[A-Z@])|\0')


def comments(text):
    """(line, lines of its text) for each block comment of TEXT but licences"""
    for match in TOKEN.finditer(text):
        comment = match.group()
        if not comment.startswith('/*') or 'SPDX-License-Identifier' in comment:
            continue
        lines = re.sub(r'^/\*+|\*/$', '', comment).split('\n')
        yield (text.count('\n', 0, match.start()) + 1,
               [re.sub(r'^\s*\*(?: |$)?', '', line).strip() for line in lines])


def faults(text):
    """(line, why) for each fault of the file TEXT"""
    start = 0
    while match := LICENCE.match(text, start):
        start = match.end()
    rest = text[start:].lstrip()
    if rest and not rest.startswith('/*'):
        yield text.count('\n', 0, start) + 1, 'no opening comment'
    for line, words in comments(text):
        for offset, part in enumerate(words):
            if PRONOUN.match(part):
                yield line + offset, f'says of what, but not what it is: {part[:60]}'
        # an empty line ends a sentence, too
        for sentence in SENTENCE.split(' '.join(part or '\0' for part in words)):
            sentence = FIELD.sub('', sentence.strip())
            if BARE.match(sentence) and not sentence.endswith('?'):
                yield line, f'a sentence without a subject: {sentence[:60]}'


def main(paths):
    bad = 0
    for path in paths:
        with open(path, encoding='utf-8', errors='replace') as f:
            for line, why in faults(f.read()):
                print(f'  {path}:{line}: {why}')
                bad = 1
    return bad


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
