# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Functions for tests/live/cli/NN-*.sh. $T is a folder of the section, $golden that of the samples.
#
#	checks N		the minimum of checks that the section makes, also those that need
#				root, so that no check is lost unnoticed
#	run CMD...		runs a command; $rc, $T/out and $T/err are the result
#	check NAME CMD...	one test: passes if CMD succeeds
#	status N NAME		one test: the last run ended with N
#	out REGEX NAME		one test: a line of its stdout matches
#	err REGEX NAME		one test: a line of its stderr matches
#	no_out NAME, no_err NAME	one test: it printed nothing there
#	skips N NAME REASON	N tests that this machine cannot make
#
# The other functions are those of tests/lib/check.sh.
#
# A program that a signal ends is run under timeout --foreground. Otherwise timeout also sends
# SIGCONT, which undoes the SIGSTOP by which LeakSanitizer stops a process that ends: the
# program with sanitizers then hung in 1 of 30 runs.

rc=0
# shellcheck source=tests/lib/check.sh
. tests/lib/check.sh

checks() { least=$1; }

# One section: it is whole, it ends with the status 0, and it makes the checks that it says.
section()
{
	local before least=0 made

	section=${1##*/}
	before=$((checks_passed + checks_failed + checks_skipped))
	: >"$T/out"
	: >"$T/err"
	if ! bash -n "$1"; then
		fail "$section: it cannot be read"
		return
	fi
	# shellcheck disable=SC1090
	. "$1" || fail "$section: its last command failed"
	made=$((checks_passed + checks_failed + checks_skipped - before))
	[ "$least" -gt 0 ] || fail "$section: it does not say how many checks it makes" "these are $made"
	[ "$made" -ge "$least" ] || fail "$section: $made of $least checks were made"
}

# usage: skips N NAME REASON
skips()
{
	skip "$section: $2 ($1 checks)" "$3"
	checks_skipped=$((checks_skipped + $1 - 1))
}

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

check()
{
	local name=$1 said

	shift
	if "$@" >/dev/null 2>&1; then
		pass
		return
	fi
	mapfile -t said < <(sed -n '1,5s/^/stdout: /p' "$T/out"; sed -n '1,5s/^/stderr: /p' "$T/err")
	fail "$section: $name" "last run: status $rc" "${said[@]}"
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
