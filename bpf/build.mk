# SPDX-License-Identifier: GPL-2.0-only
# The sampler's eBPF programs, as C headers: build/bpf/NAME.skel.h. A build for another
# architecture has its own build folder; the name of the architecture is derived from CC.

BPF_ARCH = $(if $(findstring aarch64,$(shell $(CC) -dumpmachine)),arm64,x86)
BPF_OBJECTS := sampler tasks filter
# the object that eBPF programs of users are linked with
BPF_LIBRARY := $(B)/bpf/ustack_stack.bpf.o
BPF_SKELETONS := $(BPF_OBJECTS:%=$(B)/bpf/%.skel.h)
# The build does not depend on the running kernel: bpf/kernel.bpf.h replaces a vmlinux.h.
# The asm/ folder of the kernel headers is that of the build machine. Only the sizes of
# integers are used from it, and they are the same on both architectures.
BPF_CFLAGS = -target bpf -mcpu=v3 -O2 -g -Wall -Wextra $(WARN_ERROR) -Wno-unused-parameter \
	-ffile-prefix-map=$(CURDIR)=. -iquote bpf -iquote kmod/core \
	-I /usr/include/$(shell gcc -dumpmachine 2>/dev/null || $(CC) -dumpmachine)
# these programs include kmod/core, which walks the stacks
BPF_CORE := $(wildcard kmod/core/*.[ch])

# The core has tables of function addresses in read-only data. All these functions are inlined here, and
# the relocations are removed, because neither the kernel nor bpftool's linker accepts them.
define bpf_object
@mkdir -p $(@D)
@echo "  BPF     $<"
$(Q)$(BPF_CLANG) $(BPF_CFLAGS) -D__TARGET_ARCH_$(BPF_ARCH) -c $< -o $@
$(Q)$(LLVM_STRIP) -g -R .rel.rodata $@
endef

# $(1): a header with the types that the programs and user space share
define bpf_skeleton
$(Q){ echo '#include "$(or $(1),wire.h)"'; $(BPFTOOL) gen skeleton $< name $*_bpf; } >$@
endef

$(B)/bpf/%.bpf.o: bpf/%.bpf.c $(wildcard bpf/*.h) $(BPF_CORE) bpf/build.mk | $(B)/bpf/deps
	$(bpf_object)

$(B)/bpf/%.skel.h: $(B)/bpf/%.bpf.o
	$(bpf_skeleton)

$(B)/bpf/deps: scripts/deps.sh
	@scripts/deps.sh bpf
	@mkdir -p $(@D)
	@touch $@

.PRECIOUS: $(B)/bpf/%.bpf.o
