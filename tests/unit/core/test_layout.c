// SPDX-License-Identifier: GPL-2.0-only
/*
 * compile.c: the layout of a table. Lookups are right in any layout, so other tests do not
 * notice a layout that wastes memory, or a map that answers less than it could.
 */
#include "support.h"

/* @n functions of @size bytes, every @step bytes; @rules distinct rules in turn. */
static void make(struct image *im, u32 n, u32 step, u32 size, u32 rules)
{
	struct sf s;
	u32 i, cfa;

	sf_init(&s, X86, 2);
	for (i = 0; i < n; i++) {
		cfa = 8 + 8 * (i % rules);
		sf_func(&s, 0x1000 + (u64)i * step, size, 0, 0, 0);
		SF_ROW(&s, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), (u8)(cfa >> 24));
	}
	image_init(im, X86);
	im->text[0].end = 0xf0000000;
	sf_emit(&s, &im->bytes);
	assert_reason(image_make(im), USTACK_OK);
}

static u64 up(u64 v, u64 to)
{
	return (v + to - 1) / to * to;
}

static u64 map_len(const struct ustack_table *t)
{
	return ((u64)t->range - 1) / (1ull << t->map_shift) + 1;
}

/* Parts follow each other, with only alignment between them. */
static void check_packed(const struct image *im)
{
	const struct ustack_table *t = im->table;
	bool wide_keys = t->layout & USTACK_TABLE_WIDE_KEYS;
	bool wide_rules = t->layout & USTACK_TABLE_WIDE_RULES;
	u64 at = sizeof(*t) + 4ull * (t->nr_buckets + 1);
	u32 i, rare = 0;

	assert_int_equal(t->nr_buckets, up(t->range, 65536) / 65536);
	if (!wide_keys)
		at += 2 * (up(t->range, 128) / 128 + 1);
	assert_true(t->keys_off == at);
	at = up(at + (wide_keys ? 2ull : 1ull) * t->nr_keys, 2);
	assert_true(t->rules_off == at);
	at = up(at + (wide_rules ? 2ull : 1ull) * t->nr_keys, 16);
	assert_true(t->palette_off == at);
	at += (u64)t->nr_rules * (sizeof(struct ustack_rule) + sizeof(struct ustack_plain));
	if (t->layout & USTACK_TABLE_RARE_RULES)
		for (i = 0; i < t->nr_keys; i++)
			rare += ((const u8 *)t)[t->rules_off + i] == USTACK_RARE_RULE;
	assert_true(t->map_off == at + rare * sizeof(struct ustack_rare));
	assert_true(t->size == t->map_off + map_len(t));
	assert_true(t->size == im->size);
}

/* The map has the rule of each stretch that has only one rule, if it fits a byte. */
static void check_map(const struct image *im)
{
	const struct ustack_table *t = im->table;
	u64 from, to, rel;
	u32 i, row, want;

	for (i = 0; i < map_len(t); i++) {
		from = (u64)i << t->map_shift;
		to = from + (1ull << t->map_shift);
		to = to < t->range ? to : t->range;
		row = ustack_table_row(t, (u32)from);
		for (rel = from; rel < to && ustack_table_row(t, (u32)rel) == row; rel++)
			;
		want = rel == to ? ustack_table_rule_index(t, row) : 0;
		assert_int_equal(ustack_table_map(t)[i], want < 256 ? want : 0);
	}
}

/*
 * The finest map that memory allows: the rest of four bytes per row, but at least half a byte
 * per row; for small tables four bytes per row, up to 8 KiB.
 */
static void check_map_size(const struct image *im)
{
	const struct ustack_table *t = im->table;
	u64 keys = t->nr_keys, most = (keys + 1) / 2, rest = t->map_off;

	if (4 * keys > rest && 4 * keys - rest > most)
		most = 4 * keys - rest;
	if (most < 8192)
		most = 4 * keys < 8192 ? 4 * keys : 8192;
	assert_true(map_len(t) <= most);
	assert_true(t->map_shift == USTACK_MIN_MAP_SHIFT ||
		    ((u64)t->range - 1) / (1ull << (t->map_shift - 1)) + 1 > most);
	assert_true(t->map_shift >= USTACK_MIN_MAP_SHIFT);
}

static void tables_are_packed(void **state)
{
	static const struct {
		u32 n, step, size, rules;
		u32 layout;
	} all[] = {
		{ 1, 16, 16, 1, 0 },
		{ 1, 16, 1, 1, 0 },
		{ 2, 128, 128, 2, 0 },
		{ 3, 64, 63, 3, 0 },
		{ 50, 97, 61, 7, 0 },
		{ 300, 48, 48, 2, 0 },
		{ 3000, 64, 64, 2, 0 },
		{ 64, 192, 192, 2, 0 },
		{ 300, 100, 100, 300, USTACK_TABLE_WIDE_RULES },
		{ 2000, 33, 33, 100, 0 },
		{ 2047, 16, 16, 2, 0 },
		{ 2048, 16, 16, 2, 0 },
		{ 2049, 16, 16, 2, 0 },
		{ 6000, 40, 24, 255, 0 },
		{ 6000, 40, 24, 256, USTACK_TABLE_RARE_RULES },
		{ 2000, 40, 24, 256, USTACK_TABLE_WIDE_RULES },
		{ 20000, 40, 24, 3, 0 },
		{ 100, 0x4000, 0x20, 9, USTACK_TABLE_WIDE_KEYS },
		{ 1000, 0x1001, 0x1000, 30, USTACK_TABLE_WIDE_KEYS },
		{ 600, 0x1000, 0x20, 300, USTACK_TABLE_WIDE_KEYS | USTACK_TABLE_WIDE_RULES },
	};
	struct image im;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		make(&im, all[i].n, all[i].step, all[i].size, all[i].rules);
		assert_int_equal(im.table->layout, all[i].layout);
		check_packed(&im);
		check_map(&im);
		check_map_size(&im);
		image_release(&im);
	}
}

/*
 * Sparse text gets wide keys if narrow ones, with their blocks, would take twice as much room.
 */
static void keys_are_narrow_while_that_is_small(void **state)
{
	u32 step, keys, narrow, changes = 0, before = 0;
	struct image im;

	for (step = 0x60; step < 0x600; step += 0x10) {
		make(&im, 64, step, 0x20, 2);
		keys = im.table->nr_keys;
		narrow = keys + 2 * (im.table->range / 128);
		assert_int_equal(im.table->layout & USTACK_TABLE_WIDE_KEYS,
				 narrow > 4 * keys ? USTACK_TABLE_WIDE_KEYS : 0);
		check_packed(&im);
		changes += step > 0x60 && im.table->layout != before;
		before = im.table->layout;
		image_release(&im);
	}
	assert_int_equal(changes, 1);
}

/* Most rows have one of a few rules, @rare rows have a rule of their own. */
static void make_rare(struct image *im, u32 n, u32 rare)
{
	struct sf s;
	u32 i, cfa;

	sf_init(&s, X86, 2);
	for (i = 0; i < n; i++) {
		cfa = 8 * (i < 254 ? 1 + i : i < n - rare ? 1 + i % 200 : 300 + i);
		sf_func(&s, 0x1000 + (u64)i * 16, 16, 0, 0, 0);
		SF_ROW(&s, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), 0);
	}
	assert_reason(image_of(im, &s), USTACK_OK);
}

/*
 * If it saves a page, rows of rare rules are listed, with 8 bytes for each of them instead of
 * one byte for every row.
 */
static void rare_rules_save_a_page(void **state)
{
	const u32 n = 6000;
	u32 rare, before = 0, changes = 0;
	struct image im;

	for (rare = 200; rare < 280; rare++) {
		make_rare(&im, n, rare);
		assert_int_equal(im.table->nr_keys, n);
		/* rule 0 is none, and 254 usual ones precede the rare ones: 255 is rare, too */
		assert_int_equal(im.table->layout, 8 * rare + 4096 <= n ?
				 USTACK_TABLE_RARE_RULES : USTACK_TABLE_WIDE_RULES);
		check_packed(&im);
		check_map(&im);
		check_map_size(&im);
		changes += rare > 200 && im.table->layout != before;
		before = im.table->layout;
		image_release(&im);
	}
	assert_int_equal(changes, 1);
}

static u32 random_step(unsigned int *seed)
{
	return 1 + (u32)rand_r(seed) % (rand_r(seed) % 4 ? 60 : 2000);
}

static void random_tables(void **state)
{
	unsigned int seed = 5, round;
	struct image im;
	struct sf s;
	u32 i, n, at, size;

	for (round = 0; round < 200; round++) {
		sf_init(&s, X86, 2);
		at = 0x1000;
		n = 1 + (u32)rand_r(&seed) % 400;
		for (i = 0; i < n; i++) {
			size = random_step(&seed);
			sf_func(&s, at, size, 0, 0, 0);
			SF_ROW(&s, 0, 3, (u8)(8 + 8 * (rand_r(&seed) % 12)));
			at += size + (rand_r(&seed) % 3 ? 0 : random_step(&seed));
		}
		image_init(&im, X86);
		im.text[0].end = 0x1000000;
		sf_emit(&s, &im.bytes);
		assert_reason(image_make(&im), USTACK_OK);
		check_packed(&im);
		check_map(&im);
		check_map_size(&im);
		image_release(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_packed),
		cmocka_unit_test(keys_are_narrow_while_that_is_small),
		cmocka_unit_test(rare_rules_save_a_page),
		cmocka_unit_test(random_tables),
	};

	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
