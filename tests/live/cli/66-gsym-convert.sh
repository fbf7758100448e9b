# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack gsym convert: converts programs that are compiled here, and looks addresses up in the results.
checks 109

G=$T/gsym
mkdir -p "$G"
cp "$here/data/inlined.c" "$G/g.c"
gcc -g -O2 -fdebug-prefix-map="$G"=/src -o "$G/g" "$G/g.c"
foo=0x$(nm "$G/g" | sed -n 's/ T foo$//p')

run "$USTACK" gsym convert "$G/g"
status 0 "gsym convert"
no_out "gsym convert"
err "^$G/g.gsym: [0-9]+ functions, 1 files, [0-9]+ bytes in 0\.[0-9]+ s$" "gsym convert"
err "^  from DWARF: 2 functions in 1 units, [0-9]+ lines, 2 inlined calls, and [0-9]+ symbols$" "gsym convert"
run "$USTACK" gsym lookup "$G/g.gsym" "$foo"
check "gsym convert: the chain" cmp <(cut -d' ' -f2- "$T/out" | sed 's/^ *//') - <<'END'
inner @ /src/g.c:6 [inlined]
outer @ /src/g.c:10 [inlined]
foo @ /src/g.c:15
END
run "$USTACK" gsym info --json "$G/g.gsym"
check "gsym convert: the build id" json "d[0]['build_id'] == '$(readelf -n "$G/g" | sed -n 's/.*Build ID: //p')'"
"$USTACK" gsym dump "$G/g.gsym" | sed 1d >"$G/ours"
llvm-gsymutil-14 "$G/g.gsym" 2>/dev/null | sed -n '/^FunctionInfo/,$p' >"$G/theirs"
check "gsym convert: llvm-gsymutil reads the same" cmp "$G/ours" "$G/theirs"

# the file into which dwz moved common debug information is next to the program, or in a given folder
mkdir -p "$G/dwz/a" "$G/dwz/.dwz" "$G/elsewhere/.build-id"
gcc -g -O1 -Wl,--build-id -o "$G/dwz/a/one" "$G/g.c"
gcc -g -O1 -Wl,--build-id -DTWO -o "$G/dwz/a/two" "$G/g.c"
check "dwz" bash -c "cd '$G/dwz/a' && dwz -m ../.dwz/common -M ../.dwz/common one two"
run "$USTACK" gsym convert -o "$G/one.gsym" "$G/dwz/a/one"
status 0 "dwz: the link holds"
common=$(readelf -n "$G/dwz/.dwz/common" | sed -n 's/.*Build ID: //p')
mkdir "$G/elsewhere/.build-id/${common:0:2}"
mv "$G/dwz/.dwz/common" "$G/elsewhere/.build-id/${common:0:2}/${common:2}.debug"
run "$USTACK" gsym convert -o "$G/two.gsym" "$G/dwz/a/one"
status 1 "dwz: the link does not hold"
err "common, a file made by dwz, was not found \(--debug-dir\)$" "dwz: the link does not hold"
run "$USTACK" gsym convert --debug-dir "$G/elsewhere" -o "$G/two.gsym" "$G/dwz/a/one"
status 0 "dwz: --debug-dir"
check "dwz: the same functions" cmp "$G/one.gsym" "$G/two.gsym"

# call sites: the return address of main's call of foo, if the compiler has not made a jump of it
run "$USTACK" gsym convert --dwarf-callsites -o "$G/sites.gsym" "$G/g"
status 0 "gsym convert --dwarf-callsites"
err '^  call sites: [1-9]' "gsym convert --dwarf-callsites"
run "$USTACK" gsym dump "$G/sites.gsym"
out '^  \+0x[0-9a-f]+ foo$' "gsym convert --dwarf-callsites"
run "$USTACK" gsym convert --prototype --dwarf-callsites "$G/g"
status 2 "gsym convert --prototype --dwarf-callsites"

# functions without a name, which a stripped file still has
strip -o "$G/stripped" "$G/g"
run "$USTACK" gsym convert --unnamed -o "$G/unnamed.gsym" "$G/stripped"
status 0 "gsym convert --unnamed"
err '^  without a name, called by their address: [1-9]' "gsym convert --unnamed"
run "$USTACK" gsym lookup "$G/unnamed.gsym" "$(printf '%#x' $((foo + 1)))"
out "\+$(printf '%#x' $((foo)))( |$)" "gsym convert --unnamed"
run "$USTACK" gsym convert --unnamed --symbols -o "$G/named.gsym" "$G/g"
run "$USTACK" gsym lookup "$G/named.gsym" "$foo"
out ' foo( |$)' "gsym convert --unnamed leaves names"

for how in "--output-version 2" --prototype --merged-functions "--num-threads 3" --symbols; do
	# shellcheck disable=SC2086
	run "$USTACK" gsym convert --quiet $how -o "$G/other.gsym" "$G/g"
	status 0 "gsym convert $how"
	no_err "gsym convert $how"
	run "$USTACK" gsym lookup "$G/other.gsym" "$foo"
	if [ "$how" = --symbols ]; then
		out ': foo$' "gsym convert $how"
	else
		check "gsym convert $how: the chain" [ "$(grep -c inlined "$T/out")" = 2 ]
	fi
done
run "$USTACK" gsym info "$G/other.gsym"
"$USTACK" gsym convert --quiet --num-threads 3 -o "$G/three.gsym" "$G/g"
check "gsym convert: the same bytes" cmp "$G/g.gsym" "$G/three.gsym"
"$USTACK" gsym convert --quiet -o - "$G/g" >"$G/stdout.gsym"
check "gsym convert -o -: the same bytes" cmp "$G/g.gsym" "$G/stdout.gsym"

# a relocatable file: DWARF and symbols have the same addresses, and no two functions share one
functions() { "$USTACK" gsym dump "$1" | sed -n 's/^FunctionInfo @ [^:]*: //p'; }
cp "$here/data/sections.c" "$G/s.c"
for cc in gcc "gcc -m32" "gcc -ffunction-sections -gz" aarch64-linux-gnu-gcc; do
	# shellcheck disable=SC2086
	$cc -g -O2 -fno-pic -c -o "$G/s.o" "$G/s.c"
	run "$USTACK" gsym convert --quiet "$G/s.o"
	status 0 "gsym convert of $cc -c"
	functions "$G/s.o.gsym" >"$G/both"
	"$USTACK" gsym convert --quiet --symbols "$G/s.o"
	functions "$G/s.o.gsym" >"$G/symbols"
	check "gsym convert of $cc -c: all functions" [ "$(sed 's/.* //' "$G/both" | sort | xargs)" = "after bare hot plain start" ]
	check "gsym convert of $cc -c: the same with symbols alone" cmp "$G/both" "$G/symbols"
	check "gsym convert of $cc -c: none in another" awk '$1 < end { bad = 1 } { end = "[" $3 } END { exit bad }' \
		<(tr -d ')' <"$G/both")
	check "gsym convert of $cc -c: sizes" cmp <(nm -S --defined-only "$G/s.o" | awk '$3 == "T" { print $4, "0x" $2 }' | sort) \
		<(tr -d '[)"' <"$G/both" | while read -r start _ end name; do
			printf "%s 0x%0$([[ $cc = *m32 ]] && echo 8 || echo 16)x\n" "$name" $((end - start))
		done | sort)
done
"$USTACK" gsym convert --quiet "$G/s.o"
for f in plain hot start; do
	line=$(grep -n "^.*void $f(void)" "$G/s.c" | cut -d: -f1)
	at=$(sed -n "s/^\[\(0x[0-9a-f]*\) .*\"$f\"$/\1/p" "$G/both")
	run "$USTACK" gsym lookup "$G/s.o.gsym" "$at"
	out ": $f @ .*/s\.c:$line$" "gsym convert of an object file: $f"
done

# more sections than a symbol has numbers for
cat >"$G/many.s" <<'END'
	.altmacro
	.macro one n
	.section .text.f\n, "ax", @progbits
	.type f\n, @function
f\n:	nop
	ret
	.size f\n, . - f\n
	.endm
	.set i, 0
	.rept 66000
	one %i
	.set i, i + 1
	.endr
END
as -g -o "$G/many.o" "$G/many.s"
run "$USTACK" gsym convert --quiet "$G/many.o"
status 0 "gsym convert of 66000 sections"
functions "$G/many.o.gsym" >"$G/both"
run "$USTACK" gsym lookup "$G/many.o.gsym" 0 0x2039f
out '0000: f0 @ .*/many\.s:11$' "gsym convert of 66000 sections: the first"
out '039f: f65999 \+ 1$' "gsym convert of 66000 sections: the last"
"$USTACK" gsym convert --quiet --symbols "$G/many.o"
check "gsym convert of 66000 sections: all" [ "$(wc -l <"$G/both")" = 66000 ]
check "gsym convert of 66000 sections: the same with symbols alone" \
	cmp "$G/both" <(functions "$G/many.o.gsym")

# a symbol file of Breakpad
cat >"$G/g.sym" <<'END'
MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 g
FILE 0 /src/g.c
INLINE_ORIGIN 0 outer
FUNC 1000 20 0 foo
INLINE 0 12 0 0 1000 8
1000 8 7 0
1008 18 13 0
PUBLIC 2000 0 bar
END
run "$USTACK" gsym convert -o "$G/bp.gsym" "$G/g.sym"
status 0 "gsym convert of Breakpad's"
err "^  from Breakpad's file: 1 functions, 1 symbols, 2 lines, 1 inlined calls$" "gsym convert of Breakpad's"
run "$USTACK" gsym lookup "$G/bp.gsym" 0x1004 0x1010 0x2001
check "gsym convert of Breakpad's: answers" cmp "$T/out" - <<'END'
0x0000000000001004: outer + 4 @ /src/g.c:7 [inlined]
                    foo + 4 @ /src/g.c:12
0x0000000000001010: foo + 16 @ /src/g.c:13
0x0000000000002001: bar + 1
END

# if a conversion fails, the old output file stays
cp "$G/g.gsym" "$G/kept.gsym"
for bad in "$G/g.c" /dev/null /nowhere "$G"; do
	run "$USTACK" gsym convert -o "$G/kept.gsym" "$bad"
	status 1 "gsym convert $bad"
	check "gsym convert $bad: says so" [ "$(wc -l <"$T/err")" = 1 ]
done
check "gsym convert: what was there is as it was" cmp "$G/g.gsym" "$G/kept.gsym"
check "gsym convert: nothing is left over" [ -z "$(ls "$G"/*.gsym.* 2>/dev/null)" ]
run "$USTACK" gsym convert -o /nowhere/out.gsym "$G/g"
status 1 "gsym convert into no folder"
err '^ustack: /nowhere/out.gsym: No such file or directory$' "gsym convert into no folder"
run "$USTACK" gsym convert --output-version 3 "$G/g"
status 2 "gsym convert --output-version 3"
run "$USTACK" gsym convert --prototype --merged-functions "$G/g"
status 2 "gsym convert --prototype --merged-functions"
run "$USTACK" gsym convert --num-threads 0 "$G/g"
status 2 "gsym convert --num-threads 0"

# a file that is damaged at any place gives a file or an error, and no crash
check "damage" "$CLI_BUILD/mutate" "$G/g" "$G/mutant" 24 1
for mutant in "$G"/mutant.*; do
	run "$USTACK_ASAN" gsym convert -o "$G/of-mutant.gsym" "$mutant"
	check "gsym convert of a damaged file, ${mutant##*.}" [ "$rc" -le 1 ]
done
