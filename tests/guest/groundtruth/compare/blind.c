// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the core's step for code without a row the memory that a record contains: the copied
 * stack and the bytes of the files (blind.h).
 */
#include <elf.h>
#include <string.h>

#include "../../../../kmod/core/core.h"
#include "blind.h"

#define ARM64_LR 30

struct recorded {
	struct ustack_mem mem;
	const struct subject *x;
};

static bool read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	const struct subject *x = ((struct recorded *)mem)->x;
	u64 off = addr - x->regs.sp;
	const struct mapping *m;

	if (addr >= x->regs.sp && off <= x->stack_len && x->stack_len - off >= 8) {
		memcpy(ret, x->s->stack + off, 8);
		return true;
	}
	m = space_find(x->space, addr);
	return m && m->file && file_read(m->file, addr - m->bias, ret, 8);
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	const struct subject *x = ((struct recorded *)mem)->x;

	if (reg >= GT_DWARF_REGS)
		return false;
	*ret = x->regs.dwarf[reg];
	return true;
}

static bool is_code(struct ustack_mem *mem, u64 addr)
{
	return space_find(((struct recorded *)mem)->x->space, addr);
}

bool blind_step(const struct subject *x, unsigned int i, uint64_t *ret_pc,
		uint64_t *ret_sp, uint64_t *ret_fp)
{
	const struct ustack_arch *arch = ustack_arch_by_machine((u16)x->arch->machine);
	const struct unwound *u = x->truth;
	struct recorded r = {
		.mem = {
			.read_u64 = read_u64,
			.read_reg = read_reg,
			.is_code = is_code,
			.ra_mask = x->arch->pc_mask,
			.user_end = x->arch->user_end,
			.may_guess = true,
		},
		.x = x,
	};
	struct ustack_state s = {
		.pc = u->pcs[i],
		.sp = u->sp[i],
		.fp = u->fp[i],
		.lr = x->regs.dwarf[ARM64_LR],
		.regs_in = i ? USTACK_REGS_UNKNOWN : USTACK_REGS_SAMPLE,
		.exact = u->exact[i],
	};
	u64 fp;

	if (ustack_step_blind(arch, &s, &r.mem) != USTACK_OK ||
	    !ustack_state_fp(&s, &r.mem, read_u64, &fp))
		return false;
	*ret_pc = s.pc;
	*ret_sp = s.sp;
	*ret_fp = fp;
	return true;
}
