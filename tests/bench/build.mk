# SPDX-License-Identifier: GPL-2.0-only
# Benchmarks: the cost of a frame, on live stacks of generated programs, compared with other
# unwinders, and the cost of a table. The tables of these programs are their own .sframe sections.
#
#	make bench		cost of a frame and of a table; BENCH_WHAT=frames,
#				instructions or tables selects a part
#	make bench-smoke	checks that the core's pcs equal libgcc's on every stack
#	make bench-synth	cost of making tables from .eh_frame, also for all of /usr
#	make bench-gsym		cost of making GSYM files, compared with LLVM: GSYM_FILES="PROGRAM..."
#	make bench-gsym-all	the same for the large programs of gsym-judge-all, with LLVM 14 and 21
#	make bench-window	cost of labels and thinning of a window in the daemon
#	make bench-peek		cost of reading a process's memory, directly and in the jail
#	make price		cost of the loaded module while nobody samples, in instructions,
#				checked against limits; GUEST=x86_64-6.1
#	make price-table	the same without the limits
#	make price-loops	the same with many CPUs at once, within limits; the figures are rough
#	make price-selftest	the judge of price refuses figures that are too high or were not measured

BENCH := $(B)/bench
# number of functions in each generated program; each has about 4 pcs
BENCH_SETS := 8 250 4000
BENCH_PARTS_8 := 0
BENCH_PARTS_250 := 0
BENCH_PARTS_4000 := 0 1 2 3 4 5 6 7
BENCH_HEADERS := $(wildcard kmod/core/*.h kmod/core/*.def tests/bench/*.h) tests/bench/build.mk
BENCH_CORE := $(patsubst kmod/core/%.c,$(BENCH)/core_%.o,$(wildcard kmod/core/*.c))
BENCH_WALKS := $(patsubst tests/bench/%.c,$(BENCH)/%.o,$(wildcard tests/bench/walk_ustack*.c))
BENCH_USER := $(addprefix $(BENCH)/,peers.o image.o bench.o)

BENCH_FLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) -Wno-sign-compare -O2 \
	-iquote kmod/core -iquote tests/bench
# the assembler with SFrame V3 if it can be fetched, else the one of this machine
BENCH_NOFP = -fomit-frame-pointer -Wa,--gsframe $$(cat $(BENCH)/tools)
BENCH_FP := -fno-omit-frame-pointer -fno-asynchronous-unwind-tables
# the kernel's limit
BENCH_KERNEL := -mgeneral-regs-only -fno-strict-aliasing
BENCH_GRAPH := -g0 -fno-tree-vectorize

$(BENCH)/tools: tests/bench/build.mk
	@scripts/deps.sh bench
	@mkdir -p $(BENCH)
	@dir=$$(tests/toolchain/get binutils-2.47-x86_64) && echo "-B$$dir" >$@ || \
		{ echo "bench: tables are SFrame V1, of the machine's own assembler" >&2; : >$@; }

$(BENCH)/core_%.o: kmod/core/%.c $(BENCH_HEADERS) $(BENCH)/tools
	@$(CC) $(BENCH_FLAGS) -g $(BENCH_NOFP) $(BENCH_KERNEL) -c $< -o $@
$(BENCH)/walk_ustack%.o: tests/bench/walk_ustack%.c $(BENCH_HEADERS) $(BENCH)/tools
	@$(CC) $(BENCH_FLAGS) -g $(BENCH_NOFP) $(BENCH_KERNEL) $(BENCH_INDIRECT) -c $< -o $@
$(BENCH)/walk_ustack_retpoline.o: BENCH_INDIRECT := -mindirect-branch=thunk-inline
$(BENCH)/probe_nofp.o: tests/bench/probe.c $(BENCH_HEADERS) $(BENCH)/tools
	@$(CC) $(BENCH_FLAGS) $(BENCH_NOFP) -DBENCH_DRESS=nofp -c $< -o $@
$(BENCH)/probe_fp.o: tests/bench/probe.c $(BENCH_HEADERS) $(BENCH)/tools
	@$(CC) $(BENCH_FLAGS) $(BENCH_FP) -DBENCH_DRESS=fp -c $< -o $@
$(BENCH)/%.o: tests/bench/%.c $(BENCH_HEADERS) $(BENCH)/tools
	@$(CC) $(BENCH_FLAGS) -g $(BENCH_NOFP) -c $< -o $@

$(BENCH)/gen: tests/bench/gen.c $(BENCH)/tools
	@$(CC) $(BENCH_FLAGS) $< -o $@

define bench_part
$(BENCH)/graph_$(1)_$(2).c: $(BENCH)/gen
	@$$< $(1) $(2) $(words $(BENCH_PARTS_$(1))) >$$@
$(BENCH)/graph_$(1)_$(2)_nofp.o: $(BENCH)/graph_$(1)_$(2).c tests/bench/graph.h
	@$(CC) $(BENCH_FLAGS) $(BENCH_GRAPH) $$(BENCH_NOFP) -DBENCH_DRESS=nofp -c $$< -o $$@
$(BENCH)/graph_$(1)_$(2)_fp.o: $(BENCH)/graph_$(1)_$(2).c tests/bench/graph.h
	@$(CC) $(BENCH_FLAGS) $(BENCH_GRAPH) $(BENCH_FP) -DBENCH_DRESS=fp -c $$< -o $$@
endef
# Code that has a table is kept together, because the table ends where its text ends.
define bench_set
$(foreach p,$(BENCH_PARTS_$(1)),$(eval $(call bench_part,$(1),$(p))))
$(BENCH)/bench_$(1): $(BENCH_PARTS_$(1):%=$(BENCH)/graph_$(1)_%_nofp.o) \
		$(BENCH)/probe_nofp.o $(BENCH_CORE) $(BENCH_WALKS) $(BENCH_USER) \
		$(BENCH_PARTS_$(1):%=$(BENCH)/graph_$(1)_%_fp.o) $(BENCH)/probe_fp.o
	@$(CC) $$$$(cat $(BENCH)/tools) $$^ -ldw -ldl -o $$@
endef
$(foreach n,$(BENCH_SETS),$(eval $(call bench_set,$(n))))

$(BENCH)/tables: $(addprefix $(BENCH)/,tables.o image.o) $(BENCH_CORE)
	@$(CC) $$(cat $(BENCH)/tools) $^ -o $@

.PRECIOUS: $(BENCH)/%.o
.PHONY: bench bench-smoke bench-synth
bench: $(BENCH_SETS:%=$(BENCH)/bench_%) $(BENCH)/tables
	@tests/bench/run $(BENCH) $(BENCH_WHAT)

# The program of 4,000 functions takes long to compile, so only bench uses it.
bench-smoke: $(BENCH)/bench_8 $(BENCH)/bench_250
	@for n in 8 250; do \
		tests/lib/judge bench-smoke-$$n --least 500 '# (\d+) of \d+ stacks are those of libgcc' -- \
			$(BENCH)/bench_$$n -v -n 500 || exit 1; \
	done

bench-synth: user
	@scripts/deps.sh unit bench
	@tests/bench/synth

# GSYM_FILES: programs with DWARF, preferably large ones
$(BENCH)/gsym_lookup: $(call objects,plain,tests/bench/gsym_lookup.c) $(B)/plain/libustack.a
	@$(call link,plain)
.PHONY: bench-gsym
bench-gsym: user $(BENCH)/gsym_lookup $(B)/gsym/subject
	@scripts/deps.sh unit bench
	@tests/bench/gsym $(or $(GSYM_FILES),$(B)/ustack $(B)/gsym/subject)

.PHONY: bench-gsym-all
bench-gsym-all: user $(BENCH)/gsym_lookup
	@scripts/deps.sh unit bench
	@files='$(GSYM_FILES)'; [ -n "$$files" ] || for s in vmlinux z3 sqlite rust; do \
		files="$$files $$(tests/judge/gsym/subject $$s)" || exit 1; done; \
	tools=; for v in 14 21; do tools="$$tools --llvm $$(tests/judge/gsym/llvm $$v)" || exit 1; done; \
	tests/bench/gsym $$tools $$files

# bench-record compares recorders. bench-record-flat runs one of them for ten minutes.
# bench-record-slowdown measures how much they slow other work down, on a machine whose speed varies.
# bench-record-sample measures the cost of a sample without the timer interrupt.
.PHONY: bench-record bench-record-flat bench-record-slowdown bench-record-sample
bench-record: user
	@scripts/deps.sh known
	@tests/bench/record $(B)/ustack $(B)/bench/record
bench-record-flat: user
	@tests/bench/record --minutes 10 $(B)/ustack $(B)/bench/record
bench-record-slowdown: user
	@scripts/deps.sh known
	@tests/bench/record --slices 20 --hz 9999 --only 'perf -g,ustack eBPF' $(B)/ustack $(B)/bench/record
	@tests/bench/record --slices 12 --hz 999 --only 'perf dwarf,ustack copied' $(B)/ustack \
		$(B)/bench/record
$(BENCH)/faults: tests/bench/faults.c
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O1 -g -fno-omit-frame-pointer \
		-fno-optimize-sibling-calls $< -o $@
bench-record-sample: user $(BENCH)/faults
	@scripts/deps.sh known
	@tests/bench/sample $(B)/ustack $(BENCH)/faults $(B)/bench/record

# cost of a walk by unwind tables in eBPF, compared with the kernel's walk by frame pointers
$(BENCH)/bpfwalk.bpf.o: tests/bench/bpfwalk.bpf.c $(wildcard bpf/*.h) $(BPF_CORE) bpf/build.mk | $(B)/bpf/deps
	$(bpf_object)
$(BENCH)/bpfwalk.skel.h: $(BENCH)/bpfwalk.bpf.o
	$(Q){ echo '#include "wire.h"'; $(BPFTOOL) gen skeleton $< name bpfwalk_bpf; } >$@
$(call objects,plain,tests/bench/bpfwalk.c): $(BENCH)/bpfwalk.skel.h
$(call objects,plain,tests/bench/bpfwalk.c): TEST_FLAGS := -iquote $(BENCH)
$(BENCH)/bpfwalk: $(call objects,plain,tests/bench/bpfwalk.c) $(B)/plain/libustack.a
	@$(call link,plain)
.PHONY: bench-bpfwalk
bench-bpfwalk: $(BENCH)/bpfwalk
	@scripts/deps.sh bench
	@tests/bench/bpfwalk --rounds $(or $(ROUNDS),9) $(BENCH)/bpfwalk $(BENCH)/bpfwalk.programs

# cost of the daemon's work on a window, between that of the recorder and that of the store
$(BENCH)/daemon_window: $(call objects,plain,tests/bench/window.c) $(B)/plain/libustack.a
	@$(call link,plain)
.PHONY: bench-window
bench-window: $(BENCH)/daemon_window
	@scripts/deps.sh bench
	@tests/bench/window $<

# cost of reading a process's memory, directly and in the jail
$(BENCH)/peek: $(call objects,plain,tests/bench/peek.c) $(B)/plain/libustack.a
	@$(call link,plain)
.PHONY: bench-peek
bench-peek: $(BENCH)/peek
	@$<

# cost of the store, with STORE_WINDOWS windows of ten seconds, which are recorded once
$(BENCH)/store_costs: $(call objects,plain,tests/bench/store.c) $(B)/plain/libustack.a
	@$(call link,plain)
.PHONY: bench-store
bench-store: user $(BENCH)/store_costs
	@tests/bench/store $(B)/ustack $(BENCH)/store_costs $(BENCH)/store $(STORE_WINDOWS)

# cost of the loaded module; PRICE_WHAT is the argument of tests/bench/price/run before GUEST
PRICE := $(BENCH)/price
PRICE_GUEST = $(or $(GUEST),x86_64-6.1)
PRICE_SRC := $(wildcard tests/bench/price/*.[ch] tests/guest/stress/lib/stress.[ch]) kmod/uapi/ustack.h
$(PRICE)/%/built: tests/bench/price/build-one $(PRICE_SRC)
	@scripts/deps.sh build $(if $(filter aarch64,$*),cross)
	@tests/bench/price/build-one $* $(@D)
	@touch $@

PRICE_BUILT = $(PRICE)/$(if $(filter arm64-%,$(PRICE_GUEST)),aarch64,x86_64)/built
.PHONY: price price-table price-loops price-selftest
price price-table price-loops: PRICE_OPTION = $(if $(filter price price-loops,$@),--judge) $(filter-out price,$(@:price-%=--%))
price price-table price-loops:
	@scripts/deps.sh vm
	@$(MAKE) --no-print-directory $(PRICE_BUILT)
	@tests/bench/price/run $(PRICE_OPTION) $(PRICE_GUEST) $(dir $(PRICE_BUILT))
price-selftest:
	@tests/bench/price/selftest

NIGHTLY += price price-loops
CHECKS += bench-smoke price-selftest
CHECK_BUILD += $(BENCH)/bench_8 $(BENCH)/bench_250
