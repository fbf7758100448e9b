# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Every command has a page, and page, -h and completion agree.
checks 711

man=Documentation/man

# the commands of a list, as "name<TAB>summary"
commands() { sed -n 's/^    \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p' "$T/out"; }

# an option a line: "-i --interval SECONDS"
options_of_help()
{
	sed -n 's/^    \{1,8\}\(-[A-Za-z]\)\{0,1\},\{0,1\} *\(--[a-z0-9-]*\)\(\( [A-Z][A-Z]*\)*\)\(  .*\)\{0,1\}$/\1 \2\3/p' "$T/out" |
		sed 's/^ //' | sort
}

options_of_page()
{
	sed -n 's/^\.It Fl //p' "$1" | sed 's/ , Fl / -/; s/ Ar / /; s/^/-/' | sort
}

# usage: page COMMAND SUMMARY
page()
{
	local file=$man/ustack-${1// /-}.1 parent=ustack

	check "$1: has a page" [ -f "$file" ]
	check "$1: the page's summary is the list's" grep -Fqx ".Nd $2" "$file"
	[ "$1" = "${1% *}" ] || parent=ustack-${1% *}
	check "$1: stands in $parent.1" bash -c \
		"grep -Fx -A1 '.It Xr ustack-${1// /-} 1' $man/$parent.1 | grep -Fqx \"\$1\"" _ "$2"
	# shellcheck disable=SC2086
	check "$1: completion knows it" grep -Fqx "${1##* }	$2" <("$USTACK" --complete-words $1)
}

# usage: leaf COMMAND
leaf()
{
	local file=$man/ustack-${1// /-}.1

	# shellcheck disable=SC2086
	run "$USTACK" $1 -h
	status 0 "$1 -h"
	no_err "$1 -h"
	check "$1: options of page and -h agree" \
		diff <(options_of_help) <(options_of_page "$file")
	# shellcheck disable=SC2086
	check "$1: completion has its options" diff <(options_of_help | grep -o -- '--[a-z0-9-]*' | sort) \
		<("$USTACK" --complete-words $1 -- | cut -f 1 | sort)
	check "$1 -h: fits 80 columns" bash -c "! grep -q '.\{81\}' '$T/out'"
}

run "$USTACK" -h
commands >"$T/commands"
check "there are commands" [ "$(wc -l <"$T/commands")" -ge 8 ]
while IFS=$'\t' read -r name summary; do
	page "$name" "$summary"
	run "$USTACK" "$name" -h
	if grep -q "^usage: ustack $name COMMAND" "$T/out"; then
		commands >"$T/sub"
		while IFS=$'\t' read -r sub subsummary; do
			page "$name $sub" "$subsummary"
			leaf "$name $sub"
		done <"$T/sub"
	elif [ "$name" != help ]; then
		leaf "$name"
	fi
done <"$T/commands"

for file in "$man"/*.1; do
	name=$(basename "$file" .1)
	check "$name.1: names itself" grep -Fqx ".Dt ${name^^} 1" "$file"
	for other in $(sed -n 's/^\.\(It \)\{0,1\}Xr \(ustack[a-z-]*\) 1.*/\2/p' "$file"); do
		check "$name.1: $other.1 exists" [ -f "$man/$other.1" ]
	done
	check "$name.1: groff has nothing to say" bash -c \
		"[ -z \"\$(groff -mdoc -ww -Tutf8 '$file' 2>&1 >/dev/null)\" ]"
done
