# SPDX-License-Identifier: GPL-2.0
# BSYM files against a decoder and an encoder in Python, and the symbols of programs
# against nm.
#
#   make bsym-judge        60 random files
#   make bsym-judge-all    2000
#   make bsym-bench        lookups a second in a table of 1,000,000 symbols; fails below a million

$(B)/bsym/bench: tests/bsym/bench.c $(BSYM_READER) $(BSYM_WRITER) user/util/diag.c user/util/text.c \
		kmod/core/reason.c $(wildcard user/bsym/*.h user/util/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(USER_INC) $(filter %.c,$^) -o $@

.PHONY: bsym-judge bsym-judge-all bsym-bench
bsym-judge: $(B)/ustack
	@tests/bsym/run $< $<
bsym-judge-all: $(B)/ustack
	@tests/bsym/run --seeds 2000 $< $<
bsym-bench: $(B)/bsym/bench
	@$< 1000000 5000000

CHECKS += bsym-judge
FULL_CHECKS += bsym-judge-all bsym-bench
