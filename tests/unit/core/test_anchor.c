// SPDX-License-Identifier: GPL-2.0-only
/* verify.c: the base of function starts, if the section does not say it. */
#include "support.h"

/* Anchors: which address a start field is relative to */
static enum ustack_reason anchored(struct image *im, u8 version, u8 flags,
				   enum ustack_anchor anchor, u32 n, u32 step)
{
	struct sf s;

	sf_init(&s, X86, version);
	s.flags = flags;
	s.anchor = anchor;
	sf_many(&s, n, step);
	return image_of(im, &s);
}

static void flags_and_anchors_that_agree(void **state)
{
	static const struct {
		u8 version, flags;
		enum ustack_anchor anchor;
		bool reanchored;
	} cases[] = {
		{ 1, 1, USTACK_ANCHOR_SECTION, false },	/* ld 2.40 */
		{ 2, 1, USTACK_ANCHOR_SECTION, false },	/* ld 2.44 */
		{ 2, 5, USTACK_ANCHOR_FIELD, false },	/* ld 2.45 */
		{ 3, 5, USTACK_ANCHOR_FIELD, false },	/* ld 2.47 */
		{ 2, 4, USTACK_ANCHOR_FIELD, false },	/* LLVM, concatenated */
		{ 1, 0, USTACK_ANCHOR_FIELD, true },	/* as, placed by lld */
		{ 2, 0, USTACK_ANCHOR_FIELD, true },
	};
	struct image im;
	unsigned int i;
	u32 step;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		/* dense text, and text that would fit either anchor */
		for (step = 24; step < 600; step *= 5) {
			assert_reason(anchored(&im, cases[i].version, cases[i].flags,
					       cases[i].anchor, 50, step), USTACK_OK);
			assert_int_equal(im.sec.report.reanchored,
					 cases[i].reanchored);
			check_many(&im, 50, step);
			image_release(&im);
		}
	}
}

/*
 * Sorted, in one part, but relative to the field: no linker in use writes this (they set
 * PCREL), yet the flags alone would mislead. Text without large gaps reveals it: with the wrong
 * anchor its functions overlap.
 */
static void wrong_anchors_are_found_out(void **state)
{
	struct image im;
	struct sf s;
	u32 step, i;
	u8 v;

	for (v = 1; v <= 2; v++) {
		for (step = 16; step <= 32; step++) {
			sf_init(&s, X86, v);
			s.anchor = USTACK_ANCHOR_FIELD;
			for (i = 0; i < 100; i++) {
				sf_func(&s, 0x8000 + i * step, 16, 0, 0, 0);
				SF_ROW(&s, 0, 3, 8);
			}
			assert_reason(image_of(&im, &s), USTACK_OK);
			assert_true(im.sec.report.reanchored);
			/* they were out of order only with the wrong anchor */
			assert_false(im.sec.report.resorted);
			for (i = 0; i < 100; i++)
				assert_cfa(&im, 0x8000 + i * step, USTACK_OP_SP, 8);
			image_release(&im);
		}
	}
}

/* If up to a quarter of the functions reach into the next one, the flags are believed. */
static void some_functions_overlap(void **state)
{
	static const u64 at[] = { 0, 12, 64, 128 };
	struct image im;
	struct sf s;
	u32 i, more;

	for (more = 0; more < 2; more++) {
		sf_init(&s, X86, 2);
		for (i = 0; i < ARRAY_SIZE(at); i++) {
			sf_func(&s, TEXT_START + at[i] - (i == 3 && more ? 52 : 0), 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
		}
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_int_equal(im.sec.report.reanchored, more);
		if (!more)
			assert_cfa(&im, TEXT_START + 128, USTACK_OP_SP, 8);
		image_release(&im);
	}
}

/*
 * The opposite, and not in order: relative to the section without SORTED. Read as relative to
 * the field, the last functions are after the text.
 */
static void wrong_anchors_of_unsorted_entries(void **state)
{
	struct image im;
	struct sf s;
	u32 i;
	u8 v;

	for (v = 1; v <= 2; v++) {
		sf_init(&s, X86, v);
		s.flags = 0;
		s.anchor = USTACK_ANCHOR_SECTION;
		for (i = 0; i < 100; i++) {
			sf_func(&s, TEXT_END - 3200 + i * 37 % 100 * 32, 32, 0, 0, 0);
			SF_ROW(&s, 0, 3, 8);
		}
		assert_reason(image_of(&im, &s), USTACK_OK);
		assert_false(im.sec.report.reanchored);
		assert_true(im.sec.report.resorted);
		assert_int_equal(im.sec.report.lost, 0);
		for (i = 0; i < 100; i++)
			assert_cfa(&im, TEXT_END - 3200 + i * 32, USTACK_OP_SP, 8);
		image_release(&im);
	}
}

static void no_anchor_fits(void **state)
{
	struct image im;
	struct sf s;

	/* all functions are far from the text */
	sf_init(&s, X86, 2);
	s.vaddr -= 0x10000000;
	sf_many(&s, 10, 16);
	assert_reason(image_of(&im, &s), USTACK_BAD_ANCHOR);
	image_release(&im);
	/* PCREL makes the anchor certain, so no other is tried */
	sf_init(&s, X86, 3);
	s.vaddr -= 0x10000000;
	sf_many(&s, 10, 16);
	assert_reason(image_of(&im, &s), USTACK_BAD_ANCHOR);
	image_release(&im);
}

/* Entries left from discarded sections are lost, the others are kept. */
static void a_minority_outside_the_text(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	for (i = 0; i < 4; i++) {
		sf_func(&s, i, 16, 0, 0, 0);
		SF_ROW(&s, 0, 3, 24);
	}
	sf_many(&s, 10, 32);
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_int_equal(im.sec.report.lost, 4);
	assert_reason(im.sec.report.bad_reason, USTACK_OUTSIDE_TEXT);
	check_many(&im, 10, 32);
	image_release(&im);
}

/* The same in any order, where no anchor fits all functions. */
static void leftovers_of_unsorted_entries(void **state)
{
	struct image im;
	struct sf s;
	u32 i;

	sf_init(&s, X86, 2);
	s.flags = 0;
	s.anchor = USTACK_ANCHOR_FIELD;
	for (i = 0; i < 100; i++) {
		sf_func(&s, i % 10 ? TEXT_START + i * 37 % 100 * 32 : i, 16, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
	}
	assert_reason(image_of(&im, &s), USTACK_OK);
	assert_true(im.sec.report.resorted);
	assert_int_equal(im.sec.report.lost, 10);
	for (i = 0; i < 100; i++)
		if (i % 10)
			assert_cfa(&im, TEXT_START + i * 37 % 100 * 32, USTACK_OP_SP, 8);
	image_release(&im);
}

/*
 * Half of the functions outside the text may be leftovers; with one more, the anchor is wrong.
 */
static void half_outside_the_text(void **state)
{
	static const struct { u32 inside, outside; enum ustack_reason want; } cases[] = {
		{ 2, 2, USTACK_OK }, { 50, 50, USTACK_OK },
		{ 2, 3, USTACK_BAD_ANCHOR }, { 50, 51, USTACK_BAD_ANCHOR },
	};
	struct image im;
	unsigned int i;
	struct sf s;
	u32 k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		sf_init(&s, X86, 3);
		sf_many(&s, cases[i].inside, 32);
		for (k = 0; k < cases[i].outside; k++) {
			sf_func(&s, TEXT_END + 32 * k, 16, 0, 0, 0);
			SF_ROW(&s, 0, 3, 24);
		}
		assert_reason(image_of(&im, &s), cases[i].want);
		if (!cases[i].want)
			assert_int_equal(im.sec.report.lost, cases[i].outside);
		image_release(&im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_and_anchors_that_agree),
		cmocka_unit_test(wrong_anchors_are_found_out),
		cmocka_unit_test(some_functions_overlap),
		cmocka_unit_test(wrong_anchors_of_unsorted_entries),
		cmocka_unit_test(no_anchor_fits),
		cmocka_unit_test(a_minority_outside_the_text),
		cmocka_unit_test(leftovers_of_unsorted_entries),
		cmocka_unit_test(half_outside_the_text),
	};

	return cmocka_run_group_tests_name("anchor", tests, NULL, NULL);
}
