// SPDX-License-Identifier: GPL-2.0-only
/* The walk by kmod/core's lookup and step: no strides, no bins, no pieces of stack. */
#include <sys/uio.h>
#include <unistd.h>

#include "supply/locate.h"
#include "test.h"

static bool read_self(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct iovec to = { ret, sizeof(*ret) }, from = { (void *)addr, sizeof(*ret) };

	(void)mem;
	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(*ret);
}

struct here {
	struct ustack_mem mem;
	const struct walk_case *c;
};

static bool read_reg(struct ustack_mem *mem, unsigned int reg, u64 *ret)
{
	const struct here *h = (const struct here *)mem;
	unsigned int nr = supply_native_arch()->max_reg + 1u;

	if (reg >= nr)
		return false;
	*ret = h->c->regs[reg];
	return true;
}

const struct ustack_rule *find_rule(const struct test *t, u64 key, u32 *why)
{
	const struct ustack_rule *rule;

	*why = USTACK_NO_IMAGE;
	if (key - t->start >= t->len)
		return NULL;
	*why = USTACK_NO_ROW;
	rule = ustack_lookup(t->table, key - t->bias - t->table->base);
	if (rule)
		*why = USTACK_OK;
	return rule;
}

static u32 step(struct test *t, struct ustack_state *s, struct ustack_mem *mem, u64 start_stack)
{
	const struct ustack_rule *rule;
	u32 why;

	rule = find_rule(t, ustack_state_key(s), &why);
	if (rule) {
		t->slow += !ustack_rule_plain(rule).cfa;
		why = ustack_step(supply_native_arch(), rule, s, mem);
	}
	if (why && why != USTACK_COMPLETE &&
	    ustack_state_is_entry(s, mem, mem->read_u64, start_stack))
		return USTACK_COMPLETE;
	return why;
}

u32 walk_here(struct test *t, u64 *pcs, u32 *nr)
{
	const struct walk_case *c = t->c;
	struct here h = {
		.c = c,
		.mem = { .read_u64 = read_self, .read_reg = read_reg, .ra_mask = ~0ull,
			 .user_end = (1ull << 56) - 4096 },
	};
	struct ustack_state s = {
		.pc = c->pc, .sp = c->sp, .fp = c->fp, .lr = c->lr,
		.regs_in = USTACK_REGS_SAMPLE, .scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
	u32 why;

	if (supply_native_arch()->id == USTACK_ARCH_AARCH64) {
		h.mem.ra_mask = (1ull << 48) - 1;
		h.mem.user_end = 1ull << 48;
	}
	*nr = 0;
	for (;;) {
		if (*nr == c->max)
			return USTACK_DEPTH;
		pcs[(*nr)++] = s.pc;
		why = step(t, &s, &h.mem, c->start_stack);
		if (why)
			return why;
	}
}
