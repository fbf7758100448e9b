# SPDX-License-Identifier: GPL-2.0-only
# Tests the walk by tables, linked with programs that are not part of ustack.
#
#	make getstack		on this machine, as root: each sample is compared with libdw; the example

GETSTACK := $(B)/getstack
GETSTACK_EXAMPLE := Documentation/examples

$(GETSTACK)/probe.alone.o: BPF_CFLAGS += -iquote tests/live/bpftables
$(GETSTACK)/%.alone.o: tests/live/getstack/%.bpf.c bpf/ustack_stack.bpf.h tests/live/bpftables/chain.h bpf/wire.h \
		| $(B)/bpf/deps
	$(bpf_object)

# the build steps of Documentation/ebpf-library.md
$(GETSTACK)/%.alone.o: $(GETSTACK_EXAMPLE)/%.bpf.c bpf/ustack_stack.bpf.h | $(B)/bpf/deps
	@mkdir -p $(@D)
	@$(BPF_CLANG) -target bpf -mcpu=v3 -O2 -g -I bpf -I /usr/include/$(shell gcc -dumpmachine) -c $< -o $@

$(GETSTACK)/%.linked.o: $(GETSTACK)/%.alone.o $(BPF_LIBRARY)
	@$(BPFTOOL) gen object $@ $^

$(GETSTACK)/%.skel.h: $(GETSTACK)/%.linked.o
	@$(BPFTOOL) gen skeleton $< name $*_bpf >$@

# static, so that they run in guests
GETSTACK_BUILD = @$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -I $(GETSTACK) -I bpf $< -o $@ \
	-static -lbpf -lelf -lz

$(GETSTACK)/probe: tests/live/getstack/probe.c $(GETSTACK)/probe.skel.h
	$(GETSTACK_BUILD)

$(GETSTACK)/opens: $(GETSTACK_EXAMPLE)/opens.c $(GETSTACK)/opens.skel.h
	$(GETSTACK_BUILD)

.PHONY: getstack
getstack: groundtruth $(B)/ustack $(BPFTABLES)/rechain $(addprefix $(GETSTACK)/,probe opens) \
		$(addprefix $(B)/stackcopy/,handlers objects)
	@tests/live/getstack/run $(B)

.PRECIOUS: $(GETSTACK)/%.alone.o $(GETSTACK)/%.linked.o $(GETSTACK)/%.skel.h

CHECKS_LIVE += getstack
CHECK_BUILD += $(addprefix $(GETSTACK)/,probe opens)
