# SPDX-License-Identifier: GPL-2.0-only
# Compares copied stacks that are unwound here with libdw's.
#
#	make stackcopy				some programs, and recordings: under a minute
#	make stackcopy-sizes			complete stacks, by the size of the copy
#	tests/live/stackcopy/run build 10 -- COMMAND	the same for one program

STACKCOPY := $(B)/stackcopy

$(STACKCOPY)/rewalk: $(call objects,plain,tests/live/stackcopy/rewalk.c \
		tests/guest/groundtruth/pack.c tests/guest/groundtruth/processes.c tests/guest/groundtruth/rewrite.c) \
		$(B)/plain/libustack.a
	@$(call link,plain)

# without frame pointers, like programs of distributions
$(STACKCOPY)/handlers: tests/live/stackcopy/handlers.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -fomit-frame-pointer $< -o $@

$(STACKCOPY)/silent: tests/live/stackcopy/silent.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -Wno-pedantic -O1 -fno-omit-frame-pointer $< -o $@

$(STACKCOPY)/objects: tests/live/stackcopy/objects.cc
	@mkdir -p $(@D)
	@scripts/deps.sh gsym
	@$(CXX) -O2 -fomit-frame-pointer -pthread $< -o $@

.PHONY: stackcopy stackcopy-sizes
stackcopy: groundtruth $(B)/ustack $(addprefix $(STACKCOPY)/,rewalk handlers objects silent)
	@tests/live/stackcopy/run $(B)

stackcopy-sizes: groundtruth $(B)/ustack $(addprefix $(STACKCOPY)/,rewalk handlers objects silent)
	@scripts/deps.sh measure
	@tests/live/stackcopy/sizes $(B)

CHECKS_LIVE += stackcopy
CHECK_BUILD += groundtruth $(addprefix $(STACKCOPY)/,rewalk handlers objects silent)
