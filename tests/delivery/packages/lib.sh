# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Helpers of the tests of packages. Sourced in the tree's top folder after tests/lib/check.sh, with
# T set to a folder of the test.

# usage: tree DIR  makes a copy of the files that git knows, with changes that are not committed
tree()
{
	mkdir -p "$1"
	git ls-files -z | while IFS= read -r -d '' file; do
		[ ! -e "$file" ] || printf '%s\0' "$file"
	done | tar -c --null --no-recursion -T - | tar -x -C "$1"
}

# usage: quietly NAME COMMAND...	a check whose output is shown if it fails
quietly()
{
	local name=$1

	shift
	if "$@" >"$T/log" 2>&1; then
		pass "$name"
	else
		fail "$name" "$(tail -n 40 "$T/log")"
		return 1
	fi
}

# usage: no_line PATTERN FILE...  checks that no line matches; lines that match are printed
no_line() { ! grep -E "$@"; }

# usage: tools_without DIR PATTERN	links to this machine's programs, except those that match
tools_without()
{
	local file

	mkdir -p "$1"
	for file in /usr/bin/* /usr/sbin/*; do
		[[ ${file##*/} =~ ^($2)$ ]] || ln -sf "$file" "$1/${file##*/}"
	done
}
