# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Tests the stack walk in eBPF as a part of a guest's run: the verifier of the guest's kernel must accept
# the programs, and their walks must be equal to those of the core. See tests/guest/lib.sh.

part_bpfwalk()
{
	give "$built/bpfwalk/bpfwalk" /bpfwalk
	give "$(tests/guest/vm/fetch "$GUEST")/root/usr/lib/$TRIPLET/libc.so.6" /bpfwalk-libc.so.6
	in_guest 600 echo '/bpfwalk -n 1000 /bpfwalk-libc.so.6; /bpfwalk -n 1000 -b NO_ROW /bpfwalk-libc.so.6
		/bpfwalk -n 1000 -b NO_IMAGE /bpfwalk-libc.so.6'
}

judge_bpfwalk()
{
	check "bpfwalk says what passed" \
		[ "$(grep -csE '^bpfwalk: [1-9][0-9]* passed, 0 failed' "$out/log")" = 3 ]
}
