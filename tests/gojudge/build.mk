# SPDX-License-Identifier: GPL-2.0
# Tables made of Go's runtime.pclntab against Go's own .debug_frame, and against frame
# pointers in programs that run: see run, walk.c. The Go releases are Debian's.
#
#	make gojudge		one release
#	make gojudge-all	three, and the compiler and the go command as well

GOJUDGE := $(B)/gojudge
GOJUDGE_DIR := tests/gojudge
GOJUDGE_OBJ := $(patsubst $(GOJUDGE_DIR)/%.c,$(GOJUDGE)/%.o,$(wildcard $(GOJUDGE_DIR)/*.c)) \
	$(filter $(B)/user/sframe/% $(B)/user/util/% $(B)/user/core/%,$(USER_OBJ))

$(GOJUDGE)/%.o: $(GOJUDGE_DIR)/%.c | $(B)/user/deps
	@mkdir -p $(@D)
	@$(USER_CC) -iquote $(GOJUDGE_DIR) -MMD -MP -c -o $@ $<

$(GOJUDGE)/walk: $(GOJUDGE_OBJ)
	@$(CC) $(CFLAGS) $(LDFLAGS) $^ $(USER_ELFUTILS_LIBS) -o $@

-include $(wildcard $(GOJUDGE)/*.d)

.PHONY: gojudge gojudge-all
gojudge gojudge-all: $(B)/stepjudge/stepjudge $(GOJUDGE)/walk $(B)/ustack
	@scripts/deps.sh vm cross
	@$(GOJUDGE_DIR)/run $(if $(filter %-all,$@),--all) $(abspath $^)

CHECKS += gojudge
FULL_CHECKS += gojudge-all
