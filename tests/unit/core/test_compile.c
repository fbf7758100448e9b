// SPDX-License-Identifier: GPL-2.0-only
/* compile.c: the table says what the section says, in either layout. */
#include "support.h"

#include "hash.h"
#include "naive_rows.h"

/*
 * The definition: take the last function that starts at or before @pc and is not empty, and in
 * it the last row at or before @pc.
 */
static bool naive_rule(const struct image *im, u64 pc, struct ustack_rule *ret)
{
	const struct ustack_section *sec = &im->sec;
	const struct ustack_func *f = NULL;
	u64 off;
	u32 i;

	for (i = 0; i < sec->nr_funcs; i++)
		if (sec->funcs[i].start <= pc)
			f = &sec->funcs[i];
	if (!f || pc - f->start >= f->size)
		return false;
	off = pc - f->start;
	return naive_rule_at(&im->sec, f, f->is_mask ? off % f->block : off, ret);
}

static void check_every_pc(const struct image *im, u64 from, u64 to)
{
	const struct ustack_rule *rule;
	struct ustack_rule want;
	u64 pc;

	for (pc = from; pc < to; pc++) {
		rule = image_rule(im, pc);
		if (naive_rule(im, pc, &want) != !!rule ||
		    (rule && !ustack_rule_equal(rule, &want)))
			fail_msg("wrong rule at 0x%llx", (unsigned long long)pc);
	}
}

/* Addresses where something can change: around every row and end of every function. */
static void check_boundaries(const struct image *im)
{
	const struct ustack_func *f;
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i, k;

	for (i = 0; i < im->sec.nr_funcs; i++) {
		f = &im->sec.funcs[i];
		check_every_pc(im, f->start - 2, f->start + 2);
		check_every_pc(im, f->start + f->size - 2, f->start + f->size + 2);
		ustack_rows_init(&c, im->sec.bytes, f);
		for (k = 0; k < f->nr_rows; k++) {
			if (ustack_decode_row(&c, f, im->sec.arch, &row))
				break;
			check_every_pc(im, f->start + row.start - 2,
				       f->start + row.start + 2);
		}
	}
}

static void one_function(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 3);
	sf_func(&s, 0x1234, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x02, 0x03, 0x08);	/* nothing for the first two bytes */
	SF_ROW(&s, 0x06, 0x03, 0x10);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->base, 0x1200);
	assert_int_equal(im.table->range, 0x54);
	assert_int_equal(im.table->arch, USTACK_ARCH_X86_64);
	assert_int_equal(im.table->layout, 0);
	assert_int_equal(im.table->nr_rules, 3);
	check_every_pc(&im, 0x1100, 0x1400);
	assert_no_row(&im, 0);
	assert_no_row(&im, ~0ull);
	assert_no_row(&im, 0x1200 + (1ull << 32));
	image_release(&im);
}

static void assert_fp(const struct image *im, u64 pc, u8 op, s32 off)
{
	const struct ustack_rule *rule = image_rule(im, pc);

	assert_non_null(rule);
	assert_int_equal(rule->fp, op);
	assert_int_equal(rule->fp_off, off);
}

#define FP_SAVED (USTACK_OP_CFA | USTACK_OP_DEREF)

/*
 * push rbp; mov rbp,rsp; pop rbp; ret, twice, and code after it that has the frame: CFI says
 * everywhere that FP is at CFA-16, even where that is below SP.
 */
static void popped_registers_are_kept(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x00, 0x03, 8);
	SF_ROW(&s, 0x01, 0x05, 16, 0xf0);
	SF_ROW(&s, 0x04, 0x04, 16, 0xf0);
	SF_ROW(&s, 0x08, 0x05, 8, 0xf0);
	SF_ROW(&s, 0x09, 0x04, 16, 0xf0);
	SF_ROW(&s, 0x0c, 0x05, 8, 0xf0);
	/* code after the ret, for which nothing was pushed */
	SF_ROW(&s, 0x10, 0x05, 8, 0xf0);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_fp(&im, 0x1000, USTACK_OP_NONE, 0);
	assert_fp(&im, 0x1001, FP_SAVED, -16);
	assert_fp(&im, 0x1004, FP_SAVED, -16);
	assert_fp(&im, 0x1008, USTACK_OP_NONE, 0);
	assert_cfa(&im, 0x1008, USTACK_OP_SP, 8);
	assert_fp(&im, 0x1009, FP_SAVED, -16);
	assert_fp(&im, 0x100c, USTACK_OP_NONE, 0);
	assert_fp(&im, 0x1010, USTACK_OP_NONE, 0);
	/* the rule of the first row, SP + 16, FP + 16 */
	assert_int_equal(im.table->nr_rules, 1 + 3);
	check_every_pc(&im, 0xff0, 0x1030);
	image_release(&im);
}

/*
 * mov [rsp-8],rbp; mov rbp,rdi; sub rsp,24: the register has changed by then. And a row that is
 * replaced by another row with the same start has no effect.
 */
static void a_red_zone_is_read(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x00, 0x03, 8);
	SF_ROW(&s, 0x05, 0x05, 8, 0xf0);
	SF_ROW(&s, 0x0c, 0x05, 32, 0xf0);
	SF_ROW(&s, 0x18, 0x05, 8, 0xf0);
	SF_ROW(&s, 0x1a, 0x03, 8);
	SF_ROW(&s, 0x1c, 0x05, 8, 0xf0);
	sf_func(&s, 0x1020, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x00, 0x05, 8, 0xf0);	/* begins where the previous one ends */
	sf_func(&s, 0x1040, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x00, 0x05, 32, 0xf0);
	SF_ROW(&s, 0x00, 0x03, 8);
	SF_ROW(&s, 0x04, 0x05, 8, 0xf0);
	SF_ROW(&s, 0x08, 0x05, 32, 0xe8);
	SF_ROW(&s, 0x0c, 0x05, 8, 0xf0);	/* another slot than that */
	SF_ROW(&s, 0x10, 0x05, 16, 0xf0);	/* at SP */
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_fp(&im, 0x1005, FP_SAVED, -16);
	assert_fp(&im, 0x100c, FP_SAVED, -16);
	assert_fp(&im, 0x1018, USTACK_OP_NONE, 0);
	assert_fp(&im, 0x101c, FP_SAVED, -16);
	assert_fp(&im, 0x1020, FP_SAVED, -16);
	assert_fp(&im, 0x1044, FP_SAVED, -16);
	assert_fp(&im, 0x104c, FP_SAVED, -16);
	assert_fp(&im, 0x1050, FP_SAVED, -16);
	check_every_pc(&im, 0xff0, 0x1070);
	image_release(&im);
}

/* ldp x29, x30, [sp], #32; ret: both are kept. A signal's trampoline has them anywhere. */
static void popped_link_registers_are_kept(void **state)
{
	const struct ustack_rule *rule;
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, A64, 3);
	for (i = 0; i < 2; i++) {
		sf_func(&s, 0x1000 + 0x20 * i, 0x20, i ? FN_SIGNAL : 0, 0, 0);
		SF_ROW(&s, 0x00, 0x03, 0);
		SF_ROW(&s, 0x04, 0x07, 32, 0xe8, 0xe0);
		SF_ROW(&s, 0x10, 0x07, 0, 0xe8, 0xe0);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	for (i = 0; i < 2; i++) {
		rule = image_rule(&im, 0x1010 + 0x20 * i);
		assert_non_null(rule);
		assert_int_equal(rule->ra, i ? FP_SAVED : USTACK_OP_NONE);
		assert_int_equal(rule->ra_off, i ? -24 : 0);
		assert_int_equal(rule->fp, i ? FP_SAVED : USTACK_OP_NONE);
	}
	check_every_pc(&im, 0xff0, 0x1050);
	image_release(&im);
}

/* Two equal rows in sequence are one; an empty gap is dropped. */
static void rows_are_merged(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, 0x1000, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x00, 0x03, 0x08);
	SF_ROW(&s, 0x04, 0x03, 0x08);
	sf_func(&s, 0x1020, 0x20, 0, 0, 0);
	SF_ROW(&s, 0x00, 0x03, 0x08);
	SF_ROW(&s, 0x04, 0x03, 0x10);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->nr_keys, 2);
	check_every_pc(&im, 0xff0, 0x1050);
	image_release(&im);
}

/*
 * The map has the rule where one rule covers a long range; otherwise keys would be searched for
 * nothing.
 */
static void the_map_answers_for_long_rows(void **state)
{
	u32 i, answers = 0, entries;
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	for (i = 0; i < 100; i++) {
		sf_func(&s, 0x1000 + i * 0x400, 0x400, FN_ADDR2, 0, 0);
		SF_ROW(&s, 0, 0, 3, 8);
		SF_ROW(&s, 4, 0, 3, 64);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	entries = ((im.table->range - 1) >> im.table->map_shift) + 1;
	for (i = 0; i < entries; i++)
		answers += ustack_table_map(im.table)[i] != 0;
	assert_true(answers > entries * 7 / 10);
	check_boundaries(&im);
	image_release(&im);
}

/* One function from @start on, with one rule: the map has it for each whole stretch. */
static void every_whole_stretch_has_its_rule(void **state)
{
	u32 start, i, first, end;
	struct image im;
	struct sf s;

	for (start = 0x1000; start < 0x1024; start++) {
		sf_init(&s, X86, 2);
		sf_func(&s, start, 0x1f0, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
		assert_reason(image_of(&im, &s), USTACK_OK);
		end = im.table->range;
		first = start - 0x1000;
		for (i = 0; i << im.table->map_shift < end; i++)
			assert_int_equal(ustack_table_map(im.table)[i] != 0,
					 i << im.table->map_shift >= first);
		image_release(&im);
	}
}

/*
 * The finest map within four bytes per row for the whole table; sparse text gets half a byte,
 * small files four bytes for the map alone, up to 8 KiB.
 */
static void check_map_size(const struct image *im)
{
	const struct ustack_table *t = im->table;
	u64 keys = t->nr_keys, most = (keys + 1) / 2, entries;

	if (4 * keys > t->map_off + most)
		most = 4 * keys - t->map_off;
	if (most < 8192 && 4 * keys > most)
		most = 4 * keys < 8192 ? 4 * keys : 8192;
	entries = ((u64)(t->range - 1) >> t->map_shift) + 1;
	assert_true(entries <= most);
	assert_int_equal(t->size, t->map_off + entries);
	if (t->map_shift == USTACK_MIN_MAP_SHIFT)
		return;
	assert_true(((u64)(t->range - 1) >> (t->map_shift - 1)) + 1 > most);
}

static void maps_have_their_share(void **state)
{
	static const struct {
		u32 nr;
		u32 each;	/* functions in how many bytes? */
		u32 until;
	} cases[] = {
		{ 1, 16, 128 }, { 5, 16, 512 }, { 2047, 16, 72 }, { 2048, 60, 68 },
		{ 2049, 60, 68 }, { 30000, 16, 80 }, { 20000, 1000, 1010 },
		{ 20000, 32768, 32769 },
	};
	struct image im;
	u32 i, k, each;
	struct sf s;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		for (each = cases[i].each; each < cases[i].until; each += 1 + cases[i].nr / 4000) {
			sf_init(&s, X86, 2);
			for (k = 0; k < cases[i].nr; k++) {
				sf_func(&s, TEXT_START + k * each, each, FN_ADDR2, 0, 0);
				SF_ROW(&s, 0, 0, 3, (u8)(8 + 8 * (k & 1)));
			}
			image_init(&im, X86);
			im.text[0].end = 0x100000000ull;
			sf_emit(&s, &im.bytes);
			assert_reason(image_make(&im), USTACK_OK);
			check_map_size(&im);
			image_release(&im);
		}
}

/* Keys, and the blocks that narrow keys need, take at most four bytes per row. */
static void sparse_text_costs_little(void **state)
{
	struct image im;
	u32 each, keys, blocks;
	struct sf s;
	u32 k;

	for (each = 0x80; each < 0x300; each += 4) {
		sf_init(&s, X86, 2);
		for (k = 0; k < 1000; k++) {
			sf_func(&s, TEXT_START + k * each, each, FN_ADDR2, 0, 0);
			SF_ROW(&s, 0, 0, 3, (u8)(8 + 8 * (k & 1)));
		}
		image_init(&im, X86);
		im.text[0].end = 0x10000000;
		sf_emit(&s, &im.bytes);
		assert_reason(image_make(&im), USTACK_OK);
		keys = im.table->nr_keys;
		blocks = 2 * (im.table->range / 128);
		assert_int_equal(im.table->layout,
				 keys + blocks > 4 * keys ? USTACK_TABLE_WIDE_KEYS : 0);
		image_release(&im);
	}
}

static void overlapping_functions(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, 0x1000, 0x400, FN_ADDR2, 0, 0);
	SF_ROW(&s, 0x00, 0x00, 0x03, 0x08);
	SF_ROW(&s, 0x80, 0x00, 0x03, 0x10);
	SF_ROW(&s, 0x80, 0x01, 0x03, 0x18);
	sf_func(&s, 0x1080, 0x20, 0, 0, 0);	/* inside */
	SF_ROW(&s, 0x00, 0x03, 0x20);
	sf_func(&s, 0x1080, 0x10, 0, 0, 0);	/* at the same place */
	SF_ROW(&s, 0x00, 0x03, 0x28);
	sf_func(&s, 0x1300, 0x200, 0, 0, 0);	/* across the end */
	SF_ROW(&s, 0x00, 0x03, 0x30);
	assert_reason(image_of(&im, &s), USTACK_OK);
	check_every_pc(&im, 0xf00, 0x1600);
	assert_cfa(&im, 0x1080, USTACK_OP_SP, 0x28);
	assert_no_row(&im, 0x1090);
	image_release(&im);
}

static void pc_mask_functions(void **state)
{
	static const u8 blocks[] = { 1, 7, 16, 24, 255 };
	struct image im;
	unsigned int i;
	struct sf s;

	for (i = 0; i < sizeof(blocks); i++) {
		sf_init(&s, X86, 3);
		sf_func(&s, 0x1003, 0x300, FN_MASK, 0, blocks[i]);
		SF_ROW(&s, 0, 3, 8);
		SF_ROW(&s, 5, 3, 24);
		SF_ROW(&s, 5, 3, 32);	/* the row that counts instead */
		SF_ROW(&s, 11, 3, 16);
		SF_ROW(&s, 20, 3, 40);	/* after blocks of 16 bytes */
		sf_func(&s, 0x1200, 0x40, 0, 0, 0);	/* cuts the block */
		SF_ROW(&s, 0, 3, 8);
		sf_func(&s, 0x1280, 0x40, FN_MASK, 0, 16);
		SF_ROW(&s, 3, 0);	/* no row before it */
		assert_reason(image_of(&im, &s), USTACK_OK);
		check_every_pc(&im, 0xf00, 0x1400);
		image_release(&im);
	}
}

/* Many blocks with many rows, next to each other, in both widths of rules. */
static void many_pc_mask_functions(void **state)
{
	struct image im;
	struct sf s;
	u32 i, k;

	sf_init(&s, X86, 2);
	for (i = 0; i < 40; i++) {
		sf_func(&s, 0x1000 + i * 0x100, 0x100, FN_MASK, 0, (u8)(i + 10));
		for (k = 0; k < i + 10; k++)
			SF_ROW(&s, (u8)k, 0x23, (u8)(i * k), (u8)i);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_true(im.table->nr_rules > 256);
	check_every_pc(&im, 0xf00, 0x1000 + 41 * 0x100);
	image_release(&im);
}

/* Text with large gaps: 2-byte keys, 64 KiB buckets. */
static void wide_keys(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 3);
	for (i = 0; i < 40; i++) {
		sf_func(&s, 0x1ff80 + (u64)i * 0x12340, 0x100, FN_ADDR1, 0, 0);
		SF_ROW(&s, 0x00, 0x03, 0x08);
		SF_ROW(&s, 0x7f, 0x03, 0x10);
		SF_ROW(&s, 0x80, 0x03, 0x18);
		SF_ROW(&s, 0x81, 0x03, 0x20);
	}
	image_init(&im, X86);
	im.text[0].end = 0x10000000;
	sf_emit(&s, &im.bytes);
	assert_reason(image_make(&im), USTACK_OK);
	assert_int_equal(im.table->layout, USTACK_TABLE_WIDE_KEYS);
	assert_true(im.size < 3000);	/* narrow keys would need 45,000 */
	check_boundaries(&im);
	check_every_pc(&im, 0x1ff00, 0x20100);
	image_release(&im);
}

static void sf_distinct(struct sf *s, u32 rules, u32 step)
{
	u32 i;

	for (i = 0; i < rules; i++) {
		u32 cfa = 8 * (i + 1);

		sf_func(s, TEXT_START + (u64)i * step, step, 0, 0, 0);
		SF_ROW(s, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), 0);
	}
}

static enum ustack_reason distinct(struct image *im, u32 rules, u32 step)
{
	struct sf s;

	sf_init(&s, X86, 3);
	sf_distinct(&s, rules, step);
	image_init(im, X86);
	im->text[0].end = 0x10000000;
	sf_emit(&s, &im->bytes);
	return image_make(im);
}

static void wide_rules(void **state)
{
	static const u32 counts[] = { 254, 255, 256, 257, 1000 };
	struct image im;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		assert_reason(distinct(&im, counts[i], 16), USTACK_OK);
		assert_int_equal(im.table->nr_rules, counts[i] + 1);
		assert_int_equal(im.table->layout,
				 counts[i] > 255 ? USTACK_TABLE_WIDE_RULES : 0);
		check_boundaries(&im);
		image_release(&im);
	}
}

/*
 * The CFA's offset in function @i: one of 200 usual ones, and in every 50th function one of its
 * own.
 */
static s32 rare_cfa(u32 i)
{
	return 8 * (s32)(i % 50 ? 1 + i % 200 : 300 + i);
}

/* Few rows with rules beyond the first 254: one byte per row, and a list of these rows. */
static void rare_rules(void **state)
{
	const u32 n = 8000;
	struct image im;
	struct sf s;
	u32 i, nr;

	sf_init(&s, X86, 3);
	for (i = 0; i < n; i++) {
		s32 cfa = rare_cfa(i);

		sf_func(&s, TEXT_START + i * 24, 20, 0, 0, 0);
		SF_ROW(&s, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), 0);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->layout, USTACK_TABLE_RARE_RULES);
	assert_int_equal(im.table->nr_rules, 1 + 200 - 4 + n / 50);
	(void)ustack_table_rare(im.table, &nr);
	assert_in_range(nr, n / 50 - 60, n / 50);
	for (i = 0; i < n; i++) {
		assert_cfa(&im, TEXT_START + i * 24, USTACK_OP_SP, rare_cfa(i));
		assert_cfa(&im, TEXT_START + i * 24 + 19, USTACK_OP_SP, rare_cfa(i));
		assert_no_row(&im, TEXT_START + i * 24 + 20);
		assert_no_row(&im, TEXT_START + i * 24 + 23);
	}
	image_release(&im);
}

/* @nr rows in sequence: 254 rules in turn, and the last @rare rows have one rule each. */
static u8 layout_of_rules(u32 nr, u32 rare)
{
	struct image im;
	struct sf s;
	u32 i, cfa;
	u8 layout;

	sf_init(&s, X86, 3);
	for (i = 0; i < nr; i++) {
		cfa = 8 * (i < nr - rare ? 1 + i % 254 : 300 + i);
		sf_func(&s, TEXT_START + i * 16, 16, 0, 0, 0);
		SF_ROW(&s, 0, 0x43, (u8)cfa, (u8)(cfa >> 8), (u8)(cfa >> 16), 0);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->nr_keys, nr);
	assert_int_equal(im.table->nr_rules, 1 + 254 + rare);
	for (i = 0; i < nr; i++)
		assert_cfa(&im, TEXT_START + i * 16, USTACK_OP_SP,
			   8 * (s32)(i < nr - rare ? 1 + i % 254 : 300 + i));
	layout = im.table->layout;
	image_release(&im);
	return layout;
}

/* A list of rare rules, 8 bytes each, is used where it saves a page. */
static void rare_rules_save_a_page(void **state)
{
	u32 rare;

	assert_int_equal(layout_of_rules(5000, 1), 0);	/* still a byte */
	for (rare = 2; rare < 40; rare += 9) {
		assert_int_equal(layout_of_rules(4096 + 8 * rare, rare), USTACK_TABLE_RARE_RULES);
		assert_int_equal(layout_of_rules(4095 + 8 * rare, rare), USTACK_TABLE_WIDE_RULES);
	}
}

static void wide_keys_and_rules(void **state)
{
	struct image im;
	u32 i;

	assert_reason(distinct(&im, 300, 0x3000), USTACK_OK);
	assert_int_equal(im.table->layout,
			 USTACK_TABLE_WIDE_KEYS | USTACK_TABLE_WIDE_RULES);
	for (i = 0; i < 300; i++) {
		assert_cfa(&im, TEXT_START + i * 0x3000, USTACK_OP_SP, 8 * (s32)(i + 1));
		assert_cfa(&im, TEXT_START + i * 0x3000 + 0x2fff, USTACK_OP_SP,
			   8 * (s32)(i + 1));
	}
	image_release(&im);
}

static void the_most_rules_a_table_holds(void **state)
{
	struct image im;
	u32 i;

	assert_reason(distinct(&im, USTACK_MAX_RULES, 8), USTACK_OK);
	for (i = 0; i < USTACK_MAX_RULES; i += 97)
		assert_cfa(&im, TEXT_START + i * 8, USTACK_OP_SP, 8 * (s32)(i + 1));
	assert_cfa(&im, TEXT_START + (USTACK_MAX_RULES - 1) * 8, USTACK_OP_SP,
		   8 * (s32)USTACK_MAX_RULES);
	image_release(&im);
	assert_reason(distinct(&im, USTACK_MAX_RULES + 1, 8), USTACK_TOO_MANY_RULES);
	image_release(&im);
}

/* The block of a pc-mask function needs room in a palette that is nearly full. */
static void no_room_for_a_block(void **state)
{
	static const struct { u32 rules; enum ustack_reason want; } cases[] = {
		{ USTACK_MAX_RULES - 5, USTACK_OK },	/* block 3, rules 2 */
		{ USTACK_MAX_RULES - 4, USTACK_TOO_MANY_RULES },
		{ USTACK_MAX_RULES - 3, USTACK_TOO_MANY_RULES },
		{ USTACK_MAX_RULES - 2, USTACK_TOO_MANY_RULES },
		{ USTACK_MAX_RULES, USTACK_TOO_MANY_RULES },
	};
	struct image im;
	unsigned int i;
	struct sf s;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		sf_init(&s, X86, 3);
		sf_distinct(&s, cases[i].rules, 8);
		sf_func(&s, 0x200000, 64, FN_MASK, 0, 16);
		SF_ROW(&s, 0, 4, 1);	/* FP-based: these rules differ */
		SF_ROW(&s, 8, 4, 2);
		s.funcs[s.nr_funcs - 1].info2 = 0;
		s.rows.p[s.rows.len - 5] = 0x02;
		s.rows.p[s.rows.len - 2] = 0x02;
		image_init(&im, X86);
		im.text[0].end = 0x10000000;
		sf_emit(&s, &im.bytes);
		assert_reason(image_make(&im), cases[i].want);
		if (!cases[i].want) {
			assert_cfa(&im, 0x20000f, USTACK_OP_FP, 2);
			assert_cfa(&im, 0x200010, USTACK_OP_FP, 1);
		}
		image_release(&im);
	}
}

/* Rows with the same start take one entry of the palette. */
static void a_block_has_no_more_rules_than_rows(void **state)
{
	struct image im;
	struct sf s;
	u32 i, k;

	sf_init(&s, A64, 2);
	for (i = 0; i < 10; i++) {
		sf_func(&s, 0x1000 + i * 0x1000, 0x1000, FN_MASK, 0, 255);
		for (k = 0; k < 255; k++)
			SF_ROW(&s, (u8)(k / 128), 0);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	/* rule 0, the rule of the rows, and for each function itself and two rows */
	assert_int_equal(im.table->nr_rules, 2 + 10 * 3);
	check_every_pc(&im, 0xf00, 0x3000);
	image_release(&im);
	/* rows from the block's end on do not belong to it */
	for (k = 15; k <= 16; k++) {
		sf_init(&s, X86, 2);
		sf_func(&s, 0x1000, 0x40, FN_MASK, 0, 16);
		SF_ROW(&s, 0, 3, 8);
		SF_ROW(&s, (u8)k, 3, 24);
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_int_equal(im.table->nr_rules, k < 16 ? 1 + 2 + 3 : 1 + 1 + 2);
		check_every_pc(&im, 0xff0, 0x1050);
		image_release(&im);
	}
}

/* Against Python's hash(bytes), which is SipHash-1-3 since 3.11; PYTHONHASHSEED=1's key. */
static void hash_is_siphash_1_3(void **state)
{
	static const struct { u64 key[2]; u8 from; u64 want; } cases[] = {
		{ { 0, 0 }, 0, 0x8972188433a5c5b7ull },
		{ { 0, 0 }, 100, 0x1a2b8f844456dfb0ull },
		{ { 0xaed66ce184be2329ull, 0xebe9bbf1f1499052ull }, 0,
		  0x12e9d283f9f37002ull },
	};
	unsigned int i, k;
	u8 bytes[16];

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (k = 0; k < sizeof(bytes); k++)
			bytes[k] = (u8)(cases[i].from + k);
		assert_true(ustack_siphash(cases[i].key, ustack_le64(bytes),
					   ustack_le64(bytes + 8)) == cases[i].want);
	}
}

/* A table does not reveal the key that it was made with. */
static void every_key_makes_the_same_table(void **state)
{
	struct image im[2];
	unsigned int i, seed;
	struct sf s;
	u32 k;

	for (i = 0; i < 2; i++) {
		seed = 5;
		image_init(&im[i], X86);
		im[i].sec.key[0] = i * 0x123456789abcdefull;
		im[i].sec.key[1] = i * 0xfedcba987654321ull;
		sf_init(&s, X86, 3);
		for (k = 0; k < 2000; k++) {
			sf_func(&s, TEXT_START + 32 * k, 32, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
			SF_ROW(&s, 5, 0x23, (u8)rand_r(&seed), (u8)(rand_r(&seed) & 3));
		}
		sf_emit(&s, &im[i].bytes);
		assert_reason(image_make(&im[i]), USTACK_OK);
	}
	assert_int_equal(im[0].size, im[1].size);
	assert_memory_equal(im[0].table, im[1].table, im[0].size);
	image_release(&im[0]);
	image_release(&im[1]);
}

/* Scratch memory is exact: as many rules as rows and entries allow, and no more. */
static void palette_of_a_small_section(void **state)
{
	struct image im;
	struct sf s;
	u32 i, k;

	sf_init(&s, X86, 2);
	for (i = 0; i < 7; i++) {
		sf_func(&s, 0x1000 + i * 0x40, 0x40, FN_MASK, 0, 8);
		for (k = 0; k < 8; k++)
			SF_ROW(&s, (u8)k, 2, (u8)(8 * i + k));
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.table->nr_rules, 1 + 7 * 9 + 56);
	check_every_pc(&im, 0xfff, 0x1300);
	image_release(&im);
}

/* Random sections of every version, architecture and width, compared with the definition. */
static void random_function(struct sf *s, unsigned int *seed, u64 start)
{
	u32 size = 1 + (u32)rand_r(seed) % 300, n = (u32)rand_r(seed) % 6, i;
	u8 type = (u8)(rand_r(seed) % 3), cfa;
	u32 at = 0;

	if (s->arch == A64)
		size *= 4;
	sf_func(s, start, size, type | (rand_r(seed) % 10 ? 0 : FN_MASK),
		0, (u8)(1 + rand_r(seed) % 40));
	for (i = 0; i < n; i++) {
		u8 row[] = { (u8)at, (u8)(at >> 8), 0, 0 };
		u8 words = s->arch == A64 ? 3 : 2;
		struct bytes b = { 0 };

		if (type == 0 && at > 255)
			break;
		cfa = (u8)(rand_r(seed) % 8 * 8);
		words = rand_r(seed) % 3 ? words : 1;
		bytes_put(&b, row, 1u << type);
		bytes_put(&b, (const u8[]){ words << 1 | (rand_r(seed) & 1), cfa, 0xe8, 0xe0 },
			  1u + words);
		sf_row(s, b.p, b.len);
		free(b.p);
		at += (u32)rand_r(seed) % 80;
	}
}

static void random_sections(void **state)
{
	unsigned int seed = 20261121, round;
	enum ustack_reason reason;
	struct image im;
	struct sf s;
	u64 at;
	u32 i;

	for (round = 0; round < 400; round++) {
		sf_init(&s, round & 1 ? X86 : A64, (u8)(1 + round % 3));
		at = 0x1000;
		for (i = 0; i < 1 + round % 30; i++) {
			random_function(&s, &seed, at);
			at += (u64)rand_r(&seed) % (round < 350 ? 600 : 9000) & ~3ull;
		}
		reason = image_of(&im, &s);
		if (!reason && round < 100)
			check_every_pc(&im, 0xf00, im.sec.end + 300);
		else if (!reason)
			check_boundaries(&im);
		else
			assert_reason(reason, USTACK_EMPTY);
		image_release(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_function),
		cmocka_unit_test(popped_registers_are_kept),
		cmocka_unit_test(a_red_zone_is_read),
		cmocka_unit_test(popped_link_registers_are_kept),
		cmocka_unit_test(rows_are_merged),
		cmocka_unit_test(the_map_answers_for_long_rows),
		cmocka_unit_test(every_whole_stretch_has_its_rule),
		cmocka_unit_test(maps_have_their_share),
		cmocka_unit_test(sparse_text_costs_little),
		cmocka_unit_test(overlapping_functions),
		cmocka_unit_test(pc_mask_functions),
		cmocka_unit_test(many_pc_mask_functions),
		cmocka_unit_test(wide_keys),
		cmocka_unit_test(wide_rules),
		cmocka_unit_test(rare_rules),
		cmocka_unit_test(rare_rules_save_a_page),
		cmocka_unit_test(wide_keys_and_rules),
		cmocka_unit_test(the_most_rules_a_table_holds),
		cmocka_unit_test(no_room_for_a_block),
		cmocka_unit_test(a_block_has_no_more_rules_than_rows),
		cmocka_unit_test(hash_is_siphash_1_3),
		cmocka_unit_test(every_key_makes_the_same_table),
		cmocka_unit_test(palette_of_a_small_section),
		cmocka_unit_test(random_sections),
	};

	return cmocka_run_group_tests_name("compile", tests, NULL, NULL);
}
