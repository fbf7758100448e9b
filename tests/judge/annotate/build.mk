# SPDX-License-Identifier: GPL-2.0-only
# ustack annotate against perf annotate, llvm-objdump, GNU objdump and addr2line.
#
#   make annotate-judge

ANNOTATE_PROGRAMS := $(patsubst %,$(B)/annotate/%/program,x86_64 aarch64)
$(B)/annotate/x86_64/program: ANNOTATE_CC = $(CC)
$(B)/annotate/aarch64/program: ANNOTATE_CC = aarch64-linux-gnu-gcc
$(ANNOTATE_PROGRAMS): tests/judge/annotate/program.c
	@scripts/deps.sh annotate
	@mkdir -p $(@D)
	@$(ANNOTATE_CC) -O2 -g -o $@ $<

.PHONY: annotate-judge
annotate-judge: $(B)/ustack $(ANNOTATE_PROGRAMS)
	@tests/judge/annotate/judge $(abspath $(B)/ustack) $(abspath $(B)/annotate)

CHECKS_OWN += annotate-judge
