# SPDX-License-Identifier: GPL-2.0-only
# Tests ustack branches.
#
#   make branches-judge     perf.data with the branches that programs took, judged by perf script, AutoFDO,
#                           llvm-profgen and BOLT; then faults that they must notice

BRANCHES := $(B)/branches
BRANCHES_SRC := tests/judge/branches/work.c tests/judge/branches/other.c

# AutoFDO 0.19 reads DWARF 4; BOLT moves functions only with relocations
$(BRANCHES)/fixed: $(BRANCHES_SRC)
	@mkdir -p $(@D)
	@$(CC) -O2 -gdwarf-4 -no-pie -Wl,-q -o $@ $^
$(BRANCHES)/pie: $(BRANCHES_SRC)
	@mkdir -p $(@D)
	@$(CC) -O2 -gdwarf-4 -fPIE -pie -Wl,-q -o $@ $^
$(BRANCHES)/trace: tests/judge/branches/trace.c
	@mkdir -p $(@D)
	@$(CC) -O2 -Wall -o $@ $<

.PHONY: branches-judge
branches-judge: $(B)/ustack $(BRANCHES)/fixed $(BRANCHES)/pie $(BRANCHES)/trace
	@scripts/deps.sh branches
	@tests/judge/branches/run $(abspath $(B)/ustack) $(abspath $(BRANCHES))
	@$(MAKE) --no-print-directory judges-selftest BROKEN_ONLY=branches

# LLVM and BOLT are large packages
NIGHTLY += branches-judge
