# SPDX-License-Identifier: GPL-2.0-only
# Judges sections made from .eh_frame independently: from the same made-up frames the
# core steps by the compiled table, and the judge by libdw's DWARF rows; see main.c and judge.c.
# The judge shares no code with the reader and translator of CFI. A second judge,
# interp.py, compares the rules as text with the CFI as GNU readelf interprets it.
#
#	make stepjudge		proof that the judge can fail, and a few dozen files, in seconds
#	make stepjudge-all	all files of this machine, of the arm64 guests' root file systems, and
#				of some large packages for arm64

STEPJUDGE := $(B)/stepjudge
STEPJUDGE_DIR := tests/judge/stepjudge
STEPJUDGE_OBJ := $(call objects,plain,$(filter-out %/fault.c,$(wildcard $(STEPJUDGE_DIR)/*.c)))

$(STEPJUDGE)/stepjudge: $(STEPJUDGE_OBJ) $(B)/plain/libustack.a
	@$(call link,plain)

# --wrap works only if the wrapped function and its callers are in different files
$(STEPJUDGE)/stepjudge-faulty: LIBS := \
	-Wl,--wrap=synth_rule,--wrap=synth_plt_row,--wrap=sframe_section_prove,--wrap=saved_apply
$(STEPJUDGE)/stepjudge-faulty: $(call objects,plain,$(STEPJUDGE_DIR)/fault.c) $(STEPJUDGE_OBJ) \
		$(B)/plain/libustack.a
	@$(call link,plain)

$(STEPJUDGE)/column.so: $(STEPJUDGE_DIR)/column.S
	@scripts/deps.sh cross
	@mkdir -p $(@D)
	@aarch64-linux-gnu-gcc -shared -nostdlib $< -o $@

# files of tests/judge/cfi, for the other architecture, and with CFI that compilers seldom write
STEPJUDGE_ARM := $(addprefix /usr/aarch64-linux-gnu/lib/,libc.so.6 libm.so.6 \
	ld-linux-aarch64.so.1 libstdc++.so.6 libgcc_s.so.1)
STEPJUDGE_FLOORS := --least 27 '(\d+) ELF files' --most 0 '(\d+) failed' \
	--least 152000 '(\d+) FDEs' --least 1300000 '(\d+) rows' \
	--least 67000000 '(\d+) addresses looked up' --least 2900000 'stepped from (\d+)' \
	--least 5500000 '(\d+) by strides' --least 99.95 '([\d.]+) % of the addresses have a rule'
STEPJUDGE_EVERY_FLOORS := --least 8 '(\d+) ELF files' --least 60 '(\d+) FDEs' \
	--least 19000 'stepped from (\d+)' --least 99.8 '([\d.]+) % of the addresses have a rule'
# Standard sections can express fewer rules, and version 2 the fewest.
STEPJUDGE_FLOORS_2 := --least 96 '([\d.]+) % of the addresses have a rule'
STEPJUDGE_FLOORS_3 := --least 97.5 '([\d.]+) % of the addresses have a rule'
STEPJUDGE_FORMAT_FLOORS := --least 7 '(\d+) ELF files' --least 21000 '(\d+) FDEs' \
	--least 5500000 '(\d+) addresses looked up' --least 400000 'stepped from (\d+)'
STEPJUDGE_LIBS := $(addprefix /usr/lib/$(shell uname -m)-linux-gnu/,libc.so.6 libcrypto.so.3)
STEPJUDGE_FILES = $(CORPUS) $(STEPJUDGE_ARM)
# those of them that interp.py reads in seconds
STEPJUDGE_INTERP = $(filter-out %/libLLVM-14.so.1 %/gdb %/git %/perl %/ld %/libcrypto.so.3 \
	%/libstdc++.so.6 %/libpython3.11.so.1.0,$(STEPJUDGE_FILES))
STEPJUDGE_INTERP_FLOORS := --least 18 '(\d+) files' --least 6900000 '(\d+) same' \
	--most 14000 '(\d+) left out'
STEPJUDGE_PACKAGES := gdb git openssh-client libllvm14

.PHONY: stepjudge stepjudge-all
stepjudge: $(STEPJUDGE)/stepjudge $(STEPJUDGE)/stepjudge-faulty $(STEPJUDGE)/column.so \
		$(CFI_FIXTURES) $(B)/ustack
	@$(STEPJUDGE_DIR)/selftest $(STEPJUDGE)/stepjudge-faulty $(B)/ustack $(STEPJUDGE_LIBS) \
		/lib64/ld-linux-x86-64.so.2 \
		$(filter %/libc.so.6 %/libgcc_s.so.1,$(STEPJUDGE_ARM))
	@tests/lib/judge stepjudge-every $(STEPJUDGE_EVERY_FLOORS) -- \
		$< --every $(STEPJUDGE)/column.so $(CFI_FIXTURES)
	@scripts/deps.sh tables
	@tests/lib/judge stepjudge $(STEPJUDGE_FLOORS) -- $< $(STEPJUDGE_FILES)
	@tests/lib/judge stepjudge-2 $(STEPJUDGE_FORMAT_FLOORS) $(STEPJUDGE_FLOORS_2) -- \
		$< --format 2 $(STEPJUDGE_LIBS) $(STEPJUDGE_ARM)
	@tests/lib/judge stepjudge-3 $(STEPJUDGE_FORMAT_FLOORS) $(STEPJUDGE_FLOORS_3) -- \
		$< --format 3 $(STEPJUDGE_LIBS) $(STEPJUDGE_ARM)
	@tests/lib/judge interp $(STEPJUDGE_INTERP_FLOORS) -- \
		$(STEPJUDGE_DIR)/interp.py $(B)/ustack readelf $(STEPJUDGE_INTERP)

stepjudge-all: $(STEPJUDGE)/stepjudge
	@tests/lib/judge stepjudge-all $(STEPJUDGE_FLOORS) -- \
		$< /usr/bin /usr/sbin /usr/lib $(wildcard /usr/aarch64-linux-gnu)
	@for guest in $$(tests/guest/vm/list | grep ^arm64); do \
		echo "== $$guest"; \
		tests/lib/judge stepjudge-$$guest -- $< $$(tests/guest/vm/fetch $$guest)/root/usr || exit 1; \
	done
	@echo "== arm64: $(STEPJUDGE_PACKAGES)"
	@tests/lib/judge stepjudge-arm64 -- $< $$(tests/guest/vm/tree bookworm arm64 $(STEPJUDGE_PACKAGES))/usr

CHECKS += stepjudge
CHECK_BUILD += $(STEPJUDGE)/stepjudge $(STEPJUDGE)/stepjudge-faulty $(STEPJUDGE)/column.so
NIGHTLY += stepjudge-all
