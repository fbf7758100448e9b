// SPDX-License-Identifier: GPL-2.0-only
/* stride.h: many plain steps at once give the result of single steps. */
#include "support.h"

#define STACK 0x7ffc00000000ull
#define STACK_LEN 0x8000u
#define MAP 0x555500001000ull	/* link-time 0x1000 */

struct stack {
	u64 pc[64];
	unsigned int n;
	unsigned int room;
};

static struct fake f;

static bool read_word(struct ustack_mem *mem, u64 addr, u64 *ret)
{
	return mem->read_u64(mem, addr, ret);
}

static bool store(void *to, u64 pc)
{
	struct stack *stack = to;

	if (stack->n == stack->room)
		return false;
	stack->pc[stack->n++] = pc;
	return true;
}

/* One frame after the other, as long as the rule is plain and the frame is in the window. */
static void step_by_step(const struct ustack_window *w, struct ustack_state *s,
			 struct stack *stack)
{
	const struct ustack_rule *rule;
	struct ustack_state next;
	u64 key;

	/* Strides require an aligned SP, and leave it to a step to align it. */
	while (stack->n < stack->room && !(s->sp & 7)) {
		key = ustack_state_key(s);
		if (key < w->start || key - w->start >= w->len)
			return;
		rule = ustack_lookup(w->table, key - w->start + w->rel);
		if (!rule || !ustack_rule_plain(rule).cfa)
			return;
		next = *s;
		if (ustack_step(X86, rule, &next, &f.mem))
			return;
		*s = next;
		stack->pc[stack->n++] = s->pc;
	}
}

static void random_table(struct image *im, unsigned int *seed)
{
	struct sf s;
	u32 i, k, at = 0x1000;

	sf_init(&s, X86, 3);
	for (i = 0; i < 30; i++) {
		sf_func(&s, at, 64, 0, (rand_r(seed) % 20 == 0) * FN2_FLEX, 0);
		for (k = 0; k < 3; k++) {
			u8 cfa = (u8)(8 + 8 * (rand_r(seed) % 12));

			if (s.funcs[i].info2)
				SF_ROW(&s, (u8)(20 * k), 4, 0x19, cfa);
			else if (rand_r(seed) % 16 == 0)
				SF_ROW(&s, (u8)(20 * k), 4, 16);	/* FP */
			else if (rand_r(seed) % 2)
				SF_ROW(&s, (u8)(20 * k), 5, cfa, 0xf0);
			else
				SF_ROW(&s, (u8)(20 * k), 3, cfa);
		}
		at += 64 + (rand_r(seed) % 8 ? 0 : (u32)rand_r(seed) % 40);
	}
	assert_reason(image_of(im, &s), USTACK_OK);
}

/* @signature: bits that half of the return addresses have, as with pointer authentication */
static void random_stack(unsigned int *seed, u32 text, u64 signature)
{
	u64 at;

	for (at = STACK; at < STACK + STACK_LEN; at += 8) {
		if (rand_r(seed) % 100 == 0)
			fake_poke(&f, at, 0);
		else if (rand_r(seed) % 6)
			fake_poke(&f, at, (MAP + 1 + (u32)rand_r(seed) % text) |
				  (rand_r(seed) % 2 ? 0 : signature));
		else
			fake_poke(&f, at, (at + 8 + (u64)rand_r(seed) % 256) & ~7ull);
	}
}

static void strides_are_steps(void **state)
{
	/* mappings that begin before the table's text, with it, and in it */
	static const s64 rels[] = { 0, -0x100, -0x200, 0x40, 0x183 };
	unsigned int seed = 11, round, i, frames = 0, inside = 0;
	struct stack one, other;
	struct ustack_state a, b;
	struct ustack_window w;
	struct image im;
	u64 fp_a, fp_b;

	fake_init(&f);
	fake_map(&f, STACK, STACK_LEN);
	for (round = 0; round < 20000; round++) {
		if (round % 500 == 0) {
			random_table(&im, &seed);
			f.mem.ra_mask = round / 500 % 2 ? (1ull << 48) - 1 : ~0ull;
			random_stack(&seed, im.table->range, ~f.mem.ra_mask & 0xab5ull << 48);
		}
		w = (struct ustack_window){ im.table, MAP + (u64)rels[round % 5],
					    im.table->range + round % 7 * 0x80,
					    (u64)rels[round % 5] };
		ustack_window_clip(&w);
		assert_true(w.rel + w.len <= im.table->range);
		a = (struct ustack_state){
			.pc = MAP + (u32)rand_r(&seed) % im.table->range,
			.sp = STACK + (u64)rand_r(&seed) % STACK_LEN / 2 / 8 * 8,
			.exact = round & 1,
			.regs_in = USTACK_REGS_SAMPLE,
			.scratch_in = USTACK_REGS_SAMPLE,
		};
		a.fp = a.sp + (u64)rand_r(&seed) % 64 * 8;
		a.sp += round % 31 == 0 ? 4 : 0;
		a.fp += round % 37 == 0 ? 1 : 0;
		/* saved by a callee, in readable memory or not */
		if (round % 7 == 0)
			a.fp_at = round % 14 ? STACK + (u64)rand_r(&seed) % STACK_LEN / 8 * 8 :
					       STACK - 8;
		b = a;
		one.n = other.n = 0;
		one.room = other.room = round % 64;
		ustack_stride(&w, &a, &f.mem, read_word, store, &one);
		step_by_step(&w, &b, &other);
		assert_int_equal(one.n, other.n);
		for (i = 0; i < one.n; i++)
			assert_true(one.pc[i] == other.pc[i]);
		assert_true(a.pc == b.pc && a.sp == b.sp);
		assert_int_equal(a.exact, b.exact);
		assert_int_equal(a.regs_in, b.regs_in);
		assert_int_equal(a.scratch_in, b.scratch_in);
		fp_a = fp_b = 0;
		assert_int_equal(ustack_state_fp(&a, &f.mem, read_word, &fp_a),
				 ustack_state_fp(&b, &f.mem, read_word, &fp_b));
		assert_true(fp_a == fp_b);
		frames += one.n;
		inside += w.rel ? one.n : 0;
		if (round % 500 == 499)
			image_release(&im);
	}
	/* strides that never get far would prove little */
	assert_true(frames > 20000 && inside > 5000);
	fake_release(&f);
}

/*
 * The CFA's offset in function @i: one of 200 usual ones, and in every 50th function one of its
 * own.
 */
static s32 rare_cfa(u32 i)
{
	return 8 * (s32)(i % 50 ? 1 + i % 200 : 300 + i);
}

/*
 * A row whose rule is in the list of rare ones ends a stride: ustack_lookup() finds it there.
 */
static void rare_rules_end_strides(void **state)
{
	const u32 n = 8000;
	struct ustack_state s;
	struct ustack_window w;
	struct stack stack;
	u32 i, nr, ended = 0;
	struct image im;
	struct sf sf;

	fake_init(&f);
	fake_map(&f, STACK, 0x12000);
	for (i = 0; i < 0x12000; i += 8)
		fake_poke(&f, STACK + i, MAP + 0x10000000);
	sf_init(&sf, X86, 3);
	for (i = 0; i < n; i++) {
		s32 cfa = rare_cfa(i);

		sf_func(&sf, TEXT_START + i * 24, 20, 0, 0, 0);
		SF_ROW(&sf, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), 0);
	}
	assert_reason(image_of(&im, &sf), USTACK_OK);
	w = (struct ustack_window){ im.table, MAP, im.table->range, 0 };
	ustack_window_clip(&w);
	for (i = 0; i < n; i++) {
		s = (struct ustack_state){ .pc = MAP + i * 24 + 10, .sp = STACK, .exact = true };
		stack.n = 0;
		stack.room = 1;
		ustack_stride(&w, &s, &f.mem, read_word, store, &stack);
		assert_true(stack.n == 1 || i % 50 == 0);
		assert_true(s.sp == (stack.n ? STACK + (u64)rare_cfa(i) : STACK));
		ended += !stack.n;
	}
	(void)ustack_table_rare(im.table, &nr);
	/* the first of them fits in the map, too */
	assert_true(nr > 50);
	assert_in_range(ended, nr - 1, nr);
	image_release(&im);
	fake_release(&f);
}

/* The first and the last possible return address, as in ustack_check_ra(). */
static void return_addresses_of_strides(void **state)
{
	static const struct { u64 ra; bool is_good; } cases[] = {
		{ 0, false }, { 4095, false }, { 4096, true }, { MAP, true },
		{ 0x7fffffffefffull, true }, { 0x7ffffffff000ull, false },
		{ 0x7ffffffff001ull, false }, { 0x800000000000ull, false }, { ~0ull, false },
	};
	struct ustack_window w;
	struct ustack_state s;
	struct stack stack;
	struct image im;
	unsigned int i;
	struct sf sf;

	fake_init(&f);
	fake_map(&f, STACK, STACK_LEN);
	sf_init(&sf, X86, 2);
	sf_func(&sf, TEXT_START, 0x100, 0, 0, 0);
	SF_ROW(&sf, 0, 3, 8);
	assert_reason(image_of(&im, &sf), USTACK_OK);
	w = (struct ustack_window){ im.table, MAP, im.table->range, 0 };
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fake_poke(&f, STACK, cases[i].ra);
		s = (struct ustack_state){ .pc = MAP + 0x10, .sp = STACK, .exact = true };
		stack.n = 0;
		stack.room = 1;
		ustack_stride(&w, &s, &f.mem, read_word, store, &stack);
		assert_int_equal(stack.n, cases[i].is_good);
		assert_true(s.pc == (stack.n ? cases[i].ra : MAP + 0x10));
	}
	image_release(&im);
	fake_release(&f);
}

/* The rules that strides accept, and their results. */
static void plain_rules(void **state)
{
	enum { SP = USTACK_OP_SP, FP = USTACK_OP_FP, SAVED = USTACK_OP_DEREF };
	static const struct {
		struct ustack_rule rule;
		struct ustack_plain plain;
	} cases[] = {
		{ { 8, -8, 0, SP, SAVED, 0, 0 }, { 8, -8, 0 } },
		{ { 16, -8, -16, FP, SAVED, SAVED, 0 }, { -16, -8, -16 } },
		{ { 0x7ffffff8, -8, 0, SP, SAVED, 0, 0 }, { 0x7ffffff8, -8, 0 } },
		{ { 0x7ffffff8, 32767, -32768, FP, SAVED, SAVED, 0 },
		  { -0x7ffffff8, 32767, -32768 } },
		/* a CFA that needs more than one read */
		{ { 0, -8, 0, SP, SAVED, 0, 0 } },
		{ { -8, -8, 0, FP, SAVED, 0, 0 } },
		{ { -0x7fffffff - 1, -8, 0, FP, SAVED, 0, 0 } },
		{ { 12, -8, 0, SP, SAVED, 0, 0 } },
		{ { 8, -8, 0, SP | SAVED, SAVED, 0, 0 } },
		{ { 8, -8, 0, USTACK_OP_REG(3), SAVED, 0, 0 } },
		/* saved too far away */
		{ { 65536, -32776, 0, SP, SAVED, 0, 0 } },
		{ { 65536, 32768, 0, SP, SAVED, 0, 0 } },
		{ { 65536, -8, -32769, SP, SAVED, SAVED, 0 } },
		/* 0 means that FP is unchanged */
		{ { 16, -8, 0, SP, SAVED, SAVED, 0 } },
		/* a link register, a flag, another FP */
		{ { 16, 0, 0, SP, 0, 0, 0 } },
		{ { 8, -8, 0, SP, SAVED, 0, USTACK_RULE_SIGNAL } },
		{ { 8, -8, 0, SP, SAVED, USTACK_OP_CFA_VALUE, 0 } },
		{ { 0, 0, 0, 0, 0, 0, USTACK_RULE_OUTERMOST } },
	};
	struct ustack_plain plain;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		plain = ustack_rule_plain(&cases[i].rule);
		assert_memory_equal(&plain, &cases[i].plain, sizeof(plain));
	}
}

/* The table's text is in the middle of the mapping, at its ends, or elsewhere. */
static void windows_are_clipped(void **state)
{
	static struct ustack_table t = { .range = 0x1000, .map_shift = 6 };
	static const struct { u64 len, rel, start, clipped; } cases[] = {
		/* not from the middle of a stretch of the map */
		{ 0x1000, 0x7d0, 0x30, 0x800 },
		{ 0x1000, 0x7c1, 0x3f, 0x800 },
		{ 0x30, 0x7c1, 0x30, 0 },
		{ 0x1000, (u64)-0x10, 0x10, 0xff0 },
		{ 0x1000, 0xfc1, 0x3f, 0 },
		{ 0x1000, 0, 0, 0x1000 },
		{ 0x3000, (u64)-0x1000, 0x1000, 0x1000 },
		{ 0x1800, (u64)-0x1000, 0x1000, 0x800 },
		{ 0x1000, (u64)-0x1000, 0x1000, 0 },
		{ 0x800, (u64)-0x1000, 0x800, 0 },
		{ 0x1000, 0x800, 0, 0x800 },
		{ 0x1000, 0x1000, 0, 0 },
		{ 0x1000, 0x100000000ull, 0, 0 },
		{ 0x1000, 1ull << 63, 0x1000, 0 },
	};
	struct ustack_window w;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		w = (struct ustack_window){ &t, MAP, cases[i].len, cases[i].rel };
		ustack_window_clip(&w);
		assert_true(w.len == cases[i].clipped);
		if (!w.len)
			continue;
		assert_true(w.start == MAP + cases[i].start);
		assert_true(w.rel == cases[i].rel + cases[i].start);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strides_are_steps),
		cmocka_unit_test(rare_rules_end_strides),
		cmocka_unit_test(return_addresses_of_strides),
		cmocka_unit_test(plain_rules),
		cmocka_unit_test(windows_are_clipped),
	};

	return cmocka_run_group_tests_name("stride", tests, NULL, NULL);
}
