# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Functions for tests on a terminal of tmux. It is sourced with $ustack and $checks_name set; it sets $dir,
# and caches for these tests only.

# shellcheck source=tests/lib/check.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/check.sh"
# shellcheck source=tests/lib/time.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/time.sh"
dir=$(mktemp -d)
export XDG_CACHE_HOME=$dir/symbols USTACK_SFRAME_CACHE=$dir/tables
server=0
# seconds; the limit is reached only by a test that hangs
hang=120
mux() { TMUX='' tmux -S "$dir/socket$server" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null || :; rm -rf "$dir"' EXIT

# usage: wrong NAME: fails a check, and shows the screen
wrong()
{
	fail "$1" "$(cat "$dir/screen")"
}

screen() { mux capture-pane -p "$@" >"$dir/screen"; }

# usage: shows REGEX [CAPTURE OPTION]: succeeds if a line of the screen matches
shows()
{
	screen "${@:2}"
	grep -Eq -- "$1" "$dir/screen"
}

# usage: expect REGEX NAME [CAPTURE OPTION]: waits until a line matches
expect()
{
	if until_true shows "$1" "${@:3}"; then
		pass "$2"
	else
		wrong "$2: no line /$1/"
	fi
}

keys() { mux send-keys "$@"; }

# Starts another server, because one that was killed may still be going away.
another()
{
	mux kill-server 2>/dev/null || :
	server=$((server + 1))
	rm -f "$dir/before" "$dir/after"
}

# The settings of the terminal, without its size: a test may change that at any moment.
settings='stty -a | sed "s/rows [0-9]*; columns [0-9]*; //"'

# usage: begin [VARIABLE=VALUE...] ARGUMENT...: runs it in a shell, which then prints its status
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
		"trap : INT; $settings >'$dir/before'; sh -c '. \"$dir/command\"'; echo ended \$?; $settings >'$dir/after'; sleep 6000"
}

# usage: ended STATUS NAME: checks the status, and that the terminal is restored
ended()
{
	expect "^ended $1\$" "$2"
	until_true [ -s "$dir/after" ] || :
	check "$2: the terminal's settings" diff "$dir/before" "$dir/after"
	check "$2: the screen is the shell's" \
		[ "$(mux display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}

# prints the pid of the program in the pane
program()
{
	local pid

	pid=$(mux display-message -p '#{pane_pid}')
	pgrep -s "$pid" -x ustack
}
