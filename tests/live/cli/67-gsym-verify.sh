# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack gsym verify on files of the right program, of another build, and damaged ones.
checks 160

V=$T/verify
mkdir -p "$V"
cp "$here/data/inlined.c" "$V/v.c"
vcc() { gcc -O2 -fdebug-prefix-map="$V"=/src "$@"; }
for how in "-gdwarf-5" "-gdwarf-4" "-gdwarf-2" "-gdwarf-5 -gz" "-gdwarf-5 -ffunction-sections"; do
	# shellcheck disable=SC2086
	vcc $how -o "$V/v" "$V/v.c"
	for layout in "" "--output-version 2" --prototype --merged-functions; do
		# shellcheck disable=SC2086
		"$USTACK" gsym convert --quiet $layout "$V/v"
		run "$USTACK" gsym verify "$V/v.gsym" "$V/v"
		status 0 "gsym verify $how $layout"
		no_err "gsym verify $how $layout"
		out ': ([0-9]+) of \1 addresses the same, in 2 functions of 1 units$' \
			"gsym verify $how $layout"
	done
done
vcc -g -o "$V/v" "$V/v.c"
"$USTACK" gsym convert --quiet "$V/v"
run "$USTACK" gsym verify --json "$V/v.gsym" "$V/v"
status 0 "gsym verify --json"
check "gsym verify --json" json \
	"d[0]['same'] == d[0]['addresses'] > 8 and not d[0]['listed'] and not d[0]['other_build']"
run "$USTACK" gsym verify --addresses 1 "$V/v.gsym" "$V/v"
status 0 "gsym verify --addresses"
out 'the same, in 1 functions' "gsym verify --addresses"
(cd "$V" && vcc -g -gsplit-dwarf -o split v.c)
"$USTACK" gsym convert --quiet "$V/split"
run "$USTACK" gsym verify "$V/split.gsym" "$V/split"
status 0 "gsym verify, a split unit"
out 'the same, in 2 functions' "gsym verify, a split unit"

# a line moved, a name changed, an inlined call lost: each is reported as such
sed 's/v = 3;/\n&/' "$V/v.c" >"$V/line.c"
sed 's/\<foo\>/bar/' "$V/v.c" >"$V/name.c"
sed 's/inner();/v = 1;/' "$V/v.c" >"$V/calls.c"
for kind in line name calls file; do
	mkdir -p "$V/$kind"
	[ -e "$V/$kind.c" ] || cp "$V/v.c" "$V/$kind.c"
	case $kind in
	file) cp "$V/v.c" "$V/$kind/w.c" && vcc -g -o "$V/$kind/v" "$V/$kind/w.c" ;;
	*) cp "$V/$kind.c" "$V/$kind/v.c" && (cd "$V/$kind" && vcc -g -fdebug-prefix-map="$V/$kind"=/src -o v "$V/$kind/v.c") ;;
	esac
	run "$USTACK" gsym verify --json "$V/v.gsym" "$V/$kind/v"
	status 3 "gsym verify, another $kind"
	[ $kind = calls ] && kind="inlined calls"
	check "gsym verify, another $kind" json "d[0]['differences']['$kind'] > 0 and d[0]['other_build']"
	check "gsym verify, another $kind: listed" json \
		"'$kind' in sum((l['kinds'] for l in d[0]['listed']), [])"
done
run "$USTACK" gsym verify --most 1 "$V/v.gsym" "$V/name/v"
status 3 "gsym verify --most"
check "gsym verify --most" [ "$(grep -c ^0x "$T/out")" = 1 ]
out '^  GSYM  foo @ /src/v.c:[0-9]+$|^        foo @ /src/v.c:[0-9]+$' "gsym verify: the file's side"
out '^  DWARF bar @ /src/v.c:[0-9]+$|^        bar @ /src/v.c:[0-9]+$' "gsym verify: DWARF's side"
out '^  the build ids differ$' "gsym verify: the build ids"
vcc -g -Wl,--section-start=.text=0x80000 -o "$V/moved" "$V/v.c"
run "$USTACK" gsym verify "$V/v.gsym" "$V/moved"
status 3 "gsym verify, other addresses"
out '^  function missing: 2$' "gsym verify, other addresses"
out '^  GSYM nothing$' "gsym verify, other addresses"

# a relocatable file with code in several sections: all functions are found, at their addresses
vcc -g -ffunction-sections -c -o "$V/v.o" "$V/v.c"
"$USTACK" gsym convert --quiet -o "$V/v.o.gsym" "$V/v.o"
run "$USTACK" gsym verify "$V/v.o.gsym" "$V/v.o"
status 0 "gsym verify of a relocatable file"
out ': ([0-9]+) of \1 addresses the same, in 2 functions of 1 units$' "gsym verify of a relocatable file"
run "$USTACK" gsym verify "$V/v.gsym" "$V/v.o"
status 3 "gsym verify of a relocatable file, other addresses"

# files that cannot be compared
vcc -o "$V/bare" "$V/v.c"
for bad in bare v.c v.gsym nowhere; do
	run "$USTACK" gsym verify "$V/v.gsym" "$V/$bad"
	status 1 "gsym verify with $bad"
	no_out "gsym verify with $bad"
	check "gsym verify with $bad: says so" grep -q "^ustack: $V/$bad: " "$T/err"
	run "$USTACK" gsym verify --json "$V/v.gsym" "$V/$bad"
	check "gsym verify --json with $bad" json "d[0]['listed'] == []"
done
run "$USTACK" gsym verify "$V/v" "$V/v"
status 1 "gsym verify of no GSYM file"
run "$USTACK" gsym verify "$V/v.gsym"
status 2 "gsym verify of one file"
run "$USTACK" gsym verify --addresses 0 "$V/v.gsym" "$V/v"
status 2 "gsym verify --addresses 0"

# entries that lookups skip are reported, with their place
first=$("$USTACK" gsym dump "$V/v.gsym" | sed -n 's/^FunctionInfo @ \(0x[0-9a-f]*\):.*/\1/p' | sort | head -n 1)
type=$(printf '0x%x' $((first + 8)))
cp "$V/v.gsym" "$V/type.gsym"
printf '\143' | dd of="$V/type.gsym" bs=1 seek=$((type)) conv=notrunc status=none
run "$USTACK" gsym verify "$V/type.gsym" "$V/v"
status 1 "gsym verify: an unknown type"
err "^ustack: $V/type.gsym: offset $type: [a-z_]*: an entry of the unknown type 0x63: " "gsym verify: an unknown type"

# a file that is damaged at any place gives differences or an error, and no crash
ended_well() { [ "$rc" -le 1 ] || [ "$rc" = 3 ]; }
check "damage" "$CLI_BUILD/mutate" "$V/v.gsym" "$V/gsym-mutant" 24 1
for mutant in "$V"/gsym-mutant.*; do
	run "$USTACK_ASAN" gsym verify "$mutant" "$V/v"
	check "gsym verify of a damaged file, ${mutant##*.}" ended_well
done
check "damage" "$CLI_BUILD/mutate" "$V/v" "$V/mutant" 24 1
for mutant in "$V"/mutant.*; do
	run timeout --foreground 20 "$USTACK_ASAN" gsym verify "$V/v.gsym" "$mutant"
	check "gsym verify with a damaged program, ${mutant##*.}" ended_well
done
