// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of walks through functions with uretprobes, and of the lookups of both
 * architectures. stand_in.h provides the task's list and its [uprobes] page.
 */
#include "process.h"

#include "../uretprobe.c"

const struct return_instance *test_return_instances;
const unsigned long *test_xol_area;

#define TRAMPOLINE 0x7fffffffe000ull

/* As in the kernel: words that no user page has as its address, then one. */
static const unsigned long xol_area[USTACK_XOL_AREA_WORDS] = {
	3, (unsigned long)xol_area, [USTACK_XOL_AREA_WORDS - 1] = TRAMPOLINE,
};

struct probes {
	struct return_instance i[USTACK_MAX_URETPROBES + 1];
	unsigned int nr;
};

/* Adds a pending uretprobe, the newest. */
static void pend(struct probes *probes, u64 entry_sp, u64 caller)
{
	struct return_instance *i = &probes->i[probes->nr++];

	i->stack = entry_sp;
	i->orig_ret_vaddr = caller;
	i->next = (struct return_instance *)test_return_instances;
	test_return_instances = i;
	test_xol_area = xol_area;
}

/* The address of the return address with which frame @n returns. */
static u64 ra_at(u32 n)
{
	return STACK_AT + (n + 1) * FRAME - 8;
}

/* Puts a uretprobe on the function of frame @n. */
static void probe(struct process *p, struct probes *probes, u32 n)
{
	pend(probes, ra_at(n), p->want[n + 1]);
	test_set_ra(p, n, TRAMPOLINE);
}

static struct probes *no_probes(struct kunit *test)
{
	struct probes *probes;

	probes = kunit_kzalloc(test, sizeof(*probes), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, probes);
	return probes;
}

static void looked_through(struct kunit *test)
{
	struct process *p = test_process(test);
	struct probes *probes = no_probes(test);
	u32 n;

	/* the outermost was entered first */
	probe(p, probes, 9);
	probe(p, probes, 8);
	probe(p, probes, 3);
	/* a second probe of the same function: a chain */
	probe(p, probes, 3);
	/* a function that was left by longjmp() */
	pend(probes, ra_at(1), 0x1234);
	test_set_ra(p, 1, p->want[2]);
	pend(probes, ra_at(2) - 16, 0x1234);
	probe(p, probes, 0);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	KUNIT_EXPECT_EQ(test, p->after.table_steps - p->before.table_steps,
			FRAMES - 1);
	/* nor is the trampoline stored if there is no room for more */
	for (n = 1; n < 12; n++) {
		test_walk(p, n);
		test_expect_walk(test, p, n, USTACK_FULL);
	}
	test_process_done(p);
}

static void every_function_is_probed(struct kunit *test)
{
	struct process *p = test_process(test);
	struct probes *probes = no_probes(test);
	u32 n;

	for (n = FRAMES - 1; n--;)
		probe(p, probes, n);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	test_process_done(p);
}

/* A sample within prepare_uretprobe(), between its two stores. */
static void not_yet_pending(struct kunit *test)
{
	struct process *p = test_process(test);
	struct probes *probes = no_probes(test);

	probe(p, probes, 9);
	test_set_ra(p, 0, TRAMPOLINE);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_BAD_RA);
	test_process_done(p);
}

/*
 * A sample in the trampoline, when the function has returned; on x86-64 it
 * pushes three words.
 */
static void sampled_in_trampoline(struct kunit *test)
{
	struct process *p = test_process(test);
	struct probes *probes = no_probes(test);
	u32 pushed;

	/* frame 0 has returned */
	probe(p, probes, 5);
	probe(p, probes, 0);
	for (pushed = 0; pushed <= 24; pushed += 8) {
		p->regs.pc = TRAMPOLINE + pushed;
		p->regs.sp = STACK_AT + FRAME - pushed;
		p->nr_got = 0;
		test_walk(p, 2 * FRAMES);
		KUNIT_EXPECT_EQ(test, p->nr_got, FRAMES - 1);
		KUNIT_EXPECT_MEMEQ(test, p->got, &p->want[1],
				   (FRAMES - 1) * sizeof(p->got[0]));
	}
	test_process_done(p);
}

/* Lists that are corrupted on purpose, or freed: the walk ends. */
static void without_end(struct kunit *test)
{
	struct process *p = test_process(test);
	struct probes *probes = no_probes(test);
	u32 n;

	probe(p, probes, 5);
	probes->i[0].next = &probes->i[0];
	test_set_ra(p, 3, TRAMPOLINE);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 4, USTACK_BAD_RA);

	/* the caller of the instance is the trampoline again */
	test_set_ra(p, 3, p->want[4]);
	probes->i[0].orig_ret_vaddr = TRAMPOLINE;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_BAD_RA);

	/* the list points to an invalid address */
	probes->i[0].next = (void *)0x123456789abcull;
	for (n = 0; n < 3; n++)
		test_set_ra(p, n, TRAMPOLINE);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_BAD_RA);
	test_process_done(p);
}

/* Frame records up to one of zeros, when the process has no space yet. */
static void without_table(struct kunit *test)
{
	struct process *p = test_process(test);
	struct probes *probes = no_probes(test);
	u64 ra = ELSEWHERE + 10, at = STACK_AT + 16;
	u32 i;

	ustack_space_forget(current->mm);
	memset(p->words, 0, sizeof(p->words));
	p->want[0] = p->regs.pc = ELSEWHERE + 16;
	p->regs.fp = at;
	for (i = 0; i < 6; i++, at += FRAME) {
		p->words[(at - STACK_AT) / 8] = at + FRAME;
		p->words[(at - STACK_AT) / 8 + 1] = ra;
		p->want[i + 1] = ra;
	}
	p->words[(at - STACK_AT) / 8] = 0;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 7, USTACK_COMPLETE);
	for (i = 4; i--;) {
		at = STACK_AT + 16 + i * FRAME + 8;
		pend(probes, at, ra);
		p->words[(at - STACK_AT) / 8] = TRAMPOLINE;
	}
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 7, USTACK_COMPLETE);
	test_process_done(p);
}

/*
 * On AArch64 return addresses are in LR first, then anywhere in the frame, and
 * may be signed.
 */
static void aarch64(struct kunit *test)
{
	const u64 signature = 0x5aull << 56, sp = STACK_AT;
	const struct ustack_arch *arch = &ustack_arch_aarch64;
	struct ustack_mem mem = { .ra_mask = (1ull << 48) - 1,
				  .user_end = 1ull << 48 };
	struct ustack_state s = { .pc = 0x4000, .sp = sp, .exact = true,
				  .regs_in = USTACK_REGS_SAMPLE,
				  .lr = signature | TRAMPOLINE };
	struct probes *probes = no_probes(test);
	struct ustack_uretprobes u;

	/*
	 * an outer function, one that was left by longjmp(), an inner one, and
	 * one on a signal stack above
	 */
	pend(probes, sp + 256, 0x5000);
	pend(probes, sp - 64, 0x6000);
	pend(probes, sp + 64, 0x7000);
	pend(probes, sp + (4u << 20), 0x8000);
	KUNIT_ASSERT_TRUE(test, ustack_uretprobes_init(&u, &mem));
	KUNIT_EXPECT_EQ(test, u.trampoline, TRAMPOLINE);

	KUNIT_EXPECT_FALSE(test, ustack_uretprobe_frame(&u, arch, &mem, &s));
	ustack_uretprobe_lr(&u, &mem, &s);
	KUNIT_EXPECT_EQ(test, s.lr, 0x7000);
	s.lr = 0x1000;
	ustack_uretprobe_lr(&u, &mem, &s);
	KUNIT_EXPECT_EQ(test, s.lr, 0x1000);

	/* saved words are below SP at the function's entry, never at that SP */
	KUNIT_EXPECT_EQ(test, 0x7000,
			ustack_uretprobe_word(&u, arch, &mem, sp + 8, TRAMPOLINE));
	KUNIT_EXPECT_EQ(test, 0x7000,
			ustack_uretprobe_word(&u, arch, &mem, sp + 56,
					      signature | TRAMPOLINE));
	KUNIT_EXPECT_EQ(test, 0x5000,
			ustack_uretprobe_word(&u, arch, &mem, sp + 64, TRAMPOLINE));
	KUNIT_EXPECT_EQ(test, TRAMPOLINE + 4096,
			ustack_uretprobe_word(&u, arch, &mem, sp,
					      TRAMPOLINE + 4096));

	/*
	 * a caller's frame found by a rule, with an exact SP; then one found by
	 * a frame record
	 */
	s = (struct ustack_state){ .pc = TRAMPOLINE, .sp = sp + 64 };
	KUNIT_EXPECT_TRUE(test, ustack_uretprobe_frame(&u, arch, &mem, &s));
	KUNIT_EXPECT_EQ(test, s.pc, 0x7000);
	KUNIT_EXPECT_EQ(test, s.sp, sp + 64);
	s = (struct ustack_state){ .pc = TRAMPOLINE, .sp = sp + 80 };
	KUNIT_EXPECT_FALSE(test, ustack_uretprobe_frame(&u, arch, &mem, &s));
	s.sp_bound = true;
	KUNIT_EXPECT_TRUE(test, ustack_uretprobe_frame(&u, arch, &mem, &s));
	KUNIT_EXPECT_EQ(test, s.pc, 0x5000);
	KUNIT_EXPECT_EQ(test, s.sp, sp + 256);
	KUNIT_EXPECT_FALSE(test, s.sp_bound);
}

static void case_exit(struct kunit *test)
{
	test_return_instances = NULL;
	test_xol_area = NULL;
	test_mm_exit(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(looked_through),
	KUNIT_CASE(every_function_is_probed),
	KUNIT_CASE(not_yet_pending),
	KUNIT_CASE(sampled_in_trampoline),
	KUNIT_CASE(without_end),
	KUNIT_CASE(without_table),
	KUNIT_CASE(aarch64),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_uretprobe",
	.init = test_mm_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
