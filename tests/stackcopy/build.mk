# SPDX-License-Identifier: GPL-2.0
# Copied stacks, unwound here and by libdw.
#
#	make stackcopy		a few programs, and a recording by a user without rights
#	make stackcopy-all	large programs too, sizes of the copy, and what it costs

STACKCOPY := $(B)/stackcopy
STACKCOPY_OBJ := $(filter-out $(B)/user/main.o,$(USER_OBJ))

$(STACKCOPY)/rewalk: tests/stackcopy/rewalk.c tests/groundtruth/pack.c $(STACKCOPY_OBJ)
	@mkdir -p $(@D)
	@$(USER_CC) -Wno-missing-field-initializers $^ $(USER_ELFUTILS_LIBS) -o $@
