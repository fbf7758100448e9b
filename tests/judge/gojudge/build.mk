# SPDX-License-Identifier: GPL-2.0-only
# Compares tables made from Go's runtime.pclntab with Go's own .debug_frame, and with frame
# pointers in running programs: see run, walk.c. The Go releases are Debian's.
#
#	make gojudge		one release
#	make gojudge-all	three releases, and also the compiler and the go command

GOJUDGE := $(B)/gojudge
GOJUDGE_DIR := tests/judge/gojudge

$(GOJUDGE)/walk: $(call objects,plain,$(wildcard $(GOJUDGE_DIR)/*.c)) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: gojudge gojudge-all
gojudge gojudge-all: $(B)/stepjudge/stepjudge $(GOJUDGE)/walk $(B)/ustack
	@scripts/deps.sh vm cross
	@$(GOJUDGE_DIR)/run $(if $(filter %-all,$@),--all) $(abspath $^)

CHECKS += gojudge
CHECK_BUILD += $(B)/stepjudge/stepjudge $(GOJUDGE)/walk $(B)/ustack
NIGHTLY += gojudge-all
