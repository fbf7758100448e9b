# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Results of a test in shell: see tests/lib/README. Source it, then
#
#	check NAME COMMAND...	one check: passes if the command succeeds
#	pass NAME		a check that has passed
#	fail NAME [WHY...]	a check that has failed; each WHY is a line below it
#	skip NAME REASON	a check that this machine cannot make
#	need TOOL...		a check for each: the tool is there (deps.sh installs it)
#	finish [LEAST]		prints the line of results; status 1 if a check failed, or if
#				fewer than LEAST (1) checks were made or skipped
#
# checks_name is the name in the line of results, $0's folder and name by default.

checks_name=${checks_name-$(basename "$(dirname "$0")")/${0##*/}}
checks_passed=0
checks_failed=0
checks_skipped=0

pass()
{
	checks_passed=$((checks_passed + 1))
}

fail()
{
	local name=$1

	shift
	checks_failed=$((checks_failed + 1))
	echo "FAILED: $name"
	[ $# -eq 0 ] || printf '    %s\n' "$@"
}

skip()
{
	checks_skipped=$((checks_skipped + 1))
	echo "skip: $1: $2"
}

check()
{
	local name=$1

	shift
	if "$@"; then
		pass "$name"
	else
		fail "$name"
	fi
}

need()
{
	local tool

	for tool; do
		check "$tool is installed" eval 'command -v "$tool" >/dev/null'
	done
}

finish()
{
	local made=$((checks_passed + checks_failed + checks_skipped))

	[ "$made" -ge "${1-1}" ] || fail "at least ${1-1} checks" "$made were made"
	echo "$checks_name: $checks_passed passed, $checks_failed failed, $checks_skipped skipped"
	[ "$checks_failed" -eq 0 ]
}
