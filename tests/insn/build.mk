# SPDX-License-Identifier: GPL-2.0-only
# The decoder of x86-64 instructions against GNU objdump: every instruction of some
# of this machine's files, its length and where it goes.

INSN := $(B)/insn
# with hand-written code and all vector extensions, and without data in the text
INSN_FILES := /lib64/ld-linux-x86-64.so.2 /usr/bin/bash \
	$(addprefix /usr/lib/x86_64-linux-gnu/,libc.so.6 libm.so.6 libgmp.so.10 libstdc++.so.6)
INSN_FLOORS := --least 6 '(\d+) files' --least 930000 '(\d+) instructions the same'

$(INSN)/insns: $(call objects,plain,tests/insn/insns.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: insn
insn: $(INSN)/insns
	@scripts/deps.sh tables
	@tests/lib/judge insn $(INSN_FLOORS) -- tests/insn/compare.py $< $(INSN_FILES)

CHECKS += insn
CHECK_BUILD += $(INSN)/insns
