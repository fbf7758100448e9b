# SPDX-License-Identifier: GPL-2.0-only
# Unwinding by tables in eBPF, on running programs.
#
#	make bpftables		here, as root: compared with libdw, sample by sample

BPFTABLES := $(B)/bpftables
BPFTABLES_SRC := $(filter-out %.bpf.c %/segments.c,$(wildcard tests/live/bpftables/*.c))

$(BPFTABLES)/%.bpf.o: tests/live/bpftables/%.bpf.c tests/live/bpftables/chain.h $(wildcard bpf/*.h) $(BPF_CORE) \
		bpf/build.mk | $(B)/bpf/deps
	$(bpf_object)

$(BPFTABLES)/%.skel.h: $(BPFTABLES)/%.bpf.o
	$(call bpf_skeleton,$(if $(filter chain,$*),chain.h,tables.h))

$(call objects,plain,$(BPFTABLES_SRC)): $(BPFTABLES)/chain.skel.h $(BPFTABLES)/flood.skel.h
$(call objects,plain,$(BPFTABLES_SRC)): TEST_FLAGS := \
	-iquote $(BPFTABLES) -iquote tests/live/bpftables
$(addprefix $(BPFTABLES)/,chains churn crowd hoard late): $(call objects,plain,tests/live/bpftables/keeping.c)
# each section becomes an executable segment, with a distance of its own from offset to address
$(BPFTABLES)/segments: tests/live/bpftables/segments.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -fomit-frame-pointer -no-pie \
		$(foreach n,1 2 3 4 5 6,-Wl,--section-start=.segment$n=0x$(n)000000) $< -o $@

$(BPFTABLES)/rechain: $(call objects,plain,$(addprefix tests/guest/groundtruth/,rewrite.c compare/arch.c) \
	tests/live/bpftables/walks.c)
$(BPFTABLES)/%: $(call objects,plain,tests/live/bpftables/%.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: bpftables
bpftables: groundtruth workload $(B)/ustack $(addprefix $(BPFTABLES)/,chains churn crowd hoard late rechain segments) \
		$(addprefix $(B)/stackcopy/,handlers objects)
	@tests/live/bpftables/run $(B)

.PRECIOUS: $(BPFTABLES)/%.bpf.o

CHECKS_LIVE += bpftables
CHECK_BUILD += $(addprefix $(BPFTABLES)/,chains churn crowd hoard late rechain segments)
