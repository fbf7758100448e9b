// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holes of sparse files in a section: they cost the author of a file nothing, so they must not
 * cost the reader work or memory.
 */
#include "support.h"

/* Bytes */
#define HOLE (8u << 20)

static u64 table_of(struct sf *s, enum ustack_reason *why)
{
	struct image im;
	u64 size;

	*why = image_of(&im, s);
	size = *why ? 0 : im.size;
	image_release(&im);
	return size;
}

/*
 * Functions that share rows, as many as a section of the same length could have if it were full
 * of them: with 200 KB this once made a table of 4 MB.
 */
static void rows_in_holes_do_not_count(void **state)
{
	static const u8 hole[HOLE];
	enum ustack_reason why;
	struct sf s;
	u32 i, k;
	u8 v;

	for (v = 1; v <= 3; v++) {
		sf_init(&s, X86, v);
		for (i = 0; i < 10000; i++) {
			sf_func(&s, TEXT_START + 200 * i, 200, 0, 0, 0);
			for (k = 0; k < 200 && !i; k++)
				SF_ROW(&s, (u8)k, 3, (u8)(8 + k % 2 * 8));
			/* all have the rows of the first one, and in V3 its attribute */
			if (i)
				s.rows.len = s.funcs[i].rows;
			s.funcs[i].rows = 0;
			s.funcs[i].nr_rows = 200;
		}
		bytes_put(&s.rows, hole, HOLE);
		assert_int_equal(table_of(&s, &why), 0);
		assert_reason(why, USTACK_SHARED_ROWS);
	}
}

/* A row of zeros is valid: it is that of the outermost frame. */
static void rows_that_are_all_in_a_hole(void **state)
{
	static const u8 hole[HOLE];
	enum ustack_reason why;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 16, 0, 0, 0);
	bytes_put(&s.rows, hole, HOLE);
	s.funcs[0].nr_rows = HOLE / 2;
	assert_int_equal(table_of(&s, &why), 0);
	assert_reason(why, USTACK_SHARED_ROWS);
}

/* The kernel uses 32 bytes of memory for each function. */
static void functions_in_holes_are_refused(void **state)
{
	static const u32 nr[] = { 500, 100000 };
	struct image im;
	struct sf s;
	u32 k, i;

	for (k = 0; k < ARRAY_SIZE(nr); k++) {
		sf_init(&s, X86, 2);
		for (i = 0; i < nr[k]; i++)
			sf_func(&s, TEXT_START + 16 * i, 16, 0, 0, 0);
		SF_ROW(&s, 0, 3, 8);
		image_init(&im, X86);
		sf_emit(&s, &im.bytes);
		memset(im.bytes.p + SFRAME_HEADER_LEN + 20, 0, 20 * (nr[k] - 1));
		assert_reason(image_make(&im), USTACK_BAD_HEADER);
		assert_null(im.scratch);
		image_release(&im);
	}
}

/* 64 MiB, nearly all of them zeros after the only part; and one byte more. */
static void the_largest_section(void **state)
{
	const u32 most = 64u << 20;
	struct image im;
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, TEXT_START, 16, 0, 0, 0);
	SF_ROW(&s, 0, 3, 8);
	image_init(&im, X86);
	sf_emit(&s, &im.bytes);
	im.bytes.p = realloc(im.bytes.p, most + 1);
	assert_non_null(im.bytes.p);
	memset(im.bytes.p + im.bytes.len, 0, most + 1 - im.bytes.len);
	im.bytes.len = most;
	assert_reason(image_make(&im), USTACK_OK);
	im.sec.len = most + 1;
	assert_reason(ustack_section_open(&im.sec, NULL), USTACK_TOO_LARGE);
	image_release(&im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_in_holes_do_not_count),
		cmocka_unit_test(rows_that_are_all_in_a_hole),
		cmocka_unit_test(functions_in_holes_are_refused),
		cmocka_unit_test(the_largest_section),
	};

	return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
