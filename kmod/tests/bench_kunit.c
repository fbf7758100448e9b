// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how long the sample path takes, in nanoseconds, with the module's
 * own object code. The figures are printed, and no figure makes a test fail;
 * the tests only check that the intended work was done. The stack is in kernel
 * memory and is read by an ordinary function, so that only the access to user
 * memory is missing compared with a real sample.
 */
#include "support.h"

#include <linux/ktime.h>
#include <linux/prandom.h>
#include <linux/slab.h>

#include "../callchain.h"
#include "lookup.h"
#include "step.h"

/* 100,000 functions of 16 bytes, 1.6 MB of text: about as much as libc has. */
#define FUNCS 100000u
#define PCS 4096u
#define DEPTH 64u
#define ROUNDS 5u
#define FRAME 64u
#define STACK_AT 0x7ffc00000000ull
#define MAP_AT 0x7f0000000000ull

struct bench {
	struct ustack_code *code;
	struct ustack_image *image;
	u64 pc[PCS];
	struct test_regs regs;
	u64 words[DEPTH * FRAME / 8];
	unsigned long got[2 * DEPTH];
};

/*
 * Consecutive frames, each of a function with an even index: CFA = SP + FRAME,
 * the return address is at CFA - 8. The outermost return address is 0.
 */
static void make_stack(struct bench *b, struct rnd_state *rnd)
{
	u64 func;
	u32 i;

	b->regs = (struct test_regs){
		.pc = MAP_AT + TEST_TEXT,
		.sp = STACK_AT,
		.stack_at = STACK_AT,
		.stack_bytes = sizeof(b->words),
		.stack = (u8 *)b->words,
	};
	for (i = 1; i < DEPTH; i++) {
		func = prandom_u32_state(rnd) % FUNCS & ~1u;
		b->words[i * FRAME / 8 - 1] =
			MAP_AT + TEST_TEXT + func * TEST_FUNC_BYTES + 5;
	}
}

static struct bench *make_bench(struct kunit *test)
{
	struct rnd_state rnd;
	struct bench *b;
	u32 i;

	b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b);
	prandom_seed_state(&rnd, 1);
	b->code = test_code(test, FUNCS, FRAME);
	for (i = 0; i < PCS; i++)
		b->pc[i] = TEST_TEXT + prandom_u32_state(&rnd) %
					       (FUNCS * TEST_FUNC_BYTES);
	make_stack(b, &rnd);
	return b;
}

/*
 * The shortest of several rounds, as disturbances only ever add time. The unit
 * is a tenth of a nanosecond.
 */
#define BEST_TENTHS(units, work)                                         \
	({                                                               \
		u64 best_ = ~0ull, t_;                                   \
		u32 r_;                                                  \
		for (r_ = 0; r_ < ROUNDS; r_++) {                        \
			t_ = ktime_get_ns();                             \
			work;                                            \
			t_ = ktime_get_ns() - t_;                        \
			best_ = min(best_, t_);                          \
		}                                                        \
		div64_u64(best_ * 10, units);                            \
	})

static void report(struct kunit *test, const char *what, u64 tenths)
{
	kunit_info(test, "bench: %-34s %4llu.%llu ns\n", what, tenths / 10,
		   tenths % 10);
}

static u64 look_up_all(const struct bench *b, u32 from, u32 nr, u32 times)
{
	const struct ustack_rule *rule;
	u64 sum = 0;
	u32 i;

	while (times--)
		for (i = from; i < from + nr; i++) {
			rule = ustack_code_lookup(b->code, b->pc[i]);
			sum += rule ? rule->cfa_off : 0;
		}
	return sum;
}

static void bench_lookup(struct kunit *test)
{
	struct bench *b = make_bench(test);
	u64 tenths, sum = 0;

	KUNIT_EXPECT_EQ(test, look_up_all(b, 0, PCS, 1), (u64)PCS * FRAME);
	tenths = BEST_TENTHS(PCS * 20, sum += look_up_all(b, 0, PCS, 20));
	report(test, "lookup, 4096 pcs", tenths);
	tenths = BEST_TENTHS(32 * 2000, sum += look_up_all(b, 0, 32, 2000));
	report(test, "lookup, 32 pcs", tenths);
	KUNIT_EXPECT_NE(test, sum, 0);
	ustack_code_free(b->code);
}

/* Only the steps: the rule is already known. */
static u32 step_all(struct bench *b)
{
	const struct ustack_rule *rule = ustack_code_lookup(b->code, TEST_TEXT);
	struct ustack_state s;
	struct ustack_user user;
	u32 frames = 0;

	ustack_user_init(&user, (struct pt_regs *)&b->regs, &s);
	do
		frames++;
	while (!ustack_step_with(&ustack_arch_x86_64, rule, &s, &user.mem,
				 ustack_user_read_u64));
	return frames;
}

static u32 repeat_steps(struct bench *b, u32 times)
{
	u32 frames = 0;

	while (times--)
		frames += step_all(b);
	return frames;
}

static void bench_step(struct kunit *test)
{
	struct bench *b = make_bench(test);
	u64 tenths;
	u32 n = 0;

	KUNIT_EXPECT_EQ(test, step_all(b), DEPTH);
	tenths = BEST_TENTHS(DEPTH * 1000, n += repeat_steps(b, 1000));
	report(test, "step by the usual rule", tenths);
	KUNIT_EXPECT_NE(test, n, 0);
	ustack_code_free(b->code);
}

/* The module's own function, with the space, the list, strides and counters. */
static u32 walk(struct bench *b, u32 frames)
{
	return ustack_callchain_entries((struct pt_regs *)&b->regs, b->got,
					frames);
}

static u32 repeat_walks(struct bench *b, u32 frames, u32 times)
{
	u32 n = 0;

	while (times--)
		n += walk(b, frames);
	return n;
}

/* One large mapping; the other @nr - 1 are below it. */
static void make_space(struct kunit *test, struct bench *b, u32 nr)
{
	struct ustack_maps *maps = ustack_maps_alloc(nr, GFP_KERNEL);
	struct ustack_mapping m;
	u64 start;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, maps);
	for (i = 0; i < nr; i++) {
		ustack_image_hold(b->image);
		start = MAP_AT - (u64)(nr - 1 - i) * 0x10000;
		m = (struct ustack_mapping){
			.start = start,
			.end = start + 0x1000,
			.image = b->image,
		};
		if (i == nr - 1)
			m.end = MAP_AT + TEST_TEXT + FUNCS * TEST_FUNC_BYTES;
		KUNIT_ASSERT_TRUE(test, ustack_maps_append(maps, &m, GFP_KERNEL));
	}
	KUNIT_ASSERT_EQ(test, 0, ustack_space_create(current->mm, maps, false,
						     GFP_KERNEL));
}

static void bench_sample(struct kunit *test)
{
	static const u32 sizes[] = { 8, 300 };
	struct bench *b = make_bench(test);
	char what[40];
	u64 tenths;
	u32 i, n = 0;

	b->image = test_image(test, 1);
	ustack_image_load(b->image, b->code, false);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		make_space(test, b, sizes[i]);
		KUNIT_EXPECT_EQ(test, walk(b, 2 * DEPTH), DEPTH);
		tenths = BEST_TENTHS(DEPTH * 1000,
				     n += repeat_walks(b, DEPTH, 1000));
		snprintf(what, sizeof(what), "sample, 64 frames, %u maps: frame",
			 sizes[i]);
		report(test, what, tenths);
		tenths = BEST_TENTHS(10000, n += repeat_walks(b, 2, 10000));
		snprintf(what, sizeof(what), "sample, 2 frames, %u maps: whole",
			 sizes[i]);
		report(test, what, tenths);
	}
	KUNIT_EXPECT_NE(test, n, 0);
	ustack_image_put(b->image);
}

/* Unmaps and maps again one mapping after the other, except the large one. */
static void change_all(struct ustack_image *image, u32 nr, u32 times)
{
	struct ustack_mapping m = { .image = image };
	u32 i;

	for (i = 0; times--; i = (i + 1) % (nr - 1)) {
		m.start = MAP_AT - (u64)(nr - 1 - i) * 0x10000;
		m.end = m.start + 0x1000;
		ustack_space_replace(current->mm, m.start, m.end, NULL,
				     USTACK_KEEP_NONE);
		ustack_space_replace(current->mm, m.start, m.end, &m,
				     USTACK_KEEP_NONE);
	}
}

/* A range in which no mapping is known. */
static void change_data(u32 times)
{
	while (times--)
		ustack_space_replace(current->mm, MAP_AT - 0x8000, MAP_AT - 0x7000,
				     NULL, USTACK_KEEP_REGIONS);
}

static void bench_change(struct kunit *test)
{
	static const u32 sizes[] = { 10, 300, 4096 };
	struct bench *b = make_bench(test);
	char what[40];
	u32 i;

	b->image = test_image(test, 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		make_space(test, b, sizes[i]);
		snprintf(what, sizeof(what), "unmap and map code, %u maps", sizes[i]);
		report(test, what,
		       BEST_TENTHS(10000, change_all(b->image, sizes[i], 10000)));
		snprintf(what, sizeof(what), "unmap data, %u maps", sizes[i]);
		report(test, what, BEST_TENTHS(10000, change_data(10000)));
	}
	ustack_image_put(b->image);
	ustack_code_free(b->code);
}

/* How long it takes to compile a section, which is done once for each file. */
static void bench_build(struct kunit *test)
{
	struct ustack_code *code = NULL;
	u64 tenths;

	tenths = BEST_TENTHS(FUNCS, ({
		ustack_code_free(code);
		code = test_code(test, FUNCS, FRAME);
	}));
	report(test, "verify and compile, per function", tenths);
	kunit_info(test, "bench: %-34s %4llu.%02llu bytes\n", "table, per row",
		   div64_u64(code->bytes, FUNCS),
		   div64_u64(code->bytes * 100, FUNCS) % 100);
	ustack_code_free(code);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(bench_lookup),
	KUNIT_CASE(bench_step),
	KUNIT_CASE(bench_sample),
	KUNIT_CASE(bench_change),
	KUNIT_CASE(bench_build),
	{}
};

static struct kunit_suite suite = {
	.name = "ustack_bench",
	.init = test_mm_init,
	.exit = test_mm_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
