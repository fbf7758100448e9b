# SPDX-License-Identifier: GPL-2.0-only
# Tests that the judges of tables and names can fail: see tests/lib/judges-selftest.
#
#	make judges-selftest	BROKEN_ONLY=WORD runs only the parts whose names contain WORD
#	make tables		all judges of tables

.PHONY: judges-selftest tables
tables: oracle encode toolchain-selftest cfi stepjudge codejudge insn lazy shadow

judges-selftest: export BROKEN_CC = $(CC_plain)
judges-selftest: export BROKEN_LD = $(CC_plain) $(LDFLAGS) -Wl,--as-needed
judges-selftest: export BROKEN_LIBS = $(USER_LIBS)
judges-selftest: export BROKEN_OBJECTS = $(B)/plain/libustack.a
judges-selftest: export BROKEN_MAIN = $(B)/plain/user/main.o
judges-selftest: export BROKEN_BUILD = $(B)
judges-selftest: export BROKEN_STEPJUDGE = $(STEPJUDGE_OBJ)
judges-selftest: export BROKEN_CODEJUDGE = $(CODEJUDGE_OBJ)
judges-selftest: export BROKEN_LAZY = $(LAZY_OBJ)
judges-selftest: export BROKEN_SHADOW = $(SHADOW_OBJ)
judges-selftest: export BROKEN_STEPJUDGE_FLOORS = $(STEPJUDGE_FLOORS)
judges-selftest: export BROKEN_STEPJUDGE_FILES = $(STEPJUDGE_FILES)
judges-selftest: export BROKEN_CODEJUDGE_FLOORS = $(CODEJUDGE_FLOORS)
judges-selftest: export BROKEN_CODEJUDGE_FEW_FLOORS = $(CODEJUDGE_FEW_FLOORS)
judges-selftest: export BROKEN_CODEJUDGE_FEW = $(CODEJUDGE_FEW)
judges-selftest: export BROKEN_CFI_FLOORS = $(CFI_FLOORS)
judges-selftest: export BROKEN_CFI_FILES = $(CFI_FILES)
judges-selftest: export BROKEN_ORACLE_FLOORS = $(ORACLE_FLOORS)
judges-selftest: export BROKEN_INSN_FLOORS = $(INSN_FLOORS)
judges-selftest: export BROKEN_LAZY_FLOORS = $(LAZY_FLOORS)
judges-selftest: export BROKEN_BSYM_FLOORS = $(BSYM_FLOORS)
judges-selftest: export BROKEN_GSYM_JUDGE_FLOORS = $(GSYM_JUDGE_FLOORS)
judges-selftest: export BROKEN_NAMES_FLOORS = $(NAMES_FLOORS)
judges-selftest: $(B)/ustack $(B)/stepjudge/stepjudge $(B)/codejudge/codejudge $(B)/cfi/judge \
		$(B)/insn/insns $(B)/encode/encode_rows $(B)/oracle/core_rows $(ORACLE_INPUTS) \
		$(B)/lazy/stepped $(B)/lazy/program $(B)/shadow/no-tables $(B)/gsym/subject $(B)/gsym/describe $(B)/gsym/feed \
		$(B)/names/filter $(B)/dwarf/say $(B)/dwarf/libdw
	@scripts/deps.sh tables gsym names dwarf darwin cli
	@tests/lib/judges-selftest $(B)/broken $(BROKEN_ONLY)

CHECKS += judges-selftest
