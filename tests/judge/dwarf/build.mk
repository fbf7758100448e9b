# SPDX-License-Identifier: GPL-2.0-only
# Compares the reader of DWARF with libdw, llvm-dwarfdump and readelf.
#
#   make dwarf-judge       the quick part
#   make dwarf-judge-all   all ways of compiling, aarch64 and Rust; DWARF_ONLY="WORD..."

$(B)/dwarf/say: $(call objects,plain,tests/judge/dwarf/say.c) $(B)/plain/libustack.a
	@$(call link,plain)
$(B)/dwarf/libdw: tests/judge/dwarf/libdw.c tests/judge/dwarf/say.h
	@scripts/deps.sh user elfutils
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $< -ldw -lelf -o $@

DWARF_FLOORS := --least 37 '(\d+) programs' --least 350 '(\d+) functions, \d+ calls, \d+ sites, \d+ rows, ' \
	--least 588 '(\d+) calls' --least 148 '(\d+) sites' --least 2700 '(\d+) rows' \
	--least 840 '(\d+) comparisons' --least 204 '(\d+) lines altered'

.PHONY: dwarf-judge dwarf-judge-all
dwarf-judge: $(B)/dwarf/say $(B)/dwarf/libdw
	@scripts/deps.sh dwarf
	@tests/lib/judge dwarf-judge $(if $(DWARF_ONLY),,$(DWARF_FLOORS)) -- \
		tests/judge/dwarf/run $(DWARF_ONLY:%=--only %) $^
dwarf-judge-all: $(B)/dwarf/say $(B)/dwarf/libdw
	@scripts/deps.sh dwarf dwarf-all cross
	@tests/lib/judge dwarf-judge-all $(if $(DWARF_ONLY),,$(DWARF_FLOORS)) -- \
		tests/judge/dwarf/run --full $(DWARF_ONLY:%=--only %) $^

CHECKS += dwarf-judge
CHECK_BUILD += $(B)/dwarf/say $(B)/dwarf/libdw
NIGHTLY += dwarf-judge-all
