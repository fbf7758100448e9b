# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests what all commands share: the table of commands, help, usage errors, standard output.
checks 223

run "$USTACK"
status 2 "no command"
no_out "no command"
err '^usage: ustack COMMAND' "no command"

for arg in -h --help help; do
	run "$USTACK" $arg
	status 0 "ustack $arg"
	no_err "ustack $arg"
	out '^    stat +show what' "ustack $arg"
done

run "$USTACK" version
status 0 "version"
out '^ustack [0-9]+\.[0-9]+\.[0-9]+ \(interface [0-9]+\)$' "version"
cp "$T/out" "$T/version"
run "$USTACK" version --json
check "version --json" json '"ustack %s (interface %d)" % (d[0]["version"], d[0]["interface"]) == open("'"$T/version"'").read().strip()'
run "$USTACK" --version
check "--version is version" cmp "$T/version" "$T/out"
ln -s "$(realpath "$USTACK")" "$T/ustackd"
for name in "$USTACK" "$T/ustackd"; do
	for arg in -V --version; do
		run "$name" $arg
		status 0 "${name##*/} $arg"
		check "${name##*/} $arg is version" cmp "$T/version" "$T/out"
	done
done

run "$USTACK" stat -h
cp "$T/out" "$T/help"
run "$USTACK" help stat
status 0 "help stat"
check "help CMD is CMD -h" cmp "$T/help" "$T/out"
run "$USTACK" help sframe dump
status 0 "help sframe dump"
out '^usage: ustack sframe dump ' "help sframe dump"
run "$USTACK" sframe -h
status 0 "sframe -h"
out '^    verify ' "sframe -h"

# typing errors, and habits of perf
run "$USTACK" recrod
status 2 "a command, misspelled"
err "^ustack: 'recrod' is not a command; did you mean 'record'\?$" "a command, misspelled"
run "$USTACK" stat --jsno
status 2 "an option, misspelled"
err "^ustack stat: unknown option '--jsno'; did you mean --json\?$" "an option, misspelled"
run "$USTACK" record --call-graph guess true
status 2 "record --call-graph"
err "^ustack record: --call-graph: 'guess' is not fp, dwarf or lbr$" "record --call-graph"
run "$USTACK" record -g --call-graph dwarf,8192 --dur 5x true
status 2 "record -g --call-graph dwarf"
err "^ustack record: --duration: '5x' is not a time of at most a day" "record -g --call-graph dwarf"

bad_usage frobnicate
bad_usage sframe frobnicate
bad_usage help frobnicate
bad_usage version now
bad_usage images all
bad_usage stat --frob
bad_usage stat -x
bad_usage stat 1
bad_usage stat --json=1
bad_usage stat -i
bad_usage stat -i 0
bad_usage stat -i -1
bad_usage stat -i nan
bad_usage stat --interval=1x
bad_usage events all
bad_usage load
bad_usage load a b
bad_usage load a --vaddr 0
bad_usage load a --section b --vaddr
bad_usage load a --section b --vaddr -1
bad_usage load a --section b --vaddr 0x
bad_usage load a --section b --vaddr 18446744073709551616
bad_usage load --vdso
bad_usage load --vdso a --section b
bad_usage prepare
bad_usage prepare 0
bad_usage prepare 1 x
bad_usage prepare 4294967297
bad_usage prepare --all 1
bad_usage prebuild
bad_usage prebuild -j 0 .
bad_usage prebuild -j 257 .
bad_usage prebuild --cache-size 0 .
bad_usage supply all
bad_usage supply --cache
bad_usage supply --cache-size 0
bad_usage supply --cache-size 1G
bad_usage sframe verify
bad_usage sframe verify --raw
bad_usage sframe verify --raw x86_64
bad_usage sframe verify --raw vax 0 f
bad_usage sframe verify --raw x86_64 here f
bad_usage sframe dump
bad_usage sframe dump a b
bad_usage sframe dump --table --section-only a

# an option may come after an operand; after -- nothing is an option
run "$USTACK" sframe verify "$golden/t47.elf" --json
status 0 "option behind the operand"
cp "$golden/t47.elf" "$T/--json"
run env -C "$T" "$PWD/$USTACK" sframe verify -- --json
status 0 "operand that looks like an option"
out '^--json: V3' "operand that looks like an option"

# /dev/full: losing results is a failure
"$USTACK" sframe dump "$golden/t47.elf" >/dev/full 2>"$T/err"
rc=$?
status 1 "full disk"
err '^ustack: stdout: No space left' "full disk"
