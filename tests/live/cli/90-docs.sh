# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Checks the manual pages: every command has one, and page, -h and completion agree. Pages have the
# sections that a reader expects, and the pages, variables, module parameters and reasons that they name exist.
checks 1058

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

has_section() { grep -Fqx ".Sh $2" "$1"; }

# Names in the environment that the program looks at, one a line
variables()
{
	local name

	for name in $(grep -rhoE '\bgetenv\([^)]*' user | sed 's/getenv(//' | sort -u); do
		case $name in
		\"*) echo "${name//\"/}" ;;
		*) grep -rhoE "#define $name \"[A-Z_]+\"" user | sed 's/.* "\(.*\)"/\1/' ;;
		esac
	done
	# ncurses reads these
	echo TERM
}

# The names of a page's list of variables
listed_variables()
{
	sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh [^E]/s/^\.It Ev //p' "$1" | tr -d ' ' | tr , '\n'
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

need mandoc
variables | sort -u >"$T/variables"
check "there are variables" [ "$(wc -l <"$T/variables")" -ge 10 ]
check "ustack.1 lists the variables that the program looks at, and no others" \
	diff "$T/variables" <(listed_variables $man/ustack.1 | sort)
for file in "$man"/*.[1-8]; do
	name=$(basename "$file")
	chapter=${name##*.}
	page=${name%.*}
	check "$name: names itself" grep -Fqx ".Dt ${page^^} $chapter" "$file"
	for other in $(sed -n 's/^\.\(It \)\{0,1\}Xr \(ustack[a-z.-]*\) \([1-8]\).*/\2.\3/p' "$file"); do
		check "$name: $other exists" [ -f "$man/$other" ]
	done
	for other in $(listed_variables "$file"); do
		check "$name: $other is looked at" grep -Fqx "$other" "$T/variables"
	done
	check "$name: has examples" has_section "$file" EXAMPLES
	[ "$chapter" != 1 ] || check "$name: has an exit status" has_section "$file" "EXIT STATUS"
	check "$name: groff has nothing to say" bash -c \
		"[ -z \"\$(groff -mdoc -ww -Tutf8 '$file' 2>&1 >/dev/null)\" ]"
	run mandoc -T lint -W warning "$file"
	status 0 "$name: mandoc has nothing to say"
done

# a list of "NAME<TAB>sentence"
reasons_of_page() { awk '/^\.It Dv / { name = $3; getline; print name "\t" $0 }' "$1"; }
check "ustack.7 has all reasons, in their words" diff \
	<(sed -n 's/^USTACK_REASON([0-9]*, \([A-Z_]*\), "\(.*\)")$/\1\t\2/p' kmod/core/reason.def | grep -v '^OK') \
	<(reasons_of_page $man/ustack.7)
check "ustack-module.8 has all parameters of the module" diff \
	<(sed -n 's/^module_param\(_named\|_cb\)\{0,1\}(\([a-z_]*\),.*/\2/p' kmod/main.c | sort) \
	<(sed -n '/^\.Sh PARAMETERS/,/^\.Sh FILES/s/^\.It Ic //p' $man/ustack-module.8)
