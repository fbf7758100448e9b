# SPDX-License-Identifier: GPL-2.0-only
# Programs with known stacks, and the checker of their profiles.
#
#	make workload		x86-64, SFrame V1 to V3: build/workload/x86_64-vN
#	make workload-arm64	arm64 likewise, and V3 with pointer authentication
#	make workload-selftest	the checker judges hand-written profiles

W := tests/guest/workload
WB := $(B)/workload

WORKLOAD_SRC := $(wildcard $(W)/src/*) $(W)/build-one $(W)/mktruth.py $(W)/jit.ld \
	tests/toolchain/get kmod/uapi/ustack.h
CHAINCHECK_SRC := $(wildcard $(W)/chaincheck/*.c)
CHAINCHECK_HDR := $(wildcard $(W)/chaincheck/*.h)

.PHONY: workload workload-arm64 workload-selftest workload-deps

workload: $(foreach v,v1 v2 v3,$(WB)/x86_64-$(v)/truth) $(WB)/chaincheck \
	$(WB)/bpfstack-x86_64
workload-arm64: $(foreach v,v1 v2 v3 v3-pac,$(WB)/aarch64-$(v)/truth) \
	$(WB)/chaincheck $(WB)/bpfstack-aarch64

workload-deps:
	@scripts/deps.sh build

# The file truth is written last; make uses it as the target for the whole folder.
$(WB)/x86_64-%/truth: $(WORKLOAD_SRC) | workload-deps
	$(W)/build-one x86_64 $* $(@D)
$(WB)/aarch64-%/truth: $(WORKLOAD_SRC) | workload-deps
	@scripts/deps.sh cross
	$(W)/build-one aarch64 $* $(@D)

$(WB)/chaincheck: $(CHAINCHECK_SRC) $(CHAINCHECK_HDR) | workload-deps
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(CHAINCHECK_SRC) -o $@

# A program that prints the result of bpf_get_stack() in the format that chaincheck reads. libbpf is
# linked statically and the BPF object is inside, so that one file runs in every guest.
BPFSTACK := $(W)/bpfstack
BPFSTACK_SRC := $(addprefix $(BPFSTACK)/,main.c log.c tasks.c object.S)
BPFSTACK_HDR := $(wildcard $(BPFSTACK)/*.h)

$(WB)/bpfstack-obj/stack.bpf.o: $(BPFSTACK)/stack.bpf.c $(BPFSTACK_HDR)
	@scripts/deps.sh unit
	@mkdir -p $(@D)
	sys=$$(tests/toolchain/sysroot x86_64) && $(CLANG) -O2 -g -target bpf -Wall -Werror \
		-I $$sys/usr/include -I $$sys/usr/include/x86_64-linux-gnu -c $< -o $@
	llvm-strip -g $@

define bpfstack_link
	sys=$$(tests/toolchain/sysroot $(1)) && $(2) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) \
		-isystem $$sys/usr/include -Wa,-I,$(WB)/bpfstack-obj $(BPFSTACK_SRC) \
		$$sys/usr/lib/$(1)-linux-gnu/lib{bpf,elf,z}.a -o $@
endef

$(WB)/bpfstack-x86_64: $(BPFSTACK_SRC) $(BPFSTACK_HDR) $(WB)/bpfstack-obj/stack.bpf.o
	$(call bpfstack_link,x86_64,$(CC))
$(WB)/bpfstack-aarch64: $(BPFSTACK_SRC) $(BPFSTACK_HDR) $(WB)/bpfstack-obj/stack.bpf.o
	@scripts/deps.sh cross
	$(call bpfstack_link,aarch64,aarch64-linux-gnu-gcc)

workload-selftest: $(WB)/chaincheck
	$(W)/selftest $<

CHECKS += workload-selftest
CHECK_BUILD += workload
