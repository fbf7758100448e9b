# SPDX-License-Identifier: GPL-2.0
# The program: build/ustack, from user/, user/*/ and the core.

USTACK_VERSION := 0.1.0

# What reads CFI needs libdw and libelf, what reads debug information and symbols zlib,
# zstd and liblzma; what demangles libiberty, profiles as files libprotobuf-c, the sampler
# libbpf. ELFUTILS=no leaves all of it out: for static builds, as there is no static
# libdw without much else. A cross build has the libraries of the tree that CC has as its
# --sysroot, see user-arm64.
ELFUTILS ?= yes
GSYM_SYMTAB := $(patsubst %,user/gsym/%.c,from_symtab unxz) user/dwarf/place.c
GSYM_MACHO := $(patsubst %,user/gsym/%.c,from_macho input) user/macho/file.c user/util/map.c
USER_ELFUTILS_SRC := $(GSYM_SYMTAB)
USER_ELFUTILS_SRC += $(patsubst %,user/gsym/%.c,from_macho input)
USER_ELFUTILS_SRC += $(wildcard user/sframe/cfi*.c user/sframe/synth*.c) user/sframe/compare.c
USER_ELFUTILS_SRC += $(patsubst %,user/cmd/sframe_%.c,compare coverage synth)
USER_ELFUTILS_SRC += $(wildcard user/supply/*.c) user/cmd/supply.c user/cmd/prebuild.c
USER_ELFUTILS_SRC += $(wildcard user/dwarf/*.c user/gsym/from_dwarf*.c user/gsym/verify*.c)
USER_ELFUTILS_SRC += user/gsym/convert.c user/gsym/from_bsym.c user/gsym/from_cfi.c $(patsubst %,user/cmd/gsym_%.c,convert verify)
USER_ELFUTILS_SRC += $(wildcard user/profile/pprof*.c user/profile/export*.c) user/cmd/export.c
USER_ELFUTILS_SRC += $(wildcard user/sampler/*.c user/symstore/*.c user/record/*.c user/jit/*.c)
USER_ELFUTILS_SRC += $(patsubst %,user/cmd/%.c,record report symbolize)
USER_ELFUTILS_SRC += $(patsubst %,user/cmd/%.c,diff recording top)
USER_ELFUTILS_SRC += $(wildcard user/report/*.c)
USER_ELFUTILS_SRC += $(wildcard user/tui/*.c)
USER_ELFUTILS_SRC += $(wildcard user/names/*.c)
USER_ELFUTILS_SRC += $(wildcard user/stackcopy/*.c)
USER_ELFUTILS_SRC += user/bsym/from_gsym.c user/cmd/bsym_convert.c
USER_ELFUTILS_SRC += $(wildcard user/flame/*.c) user/cmd/flame.c
USER_ELFUTILS_SRC += $(wildcard user/doctor/*.c) user/cmd/doctor.c
USER_ELFUTILS_SRC += user/imagemap/from_json.c $(patsubst %,user/cmd/%.c,imagemap_encode imagemap_profile symbolize_map)
USER_ELFUTILS_SRC += $(wildcard user/store/*.c)
USER_ELFUTILS_SRC += user/cmd/daemon.c $(patsubst %,user/cmd/%.c,query query_lists query_where)
USER_ELFUTILS_SRC += $(wildcard user/daemon/*.c)
USER_ELFUTILS_SRC += $(patsubst %,user/macho/%.c,capture convert eh_expr eh_frame find process)
USER_ELFUTILS_SRC += $(patsubst %,user/macho/%.c,rules table walk walk_core)
USER_ELFUTILS_SRC += $(patsubst %,user/cmd/macho_%.c,convert unwind)
USER_ELFUTILS_DEFS := -DUSTACK_ELFUTILS
USER_ELFUTILS_LIBS := -lbpf -ldw -lelf -llzma -lz -lzstd
USER_ELFUTILS_LIBS += -lprotobuf-c
USER_ELFUTILS_LIBS += -liberty
USER_ELFUTILS_LIBS += -lm -lncursesw -ltinfo
USER_ELFUTILS_DEPS := elfutils bpf
USER_ELFUTILS_DEPS += pprof tui
USER_ELFUTILS_LIBS += -ljansson
USER_ELFUTILS_DEPS += pprof
USER_ELFUTILS_DEPS += json
USER_ELFUTILS_LIBS += -lyaml -lpcre2-8 -lmd
USER_ELFUTILS_DEPS += daemon
USER_ELFUTILS_SRC += $(wildcard user/push/*.c)
USER_ELFUTILS_SRC += $(wildcard user/clickhouse/*.c) $(patsubst %,user/cmd/%.c,clickhouse database)
USER_ELFUTILS_SRC += $(patsubst %,user/cmd/%.c,naming symbolizer)
USER_ELFUTILS_DEPS += push
USER_ELFUTILS_LIBS += -lmicrohttpd
USER_ELFUTILS_DEPS += http
USER_GEN := profile/pprof.pb-c
USER_PAGE := flame/page
USER_PAGE += daemon/page
ifeq ($(ELFUTILS),no)
USER_ELFUTILS_LIBS :=
USER_ELFUTILS_DEFS :=
USER_ELFUTILS_DEPS :=
USER_GEN :=
USER_PAGE :=
USER_LEFT_OUT := $(USER_ELFUTILS_SRC)
endif

# headers of Mach-O files
MACHO := $(patsubst %,user/macho/%.c,fat linkedit macho)
# what reads their compact unwinding
MACHO_UNWIND := $(MACHO) $(patsubst %,user/macho/unwind_%.c,decode edge info step text)
MACHO_UNWIND += $(patsubst %,user/macho/%.c,image insn)
# what walks captured stacks by it; with -ldw -lelf
MACHO_WALK := $(MACHO_UNWIND) $(patsubst %,user/macho/%.c,capture eh_expr eh_frame walk)
MACHO_WALK += $(wildcard user/sframe/cfi*.c) user/util/hex.c user/util/options.c
# and by what it is converted to
MACHO_CONVERT := $(MACHO_WALK) $(patsubst %,user/macho/%.c,convert rules table walk_core)
MACHO_CONVERT += $(filter-out user/sframe/cfi%,$(wildcard user/sframe/*.c)) user/util/file.c

# what reads GSYM files, without what makes them
GSYM_READER := $(patsubst %,user/gsym/%.c,cache calls expand function layout leb line_block lines lookup)
GSYM_READER += $(patsubst %,user/gsym/%.c,more open section) $(MACHO)
GSYM_WRITER := $(patsubst %,user/gsym/%.c,encode names order part plan rename rows tails)
GSYM_WRITER += user/gsym/write.c user/util/buffer.c
GSYM_BREAKPAD := $(patsubst %,user/gsym/%.c,from_breakpad text_lines)

# what makes functions of one unit of DWARF
FROM_DWARF_UNIT := $(patsubst %,user/gsym/from_dwarf_%.c,add lines sites unit)

# what reads BSYM files, and what makes them of nothing but themselves and text
BSYM_READER := $(patsubst %,user/bsym/%.c,entries lookup open open_3 unpack verify) user/util/map.c
BSYM_WRITER := $(patsubst %,user/bsym/%.c,from_bsym from_symbol new tokens write) \
	user/gsym/text_lines.c $(patsubst %,user/util/%.c,file intern strings)

# image maps, without what makes them
IMAGEMAP := $(patsubst %,user/imagemap/%.c,decode encode imagemap) user/util/utf8.c

# profiles in memory
PROFILE := $(patsubst %,user/profile/%.c,imagemaps labels location merge profile) \
	$(patsubst %,user/util/%.c,intern strings)
CALLTREE := $(wildcard user/profile/calltree*.c)

# the daemon's configuration, and rules that rewrite labels
DAEMON_RELABEL := $(patsubst %,user/daemon/%.c,labels relabel relabel_rule)
DAEMON_WINDOW := $(sort $(patsubst %,user/daemon/%.c,cgroup_labels label_cache random thin window) \
	$(DAEMON_RELABEL) $(PROFILE) $(patsubst %,user/util/%.c,buffer diag hex json text utf8) \
	kmod/core/reason.c)
DAEMON_CONFIG := $(wildcard user/daemon/config*.c) user/daemon/yaml.c user/clickhouse/name.c \
	$(patsubst %,user/push/%.c,options url_check) $(DAEMON_RELABEL)

# profiles as files; what protoc-c makes is in build/gen/profile
PPROF := $(PROFILE) $(wildcard user/profile/pprof*.c) \
	$(patsubst %,user/util/%.c,diag file text utf8) kmod/core/reason.c
GEN := $(B)/gen
PPROF_GEN := $(GEN)/profile/pprof.pb-c
$(PPROF_GEN).c: user/profile/pprof.proto
	@scripts/deps.sh pprof
	@mkdir -p $(@D)
	@protoc-c --c_out=$(@D) -I $(<D) $<
$(PPROF_GEN).h: $(PPROF_GEN).c

# the store of profiles, without what asks it questions
STORE := $(patsubst %,user/store/%.c,decode encode expire folder pick reader recover segment store walk) \
	user/util/buffer.c
# what asks it questions
STORE_QUERY := $(patsubst %,user/store/%.c,ask groups selector series sum values)

# what asks a fleet's database, and names what is in it
CLICKHOUSE_ASK := $(patsubst %,user/clickhouse/%.c,client columns dictionary fleet groups ids make) \
	$(patsubst %,user/clickhouse/%.c,place rows sets sql sum symbolizer windows words)

# windows out to servers, without the store
PUSH := $(PPROF) $(filter-out $(CLICKHOUSE_ASK),$(wildcard user/push/*.c user/clickhouse/*.c)) \
	$(patsubst %,user/util/%.c,buffer hex screen thread)

# questions to a ClickHouse server, without what they are about
CLICKHOUSE := $(patsubst %,user/clickhouse/%.c,client ids place rows sql words) \
	$(patsubst %,user/push/%.c,curl url url_check) $(patsubst %,user/util/%.c,diag file intern screen text utf8)

# flame graphs: the page as C
FLAME := $(patsubst %,user/flame/%.c,data flame pack) user/report/reasons.c user/util/json.c
FLAME_PAGE := $(GEN)/flame/page.c
$(FLAME_PAGE): $(wildcard user/flame/page/*)
	@mkdir -p $(@D)
	@user/flame/page/build >$@

# the daemon's server: its page as C
HTTP := $(wildcard user/daemon/api*.c user/daemon/guard.c user/daemon/http*.c)
HTTP += $(patsubst %,user/daemon/%.c,metrics metrics_process reply request series)
HTTP += user/util/thread.c
DAEMON_PAGE := $(GEN)/daemon/page.c
$(DAEMON_PAGE): $(wildcard user/daemon/page/*) user/flame/page/text.js Documentation/short-stacks.md
	@mkdir -p $(@D)
	@user/daemon/page/build >$@

USER_SRC := $(filter-out $(USER_LEFT_OUT),$(wildcard user/*.c user/*/*.c))
USER_CORE := $(wildcard kmod/core/*.c)
USER_OBJ := $(USER_SRC:user/%.c=$(B)/user/%.o) $(USER_CORE:kmod/%.c=$(B)/user/%.o) \
	$(patsubst %,$(B)/user/gen/%.o,$(USER_GEN) $(USER_PAGE))

# -iquote, not -I: kmod/core has an elf.h and a limits.h, which must not stand in
# for the system's where a system header includes them.
USER_INC := -iquote user -iquote kmod/core -iquote kmod/uapi -iquote bpf -iquote $(B)/bpf \
	-iquote $(GEN)
USER_CC = $(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(USER_INC) \
	$(USER_ELFUTILS_DEFS) $(USER_DEFS)

user: $(B)/ustack

# build/arm64/ustack. The tree is of the release that the arm64 guests' roots are of:
# what it is linked with is there.
ARM64_LIBS := libdw-dev liblzma-dev zlib1g-dev libzstd-dev
ARM64_LIBS += libbpf-dev
ARM64_LIBS += libprotobuf-c-dev
ARM64_LIBS += libiberty-dev
ARM64_LIBS += libncurses-dev
ARM64_LIBS += libjansson-dev
ARM64_LIBS += libyaml-dev libpcre2-dev libmd-dev
ARM64_LIBS += libcurl4-openssl-dev
ARM64_LIBS += libmicrohttpd-dev
user-arm64:
	@scripts/deps.sh user cross vm
	@tree=$$(tests/vm/tree bookworm arm64 $(ARM64_LIBS)) && \
	mkdir -p $(B)/arm64 && ln -sfn "$$tree" $(B)/arm64/tree && \
	$(MAKE) --no-print-directory user B=$(B)/arm64 USER_ELFUTILS_DEPS= \
		CC="aarch64-linux-gnu-gcc --sysroot=$$tree"
.PHONY: user-arm64

$(B)/ustack: $(USER_OBJ)
	@echo "  LD      $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(USER_ELFUTILS_LIBS)

$(B)/user/cmd/doctor.o $(B)/user/cmd/version.o $(B)/user/daemon/front_run.o: private USER_DEFS := -DUSTACK_VERSION='"$(USTACK_VERSION)"'
$(B)/user/cmd/doctor.o $(B)/user/cmd/version.o $(B)/user/daemon/front_run.o: user/build.mk

# the programs of BPF, as C: bpf/build.mk
$(patsubst user/%.c,$(B)/user/%.o,$(wildcard user/sampler/*.c)): $(BPF_SKELETONS)

$(B)/user/core/%.o: kmod/core/%.c | $(B)/user/deps
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(USER_CC) -MMD -MP -c -o $@ $<

$(B)/user/gen/%.o: $(GEN)/%.c | $(B)/user/deps
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(USER_CC) -MMD -MP -c -o $@ $<

$(B)/user/%.o: user/%.c | $(B)/user/deps $(USER_GEN:%=$(GEN)/%.h)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(USER_CC) -MMD -MP -c -o $@ $<

# The packages that building it needs.
$(B)/user/deps: scripts/deps.sh
	@scripts/deps.sh user $(USER_ELFUTILS_DEPS)
	@mkdir -p $(@D)
	@touch $@

-include $(USER_OBJ:.o=.d)
