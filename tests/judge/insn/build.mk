# SPDX-License-Identifier: GPL-2.0-only
# Compares the decoder of x86 instructions with GNU objdump: lengths and jump targets of all
# instructions in some files of this machine; then of the core compiled for i386, as Debian's
# amd64 has no such files, and of one file's text read as i386 code.

INSN := $(B)/insn
# files with hand-written code and all vector extensions, and without data in the text
INSN_FILES := /lib64/ld-linux-x86-64.so.2 /usr/bin/bash \
	$(addprefix /usr/lib/x86_64-linux-gnu/,libc.so.6 libm.so.6 libgmp.so.10 libstdc++.so.6)
INSN_FLOORS := --least 6 '(\d+) files' --least 930000 '(\d+) instructions the same'

INSN_I386_FLOORS := --least 50 '(\d+) files' --least 61000 '(\d+) instructions the same'
INSN_AS_FLOORS := --least 1 '(\d+) files' --least 52000 '(\d+) instructions the same'

$(INSN)/insns: $(call objects,plain,tests/judge/insn/insns.c) $(B)/plain/libustack.a
	@$(call link,plain)

# the headers of amd64 have no stubs for 32 bits
$(INSN)/include/gnu/stubs-32.h:
	@mkdir -p $(@D)
	@touch $@

INSN_I386_CFLAGS := -m32 -std=gnu11 -isystem $(INSN)/include -idirafter /usr/include/x86_64-linux-gnu
INSN_I386 :=
# usage: $(call insn_i386,NAME,FLAGS): the core's objects
define insn_i386
INSN_I386 += $(patsubst kmod/core/%.c,$(INSN)/i386/$(1)/%.o,$(wildcard kmod/core/*.c))
$(INSN)/i386/$(1)/%.o: kmod/core/%.c $(wildcard kmod/core/*.h) $(INSN)/include/gnu/stubs-32.h
	@mkdir -p $$(@D)
	@$(CC) $(INSN_I386_CFLAGS) $(2) -c $$< -o $$@
endef
$(eval $(call insn_i386,O0,-O0))
$(eval $(call insn_i386,O2,-O2))
$(eval $(call insn_i386,Os,-Os -fPIC))
$(eval $(call insn_i386,O3,-O3 -fno-omit-frame-pointer -march=haswell))
$(eval $(call insn_i386,wide,-O3 -march=skylake-avx512 -mprefer-vector-width=512))

.PHONY: insn
insn: $(INSN)/insns $(INSN_I386)
	@scripts/deps.sh tables
	@tests/lib/judge insn $(INSN_FLOORS) -- tests/judge/insn/compare.py $< $(INSN_FILES)
	@tests/lib/judge insn-i386 $(INSN_I386_FLOORS) -- tests/judge/insn/compare.py $< $(INSN_I386)
	@tests/lib/judge insn-as-i386 $(INSN_AS_FLOORS) -- \
		tests/judge/insn/compare.py --as-i386 $< $(firstword $(INSN_FILES))

CHECKS += insn
CHECK_BUILD += $(INSN)/insns
