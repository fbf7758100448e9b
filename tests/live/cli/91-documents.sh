# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Every command line in README, documents and pages must be accepted by the program: it is compared with
# the help, and run in an empty folder, where the files that it names do not exist.
checks 22

documents()
{
	local how=()

	[ "$1" != --run ] || { how=("$1"); shift; }
	run tests/live/cli/documents.py "${how[@]}" "$USTACK" "$@"
}

# usage: wrong WHAT LINE: a document with this command is refused, and says why
wrong()
{
	printf 'Text.\n\n    %s\n' "$2" >"$T/wrong.md"
	documents "$T/wrong.md"
	status 1 "$1"
	out "^$T/wrong.md:3: $1: ustack " "$1"
}

documents --run README.md CONTRIBUTING.md SECURITY.md Documentation/*.md Documentation/*/*.md Documentation/man/*.[1-8]
check "the documents' commands" [ "$rc" -eq 0 ]
nr=$(sed -n '$s/ command lines, .*//p' "$T/out")
check "there are at least 200 of them" [ "$nr" -ge 200 ]
nr=$(sed -n 's/ were run$//p' "$T/out")
check "at least 140 were run" [ "$nr" -ge 140 ]

# the documents list the libraries that the program needs on a machine to which it is copied
required=$(dpkg-query -W -f '${Pre-Depends} ${Depends} ' dpkg bash | tr -c 'a-z0-9.+-' '\n')
needed=$(objdump -p "$USTACK" | sed -n 's/ *NEEDED *//p')
for library in $(ldd "$USTACK" | awk '/=> \// { print $1 "=" $3 }'); do
	grep -Fqx "${library%%=*}" <<<"$needed" || continue
	package=$(dpkg -S "$(realpath "${library#*=}")" 2>/dev/null | sed 's/:.*//')
	[ -n "$package" ] || continue
	check "operating.md names $package, or dpkg and bash need it, too" \
		bash -c "grep -qx '$package' <<<'$required' || grep -q '\b$package\b' Documentation/operating.md"
done

wrong "there is no command 'recrod'" 'ustack recrod -a'
wrong "there is no option '--fromm'" 'sudo ustack query --fromm -1h | head'
wrong "'--config' needs an argument" '# build/ustackd --config'
wrong "there are no operands" "ustack daemon --check-config FILE   # is it right?"
printf 'Text.\n\n    ustack report -s nosuch p.pb.gz\n' >"$T/wrong.md"
documents --run "$T/wrong.md"
status 1 "a value that the program refuses"
out "^$T/wrong.md:3: ustack report: --sort: no key 'nosuch'" "a value that the program refuses"
