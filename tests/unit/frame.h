/* SPDX-License-Identifier: GPL-2.0-only */
/* A fabricated process with a stack and a page of code, and frames in it. */
#ifndef USTACK_UNIT_FRAME_H
#define USTACK_UNIT_FRAME_H

#include "support.h"

#define STACK 0x7ffc00000000ull
#define STACK_LEN 0x4000u
#define CODE 0x555500000000ull
#define SP0 (STACK + 0x1000)
#define RA (CODE + 0x123)

#define AT_CFA (USTACK_OP_CFA | USTACK_OP_DEREF)

static struct fake f;

static inline int setup(void **state)
{
	fake_init(&f);
	fake_map(&f, STACK, STACK_LEN);
	fake_map(&f, CODE, 0x1000);
	return 0;
}

static inline int teardown(void **state)
{
	fake_release(&f);
	return 0;
}

static inline struct ustack_state sample(void)
{
	return (struct ustack_state){
		.pc = CODE + 0x40,
		.sp = SP0,
		.fp = SP0 + 0x80,
		.lr = CODE + 0x77,
		.regs_in = USTACK_REGS_SAMPLE,
		.scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
}

static inline struct ustack_state caller(void)
{
	struct ustack_state s = sample();

	s.regs_in = USTACK_REGS_UNKNOWN;
	s.scratch_in = USTACK_REGS_UNKNOWN;
	s.exact = false;
	return s;
}

static inline u64 fp_of(const struct ustack_state *s)
{
	u64 fp = 0xbadull;

	assert_true(ustack_state_fp(s, &f.mem, f.mem.read_u64, &fp));
	return fp;
}

#define RULE(...) (&(const struct ustack_rule){ __VA_ARGS__ })

/* A refused step must leave the frame unchanged. */
#define REFUSED(arch, rule, s, want) do {				\
	struct ustack_state before = s;					\
									\
	assert_reason(ustack_step(arch, rule, &(s), &f.mem), want);	\
	assert_memory_equal(&before, &(s), sizeof(before));		\
} while (0)

#endif /* USTACK_UNIT_FRAME_H */
