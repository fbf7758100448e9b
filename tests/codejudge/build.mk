# SPDX-License-Identifier: GPL-2.0
# Rows from code, judged by the CFI of code that has it: see main.c. That CFI becomes
# the right rules is tests/stepjudge's to show.
#
#	make codejudge		a few dozen files of this machine: seconds
#	make codejudge-all	all of this machine

CODEJUDGE := $(B)/codejudge
CODEJUDGE_OBJ := $(CODEJUDGE)/main.o \
	$(filter $(B)/user/sframe/% $(B)/user/util/% $(B)/user/core/%,$(USER_OBJ))

$(CODEJUDGE)/%.o: tests/codejudge/%.c | $(B)/user/deps
	@mkdir -p $(@D)
	@$(USER_CC) -MMD -MP -c -o $@ $<

$(CODEJUDGE)/codejudge: $(CODEJUDGE_OBJ)
	@$(CC) $(CFLAGS) $(LDFLAGS) $^ $(USER_ELFUTILS_LIBS) -o $@

-include $(wildcard $(CODEJUDGE)/*.d)

.PHONY: codejudge codejudge-all
codejudge: $(CODEJUDGE)/codejudge
	@$< $(CORPUS)

codejudge-all: $(CODEJUDGE)/codejudge
	$< /usr/bin /usr/sbin /usr/lib

CHECKS += codejudge
FULL_CHECKS += codejudge-all
