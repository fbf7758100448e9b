# SPDX-License-Identifier: GPL-2.0-only
# make demo: perf's stacks of a Python program before and after insmod, on a stock kernel in a guest.
demo:
	@scripts/deps.sh build user elfutils vm
	@$(MAKE) --no-print-directory -s user
	@tests/guest/demo/run

NIGHTLY += demo
