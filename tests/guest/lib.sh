# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Functions that a part of a guest's run may call, on this machine; sourced by tests/guest/run.
#
# A part NAME is two functions in a file part.sh:
#	part_NAME	is called before the boot: gives files to the guest and sets its commands
#	judge_NAME	is called after the run, if it exists: makes checks with
#			tests/lib/check.sh; the runner prints the line of results
#
# Variables: all of guest_arch (tests/guest/vm/lib.sh), and
#	form		quick or full
#	out		the part's own folder here. In the guest it is /out/NAME; files that
#			the guest writes there are copied back into it: log, status and more

# a failure in $(...) fails the run
shopt -s inherit_errexit

# The words of the boot command that have been added so far.
guest_command=()
# part NAME SECONDS, one per line: the parts that the guest runs
guest_parts=

# give FILE DEST: puts a file or a folder into the guest
give() { guest_command+=(--with "$1:$2"); }

# option WORD...: options of tests/guest/vm/run
option() { guest_command+=("$@"); }

# in_guest SECONDS COMMAND...: the output of COMMAND here is the script that the part runs in the
# guest, by sh -eu. It is stopped after so many seconds, which only a hang takes. The module is not
# loaded when it begins.
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

# status_of PART: its exit status in the guest; empty if it did not run to its end
status_of() { cat "$guest_out/$1/status" 2>/dev/null || :; }

# guest_commands: ustack's commands that talk to the module, as a static program for any guest:
# build/guest-commands/$arch/ustack
guest_commands()
{
	make -s "build/guest-commands/$arch/ustack" >&2
}

# truth_of_libc FILE: writes the truth about stacks in the guest's own ld.so and libc into FILE
truth_of_libc()
{
	local root
	root=$(tests/guest/vm/fetch "$GUEST")/root/usr/lib/$TRIPLET
	tests/guest/workload/truth-of "${libs[@]/#/$root/}" >"$1"
}

# libc_tables FOLDER: makes tables for the guest's own ld.so and libc, which have none, with GNU's
# assembler, which shares no code with ustack. Prints the commands that load them in the guest,
# where FOLDER is /tables and the program of guest_commands is /ustack.
libc_tables()
{
	local lib root
	root=$(tests/guest/vm/fetch "$GUEST")/root/usr/lib/$TRIPLET
	mkdir -p "$1"
	for lib in "${libs[@]}"; do
		tests/toolchain/sframe-for -v 3 "$root/$lib" "$1/$lib.sframe" >&2
		echo "/ustack load /usr/lib/$TRIPLET/$lib --section /tables/$lib.sframe" \
			"--vaddr $(cat "$1/$lib.sframe.vaddr")"
	done
}
