# SPDX-License-Identifier: GPL-2.0-only
# Checks GSYM files of random functions with a model of the rules, an independent decoder and
# LLVM's tool.
#
#   make gsym-write        12 seeds
#   make gsym-write-all    200 seeds
#   make gsym-judge        files of real programs, compared with LLVM's and DWARF; also Darwin's
#   make gsym-judge-all    large files, compared with LLVM 14, 19, 21 and 23
#   make gsym-prototype    compared with the format's prototype: GSYM_PROTOTYPE=ITS-SOURCES
#   make gsym-write-bench  speed and memory: 300,000 functions, 5 million rows

$(B)/gsym/feed: $(call objects,plain,tests/judge/gsym/feed.c) $(B)/plain/libustack.a | gsym-deps
	@$(call link,plain)

# real programs through both tools; GSYM_FILES="PROGRAM..." selects others
$(B)/gsym/subject: tests/judge/gsym/subject.cc
	@scripts/deps.sh gsym
	@mkdir -p $(@D)
	@g++ -std=c++17 -g -O2 -o $@ $<
$(B)/gsym/describe: tests/judge/gsym/describe.c
	@scripts/deps.sh gsym elfutils
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $< -ldw -o $@
# floors for ustack itself and subject.cc; for files of Darwin
GSYM_JUDGE_FLOORS := --least 2 '(\d+) files' --least 2600 '(\d+) functions, \d+ addresses' \
	--least 34000 '(\d+) addresses' --least 68000 '(\d+) answers the same'
GSYM_DARWIN_FLOORS := --least 58 '(\d+) files' --least 930 '(\d+) functions' \
	--least 2570 '(\d+) rows'
GSYM_WRITE_FLOORS := --least 108 '(\d+) files' --least 12 '(\d+) dumps and look-ups'

.PHONY: gsym-judge gsym-judge-all gsym-prototype
gsym-judge: $(B)/ustack $(B)/gsym/subject | $(B)/gsym/describe
	@$(if $(GSYM_FILES),tests/judge/gsym/judge $(GSYM_FILES),\
		tests/lib/judge gsym-judge $(GSYM_JUDGE_FLOORS) -- \
		tests/judge/gsym/judge --addresses 20000 $^)
	@$(if $(GSYM_FILES),,scripts/deps.sh darwin; \
		tests/lib/judge gsym-darwin $(GSYM_DARWIN_FLOORS) -- tests/judge/gsym/darwin)
gsym-judge-all: $(B)/ustack $(B)/gsym/describe
	@files=; for s in vmlinux z3 sqlite rust; do \
		files="$$files $$(tests/judge/gsym/subject $$s)" || exit 1; done; \
	tools=; for v in 14 19 21 23; do \
		tools="$$tools --llvm $$(tests/judge/gsym/llvm $$v)" || exit 1; done; \
	tests/lib/judge gsym-judge-all -- tests/judge/gsym/judge $$tools $(or $(GSYM_FILES),$$files)
gsym-prototype: $(B)/ustack
	@tests/judge/gsym/prototype $(GSYM_PROTOTYPE)

.PHONY: gsym-deps gsym-write gsym-write-all
gsym-deps:
	@scripts/deps.sh user unit

gsym-write: $(B)/gsym/feed
	@tests/lib/judge gsym-write $(GSYM_WRITE_FLOORS) -- \
		tests/judge/gsym/run --seeds 1-12 --llvm llvm-gsymutil-14 $<
gsym-write-all: $(B)/gsym/feed
	@tools=; for v in 14 19 21 23; do \
		tools="$$tools --llvm $$(tests/judge/gsym/llvm $$v)" || exit 1; done; \
	tests/lib/judge gsym-write-all $(GSYM_WRITE_FLOORS) -- tests/judge/gsym/run --seeds 1-200 $$tools $<

# cpu is only that of gsym_write(); parts is the peak memory when the parts have all functions
.PHONY: gsym-write-bench
gsym-write-bench: $(B)/gsym/feed
	@tests/judge/gsym/many.py 300000 >$(B)/gsym/many
	@for t in 1 2; do $< -a 0x400000 -t $$t <$(B)/gsym/many 2>&1 >/dev/null; done

CHECKS += gsym-write gsym-judge
CHECK_BUILD += $(B)/gsym/feed $(B)/gsym/subject $(B)/gsym/describe
NIGHTLY += gsym-write-all gsym-judge-all
