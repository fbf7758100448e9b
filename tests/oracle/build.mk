# SPDX-License-Identifier: GPL-2.0
# The core's table against a naive decoder and readelf --sframe, on files linked
# by the binutils of every SFrame version.

$(B)/oracle/core_rows: tests/oracle/core_rows.c $(wildcard kmod/core/*.c kmod/core/*.h)
	@mkdir -p $(@D)
	@$(CC) $(USER_CFLAGS) $< $(wildcard kmod/core/*.c) -o $@

.PHONY: oracle
oracle: $(B)/oracle/core_rows
	@scripts/deps.sh unit cross
	@tests/oracle/inputs $(B)/oracle/inputs
	@python3 tests/oracle/compare.py $(B)/oracle/core_rows \
		$(B)/oracle/inputs/*.so

CHECKS += oracle
