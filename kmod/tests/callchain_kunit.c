// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the walk, with stacks made for the purpose: what is stored, how a
 * walk ends, what is counted, and that lists and tables may change meanwhile.
 * stand_in.h provides the registers and the user memory.
 */
#include "process.h"

#include <linux/kthread.h>
#include <linux/perf_event.h>
#include <linux/prandom.h>
#include <asm/syscall.h>

#include "../events.h"
#include "../learn.h"
#include "../user_word.h"
#include "ustack.h"

static atomic_t nr_sights;

#ifndef CONFIG_PERF_EVENTS
static int perf_callchain_store(struct perf_callchain_entry_ctx *ctx, u64 ip)
{
	if (ctx->nr >= ctx->max_stack)
		return -1;
	ctx->entry->ip[ctx->entry->nr++] = ip;
	ctx->nr++;
	return 0;
}
#endif

#ifdef CONFIG_UML
/*
 * On a real x86-64 this is one instruction; UML would mask interrupts by
 * masking signals, which takes a microsecond each time.
 */
#undef ustack_count
#undef ustack_count_reason
#define ustack_count(field, n) raw_cpu_add(ustack_counters.field, n)
#define ustack_count_reason(reason) \
	raw_cpu_inc(ustack_counters.reasons[(reason)])
#endif

#define ustack_learn_sight() atomic_inc(&nr_sights)
#include "../callchain.c"
#undef ustack_learn_sight

bool ustack_guess = true;
unsigned int ustack_max_frames = USTACK_MAX_FRAMES_DEFAULT;
int test_open_regions;
u32 test_traced_guesses;

bool ustack_user_init(struct ustack_user *user, struct pt_regs *regs,
		      struct ustack_state *state)
{
	const struct test_regs *r = (void *)regs;

	BUILD_BUG_ON(offsetof(struct ustack_user, mem));
	user->mem = (struct ustack_mem){
		.read_u64 = ustack_user_read_u64,
		.ra_mask = ~0ull,
		.user_end = 1ull << 47,
	};
	user->regs = regs;
	*state = (struct ustack_state){
		.pc = r->pc,
		.sp = r->sp,
		.fp = r->fp,
		.regs_in = USTACK_REGS_SAMPLE,
		.scratch_in = USTACK_REGS_SAMPLE,
		.exact = true,
	};
	return !r->absent;
}

/* How the guesses of the last walk were counted and traced. */
static void expect_guesses(struct kunit *test, const struct process *p,
			   u32 steps, bool complete)
{
	const struct ustack_stats *a = &p->before, *b = &p->after;

	KUNIT_EXPECT_EQ(test, test_traced_guesses, steps);
	KUNIT_EXPECT_EQ(test, b->guessed_steps - a->guessed_steps, steps);
	KUNIT_EXPECT_EQ(test, b->guessed_samples - a->guessed_samples, !!steps);
	KUNIT_EXPECT_EQ(test, b->guessed_complete - a->guessed_complete,
			steps && complete);
}

static void whole(struct kunit *test)
{
	struct process *p = test_process(test);

	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	KUNIT_EXPECT_EQ(test, p->after.table_steps - p->before.table_steps,
			FRAMES - 1);
	KUNIT_EXPECT_EQ(test, p->after.blind_steps, p->before.blind_steps);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_sights), 0);
	expect_guesses(test, p, 0, true);
	test_process_done(p);
}

/* perf's own entry, in which something is stored already. */
static void whole_for_perf(struct kunit *test)
{
	struct process *p = test_process(test);
	struct perf_callchain_entry_ctx ctx = { .max_stack = FRAMES, .nr = 2 };
	u32 i;

	ctx.entry = kunit_kzalloc(test, struct_size(ctx.entry, ip, 2 * FRAMES),
				  GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ctx.entry);
	ctx.entry->nr = 3;
	ustack_events_sum(&p->before);
	ustack_callchain_user(&ctx, (struct pt_regs *)&p->regs);
	ustack_events_sum(&p->after);
	KUNIT_EXPECT_EQ(test, ctx.nr, FRAMES);
	KUNIT_EXPECT_EQ(test, ctx.entry->nr, FRAMES + 1);
	for (i = 0; i < FRAMES - 2; i++)
		p->got[i] = ctx.entry->ip[3 + i];
	p->nr_got = FRAMES - 2;
	test_expect_walk(test, p, FRAMES - 2, USTACK_FULL);
	test_process_done(p);
}

static void bounds(struct kunit *test)
{
	struct process *p = test_process(test);
	u32 n;

	for (n = 1; n < FRAMES; n++) {
		test_walk(p, n);
		test_expect_walk(test, p, n, USTACK_FULL);
		ustack_max_frames = n;
		test_walk(p, 2 * FRAMES);
		test_expect_walk(test, p, n, USTACK_DEPTH);
		ustack_max_frames = USTACK_MAX_FRAMES_DEFAULT;
	}
	test_walk(p, FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	test_process_done(p);
}

/* An image with several deltas is looked up frame by frame, not by strides. */
static void several_deltas(struct kunit *test)
{
	struct process *p = test_process(test);
	struct ustack_code *code;

	code = test_code(test, FUNCS, FRAME);
	code->nr_more = 1;
	code->more[0] = (struct ustack_code_segment){
		.off = 1ull << 40, .end = 2ull << 40
	};
	ustack_image_load(p->image, code, false);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	KUNIT_EXPECT_EQ(test, p->after.table_steps - p->before.table_steps,
			FRAMES - 1);
	test_process_done(p);
}

static void stack_ends(struct kunit *test)
{
	struct process *p = test_process(test);

	/* the page with the 8th return address is absent */
	p->regs.stack_bytes = 8 * FRAME - 8;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 8, USTACK_STACK_FAULT);
	p->regs.absent = true;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_STACK_FAULT);
	test_process_done(p);
}

/* The lowest @bytes of the stack are in memory, the rest is swapped out. */
static void swap_out(struct process *p, u32 bytes)
{
	p->regs.stack_bytes = bytes;
	p->regs.swapped_bytes = sizeof(p->words) - bytes;
	p->regs.faults = 0;
}

/* unwind_user()'s callers may wait until a page is read in; others may not. */
static void swapped_out(struct kunit *test)
{
	struct process *p = test_process(test);
	struct perf_callchain_entry_ctx ctx = { .max_stack = 2 * FRAMES };
	u32 i;

	swap_out(p, 8 * FRAME);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	KUNIT_EXPECT_EQ(test, p->regs.faults, FRAMES - 8);
	/* all of it, so that at first nothing can be read */
	swap_out(p, 0);
	p->regs.absent = true;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	/* every frame may cause one fault, but not more */
	for (i = 1; i <= FRAMES; i++) {
		swap_out(p, 0);
		ustack_max_frames = i;
		test_walk(p, 2 * FRAMES);
		test_expect_walk(test, p, i, i < FRAMES ? USTACK_DEPTH :
							  USTACK_COMPLETE);
		KUNIT_EXPECT_LE(test, p->regs.faults, i);
	}

	swap_out(p, 8 * FRAME);
	ctx.entry = kunit_kzalloc(test, struct_size(ctx.entry, ip, 2 * FRAMES),
				  GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ctx.entry);
	ustack_callchain_user(&ctx, (struct pt_regs *)&p->regs);
	KUNIT_EXPECT_EQ(test, ctx.nr, 9);
	KUNIT_EXPECT_EQ(test, p->regs.faults, 0);
	test_process_done(p);
}

static void no_row(struct kunit *test)
{
	struct process *p = test_process(test);

	/* inside the mapping, but below the text */
	p->want[5] = MAP_B + 0x10;
	test_set_ra(p, 4, p->want[5]);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_NO_ROW);
	/* _start: SP is where execve() left it */
	current->mm->start_stack = STACK_AT + 5 * FRAME + 16;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_COMPLETE);
	/* a small frame called by it: SP is too far below, or FP is in use */
	current->mm->start_stack = STACK_AT + 5 * FRAME + 48;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_NO_ROW);
	current->mm->start_stack = STACK_AT + 5 * FRAME + 16;
	p->regs.fp = STACK_AT;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_NO_ROW);
	current->mm->start_stack = 0;
	test_process_done(p);
}

/* A return address at SP is accepted only in code that never has rows. */
static void guesses(struct kunit *test)
{
	struct process *p = test_process(test);
	struct ustack_image *untabled = test_image(test, 2);
	const struct ustack_mapping m = {
		.start = ELSEWHERE, .end = ELSEWHERE + PAGE_SIZE,
		.image = untabled,
	};

	/* code from a JIT compiler, which has no file */
	p->want[0] = p->regs.pc = ELSEWHERE + 16;
	p->want[1] = p->words[0] = ELSEWHERE + 10;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 2, USTACK_NO_IMAGE);
	expect_guesses(test, p, 1, false);
	KUNIT_EXPECT_EQ(test, p->after.blind_steps - p->before.blind_steps, 1);

	/* as far up the stack as _start would be */
	current->mm->start_stack = STACK_AT + 16;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 2, USTACK_COMPLETE);
	expect_guesses(test, p, 1, true);
	current->mm->start_stack = 0;

	ustack_guess = false;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_NO_IMAGE);
	expect_guesses(test, p, 0, false);
	ustack_guess = true;

	/* code of a file that may still get a table */
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	WRITE_ONCE(untabled->state, USTACK_IMAGE_DONE);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_NO_TABLE);
	expect_guesses(test, p, 0, false);
	ustack_image_put(untabled);
	test_process_done(p);
}

/*
 * A chain of frame records, from FP up to one of zeros. Below each record is an
 * outdated return address.
 */
static void make_records(struct process *p, u32 nr, u64 ra)
{
	u64 at = STACK_AT + 16;
	u32 i;

	memset(p->words, 0, sizeof(p->words));
	p->want[0] = p->regs.pc = ELSEWHERE + 16;
	p->regs.fp = at;
	for (i = 0; i < nr; i++, at += FRAME) {
		p->words[(at - STACK_AT) / 8 - 1] = ELSEWHERE + 10;
		p->words[(at - STACK_AT) / 8] = at + FRAME;
		p->words[(at - STACK_AT) / 8 + 1] = ra;
		p->want[i + 1] = ra;
	}
	p->words[(at - STACK_AT) / 8] = 0;
}

/*
 * No stack is shorter than the one the kernel itself finds, and it is counted
 * that it is not proven.
 */
static void followed(struct kunit *test)
{
	struct process *p = test_process(test);
	struct ustack_image *untabled = test_image(test, 2);
	const struct ustack_mapping m = {
		.start = ELSEWHERE, .end = ELSEWHERE + PAGE_SIZE,
		.image = untabled,
	};

	/* code of an interpreter: no call is in front of the return address */
	make_records(p, 6, ELSEWHERE + 12);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 7, USTACK_COMPLETE);
	expect_guesses(test, p, 7, true);
	/* code of a file that may still get a table */
	ustack_space_replace(current->mm, m.start, m.end, &m, USTACK_KEEP_NONE);
	WRITE_ONCE(untabled->state, USTACK_IMAGE_DONE);
	make_records(p, 6, ELSEWHERE + 10);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 7, USTACK_COMPLETE);
	expect_guesses(test, p, 7, true);
	/* a return address there must follow a call */
	make_records(p, 6, ELSEWHERE + 12);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_NO_TABLE);
	expect_guesses(test, p, 0, false);

	make_records(p, 6, ELSEWHERE + 10);
	ustack_guess = false;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_NO_TABLE);
	expect_guesses(test, p, 0, false);
	ustack_guess = true;
	ustack_image_put(untabled);
	test_process_done(p);
}

/*
 * SFrame versions 1 and 2 have rows for _start; the argument count is where its
 * return address would be.
 */
static void entry_with_a_row(struct kunit *test)
{
	struct process *p = test_process(test);

	test_set_ra(p, 5, 3);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_BAD_RA);
	current->mm->start_stack = STACK_AT + 5 * FRAME + 16;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 6, USTACK_COMPLETE);
	/* the sampled frame is not taken for _start: its SP can be anything */
	p->regs.pc = p->want[5];
	p->regs.sp = STACK_AT + 5 * FRAME;
	p->want[0] = p->want[5];
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_BAD_RA);
	current->mm->start_stack = 0;
	test_process_done(p);
}

static void no_table(struct kunit *test)
{
	struct process *p = test_process(test);
	struct ustack_image *image = test_image(test, 2), *mine = p->image;

	p->image = image;
	test_map_image(p, MAP_B);
	p->image = mine;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 4, USTACK_BUILDING);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_sights), 1);
	image->state = USTACK_IMAGE_DONE;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 4, USTACK_NO_TABLE);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_sights), 1);
	ustack_image_put(image);
	test_process_done(p);
}

static void no_image(struct kunit *test)
{
	struct process *p = test_process(test);

	/* JIT code: the address follows a call */
	p->want[2] = ELSEWHERE + 10;
	test_set_ra(p, 1, p->want[2]);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 3, USTACK_NO_IMAGE);
	/* a word that is not a return address is not stored */
	p->want[2] = ELSEWHERE + 16;
	test_set_ra(p, 1, p->want[2]);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 2, USTACK_BAD_RA);
	/* nor is an address that user space cannot have */
	test_set_ra(p, 1, 1ull << 50);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 2, USTACK_BAD_RA);
	test_process_done(p);
}

/*
 * Code of no file whose caller is searched on the stack. An old return address
 * leads to a word that is none; the walk goes back for the next one.
 */
static void made_code(struct kunit *test)
{
	struct process *p = test_process(test);
	u32 i;

	p->regs.text_at = p->want[3] - 10;
	p->words[2 * FRAME / 8 + 1] = p->want[3];
	p->words[3 * FRAME / 8 + 1] = 1;
	p->want[0] = p->regs.pc = ELSEWHERE + PAGE_SIZE;
	p->regs.sp = STACK_AT + 2 * FRAME;
	for (i = 1; i + 2 < FRAMES; i++)
		p->want[i] = p->want[i + 2];
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES - 2, USTACK_COMPLETE);
	expect_guesses(test, p, 1, true);
	/* the true one is gone: neither is shown */
	test_set_ra(p, 2, 2);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_NO_IMAGE);
	expect_guesses(test, p, 0, false);
	test_set_ra(p, 2, p->want[1]);
	ustack_guess = false;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_NO_IMAGE);
	ustack_guess = true;
	test_process_done(p);
}

static void unknown_mm(struct kunit *test)
{
	struct process *p = test_process(test);

	ustack_space_forget(current->mm);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_LEARNING);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_sights), 1);
	p->regs.absent = true;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_LEARNING);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_sights), 2);
	test_process_done(p);
}

static void in_execve(struct kunit *test)
{
	struct process *p = test_process(test);

	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, NULL, true,
						     GFP_KERNEL));
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_EXECVE);
	/* the stack that SP points into is gone, or is not there yet */
	p->regs.absent = true;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_EXECVE);
	KUNIT_EXPECT_EQ(test, atomic_read(&nr_sights), 0);
	test_process_done(p);
}

/* A child of vfork() in execve(), whose parent runs again on the same stack. */
static void left_by_vfork(struct kunit *test)
{
	struct process *p = test_process(test);
	/* a kernel thread has its own, for which kthread_stop() waits */
	struct completion *waited = current->vfork_done;

	current->vfork_done = NULL;
	syscall_set_nr(current, task_pt_regs(current), __NR_execve);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	atomic_inc(&current->mm->mm_users);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, 1, USTACK_EXECVE);
	/* the parent is still waiting */
	current->vfork_done = waited;
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	current->vfork_done = NULL;
	/* another system call */
	syscall_set_nr(current, task_pt_regs(current), __NR_getpid);
	test_walk(p, 2 * FRAMES);
	test_expect_walk(test, p, FRAMES, USTACK_COMPLETE);
	atomic_dec(&current->mm->mm_users);
	current->vfork_done = waited;
	test_process_done(p);
}

/*
 * The limit for addresses that are read: regs.h itself compiles only on the
 * module's own architectures.
 */
static void user_words(struct kunit *test)
{
	const u64 end = 1ull << 48, tag = 0xa5ull << 56;

	KUNIT_EXPECT_TRUE(test, ustack_is_user_word(end - 8, end, 0));
	KUNIT_EXPECT_FALSE(test, ustack_is_user_word(end - 7, end, 0));
	KUNIT_EXPECT_FALSE(test, ustack_is_user_word(tag | 4096, end, 0));
	KUNIT_EXPECT_TRUE(test, ustack_is_user_word(0, end, 8));
	KUNIT_EXPECT_TRUE(test, ustack_is_user_word(tag | (end - 8), end, 8));
	KUNIT_EXPECT_FALSE(test, ustack_is_user_word(tag | (end - 7), end, 8));
	/* kernel addresses, with any tag */
	KUNIT_EXPECT_FALSE(test, ustack_is_user_word(-8ull, end, 8));
	KUNIT_EXPECT_FALSE(test, ustack_is_user_word(1ull << 55, end, 8));
	KUNIT_EXPECT_FALSE(test, ustack_is_user_word(tag | 1ull << 55, end, 8));
}

/* ---- walks while lists and tables change --------------------------------------- */

/* Kernel threads that read the test's mm, which lives longer than they do. */
struct walkers {
	struct process *p;
	struct mm_struct *mm;
	atomic_t whole;
	atomic_t cut;
	atomic_t wrong;
};

static int keep_walking(void *arg)
{
	unsigned long got[2 * FRAMES];
	struct walkers *w = arg;
	unsigned int i, n;

	kthread_use_mm(w->mm);
	while (!kthread_should_stop()) {
		n = ustack_callchain_entries((struct pt_regs *)&w->p->regs, got,
					     2 * FRAMES);
		for (i = 0; i < n; i++)
			if (i >= FRAMES || got[i] != w->p->want[i])
				break;
		if (!n || i < n)
			atomic_inc(&w->wrong);
		else
			atomic_inc(n == FRAMES ? &w->whole : &w->cut);
		cond_resched();
	}
	kthread_unuse_mm(w->mm);
	return 0;
}

static void change(struct kunit *test, struct process *p, u32 what)
{
	switch (what) {
	case 0:
		ustack_space_replace(current->mm, MAP_B, MAP_B + MAP_BYTES,
				     NULL, USTACK_KEEP_NONE);
		break;
	case 1:
		test_map_image(p, MAP_B);
		break;
	case 2:
		ustack_image_load(p->image, test_code(test, FUNCS, FRAME), false);
		break;
	case 3:
		ustack_space_forget(current->mm);
		ustack_space_create(current->mm, NULL, false, GFP_KERNEL);
		test_map_image(p, MAP_A);
		test_map_image(p, MAP_B);
		break;
	}
}

static void rcu_walks(struct kunit *test)
{
	unsigned long end = jiffies + HZ;
	struct task_struct *task[2];
	struct rnd_state rnd;
	struct walkers *w;
	int i;

	prandom_seed_state(&rnd, 3);
	w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, w);
	w->p = test_process(test);
	w->mm = current->mm;
	for (i = 0; i < 2; i++) {
		task[i] = kthread_run(keep_walking, w, "ustack-walker-%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(task[i]));
	}
	do {
		change(test, w->p, prandom_u32_state(&rnd) % 4);
		cond_resched();
	} while (time_before(jiffies, end));
	for (i = 0; i < 2; i++)
		kthread_stop(task[i]);
	KUNIT_EXPECT_EQ(test, atomic_read(&w->wrong), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&w->whole), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&w->cut), 0);
	kunit_info(test, "%d whole, %d cut\n", atomic_read(&w->whole),
		   atomic_read(&w->cut));
	test_process_done(w->p);
}

static int case_init(struct kunit *test)
{
	atomic_set(&nr_sights, 0);
	return test_mm_init(test);
}

static void case_exit(struct kunit *test)
{
	ustack_max_frames = USTACK_MAX_FRAMES_DEFAULT;
	test_mm_exit(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(whole),
	KUNIT_CASE(whole_for_perf),
	KUNIT_CASE(bounds),
	KUNIT_CASE(several_deltas),
	KUNIT_CASE(stack_ends),
	KUNIT_CASE(swapped_out),
	KUNIT_CASE(no_row),
	KUNIT_CASE(guesses),
	KUNIT_CASE(followed),
	KUNIT_CASE(entry_with_a_row),
	KUNIT_CASE(no_table),
	KUNIT_CASE(no_image),
	KUNIT_CASE(made_code),
	KUNIT_CASE(unknown_mm),
	KUNIT_CASE(in_execve),
	KUNIT_CASE(left_by_vfork),
	KUNIT_CASE(user_words),
	KUNIT_CASE_SLOW(rcu_walks),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_callchain",
	.init = case_init,
	.exit = case_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
