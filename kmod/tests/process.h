/* SPDX-License-Identifier: GPL-2.0-only */
/* A process to walk: one image mapped twice, a stack, some code. */
#ifndef USTACK_TESTS_PROCESS_H
#define USTACK_TESTS_PROCESS_H

#include "support.h"
#include "ustack.h"

#define FUNCS 1000u
#define FRAMES 20u
#define FRAME 64u
#define STACK_AT 0x7ffc00000000ull
#define MAP_A 0x7f0000000000ull
#define MAP_B 0x7f1100000000ull
#define MAP_BYTES (TEST_TEXT + FUNCS * TEST_FUNC_BYTES)
/* Code without a file. Address 10 in it follows a call, address 16 does not. */
#define ELSEWHERE 0x10000ull

struct process {
	struct test_regs regs;
	struct ustack_image *image;
	u64 words[FRAMES * FRAME / 8];
	u64 want[FRAMES];		/* pcs, the innermost first */
	unsigned long got[2 * FRAMES];
	unsigned int nr_got;
	struct ustack_stats before;
	struct ustack_stats after;
};

/* Its mm is that of the test, which kunit_attach_mm() has attached. */
struct process *test_process(struct kunit *test);
void test_process_done(struct process *p);

/* Sets the return address with which frame @frame returns. */
void test_set_ra(struct process *p, u32 frame, u64 ra);

/* Maps the image at @at too. */
void test_map_image(struct process *p, u64 at);

/* Walks the stack, with room for at most @max entries. */
void test_walk(struct process *p, unsigned int max);

/*
 * Expects that the last walk gave the first @frames entries of p->want and
 * ended for this reason, which was counted once.
 */
void test_expect_walk(struct kunit *test, struct process *p, u32 frames,
		      enum ustack_reason reason);

#endif /* USTACK_TESTS_PROCESS_H */
