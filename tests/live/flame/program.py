# SPDX-License-Identifier: GPL-2.0-only
"""A program with its source, and a profile of it, for a page that shows its instructions."""
import os
import subprocess
import sys

ANNOTATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../judge/annotate")
ODD = "/* </script><script>window.pwned = 3</script> \u202e */"


def annotated_program(ustack, where):
    """Makes tests/judge/annotate/program.c, and a profile of it with given samples. One of its hot
    lines contains text that looks like markup. Return: paths of the profile, the program"""
    to = os.path.join(where, "code")
    os.makedirs(to, exist_ok=True)
    source, path, made, profile = (os.path.join(to, n) for n in ("program.c", "program", "made", "p"))
    with open(os.path.join(ANNOTATE, "program.c")) as f:
        text = f.read()
    with open(source, "w") as f:
        f.write(text.replace("sum += n / i;", "sum += n / i; " + ODD))
    subprocess.run(["gcc", "-O2", "-g", "-Wno-bidi-chars", "-o", path, source], check=True)
    subprocess.run([sys.executable, os.path.join(ANNOTATE, "made.py"), path, made], check=True)
    subprocess.run([ustack, "symbolize", "-q", "-o", profile, made], check=True)
    return profile, path
