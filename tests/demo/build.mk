# SPDX-License-Identifier: GPL-2.0
# The main job, before and after, on a stock kernel in a guest.
demo:
	@scripts/deps.sh build user vm
	@$(MAKE) --no-print-directory $(B)/workload/x86_64-v3/truth user
	@tests/demo/run
