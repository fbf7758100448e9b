# SPDX-License-Identifier: GPL-2.0
# What the encoder writes, before the judges: readelf --sframe and objdump
# --sframe of the binutils of both versions, ustack sframe, and the core.

ENCODE_OBJ := $(filter-out $(B)/user/main.o,$(USER_OBJ))

$(B)/encode/encode_rows: tests/encode/encode_rows.c tests/encode/funcs.h $(ENCODE_OBJ)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -Wno-missing-field-initializers $(CFLAGS) \
		$(USER_INC) $< $(ENCODE_OBJ) $(LDFLAGS) $(USER_ELFUTILS_LIBS) -o $@

.PHONY: encode
encode: $(B)/encode/encode_rows $(B)/ustack
	@scripts/deps.sh unit cross user elfutils
	@tests/oracle/inputs $(B)/oracle/inputs
	@python3 tests/encode/judge.py $(B)/encode/encode_rows $(B)/ustack \
		$(B)/encode $(B)/oracle/inputs/*.so tests/golden/sframe/*.elf

CHECKS += encode
