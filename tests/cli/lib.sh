# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# For tests/cli/NN-*.sh. $T is a directory of their own, $golden the samples.
#
#	run CMD...		runs it; $rc, $T/out and $T/err are the result
#	check NAME CMD...	one test: passes if CMD succeeds
#	status N NAME		one test: the last run ended with N
#	out REGEX NAME		one test: a line of its stdout matches
#	err REGEX NAME		one test: a line of its stderr matches
#	no_out NAME, no_err NAME	one test: it printed nothing there
#
# What is ended by a signal runs under timeout --foreground: else timeout sends SIGCONT
# too, and that undoes the SIGSTOP by which LeakSanitizer stops a process that ends.
# Sanitized, the program hung for ever then, in 1 of 30 runs.

passed=0
failed=0
rc=0

run()
{
	"$@" >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}

# The program with a stand-in for the device, and how that behaves.
fake()
{
	run env LD_PRELOAD="$CLI_BUILD/fake_device.so" FAKE_IMAGES="$T/images" \
		FAKE_LOG="$T/log" "$@"
}

explain()
{
	echo "FAILED: $section: $1"
	echo "  last run: status $rc"
	sed -n '1,5s/^/  stdout: /p' "$T/out"
	sed -n '1,5s/^/  stderr: /p' "$T/err"
}

check()
{
	local name=$1

	shift
	if "$@" >/dev/null 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		explain "$name"
	fi
}

status() { check "$2: status $1" [ "$rc" -eq "$1" ]; }
out() { check "$2: stdout /$1/" grep -Eq -- "$1" "$T/out"; }
err() { check "$2: stderr /$1/" grep -Eq -- "$1" "$T/err"; }
no_out() { check "$1: no stdout" [ ! -s "$T/out" ]; }
no_err() { check "$1: no stderr" [ ! -s "$T/err" ]; }
lines() { check "$2: $1 lines" [ "$(wc -l <"$T/out")" -eq "$1" ]; }

# A complaint about the command line: one line and the hint, status 2.
bad_usage()
{
	local name="bad usage: $*"

	run "$USTACK" "$@"
	status 2 "$name"
	no_out "$name"
	check "$name: one line and a hint" [ "$(wc -l <"$T/err")" -eq 2 ]
	err "^try 'ustack.* -h'$" "$name"
}

# Evaluate a Python expression on the JSON documents $d, one for each line.
json()
{
	python3 -c '
import json, sys
d = [json.loads(l) for l in open(sys.argv[1])]
sys.exit(not eval(sys.argv[2]))' "$T/out" "$1"
}
