# SPDX-License-Identifier: GPL-2.0
# Compact unwinding of dylibs that are compiled and linked here, against llvm-objdump and
# against the CFI of the compiler's assembly.

.PHONY: unwind-judge
unwind-judge: $(B)/ustack
	@scripts/deps.sh darwin
	@tests/macho/judge $<

# The same, and images of Apple's linker against llvm-objdump.
.PHONY: unwind-judge-all
unwind-judge-all: $(B)/ustack
	@scripts/deps.sh darwin
	@images=$$(tests/macho/real) && tests/macho/judge $< $$images

# Walks over stacks of code that runs here, and under QEMU for arm64.
.PHONY: walk-judge
walk-judge: $(B)/ustack
	@scripts/deps.sh darwin darwin-run
	@tests/macho/walk-judge $<

CHECKS += unwind-judge walk-judge
NIGHTLY += unwind-judge-all
