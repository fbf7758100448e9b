# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack gsym info, dump and lookup on the golden samples.
checks 334

gsym=tests/golden/gsym

run "$USTACK" gsym info $gsym/g14.gsym $gsym/g23v2.gsym $gsym/prototype.gsym $gsym/elf.o
status 0 "gsym info"
no_err "gsym info"
out "^$gsym/g14.gsym: LLVM version 1, little-endian$" "gsym info"
out "^$gsym/g23v2.gsym: LLVM version 2, little-endian$" "gsym info"
out "^$gsym/prototype.gsym: prototype, little-endian$" "gsym info"
out "^$gsym/elf.o: LLVM version 1, little-endian, at offset 0x40$" "gsym info"
out '^  functions     10, 2 bytes for an address, from 0x400000 on$' "gsym info"
out '^  build id      d4b63622e7b7e37303c9e01f9a8138b5da8e41d9$' "gsym info"
out '^  build id      none$' "gsym info"
run "$USTACK" gsym info --json $gsym/g14.gsym $gsym/prototype.gsym
check "gsym info --json" json '(d[0]["layout"] == "LLVM version 1" and d[0]["functions"] == 10 and
	d[0]["build_id"].startswith("d4b63622") and d[1]["build_id"] is None and d[0]["base"] == 0x400000)'
run "$USTACK" gsym info /dev/null $gsym/g14.gsym
status 1 "gsym info of one that is none"
err '^ustack: /dev/null: not a regular file$' "gsym info of one that is none"
out '^  functions     10' "gsym info: the other one"

# standard input, as a pipe and as a file
for file in g14.gsym elf.o; do
	for command in info dump "lookup 0x401131"; do
		read -r command address <<<"$command"
		# shellcheck disable=SC2086
		run "$USTACK" gsym "$command" "$gsym/$file" $address
		sed "s,^$gsym/$file:,-:," "$T/out" >"$T/want"
		# shellcheck disable=SC2086
		run bash -c 'cat "$1" | "${@:2}"' _ "$gsym/$file" "$USTACK_ASAN" gsym "$command" - $address
		status 0 "gsym $command - of a pipe"
		check "gsym $command - of a pipe: $file" cmp "$T/want" "$T/out"
		# shellcheck disable=SC2086
		run bash -c '"${@:2}" <"$1"' _ "$gsym/$file" "$USTACK" gsym "$command" - $address
		check "gsym $command - of a file: $file" cmp "$T/want" "$T/out"
	done
done
run bash -c 'head -c $((257 << 20)) /dev/zero | "$@"' _ "$USTACK" gsym info -
status 1 "gsym info -: too much"
err '^ustack: -: gives more than 256 MiB: use a file instead of a pipe$' "gsym info -: too much"
run bash -c ': | "$@"' _ "$USTACK" gsym info -
status 1 "gsym info -: nothing"
err '^ustack: -: an empty file$' "gsym info -: nothing"
run bash -c '"$@" <&-' _ "$USTACK" gsym info -
status 1 "gsym info -: it is closed"
err '^ustack: -: Bad file descriptor$' "gsym info -: it is closed"
run bash -c 'echo 0x401131 - | "$@"' _ "$USTACK" gsym lookup --addresses-from-stdin
status 1 "gsym lookup: stdin names itself"
err 'these lines are of stdin already' "gsym lookup: stdin names itself"

for file in g14.gsym g23v2.gsym prototype.gsym elf.o; do
	run "$USTACK" gsym lookup $gsym/$file 0x401131 0x401144 0x40114c 4198471
	status 0 "gsym lookup $file"
	no_err "gsym lookup $file"
	check "gsym lookup $file: the answers" cmp "$T/out" - <<-END
		0x0000000000401131: inner @ /src/gsym/example/g.c:3 [inlined]
		                    outer @ /src/gsym/example/g.c:6 [inlined]
		                    foo + 1 @ /src/gsym/example/g.c:10
		0x0000000000401144: outer + 19 @ /src/gsym/example/g.c:7 [inlined]
		                    foo + 20 @ /src/gsym/example/g.c:10
		0x000000000040114c: error: no function has this address
		0x0000000000401047: _start + 7
	END
	run "$USTACK" gsym dump $gsym/$file
	status 0 "gsym dump $file"
	no_err "gsym dump $file"
	# the offset of a function in the file may differ
	sed -e 1d -e 's/@ 0x[0-9a-f]*/@/' "$T/out" >"$T/dump.$file"
	check "gsym dump $file: as of the first" cmp "$T/dump.g14.gsym" "$T/dump.$file"
done
check "gsym dump: lines" grep -qx '  0x0000000000401144 /src/gsym/example/g.c:7' "$T/dump.g14.gsym"
check "gsym dump: inlined calls" grep -qx \
	'    \[0x0000000000401131 - 0x0000000000401144) inner called from /src/gsym/example/g.c:6' \
	"$T/dump.g14.gsym"
llvm-gsymutil-14 $gsym/g14.gsym 2>/dev/null |
	sed -n '/^FunctionInfo/,$ { s/@ 0x[0-9a-f]*/@/; p }' >"$T/llvm"
check "gsym dump: as llvm-gsymutil's" cmp "$T/llvm" "$T/dump.g14.gsym"
run "$USTACK" gsym dump --json $gsym/g23v2.gsym
status 0 "gsym dump --json"
check "gsym dump --json" json '(d[0][7]["name"] == "foo" and d[0][7]["lines"][1]["line"] == 3 and
	d[0][7]["inlined"][2]["ranges"] == [[0x401131, 0x401144]])'

run "$USTACK" gsym lookup --name $gsym/g14.gsym 0x401144
check "gsym lookup --name" grep -qx '0x0000000000401144: foo + 20' "$T/out"
run "$USTACK" gsym lookup --json $gsym/g14.gsym 0x401144 1
check "gsym lookup --json" json 'd[0]["frames"][0] == {"function": "outer", "offset": 19, "line": 7,
	"dir": "/src/gsym/example", "file": "g.c", "inlined": True} and d[1]["frames"] == []'

# from standard input, which run() does not connect
printf '0x401144\n\n 0x401047 \nfoo\n' | "$USTACK" gsym lookup $gsym/g14.gsym >"$T/out" 2>"$T/err"
rc=$?
status 1 "gsym lookup from stdin"
lines 3 "gsym lookup from stdin"
err "^ustack gsym lookup: 'foo' is not an address$" "gsym lookup from stdin"
printf '0x401144 %s\n0x401144 %s\n0x401144 /nowhere\n' $gsym/g14.gsym $gsym/g23v2.gsym |
	"$USTACK" gsym lookup --addresses-from-stdin >"$T/out" 2>"$T/err"
rc=$?
status 1 "gsym lookup of several files"
lines 4 "gsym lookup of several files"
err '^ustack: /nowhere: No such file or directory$' "gsym lookup of several files"
# each line that is written to the pipe is answered at once, whatever came before
coproc { "$USTACK" gsym lookup $gsym/g14.gsym; }
for addr in 0x401144 0x401047 0x40114c; do
	echo $addr >&"${COPROC[1]}"
	check "gsym lookup in a pipe: $addr" read -r -t 60 line <&"${COPROC[0]}"
	case $addr in 0x401144) read -r -t 60 line <&"${COPROC[0]}" ;; esac
done
pid=$COPROC_PID
eval "exec ${COPROC[1]}>&-"
wait "$pid"
rc=$?
status 0 "gsym lookup in a pipe"
# more addresses than are looked up together, and more than are read at once
for _ in {1..7000}; do echo 0x401144; echo 0x401047; done >"$T/many"
"$USTACK" gsym lookup $gsym/g14.gsym <"$T/many" >"$T/out"
check "gsym lookup of many: all alike" [ "$(sort -u "$T/out" | wc -l)" -eq 3 ]
lines 21000 "gsym lookup of many"
run "$USTACK" gsym lookup $gsym/g14.gsym bar
status 2 "gsym lookup of a word"
run "$USTACK" gsym lookup
status 2 "gsym lookup of nothing"
run "$USTACK" gsym lookup --addresses-from-stdin $gsym/g14.gsym
status 2 "gsym lookup of both"
run "$USTACK" gsym dump "$USTACK"
status 1 "gsym dump of a program"
err ': offset 0x0: no section .gsym$' "gsym dump of a program"

# usage: damaged WHAT OFFSET BYTES WHERE WHY: writes BYTES (in the notation of printf) to g14.gsym at
# OFFSET; the error must name the file, the offset WHERE and the reason WHY
damaged()
{
	local command addr

	cp $gsym/g14.gsym "$T/damaged"
	printf '%b' "$3" | dd of="$T/damaged" bs=1 seek=$(($2)) conv=notrunc status=none
	for command in dump lookup; do
		addr=0x401131
		[ $command = lookup ] || addr=
		run "$USTACK" gsym $command "$T/damaged" $addr
		status 1 "gsym $command: $1"
		err "^ustack: $T/damaged: offset $4: foo: $5" "gsym $command: $1"
		check "gsym $command: $1: said once" [ "$(wc -l <"$T/err")" -eq 1 ]
	done
}

# the function foo at 0x194: its size, its name, and from 0x19c on its entries
damaged "bytes of the line table" 0x1a0 '\377' 0x19c 'an entry is cut off$'
damaged "the type of the line table is unknown" 0x19c '\143' 0x19c 'an entry of the unknown type 0x63: '
damaged "the type is the end's" 0x19c '\0' 0x19c 'the last entry has bytes$'
damaged "the type is that of inlined calls" 0x19c '\2' 0x1a4 'damaged inlined calls$'
damaged "the type is that of merged functions" 0x19c '\3' 0x1a4 'damaged list of merged functions$'
damaged "the type is that of call sites" 0x19c '\4' 0x1a4 'damaged call sites$'

# a file that is damaged at any place gives an answer or an error, and no crash
for file in g14.gsym g23v2.gsym prototype.gsym elf.o; do
	check "damage to $file" "$CLI_BUILD/mutate" $gsym/$file "$T/mutant" 24 1
	for mutant in "$T"/mutant.*; do
		run "$USTACK_ASAN" gsym dump "$mutant"
		check "gsym dump of a damaged $file, ${mutant##*.}" [ "$rc" -le 1 ]
		run "$USTACK_ASAN" gsym lookup "$mutant" 0x401131 0x401144
		check "gsym lookup in a damaged $file, ${mutant##*.}" [ "$rc" -le 1 ]
	done
done

# a fat file: the part of each architecture becomes a file, or only the part that was asked for
fat=tests/golden/gsym/fat
cp $fat "$T/fat"
run "$USTACK" gsym convert --quiet "$T/fat"
status 0 "gsym convert of a fat file"
check "gsym convert of a fat file: x86_64" test -s "$T/fat.gsym.x86_64"
check "gsym convert of a fat file: arm64" test -s "$T/fat.gsym.arm64"
run "$USTACK" gsym convert --arch arm64 -o "$T/one" "$T/fat"
status 0 "gsym convert --arch"
err '^  from .*/fat \(arm64\)$' "gsym convert --arch"
check "gsym convert --arch: the same bytes" cmp "$T/one" "$T/fat.gsym.arm64"
run "$USTACK" gsym lookup --name "$T/one" 0x0
out ': exported$' "gsym lookup of it"
run "$USTACK" gsym convert --arch ppc "$T/fat"
status 1 "gsym convert --arch of what is not there"
err 'nothing of ppc in it$' "gsym convert --arch of what is not there"
run "$USTACK" gsym convert -o - "$T/fat"
status 1 "gsym convert of a fat file to stdout"
err 'of several processors: --arch says which one goes to stdout$' "gsym convert of a fat file to stdout"
run "$USTACK" gsym convert "$T"
status 1 "gsym convert of a folder"
err 'a folder, but no dSYM bundle$' "gsym convert of a folder"
run "$USTACK" gsym verify "$T/one" "$T/fat"
status 1 "gsym verify of a Mach-O file"
err 'a Mach-O file: libdw, which compares, cannot read it$' "gsym verify of a Mach-O file"
