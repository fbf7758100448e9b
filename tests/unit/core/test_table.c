// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c: every table that compile makes passes the check; every table that passes can be
 * looked up.
 */
#include "support.h"

/*
 * A table with all features: gaps, a pc-mask function, more than 256 rules if @wide_rules,
 * sparse text if @wide_keys.
 */
static void make(struct image *im, bool wide_keys, bool wide_rules)
{
	struct sf s;
	u32 i, n = wide_rules ? 300 : 20;
	u64 step = wide_keys ? 0x4000 : 0x28;

	sf_init(&s, X86, 3);
	sf_func(&s, 0x1004, 0x40, FN_MASK, 0, 16);
	SF_ROW(&s, 0, 3, 8);
	SF_ROW(&s, 11, 3, 16);
	for (i = 0; i < n; i++) {
		sf_func(&s, 0x1100 + i * step, 0x20, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
		SF_ROW(&s, 4, 0x23, (u8)(16 + 8 * i), (u8)((16 + 8 * i) >> 8));
	}
	image_init(im, X86);
	im->text[0].end = 0x10000000;
	sf_emit(&s, &im->bytes);
	assert_reason(image_make(im), USTACK_OK);
	assert_int_equal(im->table->layout,
			 (wide_keys ? USTACK_TABLE_WIDE_KEYS : 0) |
			 (wide_rules ? USTACK_TABLE_WIDE_RULES : 0));
}

static void the_size_must_be_there(void **state)
{
	struct image im;
	u64 size;

	make(&im, false, false);
	assert_reason(ustack_table_check(im.table, im.size + 100), USTACK_OK);
	for (size = 0; size < im.size; size++) {
		struct ustack_table *t = malloc(size + !size);

		memcpy(t, im.table, size);
		assert_reason(ustack_table_check(t, size), USTACK_BAD_HEADER);
		free(t);
	}
	image_release(&im);
}

#define BROKEN(change) do {						\
	struct image im;						\
	struct ustack_table *t;						\
	struct ustack_rule *p;						\
	struct ustack_plain *plain;					\
	u8 *keys, *rules;						\
	u16 *blocks;							\
									\
	make(&im, false, false);					\
	t = im.table;							\
	p = (struct ustack_rule *)ustack_table_palette(t);		\
	keys = (u8 *)ustack_table_keys(t);				\
	rules = (u8 *)t + t->rules_off;					\
	blocks = (u16 *)ustack_table_blocks(t);				\
	plain = (struct ustack_plain *)ustack_table_plain(t);		\
	(void)p, (void)keys, (void)rules, (void)blocks, (void)plain;	\
	change;								\
	assert_reason(ustack_table_check(t, im.size), USTACK_BAD_HEADER); \
	image_release(&im);						\
} while (0)

static void broken_headers(void **state)
{
	BROKEN(t->range = 0);
	BROKEN(t->range += 0x100);
	BROKEN(t->nr_keys = 0);
	BROKEN(t->nr_keys = 0xffffffff);
	BROKEN(t->nr_rules = 0);
	BROKEN(t->nr_rules = USTACK_MAX_RULES + 2);
	BROKEN(t->nr_buckets++);
	BROKEN(t->nr_buckets = 0xffffffff);
	BROKEN(t->keys_off += 4);
	BROKEN(t->rules_off = 0xfffffff0);
	BROKEN(t->rules_off = t->keys_off);
	BROKEN(t->palette_off++);
	BROKEN(t->palette_off = t->rules_off);
	BROKEN(t->palette_off = 0xfffffffc);
	BROKEN(t->size++);
	BROKEN(t->layout = USTACK_TABLE_WIDE_KEYS);
}

static void broken_contents(void **state)
{
	BROKEN(t->index[0] = 1);
	BROKEN(t->index[1] = 0);
	BROKEN(blocks[0] = 1);
	BROKEN(blocks[1] = 0);
	/* each block has its number of keys, and no map contradicts */
	BROKEN(memset((u8 *)t + t->map_off, 0, t->size - t->map_off);
	       for (u32 i = 0; i <= (t->range - 1) / 128 + 1; i++)
		       blocks[i]++);
	BROKEN(blocks[3] = blocks[2] - 1);
	BROKEN(blocks[3]++);
	BROKEN(blocks[t->range / 128]--);
	BROKEN(blocks[(t->range - 1) / 128 + 1]++);
	BROKEN(blocks[(t->range - 1) / 128 + 1]--);
	BROKEN(t->index[t->nr_buckets]--);
	BROKEN(t->index[t->nr_buckets] = 0xffffffff);
	BROKEN(keys[0] = 1);
	BROKEN(keys[blocks[3]] = keys[blocks[3] + 1]);
	BROKEN(keys[t->nr_keys - 1] |= 0x80);
	BROKEN(rules[3] = (u8)t->nr_rules);
	BROKEN(rules[0] = (u8)t->nr_rules);
}

/* The pc-mask function is row 1: row 0 is the gap before it. */
static void broken_blocks(void **state)
{
	BROKEN(p[rules[1]].ra_off = 0);
	BROKEN(p[rules[1]].ra_off = -1);
	BROKEN(p[rules[1]].fp_off = (s32)(t->nr_rules - rules[1]));
	BROKEN(p[rules[1]].fp_off = -1);
	BROKEN(p[rules[1] + 1].ra_off = (s32)t->nr_rules);
	BROKEN(p[rules[1] + 1].ra_off = -1);
	BROKEN(p[rules[1] + 2].ra_off = rules[1]);
}

/* The same if the block is the last of the palette: the words after it are not rules. */
static void a_broken_block_at_the_end(void **state)
{
	struct ustack_rule *p;
	struct image im;
	struct sf s;
	u32 at;

	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 0x20, 0, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	SF_ROW(&s, 4, 3, 16);
	sf_func(&s, 0x1020, 0x40, FN_MASK, 0, 16);
	SF_ROW(&s, 0, 3, 8);
	SF_ROW(&s, 11, 3, 16);
	assert_reason(image_of(&im, &s), USTACK_OK);
	at = im.table->nr_rules - 3;
	p = (struct ustack_rule *)ustack_table_palette(im.table) + at;
	assert_true(p->flags & USTACK_RULE_MASK);
	assert_int_equal(p->fp_off, 2);
	p->fp_off = 3;
	assert_reason(ustack_table_check(im.table, im.size), USTACK_BAD_HEADER);
	p->fp_off = 1;
	assert_reason(ustack_table_check(im.table, im.size), USTACK_OK);
	image_release(&im);
}

/* A table with rare rules: most rows have one of 200, some one of their own. */
static void make_rare(struct image *im)
{
	struct sf s;
	u32 i, cfa;

	sf_init(&s, X86, 3);
	for (i = 0; i < 6000; i++) {
		cfa = 8 * (i % 60 ? 1 + i % 200 : 300 + i);
		sf_func(&s, 0x1000 + i * 24, 20, 0, 0, 0);
		SF_ROW(&s, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), 0);
	}
	assert_reason(image_of(im, &s), USTACK_OK);
	assert_int_equal(im->table->layout, USTACK_TABLE_RARE_RULES);
}

#define BROKEN_RARE(change) do {					\
	struct image im;						\
	struct ustack_table *t;						\
	struct ustack_rare *rare;					\
	u8 *rules;							\
	u32 nr;								\
									\
	make_rare(&im);							\
	t = im.table;							\
	rare = (struct ustack_rare *)ustack_table_rare(t, &nr);		\
	rules = (u8 *)t + t->rules_off;					\
	assert_true(nr > 10);						\
	(void)rules, (void)rare;					\
	change;								\
	assert_reason(ustack_table_check(t, im.size), USTACK_BAD_HEADER); \
	image_release(&im);						\
} while (0)

static void broken_rare_rules(void **state)
{
	BROKEN_RARE(t->layout |= USTACK_TABLE_WIDE_RULES);
	BROKEN_RARE(rare[0].row++);
	BROKEN_RARE(rare[nr - 1].row = 0xffffffff);
	BROKEN_RARE(rare[3].rule = t->nr_rules);
	BROKEN_RARE(rare[3].row = rare[2].row);
	BROKEN_RARE(rules[rare[5].row] = 1);
	BROKEN_RARE(rules[rare[nr - 1].row + 1] = USTACK_RARE_RULE);
	BROKEN_RARE(rules[0] = USTACK_RARE_RULE);
}

/* Rules have two bytes, or one and a list. */
static void wide_and_rare_rules(void **state)
{
	struct image im;

	make(&im, false, true);
	im.table->layout |= USTACK_TABLE_RARE_RULES;
	assert_reason(ustack_table_check(im.table, im.size), USTACK_BAD_HEADER);
	image_release(&im);
}

/* With blocks too, each bucket starts where its first block does. */
static void broken_buckets_of_blocks(void **state)
{
	BROKEN_RARE(t->index[1]--);
	BROKEN_RARE(t->index[1]++);
	BROKEN_RARE(t->index[2]--);
	BROKEN_RARE(t->index[2]++);
}

/* The map must not contradict the keys. */
static void broken_maps(void **state)
{
	BROKEN(t->map_shift = 3);
	BROKEN(t->map_shift = 32);
	BROKEN(t->map_off = 0xfffffff0);
	BROKEN(t->map_off = t->palette_off);
	BROKEN(t->map_off++);
	BROKEN(((u8 *)t + t->map_off)[0] = 1);
	BROKEN(((u8 *)t + t->map_off)[(t->range - 1) >> t->map_shift] = 200);
	/* entry 0 must not be a plain rule */
	BROKEN((p[0] = p[4], plain[0] = plain[4]));
}

/*
 * A table of make() with a map of zeros, which knows nothing, for stretches of 1 << @shift
 * bytes.
 */
static enum ustack_reason check_map_of(u8 shift, int more)
{
	enum ustack_reason reason;
	struct ustack_table *t;
	struct image im;

	make(&im, false, false);
	t = calloc(1, im.size + im.table->range);
	assert_non_null(t);
	memcpy(t, im.table, im.table->map_off);
	t->map_shift = shift;
	t->size = t->map_off + (u32)((u64)(t->range - 1) >> shift) + 1 + (u32)more;
	reason = ustack_table_check(t, im.size + t->range);
	image_release(&im);
	free(t);
	return reason;
}

/* Stretches have at least 16 bytes, and a length that fits 32 bits. */
static void maps_of_every_shift(void **state)
{
	u8 shift;

	for (shift = 0; shift < 40; shift++)
		assert_reason(check_map_of(shift, 0), shift >= 4 && shift < 32 ?
			      USTACK_OK : USTACK_BAD_HEADER);
	/* the last stretch is one of the table's bytes */
	assert_reason(check_map_of(4, 1), USTACK_OK);
	assert_reason(check_map_of(4, -1), USTACK_BAD_HEADER);
}

/* A table of make() with unused rules, @nr in all. */
static enum ustack_reason check_rules_of(u32 nr)
{
	enum ustack_reason reason;
	struct ustack_table *t;
	struct image im;
	u32 more, old;

	make(&im, false, false);
	old = im.table->nr_rules;
	more = (nr - old) * (sizeof(struct ustack_rule) + sizeof(struct ustack_plain));
	t = calloc(1, im.size + more);
	assert_non_null(t);
	memcpy(t, im.table, im.table->palette_off + old * sizeof(struct ustack_rule));
	t->nr_rules = nr;
	t->map_off += more;
	t->size += more;
	memcpy((void *)ustack_table_plain(t), ustack_table_plain(im.table),
	       old * sizeof(struct ustack_plain));
	memcpy((void *)ustack_table_map(t), ustack_table_map(im.table),
	       im.size - im.table->map_off);
	reason = ustack_table_check(t, t->size);
	image_release(&im);
	free(t);
	return reason;
}

/* Rule indices are 16 bits. */
static void as_many_rules_as_have_an_index(void **state)
{
	assert_reason(check_rules_of(0xffff), USTACK_OK);
	assert_reason(check_rules_of(0x10000), USTACK_OK);
	assert_reason(check_rules_of(0x10001), USTACK_BAD_HEADER);
}

/* Strides must not contradict steps. */
static void broken_plain_rules(void **state)
{
	BROKEN(plain[0].cfa = 8);
	BROKEN(plain[0].ra_off = -8);
	BROKEN(plain[t->nr_rules - 1].cfa += 8);
	BROKEN(plain[t->nr_rules - 1].cfa = -plain[t->nr_rules - 1].cfa);
	BROKEN(plain[4].ra_off--);
	BROKEN(plain[4].fp_off = -16);
	BROKEN(p[4].cfa_off += 8);
}

/* Wide keys: only buckets say where keys are. */
static void broken_buckets(void **state)
{
	struct image im;
	struct ustack_table *t;
	u32 i, good, *index;

	make(&im, true, false);
	t = im.table;
	assert_true(t->nr_buckets > 3);
	for (i = 0; i <= t->nr_buckets; i++) {
		index = &t->index[i];
		good = *index;
		*index = t->nr_keys + 1;
		assert_reason(ustack_table_check(t, im.size), USTACK_BAD_HEADER);
		*index = i < t->nr_buckets ? 0xffffffff : 0;
		assert_reason(ustack_table_check(t, im.size), USTACK_BAD_HEADER);
		*index = good;
	}
	((u16 *)ustack_table_keys(t))[t->index[2] + 1] = 0;
	assert_reason(ustack_table_check(t, im.size), USTACK_BAD_HEADER);
	image_release(&im);
}

/* Any bytes that pass the check are safe: the sanitizer watches the lookups. */
static void whatever_passes_can_be_looked_up(void **state)
{
	unsigned int seed = 4, round, passed = 0;
	struct ustack_table *t;
	struct image im;
	u64 rel;
	u32 k;

	for (round = 0; round < 20000; round++) {
		if (!(round & 0x3ff))
			make(&im, round & 0x400, round & 0x800);
		t = malloc(im.size);
		memcpy(t, im.table, im.size);
		for (k = (u32)rand_r(&seed) % 3; k < 3; k++)
			((u8 *)t)[(u64)rand_r(&seed) % im.size] ^=
				1u << rand_r(&seed) % 8;
		if (!ustack_table_check(t, im.size)) {
			passed++;
			for (k = 0; k < 200; k++) {
				rel = (u64)rand_r(&seed) % (t->range + 0x100ull);
				(void)ustack_lookup(t, rel);
			}
			(void)ustack_lookup(t, t->range - 1);
		}
		free(t);
		if ((round & 0x3ff) == 0x3ff)
			image_release(&im);
	}
	image_release(&im);
	assert_in_range(passed, 100, 19999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_size_must_be_there),
		cmocka_unit_test(broken_headers),
		cmocka_unit_test(broken_contents),
		cmocka_unit_test(broken_blocks),
		cmocka_unit_test(a_broken_block_at_the_end),
		cmocka_unit_test(broken_rare_rules),
		cmocka_unit_test(wide_and_rare_rules),
		cmocka_unit_test(broken_buckets_of_blocks),
		cmocka_unit_test(broken_maps),
		cmocka_unit_test(maps_of_every_shift),
		cmocka_unit_test(as_many_rules_as_have_an_index),
		cmocka_unit_test(broken_plain_rules),
		cmocka_unit_test(broken_buckets),
		cmocka_unit_test(whatever_passes_can_be_looked_up),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
