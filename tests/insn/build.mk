# SPDX-License-Identifier: GPL-2.0
# The decoder of x86-64 instructions against GNU objdump: every instruction of some
# of this machine's files, its length and where it goes.

INSN := $(B)/insn
INSN_SRC := tests/insn/insns.c user/sframe/x86_insn.c kmod/core/reason.c \
	$(addprefix user/util/,diag.c file.c text.c)
# with hand-written code and all vector extensions, and without data in the text
INSN_FILES = $(wildcard /lib64/ld-linux-x86-64.so.2 /usr/bin/bash \
	$(addprefix /usr/lib/x86_64-linux-gnu/,libc.so.6 libm.so.6 libgmp.so.10 libstdc++.so.6))

$(INSN)/insns: $(INSN_SRC) user/sframe/x86_insn.h | $(B)/user/deps
	@mkdir -p $(@D)
	@$(USER_CC) $(INSN_SRC) -o $@

.PHONY: insn
insn: $(INSN)/insns
	@tests/insn/compare.py $< $(INSN_FILES)

CHECKS += insn
