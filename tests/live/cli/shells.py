#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Complete command lines in a shell, as if a user pressed Tab.

usage: shells.py bash|zsh|fish CASES

CASES has lines "LINE => WORDS"; the end of the command line LINE is completed. The rest of each
line, from "=>" on, is ignored: the caller compares it with the output.
Bash and zsh run in a terminal of their own with the scripts of scripts/completion, get LINE
and a key that inserts all completions, and then one that hands over the line. fish is asked by
its "complete -C". Printed is each LINE with the words that its last word may become, sorted.
"""
import os
import pty
import select
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "..", "..", "..", "scripts", "completion")
SECONDS = 60

# \C-xa inserts all completions, \C-xp hands over the line
BASH = r"""
. %(scripts)s/ustack.bash
hand_over() { printf '%%s\n' "$READLINE_LINE" >&9; READLINE_LINE=; }
exec 9>%(fifo)s
bind '"\C-xa": insert-completions'
bind -x '"\C-xp": hand_over'
echo >&9
"""
ZSH = r"""
fpath=(%(scripts)s $fpath)
autoload -Uz compinit
compinit -u -D
all() { _main_complete; compstate[insert]=all; compstate[list]= }
zle -C all complete-word all
hand_over() { print -r -- "$BUFFER" >&9; BUFFER= }
zle -N hand_over
bindkey -e
bindkey '^Xa' all
bindkey '^Xp' hand_over
exec 9>%(fifo)s
echo >&9
"""
FISH = r"""
source %(scripts)s/ustack.fish
while read -l line
    echo "line $line"
    complete -C "$line"
end
"""
SHELLS = {
    "bash": (["bash", "--noprofile", "--rcfile"], BASH),
    "zsh": (["zsh", "-d", "-f", "-i"], ZSH),
}


class Terminal:
    """A shell in a terminal, which hands over lines by a FIFO."""

    def __init__(self, shell, folder):
        command, text = SHELLS[shell]
        fifo = os.path.join(folder, "lines")
        text = text % {"scripts": SCRIPTS, "fifo": fifo}
        os.mkfifo(fifo)
        self.fifo = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        self.said = b""
        rc = os.path.join(folder, "rc")
        with open(rc, "w") as f:
            f.write(text)
        if shell == "bash":
            command = command + [rc, "-i"]
        pid, self.terminal = pty.fork()
        if not pid:
            os.environ.update(TERM="xterm", INPUTRC="/dev/null", PS1="$ ")
            os.execvp(command[0], command)
        self.poll = select.poll()
        self.poll.register(self.terminal, select.POLLIN)
        if shell == "zsh":
            self.send(". %s\n" % rc)
        self.line()

    def send(self, text):
        os.write(self.terminal, text.encode())

    def line(self):
        """The next line that is handed over."""
        got = b""
        while not got.endswith(b"\n"):
            # a FIFO that nobody has opened yet is always ready: it is read after the terminal
            for fd, _ in self.poll.poll(SECONDS * 1000) or sys.exit("it hangs: %r" % self.said):
                if fd == self.terminal:
                    self.said = (self.said + os.read(fd, 4096))[-4000:]
                    self.poll.register(self.fifo, select.POLLIN)
                else:
                    part = os.read(self.fifo, 4096)
                    got += part
                    if not part:
                        self.poll.unregister(self.fifo)
        return got.decode()[:-1]

    def complete(self, line):
        self.send(line + "\x18a\x18p")
        return self.line().split()[len((line + "x").split()) - 1:]


def complete_in_fish(lines):
    run = subprocess.run(["fish", "--no-config", "-c", FISH % {"scripts": SCRIPTS}],
                         input="".join(l + "\n" for l in lines), capture_output=True, text=True,
                         timeout=SECONDS)
    sys.stderr.write(run.stderr)
    found = []
    for line in run.stdout.splitlines():
        if line.startswith("line "):
            found.append([])
        else:
            found[-1].append(line.split("\t")[0])
    return found


def main():
    shell, cases = sys.argv[1], sys.argv[2]
    lines = [l.split(" =>")[0] for l in open(cases).read().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        if shell == "fish":
            found = complete_in_fish(lines)
        else:
            terminal = Terminal(shell, folder)
            found = [terminal.complete(line) for line in lines]
    for line, words in zip(lines, found):
        # a typed word without completion stays in the edited line
        words = sorted({w.rstrip("/") for w in words} - {line.split(" ")[-1]})
        print(line + " =>" + "".join(" " + w for w in words))


main()
