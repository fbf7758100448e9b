# SPDX-License-Identifier: GPL-2.0
# Functions that are bound when they are first called: every instruction of a program
# that calls a dozen of them, ld.so's and signal handlers' included, is stepped, and
# each stack walked by the tables made of .eh_frame and by libdw.

LAZY := $(B)/lazy
LAZY_DIR := tests/lazy
LAZY_CFLAGS := -std=gnu11 -O2 -fomit-frame-pointer $(WARN)
LAZY_OBJ := $(patsubst $(LAZY_DIR)/%.c,$(LAZY)/%.o,$(addprefix $(LAZY_DIR)/,space.c stepped.c)) \
	$(filter $(B)/user/sframe/% $(B)/user/util/% $(B)/user/core/%,$(USER_OBJ))

$(LAZY)/%.o: $(LAZY_DIR)/%.c | $(B)/user/deps
	@mkdir -p $(@D)
	@$(USER_CC) -Wno-missing-field-initializers -iquote $(LAZY_DIR) -MMD -MP -c -o $@ $<

$(LAZY)/stepped: $(LAZY_OBJ)
	@$(CC) $(CFLAGS) $(LDFLAGS) $^ $(USER_ELFUTILS_LIBS) -o $@

-include $(wildcard $(LAZY)/*.d)

$(LAZY)/libmany.so: $(LAZY_DIR)/many.c $(LAZY_DIR)/many.h | $(B)/user/deps
	@mkdir -p $(@D)
	@$(CC) $(LAZY_CFLAGS) -Wno-missing-prototypes -fPIC -shared $< -o $@

$(LAZY)/program: $(LAZY_DIR)/program.c $(LAZY)/libmany.so
	@$(CC) $(LAZY_CFLAGS) $< -L$(LAZY) -lmany -Wl,-z,lazy -Wl,-rpath,'$$ORIGIN' -o $@

.PHONY: lazy
lazy: $(LAZY)/stepped $(LAZY)/program
	@env -u LD_BIND_NOW $(LAZY)/stepped $(LAZY)/program

CHECKS += lazy
