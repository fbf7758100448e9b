# SPDX-License-Identifier: GPL-2.0
# Files of random functions against a model of the rules, a decoder of their own and
# LLVM's tool.
#
#   make gsym-write        12 seeds
#   make gsym-write-all    200 seeds

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

CHECKS += gsym-write
FULL_CHECKS += gsym-write-all
