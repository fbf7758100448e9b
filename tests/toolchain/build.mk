# SPDX-License-Identifier: GPL-2.0
# Debian's assemblers of three ages, and tables made by them for stock files.
#
#	make toolchain-selftest	tables for this machine's libc and loader agree
#				with their .eh_frame, in all three versions

.PHONY: toolchain-selftest
toolchain-selftest:
	@mkdir -p $(B)/toolchain
	@scripts/deps.sh build cross
	@for v in 1 2 3; do for file in $$(gcc -print-file-name=libc.so.6) \
		/lib64/ld-linux-x86-64.so.2 $$(aarch64-linux-gnu-gcc -print-file-name=libc.so.6); do \
		echo "V$$v of $$file"; \
		tests/toolchain/sframe-for -c -v $$v "$$file" $(B)/toolchain/section || exit 1; \
	done; done

CHECKS += toolchain-selftest
