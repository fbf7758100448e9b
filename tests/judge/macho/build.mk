# SPDX-License-Identifier: GPL-2.0-only
# Compact unwinding of dylibs that are compiled and linked here, compared with llvm-objdump and
# with the CFI in the compiler's assembly.

UNWIND_FLOORS := --least 3460 '(\d+) entries' --least 10600 "'x86_64': (\d+)" \
	--least 7100 "'arm64': (\d+)"
WALK_FLOORS := --least 32000 '(\d+) stacks' --least 470000 '(\d+) frames:' \
	--least 1200 '(\d+) i386 code' --least 3160 '(\d+) frames with names'
EDGE_FLOORS := --least 12000 'x86_64: \d+ forms, (\d+)' --least 12000 'i386: \d+ forms, (\d+)' \
	--least 23500 'arm64: \d+ forms, (\d+)'

.PHONY: unwind-judge
unwind-judge: $(B)/ustack
	@scripts/deps.sh darwin
	@tests/lib/judge unwind-judge $(UNWIND_FLOORS) -- tests/judge/macho/judge $<

# The same, and also images of Apple's linker compared with llvm-objdump.
.PHONY: unwind-judge-all
unwind-judge-all: $(B)/ustack
	@scripts/deps.sh darwin
	@images=$$(tests/judge/macho/real) && \
		tests/lib/judge unwind-judge-all $(UNWIND_FLOORS) -- tests/judge/macho/judge $< $$images

# Walks over stacks of code that runs here, or under QEMU for arm64 and i386.
.PHONY: walk-judge
walk-judge: $(B)/ustack
	@scripts/deps.sh darwin darwin-run
	@tests/lib/judge walk-judge $(WALK_FLOORS) -- tests/judge/macho/walk-judge $<

# The decoder of prologue and epilogue instructions, compared with LLVM's tools.
$(B)/macho/insns: $(call objects,plain,tests/judge/macho/insns.c) $(B)/plain/libustack.a
	@$(call link,plain)

.PHONY: edge-judge
edge-judge: $(B)/macho/insns
	@scripts/deps.sh darwin
	@tests/lib/judge edge-judge $(EDGE_FLOORS) -- tests/judge/macho/edge-judge $<

CHECKS += edge-judge unwind-judge walk-judge
CHECK_BUILD += $(B)/macho/insns
NIGHTLY += unwind-judge-all
