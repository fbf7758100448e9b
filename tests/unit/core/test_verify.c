// SPDX-License-Identifier: GPL-2.0-only
/* verify.c: which sections are valid, and which of their functions are lost. */
#include "support.h"

#define GOLDEN "tests/golden/sframe/"

static void a_section_of_every_version(void **state)
{
	struct image im;
	struct sf s;
	u8 v;

	for (v = 1; v <= 3; v++) {
		sf_init(&s, X86, v);
		sf_many(&s, 100, 16);
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_int_equal(im.sec.report.parts, 1);
		assert_int_equal(im.sec.report.functions, 100);
		assert_int_equal(im.sec.report.rows, 100);
		assert_int_equal(im.sec.report.lost, 0);
		assert_int_equal(im.sec.report.overlaps, 0);
		assert_false(im.sec.report.resorted);
		assert_false(im.sec.report.reanchored);
		image_release(&im);
	}
}

static void sections_that_are_refused(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	assert_reason(image_of(&im, &s), USTACK_EMPTY);
	/* nothing else may be done with it */
	assert_reason(ustack_section_open(&im.sec, NULL), USTACK_EMPTY);
	image_release(&im);

	image_init(&im, X86);	/* no bytes at all */
	im.sec.bytes = (const u8 *)"";
	assert_reason(ustack_section_open(&im.sec, NULL), USTACK_TRUNCATED);

	/* refused before it is read, with a report that is empty, whatever it was */
	im.sec.len = USTACK_MAX_SECTION + 1;
	memset(&im.sec.report, 0xff, sizeof(im.sec.report));
	assert_reason(ustack_section_open(&im.sec, NULL), USTACK_TOO_LARGE);
	assert_reason(im.sec.report.bad_reason, USTACK_OK);
	assert_false(im.sec.report.parts || im.sec.report.functions || im.sec.report.lost ||
		     im.sec.report.covered);

	sf_init(&s, A64, 2);
	sf_many(&s, 1, 16);
	image_init(&im, X86);
	sf_emit(&s, &im.bytes);
	assert_reason(image_make(&im), USTACK_WRONG_ARCH);
	image_release(&im);
}

static void no_function_left_is_empty(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 16, FN_ADDR1, 0, 0);
	SF_ROW(&s, 0, 0x7f, 0, 0);
	assert_reason(image_of(&im, &s), USTACK_EMPTY);
	assert_int_equal(im.sec.report.lost, 1);
	assert_reason(im.sec.report.bad_reason, USTACK_BAD_FRE);
	assert_int_equal(im.sec.report.bad_off, SFRAME_HEADER_LEN);
	image_release(&im);

	/* functions of size 0 do not count, and hide no other function */
	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 0, FN_ADDR1, 0, 0);
	SF_ROW(&s, 0, 3, 24);
	sf_many(&s, 3, 32);
	assert_reason(image_of(&im, &s), USTACK_OK);
	check_many(&im, 3, 32);
	image_release(&im);
	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 0, FN_ADDR1, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	assert_reason(image_of(&im, &s), USTACK_EMPTY);
	image_release(&im);
}

/* A wrong function is lost, named and counted; its neighbours stay. */
#define LOST(ver, want, ...) do {					\
	struct image im;						\
	struct sf s;							\
									\
	sf_init(&s, X86, ver);						\
	sf_many(&s, 3, 0x40);						\
	__VA_ARGS__;							\
	assert_reason(image_of(&im, &s), USTACK_OK);			\
	assert_int_equal(im.sec.report.lost, 1);			\
	assert_reason(im.sec.report.bad_reason, want);			\
	assert_int_equal(im.sec.report.bad_off, 28 + 3 * 20 - 4 * 3 * (ver == 3)); \
	assert_cfa(&im, TEXT_START + 0x80, USTACK_OP_SP, 8);		\
	image_release(&im);						\
} while (0)

#define FUNC(...) sf_func(&s, TEXT_START + 0xc0, 16, __VA_ARGS__)

static void functions_that_are_lost(void **state)
{
	LOST(2, USTACK_BAD_FDE, FUNC(5, 0, 0));
	LOST(2, USTACK_BAD_FDE, FUNC(FN_MASK, 0, 0));
	LOST(3, USTACK_BAD_FDE, FUNC(0, 3, 0));
	LOST(2, USTACK_BAD_FRE, FUNC(0, 0, 0); SF_ROW(&s, 0, 0x63, 0, 0, 0));
	LOST(2, USTACK_ROW_ORDER, FUNC(0, 0, 0);
	     SF_ROW(&s, 4, 3, 8); SF_ROW(&s, 3, 3, 16));
	/* in the middle: the rows after it are good */
	LOST(2, USTACK_ROW_ORDER, FUNC(0, 0, 0);
	     SF_ROW(&s, 4, 3, 8); SF_ROW(&s, 3, 3, 16); SF_ROW(&s, 8, 3, 24));
	LOST(3, USTACK_BAD_OPERAND, FUNC(0, FN2_FLEX, 0); SF_ROW(&s, 0, 2, 0));
	LOST(2, USTACK_TRUNCATED, FUNC(0, 0, 0); SF_ROW(&s, 0, 5, 8));
	LOST(2, USTACK_TRUNCATED, FUNC(0, 0, 0); SF_ROW(&s, 0, 3, 8);
	     s.funcs[3].rows += 1000);
	LOST(2, USTACK_PLT_BUG, FUNC(FN_MASK, 0, 8); SF_ROW(&s, 0, 3, 16));
}

static void a_function_outside_the_text_is_lost(void **state)
{
	static const struct { u64 start; u32 size; } cases[] = {
		{ TEXT_END, 16 }, { TEXT_END - 8, 16 }, { TEXT_START - 8, 16 },
		{ TEXT_END - 8, 0xffffffffu }, { 0, 16 },
	};
	struct image im;
	unsigned int i;
	struct sf s;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		sf_init(&s, X86, 3);
		sf_many(&s, 5, 16);
		sf_func(&s, cases[i].start, cases[i].size, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_int_equal(im.sec.report.lost, 1);
		assert_reason(im.sec.report.bad_reason, USTACK_OUTSIDE_TEXT);
		image_release(&im);
	}
	/* nor is it inside something that is not a range of the text */
	sf_init(&s, X86, 3);
	sf_many(&s, 5, 16);
	sf_func(&s, TEXT_END, 16, 0, 0, 0);
	image_init(&im, X86);
	im.text[1] = (struct ustack_range){ TEXT_END, TEXT_END + 16 };
	sf_emit(&s, &im.bytes);
	assert_reason(image_make(&im), USTACK_OK);
	assert_int_equal(im.sec.report.lost, 1);
	image_release(&im);
	/* the last byte is inside; a second executable segment counts */
	sf_init(&s, X86, 3);
	sf_func(&s, TEXT_END - 16, 16, 0, 0, 0);
	sf_func(&s, 0x800000, 16, 0, 0, 0);
	image_init(&im, X86);
	im.text[1] = (struct ustack_range){ 0x800000, 0x800010 };
	im.sec.nr_text = 2;
	sf_emit(&s, &im.bytes);
	assert_reason(image_make(&im), USTACK_OK);
	assert_int_equal(im.sec.report.lost, 0);
	image_release(&im);
}

static void functions_of_aarch64_are_aligned(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, A64, 3);
	sf_func(&s, 0x1000, 16, 0, 0, 0);
	SF_ROW(&s, 0, 3, 0);
	sf_func(&s, 0x1012, 16, 0, 0, 0);
	SF_ROW(&s, 0, 3, 0);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.sec.report.lost, 1);
	assert_reason(im.sec.report.bad_reason, USTACK_BAD_FDE);
	image_release(&im);
}

/* As wide as 32 bits, if the section is large enough for such a large index. */
static void text_that_no_table_spans(void **state)
{
	static const struct { u32 more; u64 last; enum ustack_reason want; } cases[] = {
		{ 15000, 0x1000 + 0xffffff00ull - 16, USTACK_OK },
		{ 15000, 0x1000 + 0xffffff00ull - 15, USTACK_TEXT_SPAN },
		{ 15000, 0x900000000000ull, USTACK_TEXT_SPAN },
		{ 0, 0x1000 + (1ull << 30) - 16, USTACK_OK },
		{ 0, 0x1000 + (1ull << 30) + 0x180000, USTACK_TEXT_SPAN },
		{ 2000, 0x1000 + (1ull << 30) + 0x180000, USTACK_OK },
		{ 0, 0x1000 + 0xffffff00ull - 16, USTACK_TEXT_SPAN },
	};
	struct image im;
	unsigned int i;
	struct sf s;
	u32 k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		sf_init(&s, X86, 3);
		for (k = 0; k <= cases[i].more; k++) {
			sf_func(&s, 0x1000 + 16 * k, 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
		}
		sf_func(&s, cases[i].last, 16, 0, 0, 0);
		SF_ROW(&s, 0, 3, 24);
		image_init(&im, X86);
		im.text[0].end = ~0ull;
		sf_emit(&s, &im.bytes);
		assert_reason(image_make(&im), cases[i].want);
		if (!cases[i].want) {
			assert_cfa(&im, cases[i].last + 15, USTACK_OP_SP, 24);
			assert_no_row(&im, cases[i].last + 16);
			assert_no_row(&im, cases[i].last - 1);
		}
		image_release(&im);
	}
}

/* Rows that many functions share would make the work quadratic. */
static void shared_rows_are_refused(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 16, 0, 0, 0);
	SF_ROW(&s, 0, 0);
	SF_ROW(&s, 1, 0);
	for (i = 1; i < 4; i++) {
		sf_func(&s, TEXT_START + 16 * i, 16, 0, 0, 0);
		s.funcs[i].rows = 0;
		s.funcs[i].nr_rows = 2;
	}
	assert_reason(image_of(&im, &s), USTACK_SHARED_ROWS);
	image_release(&im);

	/* a count that no function can have */
	sf_init(&s, X86, 2);
	sf_many(&s, 3, 16);
	s.funcs[1].nr_rows = 0xffffffffu;
	assert_reason(image_of(&im, &s), USTACK_SHARED_ROWS);
	image_release(&im);
}

/*
 * In total, as many bytes of rows may be read as the section has, whichever functions use them.
 */
static void the_most_rows_that_may_be_shared(void **state)
{
	u32 more, i;
	struct image im;
	struct sf s;

	for (more = 1; more <= 2; more++) {
		sf_init(&s, X86, 2);
		sf_func(&s, TEXT_START, 16, 0, 0, 0);
		for (i = 0; i < 7; i++)
			SF_ROW(&s, (u8)i, 0x45, (u8)(8 + 8 * i), 0, 0, 0, 0xf0, 0xff, 0xff, 0xff);
		sf_func(&s, TEXT_START + 16, 16, 0, 0, 0);
		s.funcs[1].rows = 0;
		s.funcs[1].nr_rows = 7;
		bytes_put(&s.rows, "??", more);
		/* 140 bytes of rows; a header of 28, two entries of 20, 70 bytes and some more */
		assert_reason(image_of(&im, &s), more == 2 ? USTACK_OK : USTACK_SHARED_ROWS);
		image_release(&im);
	}
}

/* Functions that could be made of a section's zeroes take no memory. */
static void holes_take_no_memory(void **state)
{
	static const u32 zeroes[] = { 2000, 1u << 20 };
	struct image im;
	unsigned int i;
	struct sf s;

	for (i = 0; i < ARRAY_SIZE(zeroes); i++) {
		sf_init(&s, X86, 2);
		sf_many(&s, 1, 16);
		bytes_pad(&s.rows, zeroes[i]);
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_true(im.sec.len > zeroes[i]);
		assert_true(ustack_section_scratch(&im.sec) < 0x4000);
		image_release(&im);
	}
}

/* All rows that fit into the other bytes are read. */
static void rows_beside_a_hole(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 255, 0, 0, 0);
	for (i = 0; i < 200; i++)
		SF_ROW(&s, (u8)i, 0);
	bytes_pad(&s.rows, 4000);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.sec.report.rows, 200);
	image_release(&im);
}

static void rows_at_or_behind_the_end(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 16, FN_ADDR1, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	SF_ROW(&s, 4, 3, 16);
	SF_ROW(&s, 4, 3, 24);	/* the last of equal starts counts */
	SF_ROW(&s, 16, 3, 32);
	SF_ROW(&s, 99, 3, 40);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.sec.report.rows, 5);
	assert_int_equal(im.sec.report.dup_rows, 1);
	assert_int_equal(im.sec.report.tail_rows, 2);
	assert_cfa(&im, TEXT_START + 3, USTACK_OP_SP, 8);
	assert_cfa(&im, TEXT_START + 4, USTACK_OP_SP, 24);
	assert_cfa(&im, TEXT_START + 15, USTACK_OP_SP, 24);
	assert_no_row(&im, TEXT_START + 16);
	image_release(&im);
}

static void functions_without_rows_have_no_information(void **state)
{
	struct image im;
	struct sf s;
	u8 v;

	for (v = 1; v <= 3; v++) {
		sf_init(&s, X86, v);
		sf_many(&s, 2, 0x40);
		sf_func(&s, TEXT_START + 0x80, 16, 0, 0, 0);
		sf_func(&s, TEXT_START + 0x90, 16, FN_MASK, 0, 16);
		assert_reason(image_of(&im, &s), USTACK_OK);
		/* pc-mask functions of V1 are never trusted */
		assert_int_equal(im.sec.report.no_info, v == 1 ? 1 : 2);
		assert_no_row(&im, TEXT_START + 0x80);
		assert_no_row(&im, TEXT_START + 0x90);
		assert_cfa(&im, TEXT_START + 0x4f, USTACK_OP_SP, 8);
		image_release(&im);
	}
}

/* PLT rows that are wrong in real files */
static void plt_bugs(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 1);
	sf_func(&s, 0x1020, 16, 0, 0, 0);	/* PLT0, or .plt.sec as PLT0 */
	SF_ROW(&s, 0, 3, 16);
	SF_ROW(&s, 6, 3, 24);
	sf_func(&s, 0x1030, 32, FN_MASK, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	SF_ROW(&s, 11, 3, 16);
	sf_func(&s, 0x1060, 16, 0, 0, 0);	/* a cold part of 16 bytes */
	SF_ROW(&s, 0, 3, 16);
	sf_func(&s, 0x1070, 16, 0, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.sec.report.lost, 2);
	assert_reason(im.sec.report.bad_reason, USTACK_PLT_BUG);
	assert_no_row(&im, 0x1020);
	assert_no_row(&im, 0x1030);
	assert_cfa(&im, 0x1060, USTACK_OP_SP, 16);
	image_release(&im);
}

static void plt_got_of_every_linker(void **state)
{
	struct image im;
	struct sf s;
	u8 v, block;

	for (v = 2; v <= 3; v++) {
		for (block = 8; block <= 16; block += 8) {
			sf_init(&s, X86, v);
			sf_func(&s, 0x1020, 16, 0, 0, 16);	/* PLT0 */
			SF_ROW(&s, 0, 3, 16);
			SF_ROW(&s, 6, 3, 24);
			sf_func(&s, 0x1030, 32, FN_MASK, 0, 16);
			SF_ROW(&s, 0, 3, 8);
			SF_ROW(&s, 9, 3, 16);
			sf_func(&s, 0x1050, 32, FN_MASK, 0, block);
			SF_ROW(&s, 0, 3, 16);
			sf_func(&s, 0x1070, 16, FN_MASK, 0, 16); /* .plt.sec */
			SF_ROW(&s, 0, 3, 8);
			assert_reason(image_of(&im, &s), USTACK_OK);
			assert_int_equal(im.sec.report.lost, 1);
			assert_reason(im.sec.report.bad_reason, USTACK_PLT_BUG);
			assert_cfa(&im, 0x1026, USTACK_OP_SP, 24);
			assert_cfa(&im, 0x1049, USTACK_OP_SP, 16);
			assert_no_row(&im, 0x1050);
			assert_cfa(&im, 0x1070, USTACK_OP_SP, 8);
			image_release(&im);
		}
	}
	/* on AArch64 there is no such bug */
	sf_init(&s, A64, 2);
	sf_func(&s, 0x1020, 16, FN_MASK, 0, 8);
	SF_ROW(&s, 0, 3, 16);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_cfa(&im, 0x1020, USTACK_OP_SP, 16);
	image_release(&im);
}

static void unsorted_entries_are_sorted(void **state)
{
	static const u8 versions[] = { 1, 2, 3 };
	struct image im;
	unsigned int i;
	struct sf s;
	u32 k;

	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		sf_init(&s, X86, versions[i]);
		s.anchor = USTACK_ANCHOR_FIELD;
		s.flags &= ~SFRAME_F_FDE_SORTED;
		/* 377 is prime to 1,000: every function once, in a scattered order */
		for (k = 0; k < 1000; k++) {
			sf_func(&s, TEXT_START + k * 377 % 1000 * 32, 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
		}
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_true(im.sec.report.resorted);
		assert_int_equal(im.sec.report.lost, 0);
		for (k = 1; k < im.sec.nr_funcs; k++)
			assert_true(im.sec.funcs[k].start >
				    im.sec.funcs[k - 1].start);
		check_many(&im, 1000, 32);
		image_release(&im);
	}
}

/* At least two slots for each possible rule, and fewer than four. */
static void slots_of_the_hash(void **state)
{
	struct image im;
	struct sf s;
	u32 n;

	for (n = 8; n < 300; n++) {
		sf_init(&s, X86, 2);
		sf_many(&s, n, 16);
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_true(im.sec.hash_mask + 1 >= 2 * im.sec.max_rules);
		assert_true(im.sec.hash_mask + 1 < 4 * im.sec.max_rules);
		assert_false((im.sec.hash_mask + 1) & im.sec.hash_mask);
		image_release(&im);
	}
}

static void text_that_begins_at_address_0_is_in_order(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, 0, 16, 0, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	image_init(&im, X86);
	im.text[0].start = 0;
	sf_emit(&s, &im.bytes);
	assert_reason(image_make(&im), USTACK_OK);
	assert_false(im.sec.report.resorted || im.sec.report.reanchored);
	assert_cfa(&im, 0, USTACK_OP_SP, 8);
	image_release(&im);
}

/* Two functions at one address, as with an alias, are in order. */
static void equal_starts_are_in_order(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 3);
	sf_many(&s, 3, 32);
	sf_func(&s, TEXT_START + 64, 16, 0, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_false(im.sec.report.resorted);
	assert_int_equal(im.sec.report.overlaps, 1);
	image_release(&im);
}

/* Sorting: compared with the plain definition, for starts of every kind. */
static void order_is_by_start_then_place(void **state)
{
	static const u64 spread[] = { 1, 4, 100, 0x100000, 0x100000000000ull };
	unsigned int seed = 1;
	const struct ustack_func *f;
	struct image im;
	unsigned int i;
	struct sf s;
	u32 k, n;

	for (i = 0; i < ARRAY_SIZE(spread) * 40; i++) {
		n = 1 + (u32)rand_r(&seed) % 200;
		sf_init(&s, X86, 3);
		s.flags &= ~SFRAME_F_FDE_SORTED;
		for (k = 0; k < n; k++) {
			sf_func(&s, 0x1000 + (u64)rand_r(&seed) * 77777 %
				spread[i % ARRAY_SIZE(spread)], 1, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
		}
		image_init(&im, X86);
		im.text[0].end = ~0ull;
		sf_emit(&s, &im.bytes);
		image_make(&im);
		assert_int_equal(im.sec.nr_funcs, n);
		for (k = 1; k < n; k++) {
			f = &im.sec.funcs[k];
			assert_true(f[-1].start < f->start ||
				    (f[-1].start == f->start &&
				     f[-1].field < f->field));
		}
		image_release(&im);
	}
}

/* Parts: the output of a linker without SFrame for many objects */
static void concatenated_parts(void **state)
{
	static const struct { u8 version, flags; } cases[] = {
		{ 1, 0 }, { 2, 0 }, { 2, 4 }, { 3, 4 },
	};
	struct image im;
	unsigned int i;
	struct sf s;
	u32 k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		image_init(&im, X86);
		for (k = 0; k < 10; k++) {
			sf_init(&s, X86, cases[i].version);
			s.flags = cases[i].flags;
			s.anchor = USTACK_ANCHOR_FIELD;
			s.aux = k % 3 * 4;
			/* the last object first */
			sf_func(&s, TEXT_START + (9 - k) * 64, 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
			sf_func(&s, TEXT_START + (9 - k) * 64 + 32, 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
			sf_emit(&s, &im.bytes);
			bytes_pad(&im.bytes, 8);
		}
		assert_reason(image_make(&im), USTACK_OK);
		assert_int_equal(im.sec.report.parts, 10);
		assert_int_equal(im.sec.report.functions, 20);
		assert_int_equal(im.sec.report.lost, 0);
		assert_true(im.sec.report.resorted);
		check_many(&im, 20, 32);
		image_release(&im);
	}
}

static void parts_of_different_versions(void **state)
{
	struct image im;
	struct sf s;
	u8 v;

	image_init(&im, X86);
	for (v = 1; v <= 3; v++) {
		sf_init(&s, X86, v);
		s.flags = v == 1 ? 0 : 4;
		s.anchor = USTACK_ANCHOR_FIELD;
		sf_func(&s, TEXT_START + (v - 1) * 32, 16, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
		sf_emit(&s, &im.bytes);
		bytes_pad(&im.bytes, 8);
	}
	assert_reason(image_make(&im), USTACK_OK);
	assert_int_equal(im.sec.report.parts, 3);
	check_many(&im, 3, 32);
	image_release(&im);
}

/* Bytes after a part that are not a part: padding, notes, half a header. */
static void bytes_behind_the_last_part(void **state)
{
	static const struct { const char *p; u32 len; } tails[] = {
		{ B("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") },
		{ B("\xe2\xde\x02\x01") },
		{ B("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0aaaaaaaaaaaaaaaaaaaaaaaa") },
	};
	struct image im;
	unsigned int i;
	struct sf s;

	for (i = 0; i < ARRAY_SIZE(tails); i++) {
		sf_init(&s, X86, 2);
		sf_many(&s, 3, 32);
		image_init(&im, X86);
		sf_emit(&s, &im.bytes);
		bytes_pad(&im.bytes, 8);
		bytes_put(&im.bytes, tails[i].p, tails[i].len);
		assert_reason(image_make(&im), USTACK_OK);
		assert_int_equal(im.sec.report.parts, 1);
		check_many(&im, 3, 32);
		image_release(&im);
	}
}

/* A wrong later header costs the functions after it, and is named. */
static void a_broken_later_part(void **state)
{
	static const u8 want[] = {
		USTACK_BAD_VERSION, USTACK_BAD_FLAGS, USTACK_WRONG_ARCH
	};
	struct image im;
	u32 second = 0;
	struct sf s;
	u8 v, k;

	for (v = 0; v < 3; v++) {
		image_init(&im, X86);
		for (k = 0; k < 3; k++) {
			sf_init(&s, X86, 3);
			sf_func(&s, TEXT_START + k * 32, 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
			if (k == 1)
				second = im.bytes.len;
			sf_emit(&s, &im.bytes);
			bytes_pad(&im.bytes, 8);
		}
		im.bytes.p[second + 2 + v] = 0x7f;	/* version, flags, ABI */
		assert_reason(image_make(&im), USTACK_OK);
		assert_int_equal(im.sec.report.parts, 1);
		assert_int_equal(im.sec.report.lost, 1);
		assert_int_equal(im.sec.report.bad_off, second);
		assert_reason(im.sec.report.bad_reason, want[v]);
		check_many(&im, 1, 32);
		image_release(&im);
	}
}

static void overlaps_are_counted(void **state)
{
	struct image im;
	struct sf s;

	sf_init(&s, X86, 3);
	sf_many(&s, 10, 32);
	sf_func(&s, TEXT_START + 0x200, 0x100, 0, 0, 0);
	SF_ROW(&s, 0, 3, 24);
	sf_func(&s, TEXT_START + 0x220, 0x20, 0, 0, 0);
	SF_ROW(&s, 0, 3, 32);
	sf_func(&s, TEXT_START + 0x220, 0x20, 0, 0, 0);	/* the same start */
	SF_ROW(&s, 0, 3, 40);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.sec.report.overlaps, 2);
	assert_cfa(&im, TEXT_START + 0x21f, USTACK_OP_SP, 24);
	assert_cfa(&im, TEXT_START + 0x220, USTACK_OP_SP, 40);
	assert_cfa(&im, TEXT_START + 0x23f, USTACK_OP_SP, 40);
	assert_no_row(&im, TEXT_START + 0x240);
	image_release(&im);
}

/* Covered text of four functions of 16 bytes, and of another one with this number of rows. */
static u64 covered(u64 start, u32 size, u32 rows)
{
	struct image im;
	struct sf s;
	u64 ret;

	sf_init(&s, X86, 3);
	sf_many(&s, 4, 16);
	sf_func(&s, start, size, 0, 0, 0);
	while (rows--)
		SF_ROW(&s, 0, 3, 8);
	assert_reason(image_of(&im, &s), USTACK_OK);
	ret = im.sec.report.covered;
	image_release(&im);
	return ret;
}

static void text_with_rows_is_counted_once(void **state)
{
	assert_int_equal(covered(TEXT_START + 0x80, 8, 1), 72);
	assert_int_equal(covered(TEXT_START + 0x80, 8, 2), 72);
	assert_int_equal(covered(TEXT_START + 0x80, 8, 0), 64);
	/* a function ends where the next one starts, here after 12 bytes, and here after 2 */
	assert_int_equal(covered(TEXT_START + 60, 8, 1), 68);
	assert_int_equal(covered(TEXT_START + 50, 4, 1), 54);
	assert_int_equal(covered(TEXT_START + 50, 4, 0), 50);
}

/* Whether a section of @n functions of 16 bytes is partial, in an image with a text of @text bytes. */
static bool partial(u32 n, u32 text)
{
	struct image im;
	struct sf s;
	bool ret;

	sf_init(&s, X86, 3);
	sf_many(&s, n, 16);
	assert_reason(image_of(&im, &s), USTACK_OK);
	im.text[0].end = im.text[0].start + text;
	im.sec.nr_text = 1;
	ret = ustack_section_is_partial(&im.sec);
	image_release(&im);
	return ret;
}

static void nine_tenths_of_the_text_are_enough(void **state)
{
	assert_false(partial(9, 160));
	assert_false(partial(10, 160));
	assert_true(partial(8, 160));
	assert_true(partial(4, 0x100000));
}

/* The linked samples: every version describes the same program in the same way. */
static void golden_linked_files(void **state)
{
	static const struct {
		const char *name;
		u32 functions, lost;
	} files[] = {
		{ GOLDEN "t40.elf.sframe.bin", 6, 2 },
		{ GOLDEN "t44.elf.sframe.bin", 7, 1 },
		{ GOLDEN "t47.elf.sframe.bin", 7, 1 },
	};
	struct image im;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		image_init(&im, X86);
		im.sec.vaddr = 0x2148;
		im.text[0] = (struct ustack_range){ 0x1000, 0x11e4 };
		bytes_read_file(files[i].name, &im.bytes);
		assert_reason(image_make(&im), USTACK_OK);
		assert_int_equal(im.sec.report.functions, files[i].functions);
		assert_int_equal(im.sec.report.lost, files[i].lost);
		assert_reason(im.sec.report.bad_reason, USTACK_PLT_BUG);
		assert_no_row(&im, 0x1050);			/* .plt.got */
		assert_cfa(&im, 0x1060, USTACK_OP_SP, 8);	/* main */
		assert_cfa(&im, 0x1061, USTACK_OP_SP, 16);
		assert_cfa(&im, 0x1180, USTACK_OP_SP, 8);	/* leaf */
		assert_cfa(&im, 0x1196, USTACK_OP_SP, 80);	/* mid */
		assert_cfa(&im, 0x11bf, USTACK_OP_FP, 16);	/* withfp */
		assert_no_row(&im, 0x11d8);
		image_release(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section_of_every_version),
		cmocka_unit_test(sections_that_are_refused),
		cmocka_unit_test(no_function_left_is_empty),
		cmocka_unit_test(functions_that_are_lost),
		cmocka_unit_test(a_function_outside_the_text_is_lost),
		cmocka_unit_test(functions_of_aarch64_are_aligned),
		cmocka_unit_test(text_that_no_table_spans),
		cmocka_unit_test(shared_rows_are_refused),
		cmocka_unit_test(the_most_rows_that_may_be_shared),
		cmocka_unit_test(holes_take_no_memory),
		cmocka_unit_test(rows_beside_a_hole),
		cmocka_unit_test(rows_at_or_behind_the_end),
		cmocka_unit_test(functions_without_rows_have_no_information),
		cmocka_unit_test(plt_bugs),
		cmocka_unit_test(plt_got_of_every_linker),
		cmocka_unit_test(unsorted_entries_are_sorted),
		cmocka_unit_test(slots_of_the_hash),
		cmocka_unit_test(text_that_begins_at_address_0_is_in_order),
		cmocka_unit_test(equal_starts_are_in_order),
		cmocka_unit_test(order_is_by_start_then_place),
		cmocka_unit_test(concatenated_parts),
		cmocka_unit_test(parts_of_different_versions),
		cmocka_unit_test(a_broken_later_part),
		cmocka_unit_test(bytes_behind_the_last_part),
		cmocka_unit_test(overlaps_are_counted),
		cmocka_unit_test(text_with_rows_is_counted_once),
		cmocka_unit_test(nine_tenths_of_the_text_are_enough),
		cmocka_unit_test(golden_linked_files),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
