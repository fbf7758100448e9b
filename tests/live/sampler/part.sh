# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# The BPF sampler's tests as a part of a guest's run: all without the module, and then those whose
# answers must not change with it once more. See tests/guest/lib.sh.
#	SAMPLER_TESTS	these tests only, and none with the module

part_sampler()
{
	local quick='' tests=${SAMPLER_TESTS-} again
	again="accounts faults chains threads times deep sleeps stress"
	if [ "$form" = quick ]; then
		quick=-q again="faults chains times"
		# only tests that `make sampler` on the machine cannot replace
		tests="accounts faults full chains times sleeps uprobe static_probe kprobe epoch module"
	fi
	[ -z "${SAMPLER_TESTS-}" ] || again=
	give "$built/sampler/sampler-test" /sampler-test
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

# Checks that the results are there twice: without the module and with it.
judge_sampler()
{
	local times=2
	[ -z "${SAMPLER_TESTS-}" ] || times=1
	check "sampler says what passed" test "$(grep -csE '^sampler: [1-9][0-9]* passed, 0 failed' \
		"$out/log")" = $times
}
