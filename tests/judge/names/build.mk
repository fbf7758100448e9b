# SPDX-License-Identifier: GPL-2.0-only
# Compares names of libraries demangled by ustack, c++filt, rustfilt and llvm-cxxfilt.
#
#   make names-judge       libstdc++, LLVM (C++), Rust's std, v0.txt, tests/judge/gsym/subject.cc; and
#                          names of C, which must not change: in libraries of build/ustack
#   make names-judge-all   also D's library; NAMES_FILES="FILE..." for others
#   make names-bench       instructions, CPU, memory and bytes of conversions by style,
#                          of GSYM_FILES
#
# v0.txt: names of a Rust program with Unicode names, constants, closures and traits,
# compiled by rustc 1.63 -C symbol-mangling-version=v0.

$(B)/names/filter: $(call objects,plain,tests/judge/names/filter.c) $(B)/plain/libustack.a
	@$(call link,plain)

NAMES_LIBRARIES = $$(g++ -print-file-name=libstdc++.so.6) \
	$$(ls /usr/lib/*-linux-gnu/libLLVM-14.so.1 /usr/lib/*-linux-gnu/libstd-*.so)

NAMES_FLOORS := --least 5 '(\d+) files' --least 42000 '(\d+) names' \
	--least 42000 '(\d+) of them mangled' --least 168000 'compared (\d+) times'

NAMES_OF_C := --least 20 '(\d+) files' --least 7000 '(\d+) names of C'

.PHONY: names-judge names-judge-all
names-judge: $(B)/names/filter $(B)/gsym/subject $(B)/ustack
	@scripts/deps.sh gsym names
	@tests/lib/judge names-plain $(NAMES_OF_C) -- tests/judge/names/judge --plain $< \
		$$(ldd $(B)/ustack | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p')
	@tests/lib/judge names-judge $(NAMES_FLOORS) -- \
		tests/judge/names/judge $(filter-out $(B)/ustack,$^) tests/judge/names/v0.txt $(NAMES_LIBRARIES)
names-judge-all: $(B)/names/filter $(B)/gsym/subject
	@scripts/deps.sh gsym names names-all
	@tests/lib/judge names-judge-all $(NAMES_FLOORS) -- tests/judge/names/judge $^ tests/judge/names/v0.txt $(NAMES_LIBRARIES) \
		/usr/lib/*-linux-gnu/libphobos2-ldc-shared.so.100 $(NAMES_FILES)

.PHONY: names-bench
names-bench: $(B)/ustack $(B)/gsym/subject
	@scripts/deps.sh bench
	@tests/judge/names/bench $(or $(GSYM_FILES),$(B)/gsym/subject)

CHECKS += names-judge
CHECK_BUILD += $(B)/names/filter $(B)/gsym/subject
NIGHTLY += names-judge-all
