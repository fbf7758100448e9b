# SPDX-License-Identifier: GPL-2.0-only
# Programs without CFI are stepped by instruction. At each step the stack is walked by tables made from
# their code, and compared with the true stack: see main.c.
#
#	make shadow		programs of musl, tcc, Free Pascal, gcc without tables and assembler, Debian's
#				busybox, and code that PHP's PCRE2, Ruby's YJIT and LuaJIT make:
#				a minute

SHADOW := $(B)/shadow
SHADOW_DIR := tests/judge/shadow
SHADOW_OBJ := $(call objects,plain,$(addprefix $(SHADOW_DIR)/,main.c regs.c) tests/judge/lazy/space.c)
$(SHADOW)/shadow: $(SHADOW_OBJ) $(B)/plain/libustack.a
	@$(call link,plain)

SHADOW_PROGRAMS := $(addprefix $(SHADOW)/,musl musl-shared no-tables small tcc pascal kernels)
SHADOW_SOURCE := $(SHADOW_DIR)/program.c

$(SHADOW_PROGRAMS): | $(B)/deps-shadow
$(SHADOW)/musl: SHADOW_CC = musl-gcc -O2 -static
$(SHADOW)/musl-shared: SHADOW_CC = musl-gcc -O2
$(SHADOW)/no-tables: SHADOW_CC = gcc -O2 -fno-asynchronous-unwind-tables
$(SHADOW)/small: SHADOW_CC = gcc -Os -fno-asynchronous-unwind-tables -fomit-frame-pointer
$(SHADOW)/tcc: SHADOW_CC = tcc
$(SHADOW)/kernels: SHADOW_CC = gcc -O2 -static-pie
$(SHADOW)/kernels: SHADOW_SOURCE = $(addprefix $(SHADOW_DIR)/,kernels.c kernels.S)
$(SHADOW)/kernels: $(addprefix $(SHADOW_DIR)/,kernels.c kernels.S)
$(SHADOW)/pascal: SHADOW_CC = $(SHADOW_DIR)/fpc
$(SHADOW)/pascal: SHADOW_SOURCE = $(SHADOW_DIR)/program.pas
$(SHADOW_PROGRAMS): $(SHADOW_DIR)/program.c $(SHADOW_DIR)/program.pas
	@mkdir -p $(@D)
	@$(SHADOW_CC) $(SHADOW_SOURCE) -o $@

$(B)/deps-shadow:
	@scripts/deps.sh shadow
	@mkdir -p $(@D)
	@touch $@

.PHONY: shadow
shadow: $(SHADOW)/shadow $(SHADOW_PROGRAMS)
	@$(SHADOW_DIR)/run $< $(SHADOW)

CHECKS += shadow
CHECK_BUILD += $(SHADOW)/shadow
