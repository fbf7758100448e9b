# SPDX-License-Identifier: GPL-2.0
# Unit tests with cmocka, each built plain and with the address and
# undefined-behaviour sanitizers: build/unit/{plain,asan}/test_NAME. They are of
# the core, apart from those that name sources of the program below.

UNIT_TESTS := $(sort $(wildcard tests/unit/test_*.c))
UNIT_CORE := $(sort $(wildcard kmod/core/*.c)) tests/unit/support.c
UNIT_HEADERS := $(wildcard kmod/core/*.h kmod/core/*.def) $(wildcard tests/unit/*.h)
UNIT_FLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) -Wno-missing-field-initializers -O1 -g -I kmod/core -I tests/unit -iquote user \
	-iquote bpf -I kmod/uapi
# UNIT_USER_NAME: what of user/ test_NAME is linked with, UNIT_LIBS_NAME: libraries
UNIT_USER_encode := sframe/encode.c util/diag.c util/text.c
UNIT_USER_cache := supply/cache.c supply/prune.c util/diag.c util/file.c util/text.c
UNIT_USER_apart := supply/apart.c supply/privilege.c $(patsubst %,util/%.c,diag file options text)
UNIT_USER_daemon := $(patsubst %,daemon/%.c,budget cpu_use notify shared) \
	$(patsubst %,util/%.c,diag options text)
UNIT_USER_keeper := daemon/keeper.c $(PROFILE:user/%=%)
UNIT_USER_log := daemon/log.c util/text.c
UNIT_USER_lane := supply/lane.c
UNIT_USER_elf_write := sframe/elf_write.c util/diag.c util/file.c util/text.c
UNIT_USER_code := $(patsubst user/%,%,$(filter-out %/synth_code.c %_calls.c,\
	$(wildcard user/sframe/synth_code*.c)) $(wildcard user/sframe/x86_*.c))
UNIT_USER_gsym := $(GSYM_READER:user/%=%) util/diag.c util/text.c
UNIT_USER_gsym_line_block := $(GSYM_READER:user/%=%) util/diag.c util/text.c
UNIT_USER_gsym_write := $(GSYM_WRITER:user/%=%) util/diag.c util/file.c util/text.c
UNIT_USER_gsym_cache := $(GSYM_READER:user/%=%) $(UNIT_USER_gsym_write)
UNIT_USER_gsym_breakpad := $(patsubst user/%,%,$(GSYM_BREAKPAD) $(GSYM_READER)) \
	$(UNIT_USER_gsym_write)
UNIT_USER_gsym_rename := $(GSYM_READER:user/%=%) $(UNIT_USER_gsym_write)
UNIT_USER_gsym_verify := $(patsubst user/%,%,$(wildcard user/gsym/verify*.c) $(GSYM_READER)) \
	$(MACHO:user/%=%) $(UNIT_USER_gsym_write) $(patsubst user/%,%,$(wildcard user/names/*.c))
UNIT_USER_gsym_symtab := $(GSYM_SYMTAB:user/%=%) $(UNIT_USER_gsym_write)
UNIT_USER_gsym_cfi := gsym/from_cfi.c $(patsubst user/%,%,$(wildcard user/sframe/cfi*.c)) \
	sframe/elf_read.c $(UNIT_USER_gsym_write)
UNIT_USER_place := dwarf/place.c
UNIT_USER_gsym_macho := $(patsubst user/%,%,$(GSYM_MACHO) $(GSYM_SYMTAB) $(GSYM_READER)) \
	$(UNIT_USER_gsym_write)
UNIT_USER_macho := $(MACHO:user/%=%) util/diag.c util/text.c
UNIT_USER_unwind_info := $(MACHO_UNWIND:user/%=%) util/diag.c util/text.c
UNIT_USER_unwind_decode := $(UNIT_USER_unwind_info)
UNIT_USER_unwind_step := $(UNIT_USER_unwind_info)
UNIT_USER_unwind_edge := $(UNIT_USER_unwind_info) util/hex.c
UNIT_USER_eh_frame := $(patsubst user/%,%,$(MACHO_WALK) $(IMAGEMAP)) util/diag.c util/file.c util/text.c
UNIT_USER_capture := $(UNIT_USER_eh_frame)
UNIT_USER_macho_walk := $(patsubst user/%,%,$(MACHO_CONVERT) $(IMAGEMAP)) util/diag.c util/text.c
UNIT_LIBS_eh_frame := -ldw -lelf
UNIT_LIBS_capture := -ldw -lelf
UNIT_LIBS_macho_walk := -ldw -lelf
UNIT_USER_names := $(patsubst user/%,%,$(wildcard user/names/*.c))
UNIT_USER_dwarf := $(patsubst user/%,%,$(wildcard user/dwarf/*.c) $(MACHO)) \
	$(patsubst %,util/%.c,diag file map text)
UNIT_USER_dwarf_package := $(UNIT_USER_dwarf)
UNIT_USER_dwarf_macho := $(UNIT_USER_dwarf)
UNIT_USER_from_dwarf := $(FROM_DWARF_UNIT:user/%=%) $(UNIT_USER_dwarf)
UNIT_USER_processes := process/processes.c process/maps.c process/file.c
UNIT_USER_stackcopy := $(patsubst %,stackcopy/%.c,counts events sample threads) \
	$(patsubst %,sampler/%.c,event pmu refusal tracefs) $(patsubst %,perf/%.c,cpus event ring) \
	process/thread_ids.c $(patsubst %,util/%.c,diag options text)
UNIT_USER_kallsyms := kernel/kallsyms.c kernel/kallsyms_tables.c kernel/notes.c \
	$(patsubst %,util/%.c,diag text thread)
UNIT_USER_jit := $(patsubst %,jit/%.c,codes jitdump jit perf_map) \
	$(patsubst %,supply/%.c,inodes locate outcome roots) util/diag.c util/text.c
UNIT_USER_doctor := $(patsubst %,doctor/%.c,config kernel look machine module packages places \
	rights settings) module.c symstore/gsym_cache.c util/diag.c util/text.c
UNIT_USER_symstore := $(patsubst user/%,%,$(wildcard $(patsubst %,user/%/*.c,dwarf gsym \
	names symstore util) user/sframe/cfi*.c) $(MACHO) user/macho/file.c $(BSYM_READER) $(PROFILE) $(CALLTREE)) sframe/elf_read.c \
	$(patsubst %,supply/%.c,inodes locate outcome privilege roots)
UNIT_USER_symstore_elsewhere := $(UNIT_USER_symstore)
UNIT_USER_profile := $(PROFILE:user/%=%)
UNIT_USER_calltree := $(UNIT_USER_profile) $(CALLTREE:user/%=%)
UNIT_USER_diff := $(UNIT_USER_calltree) $(patsubst user/%,%,$(wildcard user/report/*.c)) \
	$(patsubst %,util/%.c,diag json screen text utf8)
UNIT_USER_screen := $(patsubst %,util/%.c,screen text utf8)
UNIT_USER_sort := $(UNIT_USER_profile) $(patsubst %,report/%.c,select sort) \
	$(patsubst %,util/%.c,diag screen text utf8)
UNIT_USER_tui := $(UNIT_USER_calltree) $(patsubst %,tui/%.c,model rows search ways)
UNIT_USER_flame := $(filter-out flame/flame.c,$(FLAME:user/%=%)) util/utf8.c $(UNIT_USER_calltree)
UNIT_USER_pprof := $(filter-out kmod/%,$(PPROF:user/%=%)) gen/profile/pprof.pb-c.c
UNIT_USER_pprof_spool := $(UNIT_USER_pprof)
UNIT_USER_push := $(sort $(filter-out kmod/%,$(patsubst user/%,%,$(PUSH) $(STORE)))) \
	gen/profile/pprof.pb-c.c
UNIT_USER_clickhouse := $(UNIT_USER_push)
UNIT_USER_clickhouse_rows := $(CLICKHOUSE:user/%=%)
UNIT_USER_clickhouse_client := $(UNIT_USER_clickhouse_rows) \
	$(patsubst %,clickhouse/%.c,make name schema tables)
UNIT_USER_clickhouse_fleet := $(sort $(UNIT_USER_clickhouse_rows) \
	$(patsubst %,clickhouse/%.c,columns dictionary fleet groups sets sum windows) \
	$(patsubst user/%,%,$(STORE) $(STORE_QUERY) $(PROFILE)))
UNIT_USER_clickhouse_groups := $(UNIT_USER_clickhouse_fleet)
UNIT_USER_clickhouse_sum := $(UNIT_USER_clickhouse_fleet)
UNIT_USER_clickhouse_symbolizer = $(sort $(UNIT_USER_clickhouse_fleet) $(UNIT_USER_symstore) \
	clickhouse/symbolizer.c)
UNIT_LIBS_clickhouse_symbolizer = $(UNIT_LIBS_clickhouse_fleet) $(UNIT_LIBS_symstore)
UNIT_LIBS_clickhouse_fleet := -lz -lzstd -lpcre2-8
UNIT_LIBS_clickhouse_groups := $(UNIT_LIBS_clickhouse_fleet)
UNIT_LIBS_clickhouse_sum := $(UNIT_LIBS_clickhouse_fleet)
UNIT_USER_sampler := perf/cpus.c $(patsubst %,sampler/%.c,event pmu) kernel/kallsyms_range.c util/diag.c \
	util/options.c util/text.c
UNIT_USER_window := sampler/stacks.c sampler/window.c util/diag.c util/text.c
UNIT_USER_bsym := $(patsubst user/%,%,$(BSYM_READER) $(BSYM_WRITER)) util/diag.c util/text.c
UNIT_USER_store := $(patsubst user/%,%,$(STORE) $(PROFILE)) $(patsubst %,util/%.c,diag file text)
DAEMON_CONFIG_UNIT := $(DAEMON_CONFIG:user/%=%) $(patsubst %,util/%.c,diag file text utf8)
UNIT_USER_config := $(DAEMON_CONFIG_UNIT)
UNIT_USER_relabel := $(DAEMON_RELABEL:user/%=%) $(patsubst %,util/%.c,diag text utf8)
UNIT_USER_cgroup_labels := daemon/cgroup_labels.c daemon/labels.c util/hex.c util/utf8.c
UNIT_USER_thin := daemon/thin.c daemon/random.c util/intern.c
UNIT_USER_daemon_window := $(patsubst user/%,%,$(filter-out kmod/%,$(DAEMON_WINDOW)))
UNIT_LIBS_thin := -lm
UNIT_LIBS_daemon_window := -lpcre2-8 -lmd -lm
UNIT_LIBS_config := -lyaml -lpcre2-8 -lmd
UNIT_LIBS_relabel := -lpcre2-8 -lmd
UNIT_USER_when := util/when.c
UNIT_USER_store_crash := $(UNIT_USER_store)
UNIT_USER_store_query := $(UNIT_USER_store) $(STORE_QUERY:user/%=%)
UNIT_USER_request := $(patsubst %,daemon/%.c,guard request) $(patsubst %,util/%.c,diag hex options text when)
UNIT_USER_metrics := $(patsubst %,daemon/%.c,metrics metrics_process) util/utf8.c
UNIT_USER_api := $(patsubst user/%,%,$(filter-out user/daemon/http%.c,$(HTTP)) $(FLAME) $(CALLTREE) \
	$(wildcard user/profile/export*.c)) $(UNIT_USER_pprof) report/select.c util/hex.c util/options.c \
	util/screen.c util/when.c gen/flame/page.c gen/daemon/page.c
UNIT_USER_api := $(sort $(UNIT_USER_api))
UNIT_LIBS_api := -lprotobuf-c -lz -lm
$(foreach v,plain asan,$(B)/unit/$(v)/test_api.o): $(wildcard tests/web/double.*)
UNIT_LIBS_diff := -lm
UNIT_LIBS_doctor := -lz
UNIT_LIBS_symstore := -ldw -lelf -liberty -llzma -lz -lzstd
UNIT_LIBS_symstore_elsewhere := $(UNIT_LIBS_symstore)
UNIT_USER_imagemap := $(IMAGEMAP:user/%=%) $(patsubst %,util/%.c,diag hex text)
UNIT_LIBS_dwarf := -lz -lzstd
UNIT_LIBS_dwarf_macho := -lz -lzstd
UNIT_LIBS_dwarf_package := -lz -lzstd
UNIT_LIBS_from_dwarf := -lz -lzstd
UNIT_LIBS_gsym_cfi := -ldw -lelf
UNIT_LIBS_gsym_macho := -ldw -lelf -llzma
UNIT_LIBS_gsym_symtab := -ldw -lelf -llzma
UNIT_LIBS_gsym_verify := -ldw -lelf -liberty
UNIT_LIBS_names := -liberty
UNIT_LIBS_pprof := -lprotobuf-c -lz
UNIT_LIBS_pprof_spool := $(UNIT_LIBS_pprof)
UNIT_LIBS_clickhouse := $(UNIT_LIBS_pprof) -ljansson -lzstd
UNIT_LIBS_push := -ljansson -lprotobuf-c -lz -lzstd
UNIT_LIBS_store := -lz -lzstd
UNIT_LIBS_store_crash := -lz -lzstd
UNIT_LIBS_store_query := -lz -lzstd -lpcre2-8
UNIT_USER_HEADERS := $(wildcard user/*/*.h) tests/encode/funcs.h bpf/wire.h $(wildcard kmod/core/*.h kmod/core/*.def)
UNIT_USER_FLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) -O1 -g -iquote user -iquote kmod/core -I kmod/uapi \
	-iquote $(GEN) -iquote bpf
UNIT_FLAGS_plain :=
UNIT_FLAGS_asan := -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer

define unit_variant
UNIT_LIB_$(1) := $(patsubst %.c,$(B)/unit/$(1)/%.o,$(notdir $(UNIT_CORE)))
UNIT_BIN_$(1) := $(patsubst tests/unit/%.c,$(B)/unit/$(1)/%,$(UNIT_TESTS))

$(B)/unit/$(1)/%.o: kmod/core/%.c $(UNIT_HEADERS) tests/unit/build.mk | unit-deps
	@mkdir -p $$(@D)
	@$(CC) $(UNIT_FLAGS) $(UNIT_FLAGS_$(1)) -c $$< -o $$@
$(B)/unit/$(1)/%.o: tests/unit/%.c $(UNIT_HEADERS) tests/unit/build.mk | unit-deps
	@mkdir -p $$(@D)
	@$(CC) $(UNIT_FLAGS) $(UNIT_FLAGS_$(1)) -c $$< -o $$@
$(B)/unit/$(1)/user/%.o: user/%.c $(UNIT_USER_HEADERS) tests/unit/build.mk | unit-deps
	@mkdir -p $$(@D)
	@$(CC) $(UNIT_USER_FLAGS) $(UNIT_FLAGS_$(1)) -c $$< -o $$@
$(B)/unit/$(1)/user/gen/%.o: $(GEN)/%.c tests/unit/build.mk | unit-deps
	@mkdir -p $$(@D)
	@$(CC) $(UNIT_USER_FLAGS) $(UNIT_FLAGS_$(1)) -c $$< -o $$@
$(UNIT_USER_pprof:%.c=$(B)/unit/$(1)/user/%.o): $(PPROF_GEN).h
$(B)/unit/$(1)/test_%: $(B)/unit/$(1)/test_%.o $$(UNIT_LIB_$(1))
	@$(CC) $(UNIT_FLAGS_$(1)) $$^ -lcmocka $$(UNIT_LIBS) -o $$@
endef

define unit_program
$(B)/unit/$(1)/test_$(2).o: $(UNIT_USER_HEADERS)
$(B)/unit/$(1)/test_$(2): $(UNIT_USER_$(2):%.c=$(B)/unit/$(1)/user/%.o)
$(B)/unit/$(1)/test_$(2): private UNIT_LIBS := $(UNIT_LIBS_$(2))
endef

$(foreach v,plain asan,$(eval $(call unit_variant,$(v))))
$(foreach v,plain asan,$(foreach t,$(UNIT_TESTS:tests/unit/test_%.c=%),\
	$(if $(UNIT_USER_$(t)),$(eval $(call unit_program,$(v),$(t))))))

.PRECIOUS: $(B)/unit/plain/%.o $(B)/unit/asan/%.o

.PHONY: unit unit-deps
unit-deps:
	@scripts/deps.sh unit elfutils bpf pprof daemon json push

.PHONY: unit-bins
unit-bins: user $(UNIT_BIN_plain) $(UNIT_BIN_asan)

# The tests of one variant after the other: their closing lines stay readable.
unit: unit-deps
	@$(MAKE) --no-print-directory $(PARALLEL) unit-bins
	@for t in $(UNIT_BIN_plain) $(UNIT_BIN_asan); do \
		echo "$$t"; \
		$$t 2>&1 | grep -v -E '^\[ +(RUN|OK) ' || exit 1; \
	done
	@echo "unit: $(words $(UNIT_TESTS)) programs, plain and with sanitizers: all passed"

CHECKS += unit
