#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each file includes files of its own room, and of rooms below it.

usage: rooms.py LIST FILE...
    LIST   a line for each floor, from the ground up, with the rooms of it
    FILE   of the tree: sources of kmod/core, kmod/uapi, bpf and user, and lists of kmod

A room is a folder of user/; user/*.[ch] are the room user. What a build makes has no file:
skeletons of BPF programs and protobuf's code are of the room that their path names.
"""
import os
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include "([^"]+)"')
MADE = re.compile(r'\.skel\.h$|\.pb-c\.h$')
SEARCHED = ("user", "kmod/core", "kmod/uapi", "bpf")


def room_of(path):
    parts = path.split("/")
    if parts[0] == "user":
        return parts[1] if len(parts) > 2 else "user"
    if parts[0] == "kmod":
        return "core" if parts[1] in ("core", "uapi") else "kmod"
    return "bpf"


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


def main():
    floors = read_floors(sys.argv[1])
    files = set(sys.argv[2:])
    arrows, wrong = set(), []
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
            if floors[there] >= floors[here]:
                wrong.append("%s:%d: includes %s, and %s is not below %s" %
                             (path, number, m[1], there, here))
    rooms = {room_of(path) for path in files}
    wrong += ["%s: nothing is in the room %s" % (sys.argv[1], r) for r in sorted(floors) if r not in rooms]
    for w in wrong:
        print("  " + w)
    print("  %d rooms on %d floors, %d arrows" % (len(rooms), len(set(floors.values())), len(arrows)))
    return 1 if wrong else 0


sys.exit(main())
