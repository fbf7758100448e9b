# SPDX-License-Identifier: GPL-2.0
# Copied stacks, unwound here and by libdw.
#
#	make stackcopy				a few programs, and recordings: under a minute
#	tests/stackcopy/run build 10 -- COMMAND	one program, by the size of the copy

STACKCOPY := $(B)/stackcopy
STACKCOPY_OBJ := $(filter-out $(B)/user/main.o,$(USER_OBJ))

$(STACKCOPY)/rewalk: tests/stackcopy/rewalk.c tests/groundtruth/pack.c $(STACKCOPY_OBJ)
	@mkdir -p $(@D)
	@$(USER_CC) -Wno-missing-field-initializers $^ $(USER_ELFUTILS_LIBS) -o $@

# stripped of frame pointers, as distributions are
$(STACKCOPY)/handlers: tests/stackcopy/handlers.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -fomit-frame-pointer $< -o $@

$(STACKCOPY)/objects: tests/stackcopy/objects.cc
	@mkdir -p $(@D)
	@scripts/deps.sh gsym
	@$(CXX) -O2 -fomit-frame-pointer -pthread $< -o $@

.PHONY: stackcopy
stackcopy: groundtruth $(B)/ustack $(addprefix $(STACKCOPY)/,rewalk handlers objects)
	@tests/stackcopy/run $(B)

CHECKS += stackcopy
