#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that each file includes only files of its own room and of lower rooms, that each room
has a README, that the layers of the rooms use those that the document lists, and that no layers
form a circle.

usage: rooms.py LIST DOCUMENT FILE...
    LIST   a line for each floor, from the lowest one up, with its rooms
    DOCUMENT   has a table of layers: | `layer` | what it is | may use | may be used by |
    FILE   of the tree: sources of kmod/core, kmod/uapi, bpf and user, and lists of kmod;
           README files; and unit tests, whose folder names the layer that they test

A room is a folder of user/ with sources, such as host/process; user/*.[ch] are the room user. Its
layer is the first part of its name, and cmd for user. Headers that a build generates are not files of
the tree: skeletons of BPF programs and protobuf's code belong to the room that their path names.

The README of a room is short, and names each header that another room includes: with its name
alone, without the room's. Such a header is public. A README names no header that is not there.
"""
import glob
import os
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include "([^"]+)"')
MADE = re.compile(r'\.skel\.h$|\.pb-c\.h$')
SEARCHED = ("user", "kmod/core", "kmod/uapi", "bpf")
# A header that a README names; "walk_*.h" stands for several. Not <linux/types.h>
HEADER = re.compile(r'(?<![\w./*<-])[\w*-][\w./*-]*\.(?:h|def)\b')
MOST_LINES = 25
LAYER = re.compile(r'^\| `(\w+)` \|.*\| ([^|]*) \| ([^|]*) \|$')


def room_of(path):
    parts = path.split("/")
    if parts[0] == "user":
        return "/".join(parts[1:-1]) or "user"
    if parts[0] == "kmod":
        return "core" if parts[1] in ("core", "uapi") else "kmod"
    return "bpf"


def layer_of(room):
    return {"user": "cmd", "kmod": "core"}.get(room, room.split("/")[0])


def floors_of(layers, arrows):
    """The number of floors of the layers, from the bottom up, or None if they have a circle."""
    below = {layer: {b for a, b in arrows if a == layer} for layer in layers}
    floors = 0
    while below:
        lowest = {layer for layer, others in below.items() if not others & below.keys()}
        if not lowest:
            return None
        below = {layer: others for layer, others in below.items() if layer not in lowest}
        floors += 1
    return floors


def check_layers(document, arrows):
    """Errors in the document's table. ARROWS: {(layer, layer that it uses): where}"""
    wrong, uses, used = [], set(), set()
    with open(document) as f:
        for row in filter(None, map(LAYER.match, f)):
            uses |= {(row[1], other) for other in row[2].split(", ") if other != "none"}
            used |= {(other, row[1]) for other in row[3].split(", ") if other != "none"}
    for pair in sorted(arrows.keys() - uses):
        wrong.append("%s: %s uses %s, which %s does not allow" % ((arrows[pair],) + pair + (document,)))
    for pair in sorted(uses - arrows.keys()):
        wrong.append("%s: %s uses %s nowhere" % ((document,) + pair))
    for pair in sorted(uses ^ used):
        wrong.append("%s: only one of the rows of %s and %s has both" % ((document,) + pair))
    return wrong


def below(layer, arrows):
    """The layers that LAYER uses, and all that these use."""
    reached, left = set(), [layer]
    while left:
        layer = left.pop()
        more = {b for a, b in arrows if a == layer} - reached
        reached |= more
        left += more
    return reached


def check_test(path, files, layers, arrows):
    """Errors in a unit test, which may include only files of its layer and of those below it."""
    layer, wrong = path.split("/")[2], []
    if layer not in layers:
        return ["%s: there is no layer %s" % (path, layer)]
    allowed = below(layer, arrows) | {layer, "core"}
    with open(path, errors="replace") as f:
        for number, line in enumerate(f, 1):
            m = INCLUDE.match(line)
            target = m and found(path, m[1], files)
            if target and layer_of(room_of(target)) not in allowed:
                wrong.append("%s:%d: a test of %s includes %s" % (path, number, layer, target))
    return wrong


def read_floors(path):
    """{room: floor}"""
    floors = {}
    number = 0
    with open(path) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                for room in line.split():
                    if room in floors:
                        sys.exit("  %s: %s is there twice" % (path, room))
                    floors[room] = number
                number += 1
    return floors


def found(path, name, files):
    """The file that PATH includes as NAME, or None."""
    for folder in (os.path.dirname(path),) + SEARCHED:
        candidate = os.path.normpath(os.path.join(folder, name))
        if candidate in files:
            return candidate
    return None


def folder_of(room):
    return "user" if room == "user" else "user/" + room


def check_readme(room, files, included):
    """Errors in the README of a room. INCLUDED: {header: where another room includes it}"""
    path = folder_of(room) + "/README"
    if path not in files:
        return ["%s: the room has no README" % path]
    with open(path) as f:
        lines = f.readlines()
    wrong, named = [], set()
    if len(lines) > MOST_LINES:
        wrong.append("%s: %d lines, more than %d" % (path, len(lines), MOST_LINES))
    for number, line in enumerate(lines, 1):
        for name in HEADER.findall(line):
            named.add(name)
            # a header of this room, or with a folder before its name
            folders = ("user", "kmod", "kmod/core", "") if "/" in name else (folder_of(room),)
            if not any(glob.glob(os.path.join(folder, name)) for folder in folders):
                wrong.append("%s:%d: there is no %s" % (path, number, name))
    for header, where in sorted(included.items()):
        name = os.path.relpath(header, folder_of(room))
        if name not in named:
            wrong.append("%s: does not name %s, which %s includes" % (path, name, where))
    return wrong


def main():
    floors = read_floors(sys.argv[1])
    readmes = {path for path in sys.argv[3:] if os.path.basename(path) == "README"}
    tests = {path for path in sys.argv[3:] if path.startswith("tests/unit/")}
    files = set(sys.argv[3:]) - readmes - tests
    arrows, between, wrong, included = set(), {}, [], {}
    for path in sorted(files):
        here = room_of(path)
        if here not in floors:
            wrong.append("%s: %s has no room of this name" % (path, sys.argv[1]))
            continue
        for number, line in enumerate(open(path, errors="replace"), 1):
            m = INCLUDE.match(line)
            if not m:
                continue
            target = found(path, m[1], files)
            if not target:
                if not MADE.search(m[1]):
                    wrong.append("%s:%d: there is no %s" % (path, number, m[1]))
                continue
            there = room_of(target)
            if there == here or there not in floors:
                continue
            arrows.add((here, there))
            if layer_of(here) != layer_of(there):
                between.setdefault((layer_of(here), layer_of(there)), "%s:%d" % (path, number))
            included.setdefault(there, {}).setdefault(target, "%s:%d" % (path, number))
            if floors[there] >= floors[here]:
                wrong.append("%s:%d: includes %s, and %s is not below %s" %
                             (path, number, m[1], there, here))
    rooms = {room_of(path) for path in files}
    wrong += ["%s: nothing is in the room %s" % (sys.argv[1], r) for r in sorted(floors) if r not in rooms]
    for room in sorted({room_of(path) for path in files if path.startswith("user/")}):
        wrong += check_readme(room, readmes, included.get(room, {}))
    layers = {layer_of(room) for room in rooms}
    wrong += check_layers(sys.argv[2], between)
    for path in sorted(tests):
        wrong += check_test(path, files, layers, between)
    height = floors_of(layers, between)
    if not height:
        wrong.append("%s: the layers have a circle" % sys.argv[2])
    for w in wrong:
        print("  " + w)
    print("  %d layers on %s floors, %d arrows" % (len(layers), height, len(between)))
    print("  %d rooms on %d floors, %d arrows" % (len(rooms), len(set(floors.values())), len(arrows)))
    return 1 if wrong else 0


sys.exit(main())
