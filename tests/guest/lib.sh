# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# What a part of a guest's run may call, on this machine; sourced by tests/guest/run.
#
# A part NAME is two functions in a file part.sh:
#	part_NAME	before the boot: says what the guest is given and what it runs
#	judge_NAME	after it, if there is something to judge here: checks of
#			tests/lib/check.sh; the runner prints the line of results
#
# Variables: all of guest_arch (tests/vm/lib.sh), and
#	form		quick or full
#	out		the part's own folder here; in the guest it is /out/NAME, and what
#			the guest leaves there comes back into it: log, status and more

# what fails in $(...) fails the run
shopt -s inherit_errexit

# The command that boots, so far.
guest_command=()
# part NAME SECONDS, one a line: what the guest runs
guest_parts=

# give FILE DEST: a file or a folder is there in the guest
give() { guest_command+=(--with "$1:$2"); }

# option WORD...: options of tests/vm/run
option() { guest_command+=("$@"); }

# in_guest SECONDS COMMAND...: what COMMAND prints here is what the part runs there, as a
# script of sh -eu, stopped after so many seconds: only a hang takes that long. The module is
# not loaded when it begins.
in_guest()
{
	local limit=$1
	shift
	"$@" >"$guest_work/parts/$part"
	guest_parts+="part $part $limit"$'\n'
	guest_seconds=$((guest_seconds + limit))
}

# cannot REASON: this part cannot run in this guest
declare -A guest_cannot=()
cannot() { guest_cannot[$part]=$1; }

# status_of PART: how it ended there; nothing if it was not run to its end
status_of() { cat "$guest_out/$1/status" 2>/dev/null || :; }

# guest_commands: ustack's commands that talk to the module, as a static program for any guest:
# build/guest-commands/$arch/ustack
guest_commands()
{
	make -s "build/guest-commands/$arch/ustack" >&2
}

# truth_of_libc FILE: where stacks of the guest's own ld.so and libc may be; into FILE
truth_of_libc()
{
	local root
	root=$(tests/vm/fetch "$GUEST")/root/usr/lib/$TRIPLET
	tests/workload/truth-of "${libs[@]/#/$root/}" >"$1"
}

# libc_tables FOLDER: tables for the guest's own ld.so and libc, which have none, made here
# by GNU's assembler, which is nobody's relative. Prints the commands that load them in the
# guest, where FOLDER is /tables and guest_commands' program is /ustack.
libc_tables()
{
	local lib root
	root=$(tests/vm/fetch "$GUEST")/root/usr/lib/$TRIPLET
	mkdir -p "$1"
	for lib in "${libs[@]}"; do
		tests/toolchain/sframe-for -v 3 "$root/$lib" "$1/$lib.sframe" >&2
		echo "/ustack load /usr/lib/$TRIPLET/$lib --section /tables/$lib.sframe" \
			"--vaddr $(cat "$1/$lib.sframe.vaddr")"
	done
}
