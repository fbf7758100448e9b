# SPDX-License-Identifier: GPL-2.0-only
# Frames of languages, on programs that know their own stacks.
#
#	make lang		here, as root
.PHONY: lang
lang: $(B)/ustack
	@scripts/deps.sh lang
	@tests/lang/run $(B)

CHECKS_OWN += lang
