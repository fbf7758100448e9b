# SPDX-License-Identifier: GPL-2.0-only
# libgsym, the reader of GSYM files for other programs: build/libgsym/. It is the reader of the program
# itself, compiled once more as position-independent code, and library.c, which calls it.
#
#	make libgsym
#
# The list of sources is kept by hand: these files, their headers and the files installed with them have
# a licence of their own (LICENSE-MIT), and a new file needs that licence first: tests/delivery/install/libgsym
# checks it. The linker refuses a list that lacks a file.
LIBGSYM_SRC := $(addprefix user/formats/gsym/,library.c calls.c check.c function.c layout.c leb.c line_block.c \
	lines.c lookup.c merged_sites.c open.c section.c) user/formats/macho/fat.c user/formats/macho/macho.c user/util/diag.c user/util/map.c

# The library's own version, not the program's: the first number is part of the name that programs are
# linked with, the second one grows with each new symbol, the third one with any other change.
# libgsym.map has a node for each second number.
LIBGSYM_VERSION := 0.1.0
LIBGSYM_NAME := libgsym.so.$(firstword $(subst ., ,$(LIBGSYM_VERSION)))
LIBGSYM := $(B)/libgsym/libgsym.so.$(LIBGSYM_VERSION)
LIBGSYM_OBJ := $(LIBGSYM_SRC:%.c=$(B)/libgsym/%.o)

.PHONY: libgsym
libgsym: $(LIBGSYM)

$(B)/libgsym/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $< (libgsym)"
	$(Q)$(CC_plain) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
$(LIBGSYM): user/formats/gsym/libgsym.map $(LIBGSYM_OBJ)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -fPIC -Wl,-soname,$(LIBGSYM_NAME) \
		-Wl,--version-script,$< -Wl,-z,defs -Wl,--as-needed $(LIBGSYM_OBJ) -o $@
	$(Q)ln -sf $(@F) $(B)/libgsym/$(LIBGSYM_NAME)
	$(Q)ln -sf $(LIBGSYM_NAME) $(B)/libgsym/libgsym.so

-include $(LIBGSYM_OBJ:.o=.d)
