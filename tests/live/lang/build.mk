# SPDX-License-Identifier: GPL-2.0-only
# Tests frames of languages, with programs that print their own stacks.
#
#	make lang		on this machine, as root
.PHONY: lang
lang: $(B)/ustack
	@scripts/deps.sh lang
	@tests/live/lang/run $(B)

CHECKS_OWN += lang
