# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack bsym: the golden files, lookups, conversions, and refused input.
checks 246

Y=$T/bsym
mkdir -p "$Y"
bsym=tests/golden/bsym

for version in 1.0 2.0; do
	run "$USTACK" bsym dump "$bsym/bsym-$version.bsym"
	status 0 "bsym dump $version"
	out "^version $version\$" "bsym dump $version"
	out '^code segment 1 0x80001000 4 .*_variant_ekern.exe$' "bsym dump $version"
	out '^  0x80001020 0x0008 LtkUtils::RNode::Add\(void, unsigned int\)$' "bsym dump $version"
	run "$USTACK" bsym verify "$bsym/bsym-$version.bsym"
	status 0 "bsym verify $version"
	lines 1 "bsym verify $version"
	run "$USTACK" bsym lookup "$bsym/bsym-$version.bsym" 0x80001021 0x8000102a 0x80001074 5 \
		ekern.exe+0x21 _rofs_thing.dll+5 none.exe+5
	status 0 "bsym lookup $version"
	check "bsym lookup $version: answers" bash -c 'sed "s/ (.*[\\\\]/ (/" "$1" | cmp - <(
		echo "LtkUtils::RNode::Add(void, unsigned int) + 0x1 (_variant_ekern.exe)"
		echo "possibly LtkUtils::RNode::Add(void, unsigned int) + 0xa (_variant_ekern.exe)"
		echo "?"; echo "?"
		echo "LtkUtils::RNode::Add(void, unsigned int) + 0x1 (_variant_ekern.exe)"
		echo "Foo::Bar(int) + 0x5 (_rofs_thing.dll)"; echo "?")' _ "$T/out"
done
run "$USTACK" bsym dump --headers "$bsym/bsym-2.0.bsym"
check "bsym dump --headers" bash -c '! grep -q "^  " "$1"' _ "$T/out"
run "$USTACK" bsym lookup --thumb --json "$bsym/bsym-2.0.bsym" 0x80001021
check "bsym lookup --json" json '(d[0]["result"], d[0]["offset"], d[0]["function"]) == ("found", 0,
	"LtkUtils::RNode::Add(void, unsigned int)")'
run bash -c 'echo 0x80001000 | "$1" bsym lookup "$2"' _ "$USTACK" "$bsym/bsym-1.0.bsym"
out '^_E32Startup \+ 0x0 ' "bsym lookup: standard input"

# a file cut at any place gives an error, whatever can still be read
silent=0
for ((cut = 0; cut < $(stat -c %s "$bsym/bsym-2.0.bsym"); cut += 5)); do
	head -c "$cut" "$bsym/bsym-2.0.bsym" >"$Y/cut"
	run "$USTACK" bsym dump "$Y/cut"
	[ "$rc" = 1 ] && [ -s "$T/err" ] || silent=$((silent + 1))
done
check "bsym dump of files that are cut: $silent are taken in silence" [ "$silent" = 0 ]
# the strings follow the symbols
head -c 450 "$bsym/bsym-2.0.bsym" >"$Y/cut"
run "$USTACK" bsym lookup "$Y/cut" 0x80001021
status 1 "bsym lookup: a name that is cut off"
err 'damaged, or cut: ustack bsym verify says where$' "bsym lookup: a name that is cut off"

cat >"$Y/rom.symbol" <<'END'
From    \epoc32\release\armv5\urel\X.exe

8342d6b8    0000    Image$$ER_RO$$Base                       anon$$obj.o(linker$$defined$$symbols)
8342d6b9    0070    A::B::Startup()                          uc_exe_.o(.emb_text)
END
run "$USTACK" bsym convert "$Y/rom.symbol"
status 0 "bsym convert: .symbol"
err "^$Y/rom.symbol.bsym: 1 code segments, 1 symbols, 1 prefixes, " "bsym convert: .symbol"
err '^  1 without bytes left out$' "bsym convert: .symbol"
run "$USTACK" bsym lookup "$Y/rom.symbol.bsym" 'x.exe+0x10'
out '^A::B::Startup\(\) \+ 0x10 \(.epoc32.release.armv5.urel.x.exe\)$' "bsym convert: .symbol"
for version in 1.0 2.0; do
	run "$USTACK" bsym convert -q --output-version "$version" -o - "$Y/rom.symbol.bsym"
	no_err "bsym convert -q"
	cp "$T/out" "$Y/again"
	run "$USTACK" bsym dump "$Y/again"
	out "^version $version" "bsym convert to $version"
	out '^  0x8342d6b8 0x0070 A::B::Startup\(\)$' "bsym convert to $version"
done
run "$USTACK" gsym convert -o "$Y/gsym" "$bsym/bsym-2.0.bsym"
status 0 "gsym convert: BSYM"
err '^  left out: 2 symbols of relocatable code segments$' "gsym convert: BSYM"
run "$USTACK" gsym lookup "$Y/gsym" 0x80001031
out ': LtkUtils::RNode::Del\(char const \*\) \+ 1$' "gsym convert: BSYM"
run "$USTACK" bsym convert -q --name 'z:\X' -o "$Y/back" "$Y/gsym"
run "$USTACK" bsym lookup "$Y/back" 0x80001031
out '^LtkUtils::RNode::Del\(char const \*\) \+ 0x1 \(z:.x\)$' "bsym convert: GSYM"
run "$USTACK" bsym convert -o "$Y/self" "$USTACK"
status 0 "bsym convert: ELF"
run "$USTACK" bsym lookup "$Y/self" "$(nm "$USTACK" | awk '$3 == "cmd_bsym" { print "0x" $1 }')"
out '^cmd_bsym \+ 0x0 ' "bsym convert: ELF"

run "$USTACK" bsym dump /bin/true
err '^ustack: /bin/true: offset 0x0: not a BSYM file$' "bsym: not a BSYM file"
printf 'BSYM\0\4\0\0' >"$Y/four"
run "$USTACK" bsym verify "$Y/four"
status 1 "bsym: version 4"
err "^ustack: $Y/four: offset 0x4: version 4.0: 1, 2 and 3 are known$" "bsym: version 4"
run "$USTACK" bsym convert -o "$Y/none" "$bsym"
status 1 "bsym convert: a folder"
run "$USTACK" bsym convert -o "$Y/none" README.md
err '^ustack: README.md: offset 0x0: line 1: no address and length of a symbol$' "bsym convert: text"
check "bsym convert: a failure leaves nothing" [ ! -e "$Y/none" ]
run "$USTACK" bsym lookup "$bsym/bsym-1.0.bsym" x+y
status 1 "bsym lookup: no address"
err "'x\+y' is no address" "bsym lookup: no address"
bad_usage bsym convert
bad_usage bsym convert --output-version 3.0 x
bad_usage bsym dump
bad_usage bsym lookup
bad_usage bsym verify

for version in 1.0 2.0; do
	"$CLI_BUILD/mutate" "$bsym/bsym-$version.bsym" "$Y/mutated" 30 1
	for copy in "$Y"/mutated.*; do
		for how in dump verify "convert -o $Y/out"; do
			# shellcheck disable=SC2086
			run timeout --foreground 20 "$USTACK_ASAN" bsym $how "$copy"
			check "bsym $how: ${copy##*/}" [ "$rc" -le 1 ]
		done
	done
done
