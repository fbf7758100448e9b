# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# ustack sframe synth, x86-64: a CFA by a register that the callee has saved
checks 122

S=$T/saved
mkdir "$S"

# saved NAME FLAG...: makes the program, its section for the module, and the dump
saved()
{
	local name=$1
	shift
	gcc -nostdlib -shared -Wl,-Bsymbolic "$@" tests/live/cli/data/saved.S -o "$S/$name"
	run "$USTACK" sframe synth --extended -o "$S/$name.sframe" "$S/$name"
	status 0 "saved, $name: synth"
	cp "$T/out" "$S/$name.out"
	"$USTACK" sframe dump "$S/$name.sframe" >"$S/$name.dump"
	run "$USTACK" sframe coverage --check --extended "$S/$name"
	status 0 "saved, $name: coverage --check"
}

# at NAME SYMBOL [OFF]: its address, as dumps have it
at()
{
	printf '%#x' $((0x$(nm "$S/$1" | sed -n "s/ T $2\$//p") + ${3:-0}))
}

# has NAME RULE: the last byte of the call has it, and the bytes around it have not;
# the callee has one that no step believes until the register is saved
has()
{
	check "saved, $1: the call's last byte" diff - <(sed -n "/^$(at "$1" called -1)-/,/^0x/p" "$S/$1.dump" | head -n 2 | tail -n 1 | sed 's/^ *0x[0-9a-f]* *//') <<<"$2 RA=*(CFA-8)"
	check "saved, $1: one byte only" grep -q "^$(at "$1" called -1)-$(at "$1" called) " "$S/$1.dump"
	check "saved, $1: the callee's entry" diff - <(sed -n "/^$(at "$1" callee)-$(at "$1" saved)/,/^0x/p" "$S/$1.dump" | sed -n 's/^  0x[0-9a-f]* *//p') <<<"CFA=SP RA=*(CFA-8)"
	check "saved, $1: rules from where it is saved" grep -q "^$(at "$1" saved)-" "$S/$1.dump"
	check "saved, $1: the cause" grep -q ": UNSAVED: its caller's CFA counts" "$S/$1.out"
}

# refused NAME FLAG...: all is as the CFI says
refused()
{
	saved "$@"
	check "saved, $1: no such rule" sh -c "! grep -qF '*(SP' '$S/$1.dump'"
	check "saved, $1: nothing is left out for it" sh -c "! grep -q UNSAVED '$S/$1.out'"
}

saved plain
has plain 'CFA=*(SP-24)+16'
saved r13 -DREG=r13
has r13 'CFA=*(SP-24)+16'
saved most -DCFA_OFF=56
has most 'CFA=*(SP-24)+56'
saved cold -DCOLD
has cold 'CFA=*(SP-24)+16'
saved far -DFAR=128
has far 'CFA=*(SP-136)+16'
saved fp-first -DFP_FIRST
has fp-first 'CFA=*(SP-24)+16'
saved long -DLONG=61
has long 'CFA=*(SP-24)+16'

# a walk might come there with the register elsewhere
refused tail -DTAIL
refused indirect -DINDIRECT
refused slots -DSLOTS
refused expression -DEXPRESSION
refused cold-unsaved -DCOLD_UNSAVED
refused falls -DFALLS
refused never -DNEVER
# below what signals leave alone
refused far-below -DFAR=136
# code that is not understood
refused unknown -DUNKNOWN
refused middle -DMIDDLE
refused caller-unknown -DCALLER_UNKNOWN
refused by-pointer -DBY_POINTER
# not to be said, or not saved by anyone
refused more -DCFA_OFF=64
refused r11 -DREG=r11
# it would cost others, or too much
refused elsewhere -DELSEWHERE
refused long-more -DLONG=62
refused simple-caller -DSIMPLE_CALLER

# standard versions have no such rule, and lose nothing for it
run "$USTACK" sframe synth -o "$S/three" "$S/plain"
status 0 "saved: synth in version 3"
check "saved: version 3 has all rules of the CFI" sh -c "! grep -q 'left out' '$T/out'"
run "$USTACK" sframe compare --section "$S/three" "$S/plain"
status 0 "saved: compare in version 3"

interp=$(ldd /bin/sh | sed -n 's|^[ \t]*\(/[^ ]*ld-linux[^ ]*\).*|\1|p')
# this machine's ld.so: _dl_runtime_resolve in its three forms at least
run "$USTACK" sframe synth --extended -o "$S/ld" "$interp"
status 0 "saved: synth of ld.so"
check "saved: calls in ld.so" [ "$("$USTACK" sframe dump "$S/ld" | grep -cE '  CFA=\*\(SP-[0-9]+\)\+32 ')" -ge 3 ]
