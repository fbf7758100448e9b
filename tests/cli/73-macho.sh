# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
# ustack macho: compact unwinding shown and looked up, slices, and what is refused

M=$T/macho
mkdir -p "$M"
python3 tests/cli/macho.py "$M"

run "$USTACK" macho dump "$M/arm64"
status 0 "macho dump"
no_err "macho dump"
check "macho dump: text" cmp "$T/out" - <<'END'
arm64 0x100000000: 1 common encodings, 1 personalities, 3 entries of the index
common 0 0x04000000 frame cfa=x29+16
personality 1 0x100004008
page 0 0x100001000 compressed, 2 entries, 1 encodings
  0x100001000 0x100001800 0x04000000 frame cfa=x29+16
  0x100001800 0x100002000 0x54000001 frame cfa=x29+16 x19=[cfa-24] x20=[cfa-32] personality=0x100004008 lsda=0x100007010
page 1 0x100002000 regular, 2 entries, 0 encodings
  0x100002000 0x100002100 0x02001000 frameless cfa=sp+16
  0x100002100 0x100003000 0x54000002 frame cfa=x29+16 x21=[cfa-24] x22=[cfa-32] personality=0x100004008 lsda=0x100007020
end 0x100003000
END
run "$USTACK" macho dump --headers "$M/arm64"
lines 6 "macho dump --headers"
run "$USTACK" macho dump --json "$M/x86_64"
check "macho dump: JSON" json '(d[0]["arch"], d[0]["end"], d[0]["entries"][1]) == ("x86_64", 0x100000700,
	{"start": 0x100000600, "end": 0x100000700, "encoding": 0x03044400,
	"kind": "indirect", "code": 4, "adjust": 16, "saved": {"rbx": -16}})'
run "$USTACK" macho dump --headers --json "$M/arm64"
check "macho dump --headers: JSON" json '[p["kind"] for p in d[0]["pages"]] == ["compressed", "regular"]'

run "$USTACK" macho dump "$M/fat"
out '^x86_64 0x100000000: ' "macho dump: fat"
out '^arm64 0x100000000: ' "macho dump: fat"
run "$USTACK" macho dump --arch arm64 "$M/fat"
cp "$T/out" "$M/slice"
run "$USTACK" macho dump "$M/arm64"
check "macho dump --arch: as the slice" cmp "$T/out" "$M/slice"

run "$USTACK" macho lookup "$M/x86_64" 0x1000004ff 0x1000005ff 0x100000600 0x100000700 1
status 0 "macho lookup"
check "macho lookup: answers" cmp "$T/out" - <<'END'
?
0x100000500 0x100000600 0x02061400 immediate cfa=rsp+48 rbx=[cfa-48] r12=[cfa-40] r13=[cfa-32] r14=[cfa-24] r15=[cfa-16]
0x100000600 0x100000700 0x03044400 indirect cfa=rsp+imm32[start+4]+16 rbx=[cfa-16]
?
?
END
run bash -c 'echo 0x100002000 | "$1" macho lookup --json --arch arm64 "$2"' _ "$USTACK" "$M/fat"
check "macho lookup: JSON" json '(d[0]["result"], d[0]["kind"], d[0]["size"]) == ("found", "frameless", 16)'
run "$USTACK" macho lookup "$M/fat" 1
status 1 "macho lookup: which"
err 'which --arch\?$' "macho lookup: which"

run "$USTACK" macho dump --arch i386 "$M/fat"
status 1 "macho: no slice"
err ': nothing of i386 in it$' "macho: no slice"
run "$USTACK" macho dump /bin/true
status 1 "macho: ELF"
err '^/bin/true: ' "macho: ELF"
head -c 300 "$M/arm64" >"$M/cut"
run "$USTACK" macho dump "$M/cut"
status 1 "macho: cut"
err "^$M/cut: offset " "macho: cut"
# the mode of the first entry, which is no longer one
printf '\011' | dd of="$M/x86_64" bs=1 seek=$((184 + 67)) conv=notrunc status=none
run "$USTACK" macho dump "$M/x86_64"
status 1 "macho: damaged encoding"
out ' damaged: a mode that x86 does not have$' "macho: damaged encoding"
run "$USTACK" macho lookup "$M/arm64" x
status 1 "macho lookup: no address"
err "'x' is no address$" "macho lookup: no address"
bad_usage macho dump
bad_usage macho lookup

for file in arm64 fat; do
	"$CLI_BUILD/mutate" "$M/$file" "$M/mutated" 30 1
	for copy in "$M"/mutated.*; do
		for how in dump "dump --json" "lookup --arch arm64"; do
			# shellcheck disable=SC2086
			run timeout --foreground 20 "$USTACK_ASAN" macho $how "$copy"
			check "macho $how: ${copy##*/}" [ "$rc" -le 1 ]
		done
	done
done
