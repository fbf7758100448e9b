#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks comments: of C, Python, and files whose comments begin with "#" (shell, make, yaml, units).

usage: comments.py FILE...

No sentence begins with a bare Of, What, Which, Who or Whose, unless it is a question. A file of C has
an opening comment, directly after its licence, and the text of a field or a parameter ("@name: ...")
does not begin with a pronoun or with "of". Prints "FILE:LINE: why" for each fault; the exit status is
1 then.
"""
import ast
import io
import re
import sys
import tokenize

# strings are matched first, so that text in a string is not taken for a comment
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
LICENCE = re.compile(r'\s*(?://|/\*) (?:SPDX-License-Identifier:|Copyright)[^\n]*\n')
# a comment in a line of its own
HASH = re.compile(r'\s*#+(?!!)(.*)')
# lines for tools; like an empty line they end a sentence
DIRECTIVE = re.compile(r'!.*| (?:SPDX-License-Identifier:|shellcheck |pylint: |noqa: ).*')
BARE = re.compile(r'(?:Of|What|Which|Who|Whose)\b')
FIELD = re.compile(r'@[\w.\[\]>-]+:\s+')
PRONOUN = re.compile(FIELD.pattern + r'(?:of|that|which|whose|who|it|its|they|theirs|these|those)\b')
SENTENCE = re.compile(r'(?<=[.:;?])\s+(?=[A-Z@])|\0')


def c_comments(text):
    """(line, lines of its text) for each block comment of TEXT except licences"""
    for match in TOKEN.finditer(text):
        comment = match.group()
        if not comment.startswith('/*') or 'SPDX-License-Identifier' in comment:
            continue
        lines = re.sub(r'^/\*+|\*/$', '', comment).split('\n')
        yield (text.count('\n', 0, match.start()) + 1,
               [re.sub(r'^\s*\*(?: |$)?', '', line).strip() for line in lines])


def blocks(numbered):
    """(line, lines) for each run of comments in adjacent lines; NUMBERED has (line, text)"""
    first, lines = 0, []
    for number, text in numbered:
        if lines and number != first + len(lines):
            yield first, lines
            lines = []
        if not lines:
            first = number
        lines.append(text.strip())
    if lines:
        yield first, lines


def hash_comments(text):
    """the same for files in which "#" begins a comment, for lines without anything else"""
    found = ((number, HASH.match(line)) for number, line in enumerate(text.split('\n'), 1))
    return blocks((number, DIRECTIVE.sub('', match.group(1))) for number, match in found if match)


def python_comments(text):
    """the same for Python, with docstrings"""
    try:
        tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return  # lint python reports it
    yield from blocks((token.start[0], DIRECTIVE.sub('', token.string.lstrip('#'))) for token in tokens
                      if token.type == tokenize.COMMENT)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[0] if node.body else None
            if ast.get_docstring(node) is not None:
                yield body.lineno, [line.strip() for line in body.value.value.split('\n')]


def c_faults(text):
    """(line, why) for each fault that only a file of C can have"""
    start = 0
    while match := LICENCE.match(text, start):
        start = match.end()
    rest = text[start:].lstrip()
    if rest and not rest.startswith('/*'):
        yield text.count('\n', 0, start) + 1, 'no opening comment'
    for line, words in c_comments(text):
        for offset, part in enumerate(words):
            if PRONOUN.match(part):
                yield line + offset, f'says of what, but not what it is: {part[:60]}'


def bare(comments):
    """(line, why) for each sentence of COMMENTS that has no subject"""
    for line, words in comments:
        # an empty line ends a sentence, too
        for sentence in SENTENCE.split(' '.join(part or '\0' for part in words)):
            sentence = FIELD.sub('', sentence.strip())
            if BARE.match(sentence) and not sentence.endswith('?'):
                yield line, f'a sentence without a subject: {sentence[:60]}'


def faults(path, text):
    """(line, why) for each fault of the file TEXT"""
    if re.search(r'\.[ch]$', path):
        yield from c_faults(text)
        yield from bare(c_comments(text))
    elif path.endswith('.py') or re.match(r'#!.*python3', text):
        yield from bare(python_comments(text))
    else:
        yield from bare(hash_comments(text))


def main(paths):
    bad = 0
    for path in paths:
        with open(path, encoding='utf-8', errors='replace') as f:
            for line, why in faults(path, f.read()):
                print(f'  {path}:{line}: {why}')
                bad = 1
    return bad


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
