# SPDX-License-Identifier: GPL-2.0-only
# Compares the walk of bpf/unwind.bpf.h with kmod/core, on stacks that are made up.
#
#	make bpfwalk		on this machine, as root

BPFWALK := $(B)/bpfwalk
BPFWALK_SRC := $(filter-out %.bpf.c,$(wildcard tests/judge/bpfwalk/*.c))
BPFWALK_LIB := /usr/lib/$(shell gcc -dumpmachine)

$(BPFWALK)/%.bpf.o: tests/judge/bpfwalk/%.bpf.c tests/judge/bpfwalk/case.h $(wildcard bpf/*.h) $(BPF_CORE) \
		bpf/build.mk | $(B)/bpf/deps
	$(bpf_object)

$(BPFWALK)/%.skel.h: $(BPFWALK)/%.bpf.o
	$(call bpf_skeleton,case.h)

$(call objects,plain,$(BPFWALK_SRC)): $(BPFWALK)/walk.skel.h
$(call objects,plain,$(BPFWALK_SRC)): TEST_FLAGS := -iquote $(BPFWALK) -iquote tests/judge/bpfwalk \
	-fno-omit-frame-pointer
$(BPFWALK)/bpfwalk: $(call objects,plain,$(BPFWALK_SRC)) $(B)/plain/libustack.a
	@$(LINK_plain) $^ -o $@ -static -lbpf -ldw -lelf -lz -lpthread

.PHONY: bpfwalk
bpfwalk: $(BPFWALK)/bpfwalk
	@$(BPFWALK)/bpfwalk /usr/bin/bash $(addprefix $(BPFWALK_LIB)/,libc.so.6 libcrypto.so.3 \
		libstdc++.so.6 libpython3.11.so.1.0)
	@$(BPFWALK)/bpfwalk -b NO_ROW $(BPFWALK)/bpfwalk /usr/bin/bash $(BPFWALK_LIB)/libc.so.6
	@$(BPFWALK)/bpfwalk -b NO_TABLE $(BPFWALK)/bpfwalk /usr/bin/bash
	@$(BPFWALK)/bpfwalk -b NO_IMAGE $(BPFWALK)/bpfwalk /usr/bin/bash
	@$(BPFWALK)/bpfwalk -d -n 5000 /usr/bin/bash $(BPFWALK_LIB)/libc.so.6

CHECKS += bpfwalk
CHECK_BUILD += $(BPFWALK)/bpfwalk

.PRECIOUS: $(BPFWALK)/%.bpf.o
