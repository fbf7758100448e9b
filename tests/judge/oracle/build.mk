# SPDX-License-Identifier: GPL-2.0-only
# Compares the core's table with a naive decoder and readelf --sframe, on files linked
# by the binutils of every SFrame version.

$(B)/oracle/core_rows: $(call objects,plain,tests/judge/oracle/core_rows.c) $(B)/plain/libustack.a
	@$(call link,plain)

# The unit tests of the core are inputs too, because they are real code, and enough of it. Unit tests
# of the program are left out, because they need its headers, some of which are generated.
ORACLE_SOURCES = $(shell grep -L -E '^#include "([a-z]+/|\.\./)' $(wildcard tests/unit/*/test_*.c))

ORACLE_INPUTS := $(B)/oracle/inputs/made
$(ORACLE_INPUTS): $(wildcard kmod/core/*.[ch] tests/unit/*.[ch] tests/unit/core/*.c tests/judge/oracle/*) tests/golden/sframe/cfi.s
	@scripts/deps.sh unit cross
	@tests/judge/oracle/inputs $(@D) $(ORACLE_SOURCES)
	@touch $@

ORACLE_FLOORS := --least 30 '(\d+) files' --least 80000 '(\d+) rows of the core' \
	--least 77000 '(\d+) rows of readelf'

.PHONY: oracle
oracle: $(B)/oracle/core_rows $(ORACLE_INPUTS)
	@tests/lib/judge oracle $(ORACLE_FLOORS) -- \
		tests/judge/oracle/compare.py $(B)/oracle/core_rows $(B)/oracle/inputs/*.so

CHECKS += oracle
CHECK_BUILD += $(B)/oracle/core_rows $(ORACLE_INPUTS)
