// SPDX-License-Identifier: GPL-2.0-only
/* compile.c: the search for a rule in the palette's hash ends, whatever rules a file has. */
#include "support.h"

#include "hash.h"

#define PROBES 64	/* USTACK_MAX_PROBES */
#define MOST_ROWS 80

/* A function with the rules CFA = SP + @cfa[i] at its byte i. */
static void function_of_rules(struct sf *s, const s32 *cfa, u32 n)
{
	u32 i;

	sf_init(s, X86, 3);
	sf_func(s, TEXT_START, MOST_ROWS, 0, 0, 0);
	for (i = 0; i < n; i++)
		SF_ROW(s, (u8)i, 0x43, (u8)cfa[i], (u8)(cfa[i] >> 8), (u8)(cfa[i] >> 16), 0);
}

static u64 hash_of(const u64 key[2], s32 cfa)
{
	const struct ustack_rule rule = {
		.cfa_off = cfa,
		.ra_off = -8,
		.cfa = USTACK_OP_SP,
		.ra = USTACK_OP_CFA | USTACK_OP_DEREF,
	};

	return ustack_siphash(key, ustack_le64(&rule), ustack_le64((const u8 *)&rule + 8));
}

/*
 * The file's author knows the key (0): @n rules, each of which is put into the slot that the
 * hash names first; then one for which all these slots are searched, in this order.
 */
static void rules_that_collide(s32 *cfa, u32 n, u32 hash_mask)
{
	static const u64 key[2] = { 0, 0 };
	u64 last = hash_of(key, 8);
	u32 slot = (u32)last, step = (u32)(last >> 32) | 1, i;
	s32 next = 8;

	for (i = 0; i < n; i++) {
		do
			next += 8;
		while ((((u32)hash_of(key, next) ^ (slot + i * step)) & hash_mask));
		cfa[i] = next;
	}
	cfa[n] = 8;
}

static u32 hash_mask_of(u32 rows)
{
	static const s32 cfa[MOST_ROWS];
	struct image im;
	u32 hash_mask;
	struct sf s;

	function_of_rules(&s, cfa, rows);
	assert_reason(image_of(&im, &s), USTACK_OK);
	hash_mask = im.sec.hash_mask;
	image_release(&im);
	return hash_mask;
}

/* A table of rules of which the last one collides with the first @n. */
static enum ustack_reason make_colliding(struct image *im, u32 n)
{
	s32 cfa[MOST_ROWS];
	struct sf s;

	rules_that_collide(cfa, n, hash_mask_of(n + 1));
	function_of_rules(&s, cfa, n + 1);
	return image_of(im, &s);
}

static void a_rule_is_searched_for_in_a_bounded_number_of_slots(void **state)
{
	struct image im;

	assert_reason(make_colliding(&im, PROBES - 1), USTACK_OK);
	assert_int_equal(im.table->nr_rules, 1 + PROBES);
	assert_cfa(&im, TEXT_START + PROBES - 1, USTACK_OP_SP, 8);
	image_release(&im);
	assert_reason(make_colliding(&im, PROBES), USTACK_TOO_MANY_RULES);
	image_release(&im);
}

/* Wherever the first of them starts. */
static void a_block_takes_a_rule_for_itself_and_for_each_row(void **state)
{
	struct image im;
	struct sf s;
	u8 first;

	for (first = 0; first < 8; first++) {
		sf_init(&s, X86, 2);
		sf_func(&s, TEXT_START, 0x40, FN_MASK, 0, 16);
		SF_ROW(&s, first, 3, 8);
		SF_ROW(&s, 8, 3, 24);
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_int_equal(im.table->nr_rules, 1 + 3 + 2);
		assert_cfa(&im, TEXT_START + first, USTACK_OP_SP, 8);
		assert_cfa(&im, TEXT_START + 8, USTACK_OP_SP, 24);
		image_release(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_is_searched_for_in_a_bounded_number_of_slots),
		cmocka_unit_test(a_block_takes_a_rule_for_itself_and_for_each_row),
	};

	return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
