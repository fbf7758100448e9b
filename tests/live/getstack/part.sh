# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# A program that is linked with the walk, as a part of a guest's run: the kernel's verifier must
# accept it with a stack of 512 bytes. See tests/guest/lib.sh.

part_getstack()
{
	give "$built/getstack/probe" /getstack-probe
	give "$built/getstack/opens" /getstack-opens
	in_guest 300 cat <<-'END'
		mkdir -p /getstack
		mount -t bpf bpf /getstack
		/getstack-probe /getstack /getstack/walk /out/getstack/chains >/out/getstack/said &
		probe=$!
		until grep -qs ready /out/getstack/said || ! kill -0 $probe; do sleep 0.2; done
		kill $probe
		wait $probe
		cat /out/getstack/said
		mount -t bpf bpf /sys/fs/bpf
		/getstack-opens 1 >/out/getstack/opens &
		opens=$!
		until grep -qs ready /out/getstack/opens || ! kill -0 $opens; do sleep 0.2; done
		kill $opens
		wait $opens || :
	END
}

judge_getstack()
{
	check "the verifier looked at 200,000 instructions at most" \
		awk '/^chains:/ { n = $4 } END { exit !n || n > 200000 }' "$out/said"
	check "it takes the documentation's example" grep -q ready "$out/opens"
}
