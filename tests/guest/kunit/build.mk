# SPDX-License-Identifier: GPL-2.0-only
# Tests of the module's own files: KUnit suites in a user-mode kernel, and the whole
# module in a debug kernel.
#
#	make kunit			suites and benchmark: some seconds; minutes the
#					first time, when a kernel is built
#	make check-debug-kernel		a quarter of an hour; twice that the first time
#	make device-kasan		random calls of /dev/ustack for an hour, under KASAN
#	make device-kcsan		the same under KCSAN; both take [DEVICE_SECONDS=3600] [SEED=1]
#	make soak-kasan			two hours of load, then a search for leaks
#					[SOAK_SECONDS=7200]

.PHONY: kunit check-debug-kernel device-kasan device-kcsan soak-kasan
kunit:
	@tests/guest/kunit/run --quiet
check-debug-kernel: workload stress-build-x86_64
	@tests/lib/judge check-debug-kernel -- tests/guest/kunit/debug
device-kasan device-kcsan: stress-build-x86_64
	@tests/lib/judge $@ -- tests/guest/kunit/debug $(if $(filter device-kcsan,$@),--kcsan) \
		--fuzz $(or $(DEVICE_SECONDS),3600) --seed $(or $(SEED),1) fuzz
soak-kasan: workload stress-build-x86_64
	@tests/lib/judge $@ -- tests/guest/kunit/debug --fuzz $(or $(SOAK_SECONDS),7200) soak

CHECKS += kunit
NIGHTLY += check-debug-kernel device-kasan device-kcsan soak-kasan
