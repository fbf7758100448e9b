# SPDX-License-Identifier: GPL-2.0-only
"""The areas that are mutated: their files, the minimum share that must be killed, and the tests."""
import fnmatch

UNIT, KERNEL = "unit", "kernel"

AREAS = {
    # name: (tests, minimum percentage or None, patterns of files, suites of KUnit)
    "core": (UNIT, 85, ["kmod/core/*.c", "kmod/core/*.h"], None),
    "gsym": (UNIT, 85, ["user/formats/gsym/%s.c" % n for n in
                        ("cache", "calls", "expand", "function", "layout", "leb", "library",
                         "line_block", "lines", "lookup", "merged_sites", "open", "section")] +
             ["user/formats/gsym/line_walk.h", "user/formats/gsym/read.h"], None),
    "store": (UNIT, None, ["user/serve/store/*.c", "user/serve/store/*.h"], None),
    "push": (UNIT, None, ["user/serve/push/*.c"], None),
    "http": (UNIT, None, ["user/serve/daemon/http*.c", "user/serve/daemon/request.c", "user/serve/daemon/auth.c",
                          "user/serve/daemon/reply.c", "user/serve/daemon/metrics*.c"], None),
    "space": (KERNEL, None, ["kmod/space*.c"], "ustack_space"),
    "image": (KERNEL, None, ["kmod/image*.c"], "ustack_image"),
    "learn": (KERNEL, None, ["kmod/learn.c", "kmod/jobs.c", "kmod/sights.c"],
              "ustack_learn"),
    "mappings": (KERNEL, None, ["kmod/mappings.c"], "ustack_mappings"),
}
# tables of names, without code
NO_CODE = {"kmod/core/reason.h", "kmod/core/core.h"}


def files(area, names):
    """The files among NAMES that belong to AREA."""
    return sorted(n for n in names if n not in NO_CODE and
                  any(fnmatch.fnmatchcase(n, p) and n.count("/") == p.count("/")
                      for p in AREAS[area][2]))
