/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers: perf's numbers, DWARF's numbers, and signal frames. */
#ifndef GT_ARCH_H
#define GT_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#define GT_DWARF_REGS 32

/* registers by their DWARF number, and the pc */
struct regs {
	uint64_t dwarf[GT_DWARF_REGS];
	uint64_t pc;
	uint64_t sp;
};

struct arch {
	uint32_t machine;
	unsigned int dwarf_regs;	/* number of registers that libdw expects */
	unsigned int sp;		/* DWARF number of the stack pointer */
	unsigned int fp;
	const char *const *names;	/* names by perf's number */
	unsigned int perf_regs;

	/* MASK: the registers in REGS, by perf's numbers */
	void (*load)(struct regs *ret, const uint64_t *regs, uint64_t mask);

	/* mask that removes the signature of a return address */
	uint64_t pc_mask;
	uint64_t user_end;		/* first address that is not a user address */

	/*
	 * For a signal trampoline without CFI: the bytes of its code, and a function that reads
	 * the
	 * registers of the interrupted code. NULL if the trampoline has CFI.
	 */
	const uint32_t *trampoline;	/* two instructions */
	bool (*sigreturn)(struct regs *ret, uint64_t sp,
			  bool (*read)(void *arg, uint64_t addr, uint64_t *ret),
			  void *arg);
};

/* NULL: there is no such architecture */
const struct arch *arch_find(uint32_t machine);

static inline uint64_t perf_reg(const uint64_t *regs, uint64_t mask, unsigned int n)
{
	if (!(mask >> n & 1))
		return 0;
	return regs[__builtin_popcountll(mask & ((1ull << n) - 1))];
}

#endif /* GT_ARCH_H */
