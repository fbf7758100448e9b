# SPDX-License-Identifier: GPL-2.0-only
# Compares BSYM files with a decoder and an encoder in Python, and symbols of programs with nm.
#
#   make bsym-judge        60 random files
#   make bsym-judge-all    2000
#   make bsym-bench        lookups per second in a table of 1,000,000 symbols; fails below a million

$(B)/bsym/bench: $(call objects,plain,tests/judge/bsym/bench.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: bsym-judge bsym-judge-all
# the last one uses the symbols of the program itself
BSYM_FLOORS := --least 60 '(\d+) random files' --least 4300 '(\d+) symbols' \
	--least 2400 '(\d+) addresses' --least 2400 '(\d+) functions as nm has them'

bsym-judge: $(B)/ustack
	@tests/lib/judge bsym-judge $(BSYM_FLOORS) -- tests/judge/bsym/run $< $<
bsym-judge-all: $(B)/ustack
	@tests/lib/judge bsym-judge-all $(BSYM_FLOORS) -- tests/judge/bsym/run --seeds 2000 $< $<
bsym-bench: $(B)/bsym/bench
	@$< 1000000 5000000

CHECKS += bsym-judge
NIGHTLY += bsym-judge-all
