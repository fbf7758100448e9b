# SPDX-License-Identifier: GPL-2.0
# Files of random functions against a model of the rules, a decoder of their own and
# LLVM's tool.
#
#   make gsym-write        12 seeds
#   make gsym-write-all    200 seeds
#   make gsym-write-bench  speed and memory: 300,000 functions, 5 million rows

$(B)/gsym/feed: tests/gsym/feed.c $(GSYM_WRITER) $(addprefix user/util/,diag.c file.c text.c) \
		kmod/core/reason.c $(wildcard user/gsym/*.h user/util/*.h) | gsym-deps
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(USER_INC) $(filter %.c,$^) \
		-pthread -o $@

.PHONY: gsym-deps gsym-write gsym-write-all
gsym-deps:
	@scripts/deps.sh user unit

gsym-write: $(B)/gsym/feed
	@tests/gsym/run --seeds 1-12 --llvm llvm-gsymutil-14 $<
gsym-write-all: $(B)/gsym/feed
	@tests/gsym/run --seeds 1-200 --llvm llvm-gsymutil-14 $<

# cpu is gsym_write()'s alone; parts is the peak when all functions are in them
.PHONY: gsym-write-bench
gsym-write-bench: $(B)/gsym/feed
	@tests/gsym/many.py 300000 >$(B)/gsym/many
	@for t in 1 2; do $< -a 0x400000 -t $$t <$(B)/gsym/many 2>&1 >/dev/null; done

CHECKS += gsym-write
FULL_CHECKS += gsym-write-all
