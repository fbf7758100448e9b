// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any section that verify accepts, with any registers, stack and code: up to
 * 512 steps with a bounded number of reads each. The short path agrees with the
 * general one, and strides agree with steps. Built once for each architecture
 * (FUZZ_ARCH).
 */
#include "process.h"

struct trail {
	u64 pc[64];
	unsigned int n;
};

static bool store(void *to, u64 pc)
{
	struct trail *t = to;

	if (t->n == 64)
		return false;
	t->pc[t->n++] = pc;
	return true;
}

/* Checks that a stride from @s stores the same pcs as the steps of a walk. */
static void check_stride(struct process *p, struct ustack_state s,
			 const struct trail *steps)
{
	struct ustack_window w = { p->f->table, p->f->text.start, 0xffffffffu,
				   p->f->text.start - p->f->table->base };
	struct trail stride = { .n = 0 };

	p->reads = 0;
	p->max_reads = 64 * MAX_READS;
	ustack_window_clip(&w);
	ustack_stride(&w, &s, &p->mem, process_read, store, &stride);
	must(stride.n <= steps->n);
	must(!memcmp(stride.pc, steps->pc, stride.n * sizeof(*stride.pc)));
	must(!stride.n || s.pc == stride.pc[stride.n - 1]);
}

static void check_slow(struct process *p, const struct ustack_rule *rule,
		       struct ustack_state from, const struct ustack_state *to)
{
	enum ustack_reason reason;

	p->reads = 0;
	reason = ustack_step_slow(&FUZZ_ARCH, rule, &from, &p->mem);
	/*
	 * the general path fails if a saved FP cannot be read; the short one
	 * only when it needs it
	 */
	must(reason == USTACK_STACK_FAULT ||
	     (!reason && from.pc == to->pc && from.sp == to->sp));
}

static void walk(struct process *p, struct ustack_state s, struct trail *steps)
{
	const struct ustack_rule *rule;
	enum ustack_reason reason;
	struct ustack_state from;
	unsigned int i;

	for (i = 0; i < 512; i++) {
		from = s;
		p->reads = 0;
		p->max_reads = MAX_READS;
		rule = ustack_lookup(p->f->table, ustack_state_key(&s) - p->f->table->base);
		reason = rule ? ustack_step(&FUZZ_ARCH, rule, &s, &p->mem) :
				ustack_step_blind(&FUZZ_ARCH, &s, &p->mem);
		if (reason) {
			must(!memcmp(&s, &from, sizeof(s)));
			return;
		}
		store(steps, s.pc);
		must(s.pc >= 4096 && s.pc < p->mem.user_end);
		must(s.exact || s.regs_in == USTACK_REGS_UNKNOWN);
		must(s.exact || s.sp > from.sp || (s.sp == from.sp && from.exact));
		if (rule)
			check_slow(p, rule, from, &s);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct trail steps = { .n = 0 };
	struct input in = { data, size };
	struct fuzz_section f;
	struct ustack_state s;
	struct process p;

	if (!fuzz_verify(&f, &in, &FUZZ_ARCH) && !fuzz_compile(&f)) {
		process_init(&p, &f, FUZZ_ARCH.max_reg, &in, &s);
		walk(&p, s, &steps);
		check_stride(&p, s, &steps);
	}
	fuzz_release(&f);
	return 0;
}
