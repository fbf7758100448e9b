# SPDX-License-Identifier: GPL-2.0-only
# The main job, before and after, on a stock kernel in a guest.
demo:
	@scripts/deps.sh build user elfutils vm
	@$(MAKE) --no-print-directory -s user
	@tests/demo/run

NIGHTLY += demo
