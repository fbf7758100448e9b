// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of random line tables: decoded 64 bytes at a time they must equal those decoded one by
 * one.
 */
#include "support.h"

#include <errno.h>
#include <string.h>

#include "formats/gsym/line_walk.h"
#include "formats/gsym/read.h"

#define MOST 400u
#define BEHIND 80u
#define START 0x1000u

static uint32_t chance(uint32_t below)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % below;
}

static uint8_t *put_number(uint8_t *p, unsigned int bytes)
{
	while (bytes-- > 1)
		*p++ = (uint8_t)(0x80 | chance(0x80));
	*p++ = (uint8_t)chance(0x80);
	return p;
}

/* Numbers of one or two bytes, seldom of more than the blocks accept. */
static unsigned int width(void)
{
	return chance(40) ? 1 + chance(2) : 3 + chance(9);
}

/* Return: number of bytes, at most MOST. */
static size_t make_table(uint8_t *to)
{
	static const uint8_t ranges[] = { 0, 1, 2, 14, 14, 14, 60, 63 };
	size_t most = 20 + chance(MOST - 40);
	uint32_t special = 1 + chance(8);
	uint8_t *p = to;

	*p++ = (uint8_t)(0x80 - 4) & 0x7f;	/* -4 */
	*p++ = (uint8_t)((ranges[chance(8)] - 4) & 0x7f);
	p = put_number(p, 1 + chance(2));
	while ((size_t)(p - to) < most) {
		if (chance(8) < special) {
			*p++ = (uint8_t)(4 + chance(252));
			continue;
		}
		*p++ = (uint8_t)(1 + chance(3));
		p = put_number(p, width());
	}
	/* not all tables have an end */
	if (chance(8))
		*p++ = 0;
	return (size_t)(p - to) < MOST ? (size_t)(p - to) : MOST;
}

/* Decodes as the format's description says. */
struct plain {
	int found;
	uint64_t file;
	uint64_t line;
};

static struct plain search(const uint8_t *p, const uint8_t *end, uint64_t left)
{
	struct plain bad = { .found = -EBADMSG }, row = { 0 };
	uint64_t line, file = 1, advance = 0;
	int64_t min, max, delta;

	if (!gsym_sleb(&p, end, &min) || !gsym_sleb(&p, end, &max) ||
	    !gsym_uleb(&p, end, &line) || max < min)
		return bad;
	while (p < end) {
		uint8_t op = *p++;

		if (!op)
			return row;
		if (op == 1 || op == 3) {
			if (op == 1 ? !gsym_uleb(&p, end, &file) : !gsym_sleb(&p, end, &delta))
				return bad;
			line += op == 3 ? (uint64_t)delta : 0;
			continue;
		}
		if (op == 2 && !gsym_uleb(&p, end, &advance))
			return bad;
		if (op > 3) {
			advance = (op - 4u) / (uint64_t)(max - min + 1);
			line += (uint64_t)min + (op - 4u) % (uint64_t)(max - min + 1);
		}
		if (advance > left)
			return row;
		left -= advance;
		row = (struct plain){ 1, file, line };
	}
	return bad;
}

static void compare(const uint8_t *table, size_t len, const uint8_t *readable, uint64_t offset)
{
	const struct gsym_entry e = { table, table + len };
	const struct gsym_function f = { .start = START, .end = readable };
	struct plain must = search(table, table + len, offset);
	struct gsym_file_line row = { 0 };

	if (must.found > 0 && (must.line > UINT32_MAX || must.file > UINT32_MAX))
		must.found = -EBADMSG;
	assert_int_equal(gsym_row_at(&e, &f, START + offset, &row), must.found);
	if (must.found <= 0)
		return;
	assert_int_equal(row.line, must.line);
	assert_int_equal(row.file, must.file);
}

/* @behind: number of other bytes after it that may be read. */
static void random_tables(size_t behind)
{
	uint8_t made[MOST + 40], *table;
	unsigned int i, k;
	size_t len, all;

	for (i = 0; i < 4000; i++) {
		len = make_table(made);
		all = len + behind;
		/* of exactly that size, for sanitizers */
		table = malloc(all);
		assert_non_null(table);
		memcpy(table, made, len);
		for (k = 0; k < behind; k++)
			table[len + k] = (uint8_t)(chance(4) ? chance(256) : 0);
		for (k = 0; k < 30; k++)
			compare(table, len, table + all, chance(k & 1 ? 300 : 3000));
		compare(table, len, table + all, 0);
		compare(table, len, table + all, UINT64_MAX - START);
		free(table);
	}
}

static void at_the_end_of_the_file(void **state)
{
	random_tables(0);
}

static void in_front_of_other_bytes(void **state)
{
	random_tables(BEHIND);
}

/* A file that is set by the first bytes of a block holds up to its last byte. */
static void file_at_the_start_of_a_block(void **state)
{
	/* rows of one byte from -1 to 12 lines: 0x13 is the next byte and the same line */
	uint8_t table[3 + 64 + 1 + BEHIND] = { 0x7f, 0x0c, 1, 1, 7 };
	uint32_t i;

	memset(table + 5, 0x13, 62);
	for (i = 0; i < 70; i++)
		compare(table, 3 + 64 + 1, table + sizeof(table), i);
}

/* A table that ends in its header has no rows, and is no table without rows. */
static void header_cut_off(void **state)
{
	static const uint8_t table[] = { 0x7f, 0x0c, 0x81, 1, 0 };
	struct gsym_file_line row;
	size_t len;

	for (len = 1; len <= sizeof(table); len++) {
		const struct gsym_entry e = { table, table + len };
		const struct gsym_function f = { .start = START, .end = table + sizeof(table) };

		assert_int_equal(gsym_row_at(&e, &f, START, &row), len == 5 ? 0 : -EBADMSG);
	}
}

#ifdef __SSE2__
static unsigned int bytes_of_number(const uint8_t *p)
{
	unsigned int n = 1;

	while (*p++ & 0x80)
		n++;
	return n;
}

/*
 * The end of the last row that a block contains at @p, by the opcodes; NULL: there is none.
 * Blocks accept distances of one byte, files of two and lines of three. @ends: the table ends
 * there.
 */
static const uint8_t *end_of_rows(const uint8_t *p, const uint8_t *end, bool *ends)
{
	const uint8_t *behind = end - p < (int)GSYM_LINE_BLOCK ? end : p + GSYM_LINE_BLOCK;
	const uint8_t *row = NULL;
	unsigned int n;
	uint8_t op;

	*ends = false;
	while (p < behind) {
		op = *p++;
		*ends = !op;
		if (!op)
			break;
		n = op > 3 ? 0 : bytes_of_number(p);
		if ((op == 1 && n > 2) || (op == 2 && n > 1) || (op == 3 && n > 3))
			break;
		p += n;
		if ((op == 2 || op > 3) && p <= behind)
			row = p;
	}
	return row;
}

/*
 * At each opcode, blocks must go as far as they can, so that hardly any opcode is decoded
 * alone.
 */
static void check_blocks(const uint8_t *p, const uint8_t *end)
{
	struct gsym_line_header h;
	const uint8_t *row;
	int64_t max = 0;
	bool ends;

	assert_true(gsym_sleb(&p, end, &h.min) && gsym_sleb(&p, end, &max) &&
		    gsym_uleb(&p, end, &h.line));
	h.range = (uint64_t)(max - h.min + 1);
	for (; h.range > 1 && p < end; p += *p && *p < 4 ? 1 + bytes_of_number(p + 1) : 1) {
		struct gsym_line_walk w = {
			.p = p, .end = end, .h = &h, .left = 1u << 30, .line = h.line, .file = 1,
		};

		row = end_of_rows(p, end, &ends);
		assert_int_equal(gsym_line_block(&w), ends ? 1 : row ? 0 : -EAGAIN);
		assert_ptr_equal(w.p, row ? row : p);
		assert_int_equal(w.has_row, row != NULL);
		if (!*p)
			break;
	}
}

static void blocks_go_far(void **state)
{
	uint8_t table[MOST + 40 + BEHIND];
	unsigned int i;
	size_t len;

	for (i = 0; i < 2000; i++) {
		memset(table, 0, sizeof(table));
		len = make_table(table);
		check_blocks(table, table + len);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_the_end_of_the_file),
		cmocka_unit_test(in_front_of_other_bytes),
		cmocka_unit_test(file_at_the_start_of_a_block),
		cmocka_unit_test(header_cut_off),
#ifdef __SSE2__
		cmocka_unit_test(blocks_go_far),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
