# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack sframe synth for arm64: CFI that it corrects, and code without CFI.
checks 22

A=$T/arm64
mkdir "$A"
ld_so=/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1
triple=aarch64-linux-gnu
# ldp x17, x30, [sp], #16; br x16: the end of _dl_runtime_resolve, and its first row
end='\xf1\x7b\xc1\xa8\x00\x02\x1f\xd6'
at=$(LC_ALL=C grep -obUaP "$end" "$ld_so" | cut -d: -f1)
first=$(printf '%#x' $((at + 8 - 0x78)))

rows_of() # rows_of FILE START: its rules, from that function on
{
	"$USTACK" sframe dump "$1" | sed -n "/^$2-/,/^0x/p" | sed '1d; /^0x/d' | sed 's/^ *0x[0-9a-f]* *//'
}

run "$USTACK" sframe synth -o "$A/ld" "$ld_so"
status 0 "synth of ld.so"
out '^  left out 1, 3[0-9]{2} bytes of text: PLT0: ' "synth of ld.so: _dl_runtime_profile"
check "_dl_runtime_resolve counts what PLT0 has pushed" diff <(rows_of "$A/ld" "$first") - <<'END'
CFA=SP+16 RA=LR
CFA=SP+16 RA=*(CFA-8)
CFA=SP+224 RA=*(CFA-8)
CFA=SP+16 RA=*(CFA-8)
CFA=SP RA=LR
END
run "$USTACK" sframe coverage --check "$ld_so"
status 0 "coverage --check of ld.so"
out '^ +[0-9]{6} bytes looked up and the same, 0 differ$' "coverage --check of ld.so"

# with other code at the end nothing is proven, and the rules of the CFI are kept
for change in 0:x16,x30:xf0 2:sp+16:xc2 5:x17:x06; do
	IFS=: read -r byte name value <<<"$change"
	cp "$ld_so" "$A/other"
	printf '%b' "\\$value" | dd of="$A/other" bs=1 seek=$((at + byte)) conv=notrunc status=none
	run "$USTACK" sframe synth -o "$A/other.sframe" "$A/other"
	status 0 "synth of another end: $name"
	check "another end, $name: as the CFI says" diff <(rows_of "$A/other.sframe" "$first") - <<'END'
CFA=SP RA=LR
CFA=SP RA=*(CFA+8)
CFA=SP+208 RA=*(CFA+8)
CFA=SP RA=*(CFA+8)
CFA=SP-16 RA=LR
END
	check "another end, $name: it is not left out" sh -c "! grep -q 'left out.*PLT0' '$T/out'"
done

# the vDSO: leaves are found by their instructions, one for each function here
vdso() # vdso OUT SONAME
{
	$triple-gcc -nostdlib -shared -Wl,-soname,"$2" tests/live/cli/data/vdso.S -o "$1"
}
vdso "$A/vdso" linux-vdso.so.1
run "$USTACK" sframe synth -o "$A/vdso.sframe" "$A/vdso"
status 0 "synth of a vDSO"
out '^  left out [0-9]+, [0-9]+ bytes of text: NOT_LEAF: ' "synth of a vDSO"
"$USTACK" sframe dump "$A/vdso.sframe" >"$A/dump"
sed -n 's/^0x\([0-9a-f]*\)-.*/\1/p' "$A/dump" | sort >"$A/found"
$triple-nm "$A/vdso" | sed -n 's/^0*\([0-9a-f]*\) T keeps_.*/\1/p' | sort >"$A/keeps"
check "leaves of a vDSO: there are some" [ "$(wc -l <"$A/keeps")" -gt 40 ]
check "leaves of a vDSO: these and no others" cmp "$A/keeps" "$A/found"
check "leaves of a vDSO: one rule" \
	[ "$(sed -n 's/^  0x[0-9a-f]* *//p' "$A/dump" | sort -u)" = "CFA=SP RA=LR" ]
run "$USTACK" sframe coverage --check "$A/vdso"
status 0 "coverage --check of a vDSO"

# any other file without CFI has no functions
vdso "$A/lib" libvdso.so
run "$USTACK" sframe synth -o "$A/lib.sframe" "$A/lib"
status 1 "synth of a library without CFI"
err 'no call frame information' "synth of a library without CFI"
