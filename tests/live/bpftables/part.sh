# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Unwinding by tables in eBPF as a part of a guest's run: each sample of programs whose code libdw
# can follow is walked in the kernel, and unwound by libdw here. See tests/guest/lib.sh.

part_bpftables()
{
	local few=few seconds=1

	[ "$form" = quick ] || few=
	# the emulated clock of cycles, by which arm64 samples, is slower
	[ "$arch" = x86_64 ] || seconds=3
	truth_of_libc "$out/truth.libc"
	give "$built/bpftables/chains" /chains
	give "$built/bpftables/crowd" /crowd
	give "$built/bpftables/hoard" /hoard
	give "build/groundtruth/$arch/gt-record" /gt-record
	give "build/workload/$arch-v3" /w
	give tests/guest/groundtruth/in-guest /in-guest-bpftables
	in_guest 900 sed "s/@few/$few/; s/@seconds/$seconds/" <<-'END'
		mkdir -p /bpf
		mount -t bpf bpf /bpf
		/crowd @few >/out/bpftables/crowd
		/hoard few >/out/bpftables/hoard
		# tables of the programs that are judged are made before it is ready: on a slow machine
		# most of their samples would be taken meanwhile
		/chains /bpf/walk /out/bpftables/chains /w/workload /w/lib*.so >/out/bpftables/said &
		chains=$!
		until grep -qs ready /out/bpftables/said || ! kill -0 $chains; do sleep 0.2; done
		/gt-record --unthrottle --program /bpf/walk -F 199 -s 300 -o /out/bpftables/rec -- \
			/in-guest-bpftables @seconds
		kill $chains
		wait $chains
		cat /out/bpftables/said
	END
}

judge_bpftables()
{
	local guessed=50

	# there are no tables from code on arm64, and code of busybox, which starts the programs, has no CFI
	[ "$arch" = x86_64 ] || guessed=20
	check "walks and samples are brought together" \
		build/bpftables/rechain "$out/rec" "$out/chains" "$out/walks" >"$out/line"
	cat "$out/line"
	check "processes with many mappings: $(tail -n 1 "$out/crowd")" \
		grep -q '^crowd: [1-9][0-9]* passed, 0 failed' "$out/crowd"
	check "who is charged: $(tail -n 1 "$out/hoard")" \
		grep -q '^hoard: [1-9][0-9]* passed, 0 failed' "$out/hoard"
	check "no more than one sample in a hundred has no walk" awk '{ exit $2 < 100 || 100 * $4 > $2 }' "$out/line"
	check "the verifier looked at 200,000 instructions at most" \
		awk '/^chains:/ { n = $4 } END { exit !n || n > 200000 }' "$out/said"
	check "the verifier looked at 300,000 instructions of each program of the sampler at most, and at 60,000 of others" \
		awk 'BEGIN { most["sampler:"] = 300000; most["tasks:"] = 60000 }
			/^longest of / { n++; if (!$NF || $NF > most[$3]) bad = 1 }
			END { exit n != 2 || bad }' "$out/said"
	check "no more than one in $guessed is guessed" awk -v n="$guessed" '{ exit n * $8 > $2 }' "$out/line"
	check "libdw says the same of 5,000 frames, and 95 % are whole" \
		build/groundtruth/gt-compare --min-ended 95 --min-frames 5000 --show 3 "$out/walks" \
		>"$out/verdict" || sed -n '/^record:/,$p' "$out/verdict"
	# tables of other files are made meanwhile, so a stack may end early
	build/groundtruth/gt-text "$out/walks" >"$out/dump"
	check "each stack is a declared one" build/workload/chaincheck -t "build/workload/$arch-v3/truth" \
		-t "$out/truth.libc" -c tests/guest/workload/chains -L -C -m 500 "$out/dump"
}
