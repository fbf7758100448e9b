# SPDX-License-Identifier: GPL-2.0-only
"""Finds which functions and macros of headers an object uses.

Nearly each unit test includes the core's headers, and uses little of them. An object that has
not inlined a function is the same for all mutants of that function: the debug information names a
function that was inlined, also if nothing of its code is left, but none that was not used. The
preprocessor lists the macros that it has expanded.
"""
import os
import re
import subprocess


def functions_of(obj):
    """The names of all functions in OBJ's debug information."""
    got = subprocess.run(["readelf", "--wide", "--debug-dump=info", obj],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
    names, is_function = set(), False
    for line in got.stdout.split("\n"):
        if "(DW_TAG_" in line:
            is_function = "(DW_TAG_subprogram)" in line
        name = re.search(r"DW_AT_name +: (?:\(.*\): )?(\w+)", line)
        if name and is_function:
            names.add(name[1])
    return names


def function_at(text, line):
    """The name of the function that has LINE, a number from 0; None if none has it, as for a macro
    and a field of a struct."""
    lines = text.split("\n")
    first = next((n for n in range(line, -1, -1) if lines[n][:1] in ("{", "}")), None)
    if first is None or lines[first] != "{":
        return None
    head = "\n".join(lines[:first]).rpartition("\n\n")[2]
    head = re.sub(r"/\*.*?\*/|__attribute__\(\(.*?\)\)", "", head, flags=re.S)
    name = re.search(r"(\w+)\(", head)
    return name and name[1]


def macros_of(command, tree):
    """The names of all macros that are expanded, or asked for, when COMMAND compiles an object."""
    cmd = [w for w in command if w != "-c"]
    at = cmd.index("-o")
    got = subprocess.run(cmd[:at] + cmd[at + 2:] + ["-E", "-dU"], cwd=tree,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return set(re.findall(r"^#(?:define|undef) (\w+)", got.stdout, re.M))


def macro_at(text, line):
    """The name of the macro that is defined in LINE, a number from 0; None if none is."""
    lines = text.split("\n")
    while line and lines[line - 1].endswith("\\"):
        line -= 1
    name = re.match(r"#\s*define\s+(\w+)", lines[line])
    return name and name[1]


class Inlined:
    """The same for all objects of a build, each read when it is needed. COMPILES: object ->
    (source, command)"""

    def __init__(self, tree, compiles):
        self.tree, self.compiles = tree, compiles
        self.functions, self.macros = {}, {}

    def names(self, obj, of_macros):
        if of_macros and obj not in self.macros:
            self.macros[obj] = macros_of(self.compiles[obj][1], self.tree)
        if not of_macros and obj not in self.functions:
            self.functions[obj] = functions_of(os.path.join(self.tree, obj))
        return self.macros[obj] if of_macros else self.functions[obj]

    def may_change(self, obj, header, line):
        """Whether OBJ may change with HEADER's LINE, a number from 0."""
        text = open(os.path.join(self.tree, header)).read()
        macro = macro_at(text, line)
        name = macro or function_at(text, line)
        names = self.names(obj, macro) if name else ()
        # without any name there is no debug information
        return not names or name in names
