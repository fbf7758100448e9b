# SPDX-License-Identifier: GPL-2.0-only
# Checks what the encoder writes: readelf --sframe and objdump --sframe of both versions
# of binutils, ustack sframe, and the core must read it.

$(B)/encode/encode_rows: $(call objects,plain,tests/judge/encode/encode_rows.c) $(B)/plain/libustack.a
	@$(call link,plain)

ENCODE_FLOORS := --least 140 '(\d+) files' --least 374 '(\d+) readings' \
	--least 750000 '(\d+) rows read' --least 9400000 '(\d+) pcs'

.PHONY: encode
encode: $(B)/encode/encode_rows $(B)/ustack $(B)/oracle/inputs/made
	@scripts/deps.sh unit cross user elfutils tables
	@tests/lib/judge encode $(ENCODE_FLOORS) -- \
		tests/judge/encode/judge.py $(B)/encode/encode_rows $(B)/ustack $(B)/encode \
		$(B)/oracle/inputs/*.so tests/golden/sframe/*.elf

CHECKS += encode
CHECK_BUILD += $(B)/encode/encode_rows
