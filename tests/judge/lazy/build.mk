# SPDX-License-Identifier: GPL-2.0-only
# Tests lazy binding, in which a function is bound at its first call. A program that calls a dozen such
# functions is stepped by instruction, including ld.so and signal handlers. At each step the stack is walked
# by the tables made from .eh_frame, as a copied stack would be, and by libdw.

LAZY := $(B)/lazy
LAZY_DIR := tests/judge/lazy
LAZY_CFLAGS := -std=gnu11 -O2 -fomit-frame-pointer $(WARN)

LAZY_OBJ := $(call objects,plain,$(addprefix $(LAZY_DIR)/,space.c stepped.c))
$(LAZY)/stepped: $(LAZY_OBJ) $(B)/plain/libustack.a
	@$(call link,plain)

$(LAZY)/libmany.so: $(LAZY_DIR)/many.c $(LAZY_DIR)/many.h | $(B)/deps
	@mkdir -p $(@D)
	@$(CC) $(LAZY_CFLAGS) -Wno-missing-prototypes -fPIC -shared $< -o $@

$(LAZY)/program: $(LAZY_DIR)/program.c $(LAZY)/libmany.so
	@$(CC) $(LAZY_CFLAGS) $< -L$(LAZY) -lmany -Wl,-z,lazy -Wl,-rpath,'$$ORIGIN' -o $@

LAZY_FLOORS := --least 45 '(\d+) signals' --least 5 '(\d+) at returns' --least 8800 '(\d+) steps' \
	--least 8700 "(\d+) chains as libdw's" --least 6700 '(\d+) of them by a register' \
	--most 100 '(\d+) not judged' --most 80 '(\d+) end early: what the CFA'

.PHONY: lazy
lazy: $(LAZY)/stepped $(LAZY)/program
	@tests/lib/judge lazy $(LAZY_FLOORS) -- \
		env -u LD_BIND_NOW $(LAZY)/stepped $(LAZY)/program

CHECKS += lazy
CHECK_BUILD += $(LAZY)/stepped $(LAZY)/program
