# SPDX-License-Identifier: GPL-2.0-only
# Tests the terminal view: tmux sends keys and reads the screen.
.PHONY: tui-test
tui-test: $(B)/ustack
	@scripts/deps.sh tui-test
	@tests/live/tui/run $(abspath $(B)/ustack)
	@tests/live/tui/top $(abspath $(B)/ustack) $(abspath $(B))/tui
	@tests/live/tui/annotate $(abspath $(B)/ustack)

CHECKS_LIVE += tui-test
