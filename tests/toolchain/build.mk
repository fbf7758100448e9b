# SPDX-License-Identifier: GPL-2.0-only
# Debian's assemblers of three releases, and the tables that they make for stock files.
#
#	make toolchain-selftest	tables for this machine's libc and loader agree
#				with their .eh_frame, in all three versions

.PHONY: toolchain-selftest
toolchain-selftest:
	@mkdir -p $(B)/toolchain
	@scripts/deps.sh build cross
	@tests/toolchain/selftest $(B)/toolchain

CHECKS += toolchain-selftest
