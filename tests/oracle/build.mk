# SPDX-License-Identifier: GPL-2.0
# The core's table against a naive decoder and readelf --sframe, on files linked
# by the binutils of every SFrame version.

$(B)/oracle/core_rows: tests/oracle/core_rows.c $(wildcard kmod/core/*.c kmod/core/*.h)
	@mkdir -p $(@D)
	@$(CC) $(USER_CFLAGS) $< $(wildcard kmod/core/*.c) -o $@

# The unit tests of the core are inputs too: real code, and enough of it. Those
# of the program need its headers, some of them generated, and are left out.
ORACLE_SOURCES = $(foreach t,$(UNIT_TESTS:tests/unit/test_%.c=%),\
	$(if $(UNIT_USER_$(t)),,tests/unit/test_$(t).c))

.PHONY: oracle
oracle: $(B)/oracle/core_rows
	@scripts/deps.sh unit cross
	@tests/oracle/inputs $(B)/oracle/inputs $(ORACLE_SOURCES)
	@python3 tests/oracle/compare.py $(B)/oracle/core_rows \
		$(B)/oracle/inputs/*.so

CHECKS += oracle
