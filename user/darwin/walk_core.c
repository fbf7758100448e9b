// SPDX-License-Identifier: GPL-2.0-only
/* Adapts a captured process to the core's unwinder: registers, memory, tables, reasons. */
#include "darwin/walk_core.h"

#include "core.h"

#define ARM64_LR 30u
#define ARM64_SP 31u

/* User addresses of Darwin's processes have 47 bits. */
#define USER_END (1ull << 47)

/**
 * struct walk - state of a walk
 * @mem: the core's access to registers and memory
 * @state: the core's state of the present frame
 * @arch: the core's architecture
 * @w: the process
 * @table: returns the table for an address
 * @regs: captured registers of the innermost frame
 * @how: way in which the last step was made
 */
struct walk {
	struct ustack_mem mem;
	struct ustack_state state;
	const struct ustack_arch *arch;
	const struct macho_walk *w;
	const struct ustack_table *(*table)(void *arg, uint64_t addr, uint64_t *bias);
	const struct unwind_regs *regs;
	enum macho_how how;
};

static struct walk *walk_of(struct ustack_mem *mem)
{
	return (struct walk *)((char *)mem - offsetof(struct walk, mem));
}

/* Reads the stack, or else bytes of an image. */
static bool read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	const struct macho_walk *w = walk_of(mem)->w;
	struct macho_place place;
	const uint8_t *bytes;
	uint64_t v;

	if (w->word(w->arg, addr, &v)) {
		*ret = v;
		return true;
	}
	if (!w->find(w->arg, addr, &place) || !place.image ||
	    macho_image_bytes(place.image, addr - place.base, &bytes) < sizeof(*ret))
		return false;
	*ret = ustack_le64(bytes);
	return true;
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	const struct walk *k = walk_of(mem);
	const struct unwind_regs *r = k->regs;

	if (reg == k->arch->sp_reg)
		*ret = r->sp;
	else if (k->w->arch == UNWIND_ARM64 && reg == ARM64_LR)
		*ret = r->lr;
	else if (reg < UNWIND_NR_REGS && r->known[reg])
		*ret = r->reg[reg];
	else
		return false;
	return true;
}

static bool is_code(struct ustack_mem *mem, u64 addr)
{
	const struct macho_walk *w = walk_of(mem)->w;
	struct macho_place place;

	return w->find(w->arg, addr, &place);
}

static void begin(struct walk *k)
{
	const struct unwind_regs *r = k->regs;

	k->arch = k->w->arch == UNWIND_ARM64 ? &ustack_arch_aarch64 : &ustack_arch_x86_64;
	k->mem = (struct ustack_mem){
		.read_u64 = read_u64, .read_reg = read_reg, .is_code = is_code,
		.ra_mask = k->w->strip ? k->w->strip : ~0ull, .user_end = USER_END,
	};
	k->state = (struct ustack_state){
		.pc = r->pc, .sp = r->sp, .fp = r->reg[k->arch->fp_reg], .lr = r->lr,
		.regs_in = USTACK_REGS_SAMPLE, .scratch_in = USTACK_REGS_SAMPLE,
		.exact = r->inner,
	};
}

static enum ustack_reason step(struct walk *k)
{
	u64 key = ustack_state_key(&k->state);
	const struct ustack_rule *rule = NULL;
	const struct ustack_table *t;
	enum ustack_reason reason;
	uint64_t bias;

	t = k->table(k->w->arg, key, &bias);
	if (t)
		rule = ustack_lookup(t, key - bias - t->base);
	k->how = MACHO_BY_RULE;
	if (rule)
		return ustack_step(k->arch, rule, &k->state, &k->mem);
	k->how = MACHO_BY_FRAME_POINTER;
	reason = ustack_step_blind(k->arch, &k->state, &k->mem);
	return reason;
}

static enum macho_end end_of(struct walk *k, enum ustack_reason reason)
{
	switch (reason) {
	case USTACK_COMPLETE:
		return MACHO_END_COMPLETE;
	case USTACK_STACK_FAULT:
		return MACHO_END_NO_STACK;
	case USTACK_NO_REGISTER:
		return MACHO_END_NO_REGISTER;
	case USTACK_NO_ROW:
		return is_code(&k->mem, ustack_state_key(&k->state)) ? MACHO_END_NO_INFO :
								       MACHO_END_NO_IMAGE;
	default:
		return MACHO_END_DAMAGED;
	}
}

size_t macho_walk_core(const struct macho_walk *w,
		       const struct ustack_table *(*table)(void *arg, uint64_t addr,
							   uint64_t *bias),
		       const struct unwind_regs *regs, struct macho_frame *ret, size_t room,
		       enum macho_end *end)
{
	struct walk k = { .w = w, .table = table, .regs = regs, .how = MACHO_BY_REGISTERS };
	enum ustack_reason reason;
	size_t nr = 0;

	begin(&k);
	for (;;) {
		ret[nr++] = (struct macho_frame){
			.pc = k.state.pc, .sp = k.state.sp, .inner = k.state.exact,
			.how = (uint8_t)k.how,
		};
		reason = step(&k);
		if (reason) {
			*end = end_of(&k, reason);
			return nr;
		}
		if (nr == room) {
			*end = MACHO_END_DEPTH;
			return nr;
		}
	}
}
