# SPDX-License-Identifier: GPL-2.0-only
# libFuzzer targets: build/fuzz/bin/NAME from tests/fuzz/fuzz_NAME.c, linked with the archive
# of the variant asan (user/build.mk). The inputs in the tree are in tests/fuzz/corpus/NAME;
# a search works on build/fuzz/corpus/NAME.
#
#   make fuzz-replay                 run every input of the tree once, as part of make check
#   make fuzz FUZZ_SECONDS=120       search for so many CPU seconds with each target
#   make fuzz-merge                  add what the searches found to the tree, minimised

FUZZ_SECONDS ?= 120
FUZZ_JOBS ?= 2
# fuzz_walk.c is compiled once for each architecture
FUZZ_TARGETS := $(sort $(filter-out walk,$(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))) \
	walk_x86_64 walk_aarch64)
FUZZ_BIN := $(FUZZ_TARGETS:%=$(B)/fuzz/bin/%)

$(B)/asan/tests/fuzz/fuzz_walk_%.o: tests/fuzz/fuzz_walk.c | $(B)/deps
	@mkdir -p $(@D)
	@$(CC_asan) -Wno-missing-field-initializers -DFUZZ_ARCH=ustack_arch_$* -MMD -MP -c -o $@ $<

# a store for the fuzzer of requests, and a model of the reader of GSYM files
$(B)/fuzz/bin/http: $(call objects,asan,tests/live/web/fake_store.c tests/live/web/fill.c)
$(B)/fuzz/bin/gsym: $(call objects,asan,tests/judge/gsym/naive.c)
$(B)/asan/tests/fuzz/%.o: TEST_FLAGS := -iquote tests/judge/gsym -iquote tests/live/web

$(FUZZ_BIN): $(B)/fuzz/bin/%: $(B)/asan/tests/fuzz/fuzz_%.o $(B)/asan/libustack.a | fuzz-deps
	@$(call link,fuzz)

.PHONY: fuzz fuzz-replay fuzz-merge fuzz-deps
fuzz-deps:
	@scripts/deps.sh unit

fuzz-replay: $(FUZZ_BIN)
	@tests/fuzz/run --replay --jobs $(FUZZ_JOBS) $(B)/fuzz $(FUZZ_TARGETS)

fuzz: $(FUZZ_BIN)
	@tests/fuzz/run --cpu --seconds $(FUZZ_SECONDS) --jobs $(FUZZ_JOBS) $(B)/fuzz $(FUZZ_TARGETS)

fuzz-merge: $(FUZZ_BIN)
	@tests/fuzz/merge $(B)/fuzz $(FUZZ_TARGETS)

CHECKS += fuzz-replay
CHECK_BUILD += $(FUZZ_BIN)
NIGHTLY += fuzz
