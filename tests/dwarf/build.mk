# SPDX-License-Identifier: GPL-2.0
# The reader of DWARF against libdw, llvm-dwarfdump and readelf.
#
#   make dwarf-judge       the quick part
#   make dwarf-judge-all   all ways of compiling, aarch64 and Rust; DWARF_ONLY="WORD..."

DWARF_SAY := tests/dwarf/say.c $(wildcard user/dwarf/*.c user/gsym/from_dwarf*.c) \
	$(MACHO) $(addprefix user/util/,diag.c file.c map.c text.c)
$(B)/dwarf/say: $(DWARF_SAY) kmod/core/reason.c tests/dwarf/say.h \
		$(wildcard user/dwarf/*.h user/gsym/*.h user/macho/*.h user/util/*.h)
	@scripts/deps.sh user elfutils
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(USER_INC) $(filter %.c,$^) -pthread \
		-lz -lzstd -o $@
$(B)/dwarf/libdw: tests/dwarf/libdw.c tests/dwarf/say.h
	@scripts/deps.sh user elfutils
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $< -ldw -lelf -o $@

.PHONY: dwarf-judge dwarf-judge-all
dwarf-judge: $(B)/dwarf/say $(B)/dwarf/libdw
	@scripts/deps.sh dwarf
	@tests/dwarf/run $(DWARF_ONLY:%=--only %) $^
dwarf-judge-all: $(B)/dwarf/say $(B)/dwarf/libdw
	@scripts/deps.sh dwarf dwarf-all cross
	@tests/dwarf/run --full $(DWARF_ONLY:%=--only %) $^

CHECKS += dwarf-judge
FULL_CHECKS += dwarf-judge-all
