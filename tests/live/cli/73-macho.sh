# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack macho: dumps and lookups of compact unwinding, slices of fat files, and refused input.
checks 383

M=$T/macho
mkdir -p "$M"
python3 tests/live/cli/macho.py "$M"

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
err '^ustack: /bin/true: ' "macho: ELF"
head -c 300 "$M/arm64" >"$M/cut"
run "$USTACK" macho dump "$M/cut"
status 1 "macho: cut"
err "^ustack: $M/cut: offset " "macho: cut"
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

# the walk in the example of the documents
run "$USTACK" macho unwind --demangle "$M/capture" "$M/example@0x1003fc000"
status 0 "macho unwind"
no_err "macho unwind"
check "macho unwind: text" cmp "$T/out" - <<'END'
thread main
  0 0x00000001005252c0 example+0x1292c0 registers
        leaf + 704
  1 0x00000001004e0830 example+0xe4830 compact 0x02000000
        outer + 2096
  2 0x00000001004fcdc4 example+0x100dc4 compact 0x04000001
        middle + 3524
  3 0x0000000100528a28 example+0x12ca28 compact 0x04000000
        main::run() + 2600
    end: it is the outermost frame
END
cp "$M/capture" "$M/images.capture"
echo "image 0x1003fc000 0x1005d4000 00010203-0405-0607-0809-0a0b0c0d0e0f /opt/program" >>"$M/images.capture"
run "$USTACK" macho unwind --images "$T/none-such" "$M/images.capture"
status 1 "macho unwind: no folder"
err 'none-such: No such file' "macho unwind: no folder"
run "$USTACK" macho unwind --json --images "/etc/hostname:$M" "$M/images.capture"
check "macho unwind --json" json '([f["image_offset"] for f in d[0]["frames"]], d[0]["end"], d[0]["frames"][1]["functions"][0]["function"], d[0]["frames"][3]["path"]) == ([0x1292c0, 0xe4830, 0x100dc4, 0x12ca28], "complete", "outer", "/opt/program")'
run "$USTACK" macho unwind --json --core --no-names --images "$M" "$M/images.capture"
check "macho unwind --core" json '([f["image_offset"] for f in d[0]["frames"]], d[0]["frames"][1]["how"]) == ([0x1292c0, 0xe4830, 0x100dc4, 0x12ca28], "rule")'
run "$USTACK" macho unwind --frames 2 --images "$M" "$M/images.capture"
out '^    end: there are more frames than were asked for$' "macho unwind --frames"
run "$USTACK" macho unwind "$M/images.capture"
status 0 "macho unwind: no file"
out '^  1 0x00000001004fcdc4 program\+0x100dc4 frame-pointer$' "macho unwind: no file"
sed 's/register fp.*/register fp 8/' "$M/images.capture" >"$M/lost.capture"
run "$USTACK" macho unwind "$M/lost.capture"
out '^    end: the file of its image was not found: no Mach-O file with its UUID was found$' "macho unwind: lost"
run "$USTACK" macho unwind "$M/capture"
out '^    end: no image has its address$' "macho unwind: no image"
# memory in a file next to the capture, images of a Compact ImageMap
sed 's/^memory.*/memory 0 file stack/' "$M/capture" >"$M/file.capture"
sed -n 's/^memory 0 hex //p' "$M/capture" | python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read().strip()))' >"$M/stack"
echo '{"images": [{"base": "0x1003fc000", "end": "0x1005d4000", "path": "/b", "build_id": "000102030405060708090a0b0c0d0e0f"}]}' >"$M/map.json"
"$USTACK" imagemap encode --base64 --json "$M/map.json" >"$M/map"
run "$USTACK" macho unwind --imagemap "$M/map" --images "$M" "$M/file.capture"
out '^  3 0x0000000100528a28 b\+0x12ca28 compact 0x04000000$' "macho unwind --imagemap"
rm "$M/stack"
run "$USTACK" macho unwind "$M/file.capture"
status 1 "macho unwind: no memory"
err 'file.capture: stack: No such file' "macho unwind: no memory"
echo "register rip 1" >>"$M/file.capture"
run "$USTACK" macho unwind /bin/true
status 1 "macho unwind: no capture"
err '^ustack: /bin/true: line 1: ' "macho unwind: no capture"
run "$USTACK" macho unwind "$M/capture" "$M/x86_64@0"
status 1 "macho unwind: other processor"
err "no Mach-O file of the capture's processor\$" "macho unwind: other processor"
run "$USTACK" macho unwind "$M/capture" "$M/missing@0"
status 1 "macho unwind: missing"
err '/missing@0: No such file' "macho unwind: missing"
run "$USTACK" macho unwind "$M/capture" "$M/example"
status 1 "macho unwind: nowhere"
err "'$M/example' is no FILE@ADDRESS\$" "macho unwind: nowhere"
run "$USTACK" macho unwind --images "$M:$M/missing" "$M/capture"
err '/missing: No such file' "macho unwind: no second folder"
bad_usage macho unwind
bad_usage macho unwind --frames 0 x

run "$USTACK" macho convert -o "$M/sframe" "$M/example"
status 0 "macho convert"
check "macho convert: text" cmp "$T/out" - <<END
$M/example: 4 functions, 7 rows, 154 bytes at 0x100130000; of 4 entries, 0 FDEs, 0 sections of stubs
  left out 1, 102400 bytes of text: NONE: its encoding is 0, which means unknown
END
run "$USTACK" sframe dump "$M/sframe"
out '^  0x1000e4004  CFA=FP\+16 RA=\*\(CFA-8\) FP=\*\(CFA-16\)$' "macho convert: rows"
run "$USTACK" macho convert --json --format 2 --raw -o "$M/sframe" "$M/example"
check "macho convert --json" json '(d[0]["functions"], d[0]["left_out"][0]["reason"], d[0]["left_out"][0]["ranges"]) == (4, "NONE", 1)'
run "$USTACK" macho convert -o "$M/sframe" "$M/fat"
status 1 "macho convert: which"
err 'which --arch\?$' "macho convert: which"
run "$USTACK" macho convert -o "$M/no/where" "$M/example"
status 1 "macho convert: nowhere"
bad_usage macho convert "$M/example"
bad_usage macho convert -o "$M/sframe"
bad_usage macho convert --format 4 -o "$M/sframe" "$M/example"

"$CLI_BUILD/mutate" "$M/example" "$M/mutated" 30 2
for copy in "$M"/mutated.*; do
	for how in "convert --arch arm64 -o $M/sframe $copy" "unwind $M/capture $copy@0x1003fc000" \
		   "unwind --core $M/capture $copy@0x1003fc000"; do
		# shellcheck disable=SC2086
		run timeout --foreground 20 "$USTACK_ASAN" macho $how
		check "macho $how" [ "$rc" -le 1 ]
	done
done
rm "$M"/mutated.*
"$CLI_BUILD/mutate" "$M/images.capture" "$M/mutated" 30 3
for copy in "$M"/mutated.*; do
	run timeout --foreground 20 "$USTACK_ASAN" macho unwind --images "$M/example" "$copy"
	check "macho unwind: ${copy##*/}" [ "$rc" -le 1 ]
done
