# SPDX-License-Identifier: GPL-2.0-only
# Compares the walk of bpf/unwind.bpf.h with kmod/core, on stacks that are made up.
#
#	make bpfwalk		on this machine, as root

BPFWALK := $(B)/bpfwalk
BPFWALK_SRC := $(filter-out %.bpf.c %/load.c,$(wildcard tests/judge/bpfwalk/*.c))
BPFWALK_LIB := /usr/lib/$(shell gcc -dumpmachine)

$(BPFWALK)/%.bpf.o: tests/judge/bpfwalk/%.bpf.c tests/judge/bpfwalk/case.h $(wildcard bpf/*.h) $(BPF_CORE) \
		bpf/build.mk | $(B)/bpf/deps
	$(bpf_object)

# arm64's walk, for this machine's verifier: eBPF has the same instructions on all machines
$(BPFWALK)/arm64/walk.bpf.o: BPF_ARCH := arm64
$(BPFWALK)/arm64/%.bpf.o: tests/judge/bpfwalk/%.bpf.c tests/judge/bpfwalk/case.h $(wildcard bpf/*.h) $(BPF_CORE) \
		bpf/build.mk | $(B)/bpf/deps
	$(bpf_object)

$(BPFWALK)/%.skel.h: $(BPFWALK)/%.bpf.o
	$(call bpf_skeleton,case.h)

$(call objects,plain,$(BPFWALK_SRC)): $(BPFWALK)/walk.skel.h
$(call objects,plain,$(BPFWALK_SRC)): TEST_FLAGS := -iquote $(BPFWALK) -iquote tests/judge/bpfwalk \
	-fno-omit-frame-pointer
$(BPFWALK)/bpfwalk: $(call objects,plain,$(BPFWALK_SRC)) $(B)/plain/libustack.a
	@$(LINK_plain) $^ -o $@ -static -lbpf -ldw -lelf -lz -lpthread

$(BPFWALK)/load: tests/judge/bpfwalk/load.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -iquote bpf $< -o $@ -lbpf

.PHONY: bpfwalk
bpfwalk: $(BPFWALK)/bpfwalk $(BPFWALK)/load $(BPFWALK)/arm64/walk.bpf.o
	@$(BPFWALK)/load 200000 $(BPFWALK)/arm64/walk.bpf.o
	@$(BPFWALK)/bpfwalk /usr/bin/bash $(addprefix $(BPFWALK_LIB)/,libc.so.6 libcrypto.so.3 \
		libstdc++.so.6 libpython3.11.so.1.0)
	@$(BPFWALK)/bpfwalk -b NO_ROW $(BPFWALK)/bpfwalk /usr/bin/bash $(BPFWALK_LIB)/libc.so.6
	@$(BPFWALK)/bpfwalk -b NO_TABLE $(BPFWALK)/bpfwalk /usr/bin/bash
	@$(BPFWALK)/bpfwalk -b NO_IMAGE $(BPFWALK)/bpfwalk /usr/bin/bash
	@$(BPFWALK)/bpfwalk -d -n 5000 /usr/bin/bash $(BPFWALK_LIB)/libc.so.6

CHECKS += bpfwalk
CHECK_BUILD += $(addprefix $(BPFWALK)/,bpfwalk load arm64/walk.bpf.o)

.PRECIOUS: $(BPFWALK)/%.bpf.o
