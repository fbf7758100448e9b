# SPDX-License-Identifier: GPL-2.0-only
# Builds the program, build/ustack, from user/ and the core, and the archives that every test program
# is linked with.
#
# Each source is compiled once for each variant, to build/VARIANT/{user,core,gen}/NAME.o:
#
#	plain	the program as it is delivered, and most tests
#	asan	by clang, with the address and undefined-behaviour sanitizers and the counters of
#		libFuzzer, so that unit tests and fuzzers share their objects
#
# build/VARIANT/libustack.a has all objects of a variant except main.o. A test program is linked from its own
# objects and that archive: the linker takes the objects that the test uses, so there is no list of them.
# tests/**/NAME.c is compiled to build/VARIANT/tests/**/NAME.o.

USTACK_VERSION := $(shell sed -n 's/^.define USTACK_VERSION "\(.*\)"$$/\1/p' kmod/version.h)
$(if $(USTACK_VERSION),,$(error kmod/version.h names no version))

# The reader of CFI needs libdw and libelf; the readers of debug information and symbols need zlib,
# zstd and liblzma; demangling needs libiberty, profile files need libprotobuf-c, the sampler needs
# libbpf. A cross build uses the libraries below the --sysroot of CC: see user-arm64.
USER_SRC := $(wildcard user/*.c user/*/*.c user/*/*/*.c)
USER_LIBS := -lbpf -ldw -lelf -llzma -lz -lzstd -lprotobuf-c -liberty -lm -lncursesw -ltinfo \
	-ljansson -lyaml -lpcre2-8 -lmd -lmicrohttpd -lpthread
USER_DEPS ?= elfutils bpf pprof tui json daemon push http
USER_GEN := profile/pprof.pb-c capture/record/process_context.pb-c show/flame/page serve/daemon/page supply/synthesizer

GEN := $(B)/gen
# profile files
PPROF_GEN := $(GEN)/profile/pprof.pb-c
$(PPROF_GEN).c: user/profile/pprof.proto
	@scripts/deps.sh pprof
	@mkdir -p $(@D)
	$(Q)$(PROTOC_C) --c_out=$(@D) -I $(<D) $<
$(PPROF_GEN).h: $(PPROF_GEN).c

# attributes that processes publish (OpenTelemetry)
CONTEXT_GEN := $(GEN)/capture/record/process_context.pb-c
$(CONTEXT_GEN).c: user/capture/record/process_context.proto
	@scripts/deps.sh pprof
	@mkdir -p $(@D)
	$(Q)$(PROTOC_C) --c_out=$(@D) -I $(<D) $<
$(CONTEXT_GEN).h: $(CONTEXT_GEN).c

# the page of flame graphs and the daemon's page, as C
$(GEN)/show/flame/page.c: $(wildcard user/show/flame/page/*)
	@mkdir -p $(@D)
	@user/show/flame/page/build >$@
$(GEN)/serve/daemon/page.c: $(wildcard user/serve/daemon/page/*) $(addprefix user/show/flame/page/,text.js names.js) Documentation/short-stacks.md
	@mkdir -p $(@D)
	@user/serve/daemon/page/build >$@

# Sources that determine the bytes of cached tables. The folders are listed, so that removing a file
# counts too.
$(GEN)/supply/synthesizer.c: user/supply/synthesizer $(shell user/supply/synthesizer --files) user/sframe kmod/core
	@mkdir -p $(@D)
	@$< >$@

# -iquote, not -I: kmod/core has an elf.h, which must not replace the system's elf.h when
# a system header includes it. No header there may be named limits.h: GCC's own <limits.h> includes
# the C library's through a file in quotes, and would find that one instead.
USER_INC := -iquote user -iquote kmod/core -iquote kmod/uapi -iquote bpf -iquote $(B)/bpf \
	-iquote $(GEN)
# File names in debug information do not contain the folder of the checkout.
USER_STD := -std=gnu11 -D_GNU_SOURCE -ffile-prefix-map=$(CURDIR)=.
# GCC defines this macro when the address sanitizer is on; clang does not
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-D__SANITIZE_ADDRESS__=1

CC_plain = $(CCACHE) $(CC) $(USER_STD) $(WARN) $(CPPFLAGS) $(CFLAGS) $(USER_INC)
CC_asan = $(CCACHE) $(CLANG) $(USER_STD) -Wall -Wextra $(WARN_ERROR) -Wno-unused-parameter $(SANITIZE) \
	-fsanitize=fuzzer-no-link $(USER_INC)
# Symbols of the program are not exported, because libraries may use the same names: libjansson has a
# json_object() that it calls itself.
LINK_plain = $(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -Wl,--exclude-libs,ALL
LINK_asan = $(CLANG) $(SANITIZE) -fsanitize=fuzzer-no-link -Wl,--as-needed
# a fuzz target; libFuzzer has the main()
LINK_fuzz = $(CLANG) $(SANITIZE) -fsanitize=fuzzer -Wl,--as-needed

# $(call link,plain|asan|fuzz): links the target from the objects and archives among its prerequisites,
# and the target's own LIBS.
link = mkdir -p $(@D) && $(LINK_$(1)) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(USER_LIBS) -o $@

# $(call objects,VARIANT,SOURCE...): the objects of sources in tests/
objects = $(patsubst %.c,$(B)/$(1)/%.o,$(2))

define user_variant
USER_OBJ_$(1) := $$(patsubst %.c,$(B)/$(1)/%.o,$$(USER_SRC)) \
	$$(patsubst kmod/%.c,$(B)/$(1)/%.o,$$(wildcard kmod/core/*.c)) \
	$$(patsubst %,$(B)/$(1)/gen/%.o,$$(USER_GEN))

$(B)/$(1)/core/%.o: kmod/core/%.c | $(B)/deps
	@mkdir -p $$(@D)
	@echo "  CC      $$< ($(1))"
	$$(Q)$$(CC_$(1)) -MMD -MP -c -o $$@ $$<
$(B)/$(1)/gen/%.o: $(GEN)/%.c | $(B)/deps
	@mkdir -p $$(@D)
	@echo "  CC      $$< ($(1))"
	$$(Q)$$(CC_$(1)) -MMD -MP -c -o $$@ $$<
$(B)/$(1)/user/%.o: user/%.c | $(B)/deps $$(USER_GEN:%=$(GEN)/%.c)
	@mkdir -p $$(@D)
	@echo "  CC      $$< ($(1))"
	$$(Q)$$(CC_$(1)) $$(OBJ_DEFS) -MMD -MP -c -o $$@ $$<
# objects of tests/; designated initializers leave fields out on purpose
$(B)/$(1)/tests/%.o: tests/%.c | $(B)/deps $$(USER_GEN:%=$(GEN)/%.c)
	@mkdir -p $$(@D)
	@echo "  CC      $$< ($(1))"
	$$(Q)$$(CC_$(1)) -Wno-missing-field-initializers -iquote $$(<D) $$(TEST_FLAGS) -MMD -MP -c -o $$@ $$<

# the lowest layer, which needs only the C library
$(B)/$(1)/base.a: $$(filter $(B)/$(1)/core/% $(B)/$(1)/user/util/%,$$(USER_OBJ_$(1)))
	@rm -f $$@
	$$(Q)$$(AR) crsT $$@ $$^
# a thin archive, which contains only the names of the objects
$(B)/$(1)/libustack.a: $$(filter-out %/user/main.o,$$(USER_OBJ_$(1)))
	@rm -f $$@
	$$(Q)$$(AR) crsT $$@ $$^
$(B)/$(1)/ustack: $(B)/$(1)/user/main.o $(B)/$(1)/libustack.a
	$$(Q)$$(call link,$(1))

$(patsubst %,$(B)/$(1)/user/%.o,cmd/doctor cmd/version serve/daemon/serving_run): \
	private OBJ_DEFS := -DUSTACK_VERSION='"$(USTACK_VERSION)"'
$(patsubst %,$(B)/$(1)/user/%.o,cmd/doctor cmd/version serve/daemon/serving_run): kmod/version.h
# the BPF programs as C headers, see bpf/build.mk
$$(filter $(B)/$(1)/user/capture/sampler/%,$$(USER_OBJ_$(1))): $$(BPF_SKELETONS)

-include $$(USER_OBJ_$(1):.o=.d) $$(shell find $(B)/$(1)/tests -name '*.d' 2>/dev/null)
endef
$(foreach v,plain asan,$(eval $(call user_variant,$(v))))

user: $(B)/ustack
$(B)/ustack: $(B)/plain/ustack
	@ln -f $< $@

# Builds build/arm64/ustack. The sysroot has the same Debian release as the root file systems of the arm64
# guests, so that the guests have the libraries of the program.
ARM64_LIBS := libdw-dev liblzma-dev zlib1g-dev libzstd-dev
ARM64_LIBS += libbpf-dev
ARM64_LIBS += libprotobuf-c-dev
ARM64_LIBS += libiberty-dev
ARM64_LIBS += libncurses-dev
ARM64_LIBS += libjansson-dev
ARM64_LIBS += libyaml-dev libpcre2-dev libmd-dev
ARM64_LIBS += libcurl4-openssl-dev
ARM64_LIBS += libmicrohttpd-dev
# $(call arm64_make,TARGET...), for a recipe: makes these targets in build/arm64
arm64_make = tree=$$(tests/guest/vm/tree bookworm arm64 $(ARM64_LIBS)) && \
	mkdir -p $(B)/arm64 && ln -sfn "$$tree" $(B)/arm64/tree && \
	$(MAKE) --no-print-directory $(1) B=$(B)/arm64 USER_DEPS= \
		CC="aarch64-linux-gnu-gcc --sysroot=$$tree"
user-arm64:
	@scripts/deps.sh user cross vm
	@$(call arm64_make,user)
.PHONY: user-arm64

# Installs the packages that the build of the program needs.
$(B)/deps: scripts/deps.sh
	@scripts/deps.sh user $(USER_DEPS)
	@mkdir -p $(@D)
	@touch $@
