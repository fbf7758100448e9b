// SPDX-License-Identifier: GPL-2.0-only
/* Makes the core's state from pt_regs. NMI-safe: only copies registers. */
#include "regs.h"

#ifdef CONFIG_X86_64

#include <asm/fsgsbase.h>

#include "arch.h"

/* Offsets by DWARF number: System V psABI AMD64, figure 3.36. */
static const u8 reg_offset[16] = {
	offsetof(struct pt_regs, ax),  offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, cx),  offsetof(struct pt_regs, bx),
	offsetof(struct pt_regs, si),  offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, bp),  offsetof(struct pt_regs, sp),
	offsetof(struct pt_regs, r8),  offsetof(struct pt_regs, r9),
	offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
	offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
};

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	const struct ustack_user *user =
		container_of(mem, struct ustack_user, mem);

	if (reg == USTACK_FS_BASE) {
		/* the kernel does not use FS, so this is the current task's */
		*ret = x86_fsbase_read_cpu();
		return true;
	}
	if (reg >= ARRAY_SIZE(reg_offset))
		return false;
	*ret = *(unsigned long *)((u8 *)user->regs + reg_offset[reg]);
	return true;
}

static void state_init(struct ustack_state *state, const struct pt_regs *regs)
{
	state->pc = regs->ip;
	state->sp = regs->sp;
	state->fp = regs->bp;
	state->lr = 0;
}

/* Also false while the CPU is between two address spaces. */
static bool may_read_user(u64 addr)
{
	u8 byte;

	return !copy_from_user_nmi(&byte, (void __user *)addr, 1);
}

#define RA_MASK (~0ull)
#define USER_END TASK_SIZE_MAX

#elif defined(CONFIG_ARM64)

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	const struct ustack_user *user =
		container_of(mem, struct ustack_user, mem);

	if (reg > 31)
		return false;
	*ret = reg == 31 ? user->regs->sp : user->regs->regs[reg];
	return true;
}

static void state_init(struct ustack_state *state, const struct pt_regs *regs)
{
	state->pc = regs->pc;
	state->sp = regs->sp;
	state->fp = regs->regs[29];
	state->lr = regs->regs[30];
}

static bool may_read_user(u64 addr)
{
	u8 byte;

	return !copy_from_user_nofault(&byte, (void __user *)addr, 1);
}

/*
 * Pointer authentication codes and tags are above the address bits, where user
 * addresses have zeros.
 */
#define RA_MASK (TASK_SIZE_64 - 1)
#define USER_END TASK_SIZE_64

#endif

bool ustack_user_init(struct ustack_user *user, struct pt_regs *regs,
		      struct ustack_state *state)
{
	user->mem.read_u64 = ustack_user_read_u64;
	user->mem.read_reg = read_reg;
	user->mem.ra_mask = RA_MASK;
	user->mem.user_end = USER_END;
	user->regs = regs;
	state_init(state, regs);
	state->fp_at = 0;
	state->sigcontext = 0;
	state->regs_in = USTACK_REGS_SAMPLE;
	state->scratch_in = USTACK_REGS_SAMPLE;
	state->exact = true;
	/*
	 * The answer for one byte holds for the whole sample. The code is
	 * present while it runs; the page at SP may be about to be touched for
	 * the first time.
	 */
	if (!may_read_user(state->pc) && !may_read_user(state->sp))
		return false;
	pagefault_disable();
	return true;
}
