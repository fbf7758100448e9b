// SPDX-License-Identifier: GPL-2.0
/*
 * Any section that verify accepts, on any registers, any stack and any code:
 * 512 steps with a bounded number of reads each. Built for each architecture
 * (FUZZ_ARCH).
 *
 * A stack word is two bytes of input, so that pointers into text and stack are
 * frequent: a code address, a stack address, or something wild.
 */
#include "fuzz.h"

#define STACK 0x7ffc00000000ull
#define MAX_READS 40	/* signal frame, PLT scan (12), three operands, a record */

struct process {
	struct ustack_mem mem;
	struct input stack;
	struct input code;
	const struct fuzz_section *f;
	u64 regs[33];
	unsigned int reads;
};

static u64 stack_word(const struct process *p, u64 slot)
{
	u16 v = 0;

	if (p->stack.left >= 2)
		memcpy(&v, p->stack.p + 2 * (slot % (p->stack.left / 2)), 2);
	if (v < 0x8000)
		return p->f->text.start + v;
	if (v < 0xff00)
		return STACK + (v & 0x7fff) * (v & 1 ? 1 : 8);
	return v & 0x80 ? (u64)(s64)(s8)v : 1ull << (v & 63);
}

static bool read_u64(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct process *p = (struct process *)mem;
	u64 off = addr - p->f->text.start;

	must(++p->reads <= MAX_READS);
	if (off < p->code.left && p->code.left - off >= 8) {
		memcpy(ret, p->code.p + off, 8);
		return true;
	}
	if (addr - STACK >= 0x40000)
		return false;
	*ret = stack_word(p, (addr - STACK) / 8);
	return true;
}

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	struct process *p = (struct process *)mem;

	must(reg <= FUZZ_ARCH.max_reg);
	*ret = p->regs[reg];
	return reg % 5 != 4;
}

static void walk(struct process *p, struct ustack_state s)
{
	const struct ustack_rule *rule;
	enum ustack_reason reason, again;
	struct ustack_state from, slow;
	unsigned int i;

	for (i = 0; i < 512; i++) {
		from = slow = s;
		p->reads = 0;
		rule = ustack_lookup(p->f->table, ustack_state_key(&s) - p->f->table->base);
		reason = rule ? ustack_step(&FUZZ_ARCH, rule, &s, &p->mem) :
				ustack_step_blind(&FUZZ_ARCH, &s, &p->mem);
		if (reason) {
			must(!memcmp(&s, &from, sizeof(s)));
			return;
		}
		must(s.pc >= 4096 && s.pc < p->mem.user_end);
		must(s.exact || s.regs_in == USTACK_REGS_UNKNOWN);
		must(s.exact || s.sp > from.sp || (s.sp == from.sp && from.exact));
		if (!rule)
			continue;
		p->reads = 0;
		again = ustack_step_slow(&FUZZ_ARCH, rule, &slow, &p->mem);
		must(again == USTACK_STACK_FAULT || (slow.pc == s.pc && slow.sp == s.sp));
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct process p = {
		.mem = { read_u64, read_reg, (1ull << 48) - 1, 0x7ffffffff000ull },
	};
	struct fuzz_section f;
	struct ustack_state s = { .exact = true, .regs_in = USTACK_REGS_SAMPLE };
	unsigned int i;

	p.f = &f;
	if (!fuzz_verify(&f, &in, &FUZZ_ARCH) && !fuzz_compile(&f)) {
		s.pc = f.text.start + take(&in, 2);
		s.sp = STACK + take(&in, 2) * 8;
		s.fp = take(&in, 1) ? STACK + take(&in, 2) * 8 : take(&in, 8);
		s.lr = f.text.start + take(&in, 2);
		p.code = p.stack = in;
		p.code.left /= 2;
		p.stack.p += p.code.left;
		p.stack.left -= p.code.left;
		for (i = 0; i < 33; i++)
			p.regs[i] = stack_word(&p, i);
		walk(&p, s);
	}
	fuzz_release(&f);
	return 0;
}
