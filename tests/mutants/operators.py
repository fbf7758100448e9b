# SPDX-License-Identifier: GPL-2.0-only
"""Makes mutants: a mutant is one small change of one line of C."""
import re

# (pattern, replacement): a comparison, a constant, a condition, a sign, a result
OPERATORS = [
    (r"<=", "<"), (r">=", ">"), (r"(?<![<>-])<(?![<=])", "<="), (r"(?<![>-])>(?![>=])", ">="),
    (r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"),
    (r" \+ (?=[\w(&*])", " - "), (r" - (?=[\w(&*])", " + "), (r" \* (?=[\w(])", " + "),
    (r" / (?=[\w(])", " * "), (r" % (?=[\w(])", " / "),
    (r"(?<!<)<<(?![<=])", ">>"), (r"(?<!>)>>(?![>=])", "<<"),
    (r" \+= ", " -= "), (r" -= ", " += "), (r" \|= ", " &= "), (r" &= ", " |= "),
    (r" & ~", " | "), (r" & (?=[\w(])", " | "), (r" \| (?=[\w(~])", " & "),
    (r" \^ (?=[\w(])", " | "),
    (r"\b(?<!\.)(\d+)(?=u?l{0,2}\b)(?!\s*\])", lambda m: str(int(m[1]) + 1)),
    (r"\b0x([0-9a-f]+)(?=u?l{0,2}\b)", lambda m: hex(int(m[1], 16) ^ 1)),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"!(?=[\w(])", ""),
    (r"\+\+", "--"), (r"(?<!-)--(?!-)", "++"),
    (r"return (?:reason|err|n);", "return 0;"), (r"return (?:-E|USTACK_)[A-Z0-9_]+;", "return 0;"),
    (r"\bcontinue;", "break;"), (r"\bbreak;", "continue;"),
    (r"^(\s+)if \((.*)\)( \{)?$", lambda m: m[1] + "if (0)" + (m[3] or "")),
]
# A whole statement on one line, which is not a declaration and not a jump. Removing a statement
# that frees memory or closes a file would only be noticed by the build of the tests with
# sanitizers.
STATEMENT = re.compile(r"\t+(?!\w*(?:free|release|close)\(|"
                       r"(?:return|goto|else|case|struct|union|enum|static|const|typedef)\b|"
                       r"break;|continue;|#)"
                       r"(?:[*(]*[\w>.\-\[\]()]+ (?:[-+*/|&^]|<<|>>)?= .*|[\w>.\-]+\(.*\)|"
                       r"[\w>.\-\[\]]+(?:\+\+|--)|(?:\+\+|--)[\w>.\-]+);$")
CONSTANT = re.compile(r"#define \w+ \(?(?:0x[0-9a-f]+|\d+)")
IGNORED = re.compile(r"\b(?:_Static_assert|static_assert|assert|likely)\(|__attribute__|\bextern\b")


def blank(line):
    """LINE with the text in quotes replaced, so that no operator is found there."""
    return re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'", lambda m: "\"" * len(m[0]), line)


def code_lines(lines):
    """(number, code, comment after it) of each line that does something: it is indented, or defines a
    constant."""
    inside = False
    for n, line in enumerate(lines):
        s = line.strip()
        if inside or s.startswith(("/*", "*/", "* ", "//")):
            inside = (inside or s.startswith("/*")) and "*/" not in s
            continue
        code = line.split("/*")[0].rstrip()
        inside = "/*" in line and "*/" not in line
        if not code.strip() or IGNORED.search(code):
            continue
        if line.startswith("\t") or CONSTANT.match(code):
            yield n, code, line[len(code):]


def of_line(code):
    """Each other form of one line of code, once."""
    seen = {code}
    shape = blank(code)
    if STATEMENT.fullmatch(shape):
        new = re.match(r"\t+", code)[0] + ";"
        seen.add(new)
        yield new
    for pattern, to in OPERATORS:
        for m in re.finditer(pattern, shape):
            # a match outside of quotes is the same in the real line
            new = code[:m.start()] + (to(m) if callable(to) else m.expand(to)) + code[m.end():]
            if new not in seen:
                seen.add(new)
                yield new


def mutants(text):
    """(line number from 0, new line) of every mutant of a file."""
    lines = text.split("\n")
    for n, code, rest in code_lines(lines):
        for new in of_line(code):
            yield n, new + rest
