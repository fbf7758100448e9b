# SPDX-License-Identifier: GPL-2.0
# libFuzzer targets of the core. Inputs that the tree keeps are in
# tests/fuzz/corpus/NAME; a run works on build/fuzz/corpus/NAME.
#
#   make fuzz                        20 s each, as part of make check
#   make fuzz-long FUZZ_SECONDS=600  CPU seconds each; writes the evidence page
#   make fuzz-merge                  take what the runs found into the tree, minimised

FUZZ_SECONDS ?= 600
FUZZ_JOBS ?= 2
FUZZ_TARGETS := cursor elf verify table walk_x86_64 walk_aarch64 blind encode
# have rules of their own below: of user/, and with libdw or libelf
FUZZ_TARGETS += cfi gopclntab code gsym gsym_write gsym_breakpad gsym_symtab
FUZZ_TARGETS += macho gsym_macho
FUZZ_TARGETS += unwind_info macho_walk capture
FUZZ_TARGETS += demangle stl_names
FUZZ_DWARF_TARGETS := dwarf dwarf_elf dwarf_line dwarf_package
FUZZ_TARGETS += $(FUZZ_DWARF_TARGETS)
FUZZ_TARGETS += pprof
FUZZ_TARGETS += flame
FUZZ_TARGETS += sampler_words sampler_stacks
FUZZ_TARGETS += perf_sample
FUZZ_TARGETS += imagemap bsym
FUZZ_TARGETS += kallsyms perf_map jitdump
FUZZ_TARGETS += config relabel cgroup_labels
FUZZ_TARGETS += store selector when
FUZZ_TARGETS += push
FUZZ_TARGETS += clickhouse clickhouse_rows
FUZZ_TARGETS += http
FUZZ_CORE := $(sort $(wildcard kmod/core/*.c))
FUZZ_HEADERS := $(wildcard kmod/core/*.h kmod/core/*.def) $(wildcard tests/fuzz/*.h)
FUZZ_FLAGS := -std=gnu11 -O1 -g -fno-omit-frame-pointer -Wall -Wextra -Werror \
	-Wno-unused-parameter -I kmod/core -I tests/fuzz \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZ_BIN := $(FUZZ_TARGETS:%=$(B)/fuzz/%)

$(B)/fuzz/walk_%: tests/fuzz/fuzz_walk.c $(FUZZ_CORE) $(FUZZ_HEADERS) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) $(FUZZ_FLAGS) -DFUZZ_ARCH=ustack_arch_$* $< $(FUZZ_CORE) -o $@
$(B)/fuzz/encode: tests/fuzz/fuzz_encode.c user/sframe/encode.c user/util/diag.c user/util/text.c \
		$(FUZZ_CORE) $(FUZZ_HEADERS) $(wildcard user/*/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) $(FUZZ_FLAGS) -iquote user $(filter %.c,$^) -o $@
$(B)/fuzz/%: tests/fuzz/fuzz_%.c $(FUZZ_CORE) $(FUZZ_HEADERS) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) $(FUZZ_FLAGS) $< $(FUZZ_CORE) -o $@

FUZZ_CFI := $(wildcard user/sframe/cfi*.c) $(addprefix user/util/,diag.c file.c text.c)
$(B)/fuzz/cfi: tests/fuzz/fuzz_cfi.c $(FUZZ_CFI) $(FUZZ_CORE) $(FUZZ_HEADERS) \
		$(wildcard user/sframe/cfi*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -ldw -lelf -o $@

FUZZ_GO := $(addprefix user/sframe/,gopclntab.c elf_read.c $(notdir $(wildcard user/sframe/synth_go*.c))) \
	$(addprefix user/util/,diag.c file.c text.c)
$(B)/fuzz/gopclntab: tests/fuzz/fuzz_gopclntab.c $(filter-out %/synth_go_add.c,$(FUZZ_GO)) \
		$(FUZZ_CORE) $(FUZZ_HEADERS) $(wildcard user/sframe/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -lelf -o $@

FUZZ_CODE := $(filter-out %/synth_code.c %_calls.c,$(wildcard user/sframe/synth_code*.c)) \
	$(wildcard user/sframe/x86_*.c)
$(B)/fuzz/code: tests/fuzz/fuzz_code.c $(FUZZ_CODE) $(FUZZ_CORE) $(FUZZ_HEADERS) \
		$(wildcard user/sframe/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

FUZZ_GSYM := $(GSYM_READER) tests/gsym/naive.c user/util/diag.c user/util/text.c
$(B)/fuzz/gsym: tests/fuzz/fuzz_gsym.c $(FUZZ_GSYM) $(FUZZ_CORE) $(FUZZ_HEADERS) \
		$(wildcard user/gsym/*.h user/util/*.h tests/gsym/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user -iquote tests/gsym $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

$(B)/fuzz/unwind_info: $(MACHO_UNWIND)
$(B)/fuzz/macho $(B)/fuzz/unwind_info: $(B)/fuzz/%: tests/fuzz/fuzz_%.c $(MACHO) user/util/diag.c user/util/text.c \
		kmod/core/reason.c tests/fuzz/must.h $(wildcard user/macho/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) -o $@

FUZZ_MACHO_WALK := $(MACHO_CONVERT) $(IMAGEMAP) $(addprefix user/util/,diag.c text.c)
FUZZ_CAPTURE := user/macho/capture.c $(IMAGEMAP) $(patsubst %,user/util/%.c,diag hex options text)
$(B)/fuzz/macho_walk: $(FUZZ_MACHO_WALK) $(FUZZ_CORE)
$(B)/fuzz/macho_walk: FUZZ_LIBS := -ldw -lelf
$(B)/fuzz/capture: $(FUZZ_CAPTURE) kmod/core/reason.c
$(B)/fuzz/macho_walk $(B)/fuzz/capture: $(B)/fuzz/%: tests/fuzz/fuzz_%.c $(FUZZ_HEADERS) \
		$(wildcard user/*/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) $(FUZZ_LIBS) -o $@

$(B)/fuzz/bsym: tests/fuzz/fuzz_bsym.c $(BSYM_READER) $(BSYM_WRITER) user/util/diag.c user/util/text.c \
		kmod/core/reason.c tests/fuzz/must.h $(wildcard user/bsym/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

$(B)/fuzz/imagemap: tests/fuzz/fuzz_imagemap.c $(IMAGEMAP) user/util/diag.c user/util/text.c \
		kmod/core/reason.c tests/fuzz/must.h $(wildcard user/imagemap/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

FUZZ_GSYM_WRITE := $(GSYM_WRITER) $(GSYM_READER) $(addprefix user/util/,diag.c file.c text.c)
FUZZ_GSYM_MAKE := $(patsubst %,$(B)/fuzz/gsym_%,write breakpad symtab macho)
$(B)/fuzz/gsym_macho: $(GSYM_MACHO) $(GSYM_SYMTAB)
$(B)/fuzz/gsym_macho: FUZZ_LIBS := -ldw -lelf -llzma
$(B)/fuzz/gsym_symtab: $(GSYM_SYMTAB)
$(B)/fuzz/gsym_symtab: FUZZ_LIBS := -ldw -lelf -llzma
$(B)/fuzz/gsym_breakpad: $(GSYM_BREAKPAD)
$(FUZZ_GSYM_MAKE): $(B)/fuzz/%: tests/fuzz/fuzz_%.c $(FUZZ_GSYM_WRITE) $(FUZZ_CORE) \
		$(FUZZ_HEADERS) $(wildcard user/gsym/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) $(FUZZ_LIBS) -o $@

# libiberty is Debian's: the sanitizers see what it is given and what it loses
FUZZ_NAMES := $(wildcard user/names/*.c)
$(B)/fuzz/perf_sample: tests/fuzz/fuzz_perf_sample.c user/stackcopy/sample.c \
		tests/fuzz/fuzz.h $(wildcard user/stackcopy/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

$(B)/fuzz/demangle $(B)/fuzz/stl_names: $(B)/fuzz/%: tests/fuzz/fuzz_%.c $(FUZZ_NAMES) \
		tests/fuzz/fuzz.h $(wildcard user/names/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -liberty -o $@

# the producer whole, with the parts that it fills
FUZZ_DWARF := $(wildcard user/dwarf/*.c) $(MACHO) $(FROM_DWARF_UNIT) $(GSYM_WRITER) \
	$(addprefix user/util/,diag.c file.c map.c text.c)
$(FUZZ_DWARF_TARGETS:%=$(B)/fuzz/%): $(B)/fuzz/dwarf%: tests/fuzz/fuzz_dwarf%.c $(FUZZ_DWARF) \
		kmod/core/reason.c $(wildcard tests/fuzz/*.h user/*/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -lz -lzstd -o $@

$(B)/fuzz/flame: $(filter-out user/flame/flame.c,$(FLAME))
$(B)/fuzz/pprof $(B)/fuzz/flame: $(B)/fuzz/%: tests/fuzz/fuzz_%.c $(PPROF) $(CALLTREE) $(PPROF_GEN).c kmod/core/reason.c \
		tests/fuzz/fuzz.h $(wildcard user/flame/*.h user/profile/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh pprof
	@$(CLANG) -D_GNU_SOURCE -iquote user -iquote $(GEN) $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$(sort $^)) -lprotobuf-c -lz -o $@

$(B)/fuzz/store: tests/fuzz/fuzz_store.c $(STORE) $(PROFILE) $(addprefix user/util/,diag.c file.c text.c) \
		kmod/core/reason.c tests/fuzz/fuzz.h $(wildcard user/store/*.h user/profile/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh elfutils
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$(sort $^)) -lz -lzstd -o $@

$(B)/fuzz/selector: tests/fuzz/fuzz_selector.c user/store/selector.c $(PROFILE) $(addprefix user/util/,diag.c text.c) \
		kmod/core/reason.c tests/fuzz/fuzz.h $(wildcard user/store/*.h user/profile/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh daemon
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$(sort $^)) -lpcre2-8 -o $@

$(B)/fuzz/when: tests/fuzz/fuzz_when.c user/util/when.c user/util/when.h tests/fuzz/fuzz.h | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

$(B)/fuzz/sampler_words: user/perf/cpus.c $(patsubst %,user/sampler/%.c,event pmu) \
	user/kernel/kallsyms_range.c user/util/options.c
$(B)/fuzz/sampler_stacks: user/sampler/stacks.c
$(B)/fuzz/sampler_%: tests/fuzz/fuzz_sampler_%.c user/util/diag.c user/util/text.c $(FUZZ_CORE) \
		$(FUZZ_HEADERS) $(wildcard user/sampler/*.h user/util/*.h) bpf/wire.h | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user -iquote bpf $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) -o $@

$(B)/fuzz/kallsyms: $(wildcard user/kernel/*.c) $(patsubst %,user/util/%.c,diag text thread)
$(B)/fuzz/perf_map: $(patsubst %,user/jit/%.c,codes perf_map)
$(B)/fuzz/jitdump: $(patsubst %,user/jit/%.c,codes jitdump)
$(patsubst %,$(B)/fuzz/%,kallsyms perf_map jitdump): $(B)/fuzz/%: tests/fuzz/fuzz_%.c \
		kmod/core/reason.c tests/fuzz/must.h $(wildcard user/kernel/*.h user/jit/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(filter %.c,$^) -o $@

$(B)/fuzz/config: $(DAEMON_CONFIG) user/util/file.c
$(B)/fuzz/config: FUZZ_LIBS := -lyaml -lpcre2-8 -lmd
$(B)/fuzz/relabel: $(DAEMON_RELABEL)
$(B)/fuzz/relabel: FUZZ_LIBS := -lpcre2-8 -lmd
$(B)/fuzz/cgroup_labels: user/daemon/cgroup_labels.c user/util/hex.c
$(patsubst %,$(B)/fuzz/%,config relabel cgroup_labels): $(B)/fuzz/%: tests/fuzz/fuzz_%.c \
		$(patsubst %,user/util/%.c,diag text utf8) kmod/core/reason.c tests/fuzz/must.h \
		$(wildcard user/daemon/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh daemon
	@$(CLANG) -D_GNU_SOURCE -iquote user -iquote bpf $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) $(FUZZ_LIBS) -o $@

$(B)/fuzz/push: tests/fuzz/fuzz_push.c $(patsubst %,user/push/%.c,answer machine position verdict) \
		$(PROFILE) $(patsubst %,user/util/%.c,diag file screen text utf8) kmod/core/reason.c \
		tests/fuzz/must.h $(wildcard user/push/*.h user/profile/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh json
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) -ljansson -lz -o $@

$(B)/fuzz/clickhouse: tests/fuzz/fuzz_clickhouse.c \
		$(filter-out $(CLICKHOUSE_ASK),$(wildcard user/clickhouse/*.c)) \
		$(patsubst %,user/push/%.c,clickhouse_ask clickhouse_numbers clickhouse_rows identity \
		machine position) $(PROFILE) $(patsubst %,user/util/%.c,buffer diag file hex text utf8) \
		kmod/core/reason.c tests/fuzz/must.h $(wildcard user/clickhouse/*.h user/push/*.h \
		user/profile/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh json
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) -ljansson -lz -o $@

$(B)/fuzz/clickhouse_rows: tests/fuzz/fuzz_clickhouse_rows.c $(patsubst %,user/clickhouse/%.c,rows words) \
		$(patsubst %,user/util/%.c,diag screen text utf8) kmod/core/reason.c \
		tests/fuzz/must.h $(wildcard user/clickhouse/*.h user/util/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@$(CLANG) -D_GNU_SOURCE -iquote user $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) -o $@

FUZZ_HTTP := $(filter-out user/daemon/http%.c,$(HTTP)) $(FLAME) $(PPROF) $(CALLTREE) \
	$(wildcard user/profile/export*.c) user/report/select.c \
	$(patsubst %,user/util/%.c,hex options screen when) tests/web/double.c tests/web/fill.c
$(B)/fuzz/http: tests/fuzz/fuzz_http.c $(FUZZ_HTTP) $(PPROF_GEN).c $(FLAME_PAGE) $(DAEMON_PAGE) \
		kmod/core/reason.c tests/fuzz/must.h $(wildcard user/*/*.h tests/web/*.h) | fuzz-deps
	@mkdir -p $(@D)
	@scripts/deps.sh json pprof
	@$(CLANG) -D_GNU_SOURCE -iquote user -iquote $(GEN) $(subst -I ,-iquote ,$(FUZZ_FLAGS)) \
		$(sort $(filter %.c,$^)) -ljansson -lprotobuf-c -lz -lm -o $@

# fuzz finds what a change has broken: the same inputs each time, so that what it says is of the
# change and not of luck. fuzz-long looks for what nobody has found yet.
.PHONY: fuzz fuzz-long fuzz-merge fuzz-deps fuzz-bins
fuzz-deps:
	@scripts/deps.sh unit

fuzz-bins: $(FUZZ_BIN)

fuzz:
	@$(MAKE) --no-print-directory $(PARALLEL) fuzz-bins
	@tests/fuzz/run --seconds 10 --seed 1 --timeout 30 --jobs $(FUZZ_JOBS) $(B)/fuzz $(FUZZ_TARGETS)

fuzz-long: $(FUZZ_BIN)
	@tests/fuzz/run --cpu --seconds $(FUZZ_SECONDS) \
		--page Documentation/evidence/fuzz.md $(B)/fuzz $(FUZZ_TARGETS)

fuzz-merge: $(FUZZ_BIN)
	@tests/fuzz/merge $(B)/fuzz $(FUZZ_TARGETS)

CHECKS += fuzz
FULL_CHECKS += fuzz-long
