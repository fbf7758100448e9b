# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests ustack sframe synth for x86-64: CFAs computed from a register that the callee has saved.
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

# at NAME SYMBOL [OFF]: prints the address, in the notation of dumps
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

# refused NAME FLAG...: no rule may be added to those of the CFI
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

# a walk may reach the call while the register has been saved elsewhere
refused tail -DTAIL
refused indirect -DINDIRECT
refused slots -DSLOTS
refused expression -DEXPRESSION
refused cold-unsaved -DCOLD_UNSAVED
refused falls -DFALLS
refused never -DNEVER
# the register is saved below the red zone, where a signal may overwrite it
refused far-below -DFAR=136
# code that the analysis does not support
refused unknown -DUNKNOWN
refused middle -DMIDDLE
refused caller-unknown -DCALLER_UNKNOWN
refused by-pointer -DBY_POINTER
# rules that cannot be expressed, and registers that no callee saves
refused more -DCFA_OFF=64
refused r11 -DREG=r11
# a rule would take the place of other rules, or would need too much space
refused elsewhere -DELSEWHERE
refused long-more -DLONG=62
refused simple-caller -DSIMPLE_CALLER

# standard versions of SFrame cannot express the rule, and keep all other rules
run "$USTACK" sframe synth -o "$S/three" "$S/plain"
status 0 "saved: synth in version 3"
check "saved: version 3 has all rules of the CFI" sh -c "! grep -q 'left out' '$T/out'"
run "$USTACK" sframe compare --section "$S/three" "$S/plain"
status 0 "saved: compare in version 3"

interp=$(ldd /bin/sh | sed -n 's|^[ \t]*\(/[^ ]*ld-linux[^ ]*\).*|\1|p')
# this machine's ld.so: at least the three variants of _dl_runtime_resolve get the rule
run "$USTACK" sframe synth --extended -o "$S/ld" "$interp"
status 0 "saved: synth of ld.so"
check "saved: calls in ld.so" [ "$("$USTACK" sframe dump "$S/ld" | grep -cE '  CFA=\*\(SP-[0-9]+\)\+32 ')" -ge 3 ]
