// SPDX-License-Identifier: GPL-2.0-only
/* lookup.h: the search inside a bucket, and the edges of a table. */
#include "support.h"

static int compare_u16(const void *a, const void *b)
{
	return *(const u16 *)a - *(const u16 *)b;
}

/* 8 ascending keys, with all distances and all places of the key among them. */
static void count_of_eight(void **state)
{
	unsigned int seed = 1, round, i, want;
	u8 keys[8];
	u64 word;
	int key;

	for (round = 0; round < 2000; round++) {
		keys[0] = (u8)(rand_r(&seed) % (round % 2 ? 120 : 8));
		for (i = 1; i < 8; i++)
			keys[i] = (u8)(keys[i - 1] + rand_r(&seed) %
				       (128 - keys[i - 1]) / (round % 5 + 1));
		memcpy(&word, keys, 8);
		for (key = 0; key < 128; key++) {
			for (want = 0; want < 8 && keys[want] <= key; want++)
				;
			assert_int_equal(ustack_count_le8(word, (u32)key), want);
		}
	}
}

/*
 * The keys after the first greater byte do not matter, ascending or not. If other bytes follow,
 * no key before them is missed.
 */
static void count_ends_at_the_first_greater_byte(void **state)
{
	unsigned int seed = 2, round, i, want;
	u8 keys[8];
	u64 word;
	int key;

	for (round = 0; round < 20000; round++) {
		for (i = 0; i < 8; i++)
			keys[i] = (u8)rand_r(&seed) & (round & 1 ? 0xff : 0x7f);
		memcpy(&word, keys, 8);
		key = rand_r(&seed) & 0x7f;
		for (want = 0; want < 8 && keys[want] <= key; want++)
			;
		if (want < 8 && keys[want] >= 128)
			assert_in_range(ustack_count_le8(word, (u32)key), want, 8);
		else
			assert_int_equal(ustack_count_le8(word, (u32)key), want);
	}
}

/* Distinct ascending numbers below @limit, at most @n of them. */
static u32 random_keys(unsigned int *seed, u16 *keys, u32 n, u32 limit)
{
	u32 i, k = 0;

	for (i = 0; i < n; i++)
		keys[i] = (u16)((u32)rand_r(seed) % limit);
	qsort(keys, n, sizeof(*keys), compare_u16);
	for (i = 0; i < n; i++)
		if (!i || keys[i] != keys[i - 1])
			keys[k++] = keys[i];
	return k;
}

/* Blocks of 0 to 128 keys after @lo others, as in a table's array of keys. */
/* A table with only keys. */
static struct ustack_table *bare_table(size_t bytes)
{
	struct ustack_table *t = calloc(1, sizeof(*t) + bytes);

	assert_non_null(t);
	t->keys_off = sizeof(*t);
	return t;
}

static void narrow_blocks(void **state)
{
	const size_t bytes = 128 + 16 + 8;
	struct ustack_table *t = bare_table(bytes);
	u8 *keys = (u8 *)ustack_table_keys(t);
	unsigned int seed = 3, round;
	u16 wide[128];
	u32 n, i, lo, want;
	int low;

	for (round = 0; round < 600; round++) {
		n = random_keys(&seed, wide, round % 129, 128);
		lo = 1 + round % 16;
		for (i = 0; i < bytes; i++)
			keys[i] = (u8)rand_r(&seed);
		for (i = 0; i < n; i++)
			keys[lo + i] = (u8)wide[i];
		for (low = 0; low < 128; low++) {
			want = lo;
			while (want < lo + n && keys[want] <= low)
				want++;
			assert_int_equal(ustack_row_narrow(t, lo, n, (u32)low),
					 want - 1);
		}
	}
	free(t);
}

static void wide_buckets(void **state)
{
	struct ustack_table *t = bare_table(65536 * sizeof(u16));
	u16 *keys = (u16 *)ustack_table_keys(t);
	unsigned int seed = 4, round;
	u32 n, i, want, low;

	for (round = 0; round < 60; round++) {
		n = random_keys(&seed, keys, 1 + round * round * 3, 65536);
		for (i = 0; i < 400; i++) {
			low = i < 10 ? i : i < 20 ? 65555 - i :
			      (u32)rand_r(&seed) & 0xffff;
			low = low > 0xffff ? 0xffff : low;
			for (want = 0; want < n && keys[want] <= low; want++)
				;
			assert_int_equal(ustack_row_wide(t, 0, n, (u16)low) + 1,
					 want);
		}
	}
	/* a full bucket, and an empty one */
	for (i = 0; i < 65536; i++)
		keys[i] = (u16)i;
	for (i = 0; i < 65536; i += 13)
		assert_int_equal(ustack_row_wide(t, 0, 65536, (u16)i), i);
	assert_int_equal(ustack_row_wide(t, 7, 7, 0), 6);
	free(t);
}

/* Rows at the first and last offset of blocks, and blocks without rows. */
static void block_edges(void **state)
{
	static const u64 starts[] = { 0x1000, 0x10ff, 0x1100, 0x11fe, 0x1500,
				      0x15ff, 0x1700 };
	struct image im;
	unsigned int i;
	struct sf s;

	sf_init(&s, X86, 2);
	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		sf_func(&s, starts[i], i == 3 ? 0x302 : 1, 0, 0, 0);
		SF_ROW(&s, 0, 3, (u8)(8 + 8 * i));
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	for (i = 0; i < ARRAY_SIZE(starts); i++)
		assert_cfa(&im, starts[i], USTACK_OP_SP, 8 + 8 * (s32)i);
	assert_no_row(&im, 0x1001);
	assert_no_row(&im, 0x10fe);
	assert_no_row(&im, 0x1101);
	assert_cfa(&im, 0x1300, USTACK_OP_SP, 32);
	assert_cfa(&im, 0x14ff, USTACK_OP_SP, 32);
	assert_no_row(&im, 0x1501);
	assert_no_row(&im, 0x1600);
	assert_no_row(&im, 0x16ff);
	assert_no_row(&im, 0x1701);
	image_release(&im);
}

/* Dense rows over several buckets: more of them than a block can count alone. */
static void buckets_of_64_kib(void **state)
{
	const u32 n = 20000;
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	for (i = 0; i < n; i++) {
		sf_func(&s, 0x1000 + i * 12, 11, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
		SF_ROW(&s, 1, 3, 16);
		SF_ROW(&s, 2, 3, (u8)(24 + 8 * (i % 10)));
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->layout, 0);
	assert_true(im.table->nr_keys > 65536 && im.table->nr_buckets == 4);
	for (i = 0; i < n; i++) {
		assert_cfa(&im, 0x1000 + i * 12, USTACK_OP_SP, 8);
		assert_cfa(&im, 0x1001 + i * 12, USTACK_OP_SP, 16);
		assert_cfa(&im, 0x1002 + i * 12, USTACK_OP_SP, 24 + 8 * (i % 10));
		assert_cfa(&im, 0x100a + i * 12, USTACK_OP_SP, 24 + 8 * (i % 10));
		assert_no_row(&im, 0x100b + i * 12);
	}
	image_release(&im);
}

static void offsets_outside_the_table(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, 0x1000, 0x100, 0, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->range, 0x100);
	assert_non_null(ustack_lookup(im.table, 0));
	assert_non_null(ustack_lookup(im.table, 0xff));
	assert_null(ustack_lookup(im.table, 0x100));
	assert_null(ustack_lookup(im.table, 1ull << 32));
	assert_null(ustack_lookup(im.table, (u64)-1));
	assert_null(ustack_lookup(im.table, 1ull << 63));
	image_release(&im);
}

static void pc_mask_blocks_repeat(void **state)
{
	struct image im;
	struct sf s;
	u64 pc;

	sf_init(&s, X86, 2);
	sf_func(&s, 0x1234, 100, FN_MASK, 0, 16);	/* 6 blocks and a quarter */
	SF_ROW(&s, 2, 3, 8);
	SF_ROW(&s, 11, 3, 16);
	assert_reason(image_of(&im, &s), USTACK_OK);
	for (pc = 0x1234; pc < 0x1234 + 100; pc++) {
		if ((pc - 0x1234) % 16 < 2)
			assert_no_row(&im, pc);
		else
			assert_cfa(&im, pc, USTACK_OP_SP,
				   (pc - 0x1234) % 16 < 11 ? 8 : 16);
	}
	assert_no_row(&im, 0x1234 + 100);
	image_release(&im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_of_eight),
		cmocka_unit_test(count_ends_at_the_first_greater_byte),
		cmocka_unit_test(narrow_blocks),
		cmocka_unit_test(wide_buckets),
		cmocka_unit_test(block_edges),
		cmocka_unit_test(buckets_of_64_kib),
		cmocka_unit_test(offsets_outside_the_table),
		cmocka_unit_test(pc_mask_blocks_repeat),
	};

	return cmocka_run_group_tests_name("lookup", tests, NULL, NULL);
}
