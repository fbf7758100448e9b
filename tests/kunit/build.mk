# SPDX-License-Identifier: GPL-2.0-only
# The module's own files, kernel side: suites in a user-mode kernel, and the whole
# module in a kernel that complains about everything.
#
#	make kunit			suites and benchmark, some seconds; minutes the
#					first time, when a kernel is built
#	make check-debug-kernel		a quarter of an hour, twice that the first time

.PHONY: kunit check-debug-kernel
kunit:
	@tests/kunit/run --quiet
check-debug-kernel: workload stress-build-x86_64
	@tests/lib/judge check-debug-kernel -- tests/kunit/debug

CHECKS += kunit
NIGHTLY += check-debug-kernel
