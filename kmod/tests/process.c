// SPDX-License-Identifier: GPL-2.0-only
/* The process of process.h: its stack and tables, and the result of a walk. */
#include "process.h"

#include "../callchain.h"
#include "../events.h"

/* call *%rax, in front of a return address */
static const u8 call_code[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
				0xff, 0xd0, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
				0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 };

/* File offset in the @n-th even function; these have rows CFA = SP + FRAME. */
static u64 inside(u32 n)
{
	return TEST_TEXT + 2 * n * TEST_FUNC_BYTES + 5;
}

void test_set_ra(struct process *p, u32 frame, u64 ra)
{
	p->words[(frame + 1) * FRAME / 8 - 1] = ra;
}

void test_map_image(struct process *p, u64 at)
{
	struct ustack_mapping m = {
		.start = at, .end = at + MAP_BYTES, .image = p->image
	};

	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
}

struct process *test_process(struct kunit *test)
{
	struct process *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, NULL, false,
						     GFP_KERNEL));
	p->image = test_image(test, 1);
	ustack_image_load(p->image, test_code(test, FUNCS, FRAME), false);
	test_map_image(p, MAP_A);
	test_map_image(p, MAP_B);
	/* three frames in the one mapping, then three in the other */
	for (i = 0; i < FRAMES; i++)
		p->want[i] = (i / 3 & 1 ? MAP_B : MAP_A) + inside(7 * i % 500);
	for (i = 1; i < FRAMES; i++)
		test_set_ra(p, i - 1, p->want[i]);
	p->regs = (struct test_regs){
		.pc = p->want[0],
		.sp = STACK_AT,
		.stack_at = STACK_AT,
		.stack_bytes = sizeof(p->words),
		.stack = (u8 *)p->words,
		.text_at = ELSEWHERE,
		.text_bytes = sizeof(call_code),
		.text = call_code,
	};
	ustack_events_sum(&p->before);
	return p;
}

void test_process_done(struct process *p)
{
	ustack_image_put(p->image);
}

void test_walk(struct process *p, unsigned int max)
{
	ustack_events_sum(&p->before);
	p->nr_got = ustack_callchain_entries((struct pt_regs *)&p->regs, p->got,
					     max);
	ustack_events_sum(&p->after);
}

void test_expect_walk(struct kunit *test, struct process *p, u32 frames,
		   enum ustack_reason reason)
{
	const struct ustack_stats *a = &p->before, *b = &p->after;
	u32 i;

	KUNIT_EXPECT_EQ(test, p->nr_got, frames);
	for (i = 0; i < min(frames, p->nr_got); i++)
		KUNIT_EXPECT_EQ_MSG(test, p->got[i], p->want[i], "frame %u", i);
	KUNIT_EXPECT_EQ(test, b->samples - a->samples, 1);
	KUNIT_EXPECT_EQ(test, b->frames - a->frames, frames);
	KUNIT_EXPECT_EQ(test, test_open_regions, 0);
	for (i = 0; i < USTACK_NR_REASONS; i++)
		KUNIT_EXPECT_EQ_MSG(test, b->reasons[i] - a->reasons[i],
				    i == reason, "%s", ustack_reason_name(i));
}
