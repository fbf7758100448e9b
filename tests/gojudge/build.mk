# SPDX-License-Identifier: GPL-2.0-only
# Tables made of Go's runtime.pclntab against Go's own .debug_frame, and against frame
# pointers in programs that run: see run, walk.c. The Go releases are Debian's.
#
#	make gojudge		one release
#	make gojudge-all	three, and the compiler and the go command as well

GOJUDGE := $(B)/gojudge
GOJUDGE_DIR := tests/gojudge

$(GOJUDGE)/walk: $(call objects,plain,$(wildcard $(GOJUDGE_DIR)/*.c)) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: gojudge gojudge-all
gojudge gojudge-all: $(B)/stepjudge/stepjudge $(GOJUDGE)/walk $(B)/ustack
	@scripts/deps.sh vm cross
	@$(GOJUDGE_DIR)/run $(if $(filter %-all,$@),--all) $(abspath $^)

CHECKS += gojudge
CHECK_BUILD += $(B)/stepjudge/stepjudge $(GOJUDGE)/walk $(B)/ustack
NIGHTLY += gojudge-all
