# SPDX-License-Identifier: GPL-2.0
# The decoder of x86-64 instructions against GNU objdump: every instruction of some
# of this machine's files, its length and where it goes.

INSN := $(B)/insn
# with hand-written code and all vector extensions, and without data in the text
INSN_FILES = $(wildcard /lib64/ld-linux-x86-64.so.2 /usr/bin/bash \
	$(addprefix /usr/lib/x86_64-linux-gnu/,libc.so.6 libm.so.6 libgmp.so.10 libstdc++.so.6))

$(INSN)/insns: $(call objects,plain,tests/insn/insns.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: insn
insn: $(INSN)/insns
	@tests/insn/compare.py $< $(INSN_FILES)

CHECKS += insn
CHECK_BUILD += $(INSN)/insns
