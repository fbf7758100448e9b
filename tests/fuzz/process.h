/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process made of fuzzer input, for walks. A stack word is two bytes of
 * input, so that pointers into text and stack are frequent: a code address, a
 * stack address, or an arbitrary number. Code is the input's bytes, at the
 * start of the text.
 */
#ifndef USTACK_FUZZ_PROCESS_H
#define USTACK_FUZZ_PROCESS_H

#include "fuzz.h"

#define STACK 0x7ffc00000000ull
#define STACK_LEN 0x40000u

/*
 * Most reads of a step: a signal frame, PLT code, three operands and a frame
 * record; the code of a leaf function; every word below a record and, if it may
 * be a return address, the call before it and the PLT code that the call goes
 * to.
 */
#define MAX_READS (40 + USTACK_MAX_LEAF_INSNS / 2 + USTACK_MAX_FP_FRAME / 8 * 6)

struct process {
	struct ustack_mem mem;
	struct input stack;
	struct input code;
	const struct fuzz_section *f;
	u64 regs[33];
	unsigned int max_reg;
	unsigned int reads;
	unsigned int max_reads;
};

static inline u64 stack_word(const struct process *p, u64 slot)
{
	u16 v = 0;

	if (p->stack.left >= 2)
		memcpy(&v, p->stack.p + 2 * (slot % (p->stack.left / 2)), 2);
	/* inside of the addresses that the table describes, or close to them */
	if (v < 0x8000)
		return p->f->sec.base + v % (p->f->sec.end - p->f->sec.base + 16);
	if (v < 0xff00)
		return STACK + (v & 0x7fff) * (v & 1 ? 1 : 8);
	return v & 0x80 ? (u64)(s64)(s8)v : 1ull << (v & 63);
}

static inline bool process_read(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct process *p = (struct process *)mem;
	u64 off = addr - p->f->text.start;

	must(++p->reads <= p->max_reads);
	if (off < p->code.left && p->code.left - off >= 8) {
		memcpy(ret, p->code.p + off, 8);
		return true;
	}
	if (addr - STACK >= STACK_LEN)
		return false;
	*ret = stack_word(p, (addr - STACK) / 8);
	return true;
}

static inline bool process_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	struct process *p = (struct process *)mem;

	must(reg <= p->max_reg || reg == USTACK_FS_BASE);
	*ret = reg == USTACK_FS_BASE ? p->regs[0] : p->regs[reg];
	return reg % 5 != 4;
}

static inline bool process_is_code(struct ustack_mem *mem, u64 addr)
{
	const struct process *p = (struct process *)mem;

	return addr - p->f->text.start < p->code.left;
}

/* Takes registers, code and stack from the input; @s is the frame to start from. */
static inline void process_init(struct process *p, const struct fuzz_section *f,
				unsigned int max_reg, struct input *in,
				struct ustack_state *s)
{
	unsigned int i;

	*p = (struct process){
		.mem = {
			.read_u64 = process_read,
			.read_reg = process_reg,
			.is_code = max_reg & 16 ? NULL : process_is_code,
			.ra_mask = (1ull << 48) - 1,
			.user_end = 0x7ffffffff000ull,
		},
		.f = f,
		.max_reg = max_reg,
	};
	*s = (struct ustack_state){ .exact = true, .regs_in = USTACK_REGS_SAMPLE,
				     .scratch_in = USTACK_REGS_SAMPLE };
	s->pc = f->sec.base + take(in, 2) % (f->sec.end - f->sec.base + 16);
	s->sp = STACK + take(in, 2) * 8;
	s->fp = take(in, 1) ? STACK + take(in, 2) * 8 : take(in, 8);
	s->lr = f->sec.base + take(in, 2) % (f->sec.end - f->sec.base + 16);
	p->code = p->stack = *in;
	p->code.left /= 2;
	p->stack.p += p->code.left;
	p->stack.left -= p->code.left;
	for (i = 0; i < 33; i++)
		p->regs[i] = stack_word(p, i);
}

#endif /* USTACK_FUZZ_PROCESS_H */
