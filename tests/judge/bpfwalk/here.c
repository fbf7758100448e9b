// SPDX-License-Identifier: GPL-2.0-only
/* The walk by kmod/core's lookup and step, without strides, bins and pieces of stack. */
#include <sys/uio.h>
#include <unistd.h>

#include "host/file/locate.h"
#include "test.h"

static bool read_self(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	struct iovec to = { ret, sizeof(*ret) }, from = { (void *)addr, sizeof(*ret) };

	(void)mem;
	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(*ret);
}

/**
 * struct here - one walk
 * @mem: memory for the core
 * @t: the file
 * @c: the requested walk
 */
struct here {
	struct ustack_mem mem;
	const struct test *t;
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
	*why = t->bare;
	if (t->bare)
		return NULL;
	*why = USTACK_NO_ROW;
	rule = ustack_lookup(t->table, key - t->bias - t->table->base);
	if (rule)
		*why = USTACK_OK;
	return rule;
}

static bool is_code(struct ustack_mem *mem, u64 addr)
{
	const struct here *h = (const struct here *)mem;
	const struct test *t = h->t;

	return addr - t->start < t->len && !(mem->files_only && t->bare == USTACK_NO_IMAGE);
}

/* As in kmod/callchain.c. */
static u32 step(struct test *t, struct ustack_state *s, struct ustack_mem *mem)
{
	const struct ustack_arch *arch = supply_native_arch();
	const struct ustack_rule *rule;
	u32 why, reason;

	rule = find_rule(t, ustack_state_key(s), &why);
	if (rule) {
		t->slow += !ustack_rule_plain(rule).cfa;
		why = ustack_step(arch, rule, s, mem);
	}
	if (!rule || (why == USTACK_NO_REGISTER && s->sp_bound)) {
		mem->may_guess = why == USTACK_NO_ROW || why == USTACK_NO_IMAGE;
		mem->may_search = why == USTACK_NO_IMAGE;
		reason = ustack_step_blind(arch, s, mem);
		t->blind += !reason;
		if (!reason || reason == USTACK_COMPLETE)
			why = reason;
	}
	if (!why || why == USTACK_COMPLETE)
		return why;
	if (ustack_state_is_entry(s, mem, mem->read_u64, t->c->start_stack))
		return USTACK_COMPLETE;
	if (rule)
		return why;
	reason = ustack_step_follow(arch, s, mem);
	t->followed += !reason;
	return !reason || reason == USTACK_COMPLETE ? reason : why;
}

static bool is_garbage(const struct test *t, const struct ustack_state *s, struct ustack_mem *mem)
{
	u64 entry;

	return !s->exact && s->pc != mem->followed &&
	       (t->bare == USTACK_NO_IMAGE || !is_code(mem, ustack_state_key(s))) &&
	       !supply_native_arch()->call_target(mem, s->pc, &entry);
}

static bool goes_back(struct ustack_state *s, struct ustack_mem *mem, u32 *nr)
{
	if (!ustack_step_back(s, mem))
		return false;
	*nr = mem->search.frames;
	return true;
}

u32 walk_here(struct test *t, u64 *pcs, u32 *nr)
{
	const struct walk_case *c = t->c;
	struct here h = {
		.t = t,
		.c = c,
		.mem = { .read_u64 = read_self, .read_reg = read_reg, .is_code = is_code,
			 .may_follow = true, .ra_mask = ~0ull,
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
		do {
			h.mem.frames = *nr;
			why = USTACK_BAD_RA;
			if (*nr > 1 && is_garbage(t, &s, &h.mem))
				h.mem.frames = --*nr;
			else
				why = step(t, &s, &h.mem);
		} while (why && why != USTACK_COMPLETE && goes_back(&s, &h.mem, nr));
		if (why)
			return why;
	}
}
