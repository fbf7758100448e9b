# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154
# What tests on a terminal of tmux share. Sourced with $ustack set; $dir is theirs.

dir=$(mktemp -d)
failed=0
n=0
server=0
mux() { TMUX='' tmux -S "$dir/socket$server" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null || :; rm -rf "$dir"' EXIT
fail()
{
	echo "FAILED: $1" >&2
	sed 's/^/  screen: /' "$dir/screen" >&2
	failed=1
}

screen() { mux capture-pane -p "$@" >"$dir/screen"; }

# usage: expect REGEX NAME [CAPTURE OPTION]: within five seconds a line matches
expect()
{
	local i

	for i in $(seq 100); do
		screen "${@:3}"
		grep -Eq -- "$1" "$dir/screen" && { n=$((n + 1)); return; }
		sleep 0.05
	done
	fail "$2: no line /$1/"
}

keys() { mux send-keys "$@"; }

# One that has been killed may still be going away.
another()
{
	mux kill-server 2>/dev/null || :
	server=$((server + 1))
	rm -f "$dir/before" "$dir/after"
}

# usage: begin [VARIABLE=VALUE...] ARGUMENT...: a shell that runs it, then says how it ended
begin()
{
	local vars=()

	while [[ $1 == *=* ]]; do
		vars+=("$1")
		shift
	done
	another
	printf '%q ' exec env LC_ALL=C.UTF-8 "${vars[@]}" "$ustack" "$@" >"$dir/command"
	mux new-session -d -x 90 -y 20 \
		"trap : INT; stty -a >'$dir/before'; sh -c '. \"$dir/command\"'; echo ended \$?; stty -a >'$dir/after'; sleep 60"
}

# usage: ended STATUS NAME: the terminal is as it was
ended()
{
	expect "^ended $1\$" "$2"
	for _ in $(seq 100); do
		[ -s "$dir/after" ] && break
		sleep 0.05
	done
	diff "$dir/before" "$dir/after" >&2 || fail "$2: the terminal's settings"
	[ "$(mux display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ] ||
		fail "$2: the screen is not the shell's"
}

# the pid of the program that the pane shows
program()
{
	local pid

	pid=$(mux display-message -p '#{pane_pid}')
	pgrep -s "$pid" -x ustack
}

