# SPDX-License-Identifier: GPL-2.0-only
# Tests of the CFI reader: unit tests on hand-made sections, plain and with
# sanitizers, and the judge, which compares every row with libdw's.
#
#   make cfi       the tests, and the judge on a dozen files of this machine
#   make cfi-all   the judge on all of /usr/bin, /usr/lib and the cross libraries

CFI := $(B)/cfi
CFI_DIR := tests/judge/cfi
CFI_TESTS := $(patsubst $(CFI_DIR)/%.c,%,$(wildcard $(CFI_DIR)/test_*.c))
CFI_CORE := $(wildcard kmod/core/*.c)

define cfi_variant
$(CFI_TESTS:%=$(CFI)/$(1)/%): $(CFI)/$(1)/%: $(B)/$(1)/tests/judge/cfi/%.o $(call objects,$(1),tests/judge/cfi/maker.c) \
		$(B)/$(1)/libustack.a | cfi-deps
	@$$(call link,$(1))
endef
$(foreach v,plain asan,$(eval $(call cfi_variant,$(v))))
CFI_BIN := $(foreach v,plain asan,$(CFI_TESTS:%=$(CFI)/$(v)/%))
$(CFI_BIN): LIBS := -lcmocka
$(foreach v,plain asan,$(CFI_TESTS:%=$(B)/$(v)/tests/judge/cfi/%.o) $(B)/$(v)/tests/judge/cfi/maker.o): TEST_FLAGS := -iquote tests/unit

$(CFI)/judge: $(call objects,plain,$(CFI_DIR)/judge.c $(CFI_DIR)/ops.c) $(B)/plain/libustack.a | cfi-deps
	@$(call link,plain)

# files with .debug_frame only: plain, compressed in both ways, and in a separate file
CFI_FIXTURE_CFLAGS := -O2 -g -shared -fPIC -nostdlib -fno-asynchronous-unwind-tables
$(CFI)/fixture-none.so $(CFI)/fixture-zlib.so $(CFI)/fixture-zlib-gnu.so: \
$(CFI)/fixture-%.so: $(CFI_DIR)/fixture.c | cfi-deps
	@mkdir -p $(@D)
	@$(CC) $(CFI_FIXTURE_CFLAGS) $< -o $@.tmp
	@objcopy --compress-debug-sections=$* $@.tmp $@ && rm $@.tmp
$(CFI)/fixture.debug: $(CFI)/fixture-none.so
	@objcopy --only-keep-debug $< $@
$(CFI)/fixture-stripped.so: $(CFI)/fixture-none.so
	@strip -o $@ $<
# signed return addresses, with either key; no library here has any
CFI_FIXTURE_PAC := pac-ret
CFI_FIXTURE_PACB := pac-ret+b-key
$(CFI)/fixture-PAC.so $(CFI)/fixture-PACB.so: $(CFI)/fixture-%.so: $(CFI_DIR)/fixture.c | cfi-deps
	@mkdir -p $(@D)
	@aarch64-linux-gnu-gcc -O2 -shared -fPIC -nostdlib -mbranch-protection=$(CFI_FIXTURE_$*) $< -o $@
# a .debug_frame with a CIE from each of several files
$(CFI)/fixture-many.so: $(CFI_CORE) | cfi-deps
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 $(CFI_FIXTURE_CFLAGS) -w -I kmod/core $^ -o $@
# CFI instructions that compilers do not write
$(CFI)/fixture-rare.so: $(CFI_DIR)/rare.S | cfi-deps
	@mkdir -p $(@D)
	@$(CC) -shared -nostdlib $< -o $@
CFI_FIXTURES := $(addprefix $(CFI)/fixture-,none.so zlib.so zlib-gnu.so PAC.so PACB.so rare.so many.so)
CFI_APART := $(CFI)/fixture.debug $(CFI)/fixture-stripped.so

CFI_FILES = $(addprefix /usr/lib/x86_64-linux-gnu/,libc.so.6 libm.so.6 libgcc_s.so.1 \
	ld-linux-x86-64.so.2 libstdc++.so.6 libcrypto.so.3 libssl.so.3 libgcrypt.so.20 \
	libgmp.so.10) /usr/bin/bash /usr/bin/perl /usr/bin/python3 $$(gcc -print-prog-name=cc1) \
	$(addprefix /usr/aarch64-linux-gnu/lib/,libc.so.6 libstdc++.so.6 ld-linux-aarch64.so.1)
CFI_FLOORS := --least 16 '(\d+) files' --least 83000 '(\d+) FDEs,' --least 670000 '(\d+) rows' \
	--least 1200000 '(\d+) the same' --most 10 '(\d+) FDEs lost'
CFI_FIXTURE_FLOORS := --least 7 '(\d+) files' --least 60 '(\d+) FDEs,' \
	--least 1150 '(\d+) the same' --most 0 '(\d+) FDEs lost'
CFI_APART_FLOORS := --least 3 '(\d+) FDEs,' --least 20 '(\d+) the same' --most 0 '(\d+) FDEs lost'

.PHONY: cfi cfi-all cfi-deps
cfi-deps:
	@scripts/deps.sh user elfutils unit cross

cfi: $(CFI_BIN) $(CFI)/judge $(CFI_FIXTURES) $(CFI_APART)
	@tests/unit/run $(CFI_BIN)
	@tests/lib/judge cfi-fixtures $(CFI_FIXTURE_FLOORS) -- $(CFI)/judge $(CFI_FIXTURES)
	@tests/lib/judge cfi-apart $(CFI_APART_FLOORS) -- $(CFI)/judge --debug $(CFI_APART)
	@scripts/deps.sh tables
	@tests/lib/judge cfi $(CFI_FLOORS) -- $(CFI)/judge $(CFI_FILES)

cfi-all: $(CFI)/judge
	@find /usr/bin /usr/sbin /usr/lib /usr/aarch64-linux-gnu -type f -size +4k | \
		tests/lib/judge cfi-all $(CFI_FLOORS) -- $(CFI)/judge --list

CHECKS += cfi
CHECK_BUILD += $(CFI_BIN) $(CFI)/judge $(CFI_FIXTURES) $(CFI_APART)
NIGHTLY += cfi-all
