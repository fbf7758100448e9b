# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# The eBPF sampler's tests as a part of a guest's run: without the module, and those whose
# answers must not change with it once more. See tests/guest/lib.sh.
#	SAMPLER_TESTS	instead of all; not with the module

part_sampler()
{
	local test=build/sampler/sampler-test quick='' tests=${SAMPLER_TESTS-} again
	[ "$arch" = x86_64 ] || test=build/arm64/sampler/sampler-test
	again="accounts faults chains threads times deep sleeps stress"
	if [ "$form" = quick ]; then
		quick=-q again="faults chains times"
		# what is not said as well by `make sampler` on the machine
		tests="accounts faults full chains times sleeps uprobe static_probe kprobe epoch module"
	fi
	[ -z "${SAMPLER_TESTS-}" ] || again=
	give "$test" /sampler-test
	in_guest 1800 sampler_script
}

sampler_script()
{
	cat <<-END
		mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null || :
		export SAMPLER_GUEST=1 SAMPLER_KO=/ustack.ko
		/sampler-test $quick $tests
	END
	[ -z "$again" ] || cat <<-END
		insmod /ustack.ko
		echo "with the module:"
		/sampler-test $quick $again
		rmmod ustack
	END
}

# What was said there must be there twice: without the module and with it.
judge_sampler()
{
	local times=2
	[ -z "${SAMPLER_TESTS-}" ] || times=1
	check "sampler says what passed" test "$(grep -csE '^sampler: [1-9][0-9]* passed, 0 failed' \
		"$out/log")" = $times
}
