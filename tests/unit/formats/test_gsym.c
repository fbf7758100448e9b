// SPDX-License-Identifier: GPL-2.0-only
/* The reader of GSYM files: samples of all layouts, and damaged files. */
#include "support.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/gsym/format.h"
#include "formats/gsym/reader.h"

#define SAMPLES "tests/golden/gsym/"
#define DIR_NAME "/src/gsym/example"

static const char *const samples[] = {
	SAMPLES "g14.gsym", SAMPLES "g23v2.gsym", SAMPLES "prototype.gsym", SAMPLES "elf.o",
};

static struct gsym *sample(const char *path)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym *g = NULL;

	if (gsym_open(path, &g, &diag))
		fail_msg("%s: %s", path, diag.text);
	return g;
}

static void is_frame(const struct gsym_frame *f, const char *function, uint64_t offset,
		     uint32_t line, bool inlined)
{
	assert_string_equal(f->function, function);
	assert_string_equal(f->dir, line ? DIR_NAME : "");
	assert_string_equal(f->file, line ? "g.c" : "");
	assert_int_equal(f->line, line);
	assert_int_equal(f->offset, offset);
	assert_int_equal(f->inlined, inlined);
}

static void lookups(void **state)
{
	struct gsym_frame f[GSYM_MAX_FRAMES];
	uint64_t offset;
	struct gsym *g;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		g = sample(samples[i]);
		assert_int_equal(gsym_lookup(g, 0x401131, f, GSYM_MAX_FRAMES), 3);
		is_frame(&f[0], "inner", 0, 3, true);
		is_frame(&f[1], "outer", 0, 6, true);
		is_frame(&f[2], "foo", 1, 10, false);
		assert_int_equal(gsym_lookup(g, 0x401144, f, GSYM_MAX_FRAMES), 2);
		is_frame(&f[0], "outer", 19, 7, true);
		is_frame(&f[1], "foo", 20, 10, false);
		assert_int_equal(gsym_lookup(g, 0x401147, f, GSYM_MAX_FRAMES), 1);
		is_frame(&f[0], "foo", 23, 10, false);
		/* after foo, before the first function, and in a function without a size */
		assert_int_equal(gsym_lookup(g, 0x40114c, f, GSYM_MAX_FRAMES), 0);
		assert_int_equal(gsym_lookup(g, 0x400fff, f, GSYM_MAX_FRAMES), 0);
		assert_int_equal(gsym_lookup(g, 0, f, GSYM_MAX_FRAMES), 0);
		assert_int_equal(gsym_lookup(g, 0x40103f, f, GSYM_MAX_FRAMES), 1);
		is_frame(&f[0], "_init", 63, 0, false);
		assert_string_equal(gsym_lookup_name(g, 0x401144, &offset), "foo");
		assert_int_equal(offset, 0x14);
		assert_null(gsym_lookup_name(g, 0x40114c, NULL));
		gsym_close(g);
	}
}

/* A call from a file that is not in the table is allowed only in files of the prototype. */
static void files_unwritten(void **state)
{
	static const struct {
		const char *path;
		size_t nr_files;	/* offset of the entry */
		uint8_t less;
		int nr;
	} all[] = {
		{ SAMPLES "prototype.gsym", 0x58, 0, 3 },
		{ SAMPLES "g14.gsym", 0x6c, 1, -EBADMSG },
	};
	struct gsym_frame f[GSYM_MAX_FRAMES];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct bytes b = { 0 };
		struct gsym *g = NULL;

		bytes_read_file(all[i].path, &b);
		assert_int_equal(b.p[all[i].nr_files], all[i].less + 1);
		b.p[all[i].nr_files] = all[i].less;
		assert_int_equal(gsym_open_bytes(b.p, b.len, "it", &g, NULL), 0);
		assert_int_equal(gsym_lookup(g, 0x401131, f, GSYM_MAX_FRAMES), all[i].nr);
		if (all[i].nr > 0) {
			assert_string_equal(f[0].function, "inner");
			assert_string_equal(f[0].file, "");
			assert_int_equal(f[0].line, 3);
		}
		gsym_close(g);
		free(b.p);
	}
}

/* If there is no room, outer frames are counted but not written. */
static void room(void **state)
{
	struct gsym *g = sample(samples[0]);
	struct gsym_frame f[2];

	memset(f, 0x5a, sizeof(f));
	assert_int_equal(gsym_lookup(g, 0x401131, f, 1), 3);
	is_frame(&f[0], "inner", 0, 3, true);
	assert_int_equal(f[1].line, 0x5a5a5a5a);
	assert_int_equal(gsym_lookup(g, 0x401131, NULL, 0), 3);
	gsym_close(g);
}

static void headers(void **state)
{
	static const enum gsym_layout layout[] = {
		GSYM_LLVM_1, GSYM_LLVM_2, GSYM_PROTOTYPE, GSYM_LLVM_1,
	};
	struct gsym_info i;
	struct gsym *g;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(samples); k++) {
		g = sample(samples[k]);
		gsym_identify(g, &i);
		assert_int_equal(i.layout, layout[k]);
		assert_false(i.big_endian);
		assert_int_equal(i.base, 0x400000);
		assert_int_equal(i.addr_size, 2);
		assert_int_equal(i.nr_functions, 10);
		assert_int_equal(i.nr_files, layout[k] == GSYM_PROTOTYPE ? 1 : 2);
		assert_int_equal(i.strings, 161);
		assert_int_equal(i.uuid_len, layout[k] == GSYM_PROTOTYPE ? 0 : 20);
		assert_int_equal(!i.section, k != 3);
		gsym_close(g);
	}
}

static void walks(void **state)
{
	static const struct gsym_line rows[] = {
		{ .addr = 0x401130, .line = 9 }, { .addr = 0x401131, .line = 3 },
		{ .addr = 0x401144, .line = 7 }, { .addr = 0x401147, .line = 10 },
	};
	struct gsym_function f;
	struct gsym_lines lines;
	struct gsym_calls calls;
	struct gsym_ranges ranges;
	struct gsym_line row;
	struct gsym_call c = { 0 };
	uint64_t start, end;
	struct gsym *g;
	size_t i, k;

	for (k = 0; k < ARRAY_SIZE(samples); k++) {
		g = sample(samples[k]);
		assert_int_equal(gsym_function(g, 7, &f), 0);
		assert_string_equal(f.name, "foo");
		assert_int_equal(f.size, 0x1c);
		assert_int_equal(gsym_lines_init(&lines, g, &f), 0);
		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			assert_int_equal(gsym_lines_next(&lines, &row), 1);
			assert_int_equal(row.addr, rows[i].addr);
			assert_int_equal(row.line, rows[i].line);
			assert_int_equal(row.file_index, 1);
		}
		assert_int_equal(gsym_lines_next(&lines, &row), 0);
		assert_int_equal(gsym_calls_init(&calls, g, &f), 0);
		for (i = 0; i < 3; i++) {
			assert_int_equal(gsym_calls_next(&calls, &c), 1);
			assert_int_equal(c.depth, i);
			assert_int_equal(c.nr_ranges, 1);
			assert_int_equal(c.call_line, i == 2 ? 6 : 10 * i);
		}
		assert_string_equal(c.name, "inner");
		gsym_ranges_init(&ranges, &c);
		assert_true(gsym_ranges_next(&ranges, &start, &end));
		assert_int_equal(start, 0x401131);
		assert_int_equal(end, 0x401144);
		assert_false(gsym_ranges_next(&ranges, &start, &end));
		assert_int_equal(gsym_calls_next(&calls, &c), 0);
		assert_int_equal(gsym_function(g, 10, &f), -EBADMSG);
		gsym_close(g);
	}
}

struct blob {
	uint8_t *p;
	size_t len;
};

static struct blob read_sample(const char *path)
{
	struct blob b;
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	b.p = malloc(4096);
	b.len = fread(b.p, 1, 4096, f);
	assert_true(b.len && b.len < 4096);
	fclose(f);
	return b;
}

/* All requests to a file: each must end in an answer or a refusal. */
static void ask(const struct gsym *g)
{
	struct gsym_frame f[GSYM_MAX_FRAMES];
	uint64_t addr;

	for (addr = 0x401000; addr < 0x401170; addr++)
		gsym_lookup(g, addr, f, GSYM_MAX_FRAMES);
}

/* Files cut anywhere, in memory of exactly that size, so that the sanitizer sees every overrun. */
static void cut(void **state)
{
	struct gsym *g;
	struct blob b;
	uint8_t *copy;
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		b = read_sample(samples[i]);
		for (len = 0; len < b.len; len++) {
			struct diag diag = { .offset = DIAG_NO_OFFSET };

			copy = malloc(len + !len);
			memcpy(copy, b.p, len);
			if (gsym_open_bytes(copy, len, "cut", &g, &diag)) {
				assert_true(diag.text[0]);
				assert_true(diag.offset <= b.len);
			} else {
				ask(g);
				gsym_close(g);
			}
			free(copy);
		}
		free(b.p);
	}
}

struct damage {
	const char *path;
	uint32_t off;
	uint8_t value;
	const char *text;
};

static void damaged_headers(void **state)
{
	static const struct damage list[] = {
		{ SAMPLES "g14.gsym", 0, 0, "not a GSYM file: wrong magic number" },
		{ SAMPLES "g14.gsym", 4, 3, "an unknown version" },
		{ SAMPLES "g14.gsym", 6, 3, "addresses of a size that is not 1, 2, 4 or 8" },
		{ SAMPLES "g14.gsym", 7, 21, "a UUID of more than 20 bytes" },
		{ SAMPLES "g14.gsym", 18, 1, "its addresses are cut off" },
		{ SAMPLES "g14.gsym", 0x15, 9, "its strings are cut off" },
		{ SAMPLES "g14.gsym", 0x18, 0xa0, "its last string has no end" },
		{ SAMPLES "g14.gsym", 0x6e, 1, "its file table is cut off" },
		{ SAMPLES "g14.gsym", 0x31, 0x20, "its addresses are not in order" },
		{ SAMPLES "g14.gsym", 0x44, 0x23, "an impossible offset of a function" },
		{ SAMPLES "g23v2.gsym", 7, 1, "strings in an unknown encoding" },
		{ SAMPLES "g23v2.gsym", 0x14, 7, NULL },
		{ SAMPLES "g23v2.gsym", 0x28, 7, "a part is missing" },
		{ SAMPLES "g23v2.gsym", 0x28, 2, "a part is there twice" },
		{ SAMPLES "g23v2.gsym", 0x32, 1, "a part is cut off" },
		{ SAMPLES "g23v2.gsym", 0x34, 0x12, "a part is too small for its functions" },
		{ SAMPLES "elf.o", 0x2a, 1, "its section headers are cut off" },
	};
	struct gsym *g;
	struct blob b;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		struct diag diag = { .offset = DIAG_NO_OFFSET };

		b = read_sample(list[i].path);
		b.p[list[i].off] = list[i].value;
		err = gsym_open_bytes(b.p, b.len, "damaged", &g, &diag);
		if (!list[i].text) {
			assert_int_equal(err, 0);
			gsym_close(g);
		} else {
			if (!err)
				fail_msg("opened, and not: %s", list[i].text);
			assert_int_equal(err, -EBADMSG);
			assert_string_equal(diag.text, list[i].text);
			assert_true(diag.offset <= b.len);
		}
		free(b.p);
	}
}

/* A file of version 1 with functions of 16 bytes at @addrs, each with @info. */
static struct gsym *make(struct blob *b, const uint32_t *addrs, uint32_t nr,
			 const uint8_t *info, size_t len)
{
	const uint32_t strings = 48 + 8 * nr + 12, first = strings + 4;
	uint32_t each = (uint32_t)(8 + len + 3) & ~3u, i;
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	uint32_t head[12] = { GSYM_MAGIC, 1 | 4 << 16, 0, 0, nr, strings, 4 }, files[3] = { 1 };
	struct gsym *g = NULL;

	b->len = first + each * nr;
	b->p = calloc(1, b->len);
	memcpy(b->p, head, sizeof(head));
	memcpy(b->p + 48, addrs, 4 * nr);
	memcpy(b->p + 48 + 8 * nr, files, sizeof(files));
	memcpy(b->p + strings, "\0ab", 4);
	for (i = 0; i < nr; i++) {
		uint32_t at = first + each * i, f[2] = { 16, 1 + (i & 1) };

		memcpy(b->p + 48 + 4 * nr + 4 * i, &at, 4);
		memcpy(b->p + at, f, sizeof(f));
		memcpy(b->p + at + 8, info, len);
	}
	if (gsym_open_bytes(b->p, b->len, "made", &g, &diag))
		fail_msg("%s", diag.text);
	return g;
}

static const uint8_t no_info[8];

static void several_at_one_address(void **state)
{
	static const uint32_t addrs[] = { 0x10, 0x40, 0x40, 0x40, 0x100 };
	struct gsym_function f;
	struct blob b;
	struct gsym *g = make(&b, addrs, 5, no_info, sizeof(no_info));
	uint32_t size = 0x20;

	assert_int_equal(gsym_find(g, 0x44, &f), 1);
	assert_string_equal(f.name, "b");
	/* the first function that reaches the address */
	assert_int_equal(gsym_find(g, 0x50, &f), 0);
	memcpy(b.p + f.at, &size, 4);
	assert_int_equal(gsym_find(g, 0x50, &f), 1);
	assert_string_equal(f.name, "b");
	assert_int_equal(gsym_find(g, 0x60, &f), 0);
	assert_int_equal(gsym_find(g, 0xf, &f), 0);
	assert_int_equal(gsym_find(g, UINT64_MAX, &f), 0);
	gsym_close(g);
	free(b.p);
}

/* A function that starts a byte before several others is not searched, even if it overlaps them. */
static void right_before_several(void **state)
{
	static const uint32_t addrs[] = { 0x3f, 0x40, 0x40 };
	struct gsym_function f;
	struct blob b;
	struct gsym *g = make(&b, addrs, 3, no_info, sizeof(no_info));

	assert_int_equal(gsym_find(g, 0x44, &f), 1);
	assert_int_equal(f.start, 0x40);
	assert_string_equal(f.name, "b");
	assert_int_equal(gsym_find(g, 0x3f, &f), 1);
	assert_int_equal(f.start, 0x3f);
	gsym_close(g);
	free(b.p);
}

/* Swaps the bytes of the 32-bit words in make()'s files, but not of bytes 4 to 8 and strings. */
static void turn_words(struct blob *b, uint32_t nr, uint8_t size)
{
	const uint32_t strings = 48 + 8 * nr + 12;
	uint32_t at, v;

	for (at = 0; at < b->len; at += 4) {
		if (at == strings)
			continue;
		memcpy(&v, b->p + at, 4);
		v = __builtin_bswap32(v);
		memcpy(b->p + at, &v, 4);
	}
	memcpy(b->p + 4, (uint8_t[]){ 0, 1, size, 0 }, 4);
}

/* Functions of a file of the other byte order, with any number of them. */
static void other_byte_order(void **state)
{
	uint32_t addrs[20], nr, i, at;
	struct gsym_function f;
	struct blob b;
	struct gsym *g;

	for (nr = 1; nr <= ARRAY_SIZE(addrs); nr++) {
		for (i = 0; i < nr; i++)
			addrs[i] = 0x1000 + 0x20 * i;
		gsym_close(make(&b, addrs, nr, no_info, sizeof(no_info)));
		turn_words(&b, nr, 4);
		assert_int_equal(gsym_open_bytes(b.p, b.len, "turned", &g, NULL), 0);
		assert_int_equal(gsym_find(g, 0xfff, &f), 0);
		for (at = 0; at < 0x20 * nr; at++) {
			assert_int_equal(gsym_find(g, 0x1000 + at, &f), at % 0x20 < 16);
			if (at % 0x20 < 16)
				assert_int_equal(f.start, 0x1000 + at / 0x20 * 0x20);
		}
		gsym_close(g);
		free(b.p);
	}
}

static int lookup_in(const uint8_t *info, size_t len)
{
	static const uint32_t addr = 0x40;
	struct gsym_frame f[GSYM_MAX_FRAMES];
	struct blob b;
	struct gsym *g = make(&b, &addr, 1, info, len);
	int nr = gsym_lookup(g, 0x44, f, GSYM_MAX_FRAMES);

	gsym_close(g);
	free(b.p);
	return nr;
}

static void damaged_lines(void **state)
{
	static const struct {
		uint8_t info[24];
		int nr;
	} list[] = {
		/* a good table: a row at the start; with a file that does not exist */
		{ { 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 1, 4, 0 }, -EBADMSG },
		{ { 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1, 0, 4, 0 }, 1 },
		/* no row at or before the address; a row after it */
		{ { 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 0 }, 1 },
		{ { 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 1, 2, 5, 0 }, 1 },
		/* the minimum is above the maximum; a range of 0, by which it would divide */
		{ { 1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 1, 4, 0 }, -EBADMSG },
		/* the line is below 0 */
		{ { 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 1, 0, 3, 0x70, 4, 0 }, -EBADMSG },
		/* no end; a number without an end; a number of 11 bytes */
		{ { 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 4 }, -EBADMSG },
		{ { 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 1, 2, 0x80 }, -EBADMSG },
		{ { 1, 0, 0, 0, 15, 0, 0, 0, 0, 0, 1, 2, 0x80, 0x80, 0x80, 0x80, 0x80,
		    0x80, 0x80, 0x80, 0x80, 0x80, 1 }, -EBADMSG },
		/* longer than the file */
		{ { 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff }, -EBADMSG },
		/* the largest line, and one more; with a file that is not looked up */
		{ { 1, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0, 2, 0, 0 }, 1 },
		{ { 1, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 0, 2, 0, 0 },
		  -EBADMSG },
		/* an unknown type is skipped */
		{ { 9, 0, 0, 0, 1, 0, 0, 0, 0xff }, 1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++)
		assert_int_equal(lookup_in(list[i].info, sizeof(list[i].info)), list[i].nr);
}

/* The entries of a function end with an entry of type 0, whose length may be missing. */
static void lists_cut_off(void **state)
{
	static const uint8_t zeros[4], lines[8] = { 1 };

	/* an empty table of lines, where the file ends */
	assert_int_equal(lookup_in(lines, 8), 1);
	assert_int_equal(lookup_in(zeros, 4), 1);
	assert_int_equal(lookup_in(zeros, 0), -EBADMSG);
	assert_int_equal(lookup_in(lines, 4), -EBADMSG);
}

/* Walks the rows of a table with such opcodes. Return: the number of rows, or an error. */
static int walk_rows(const uint8_t *table, uint8_t len, uint64_t *last)
{
	static const uint32_t addr = 0x40;
	uint8_t info[64] = { GSYM_INFO_LINES, 0, 0, 0, len };
	struct gsym_function f;
	struct gsym_lines it;
	struct gsym_line row;
	struct gsym *g;
	struct blob b;
	int more, nr = 0;

	memcpy(info + 8, table, len);
	g = make(&b, &addr, 1, info, sizeof(info));
	assert_int_equal(gsym_function(g, 0, &f), 0);
	more = gsym_lines_init(&it, g, &f);
	while (!more && (more = gsym_lines_next(&it, &row)) > 0) {
		nr++;
		*last = row.addr;
		more = 0;
	}
	gsym_close(g);
	free(b.p);
	return more < 0 ? more : nr;
}

/* Rows one after the other: a fault is reported, and is not a normal end. */
static void damaged_rows(void **state)
{
	static const struct {
		uint8_t table[32];
		uint8_t len;
		int nr;
	} list[] = {
		/* from 0 to 0 lines, starting at 1; file 0; two rows, 7 bytes apart */
		{ { 0, 0, 1, 1, 0, 2, 0, 2, 7, 0 }, 10, 2 },
		/* line, file or distance of the second row has no end */
		{ { 0, 0, 1, 1, 0, 2, 0, 3, 0x80 }, 9, -EBADMSG },
		{ { 0, 0, 1, 1, 0, 2, 0, 1, 0x80 }, 9, -EBADMSG },
		{ { 0, 0, 1, 1, 0, 2, 0, 2, 0x80 }, 9, -EBADMSG },
		/* the table has no end */
		{ { 0, 0, 1, 1, 0, 2, 0 }, 7, -EBADMSG },
		/* from the first row to 2^64 - 1, and one byte more: 0x40 + all but 0x41 */
		{ { 0, 0, 1, 1, 0, 2, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
		    0 }, 17, 1 },
		{ { 0, 0, 1, 1, 0, 2, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
		    2, 1, 0 }, 19, -EBADMSG },
	};
	uint64_t last;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++)
		assert_int_equal(walk_rows(list[i].table, list[i].len, &last), list[i].nr);
	walk_rows(list[0].table, list[0].len, &last);
	assert_int_equal(last, 0x47);
	walk_rows(list[5].table, list[5].len, &last);
	assert_true(last == UINT64_MAX);
}

/* Every special opcode, with ranges for which a multiplication could overflow. */
static void special_opcodes(void **state)
{
	static const int ranges[] = { 1, 2, 3, 7, 15, 63, 64, 65, 127, 250, 251, 252, 253 };
	static const uint32_t addr = 0x1000;
	struct gsym_frame f;
	struct blob b;
	struct gsym *g;
	size_t i;
	int op;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		for (op = 4; op < 256; op++) {
			int max = ranges[i] - 1, q = (op - 4) / ranges[i];
			/* min 0, max, first line 5; file 0; a row; the opcode; the end */
			uint8_t info[] = {
				1, 0, 0, 0, 10, 0, 0, 0, 0,
				(uint8_t)(0x80 | (max & 0x7f)), (uint8_t)(max >> 7), 5,
				1, 0, 2, 0, (uint8_t)op, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			};

			if (q > 15)
				continue;
			g = make(&b, &addr, 1, info, sizeof(info));
			assert_int_equal(gsym_lookup(g, addr + (unsigned int)q, &f, 1), 1);
			assert_int_equal(f.line, 5 + (op - 4) % ranges[i]);
			if (q) {
				assert_int_equal(gsym_lookup(g, addr + (unsigned int)q - 1, &f, 1), 1);
				assert_int_equal(f.line, 5);
			}
			gsym_close(g);
			free(b.p);
		}
	}
}

/* In a function of 16 bytes with one row. Return: results of a lookup and of a walk of the calls. */
static int calls_of(const uint8_t *calls, uint8_t len, int *walked)
{
	static const uint8_t lines[] = { 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1, 0, 4, 0 };
	static const uint32_t addr = 0x40;
	uint8_t info[96] = { 0 }, *p = info + sizeof(lines);
	struct gsym_frame f[GSYM_MAX_FRAMES];
	struct gsym_function func;
	struct gsym_calls it;
	struct gsym_call c;
	struct gsym *g;
	struct blob b;
	int nr;

	memcpy(info, lines, sizeof(lines));
	p[0] = GSYM_INFO_INLINES;
	p[4] = len;
	memcpy(p + 8, calls, len);
	g = make(&b, &addr, 1, info, sizeof(info));
	nr = gsym_lookup(g, 0x44, f, GSYM_MAX_FRAMES);
	assert_int_equal(gsym_function(g, 0, &func), 0);
	assert_int_equal(gsym_calls_init(&it, g, &func), 0);
	for (*walked = 0; *walked >= 0 && (nr < 0 || *walked < nr);) {
		int more = gsym_calls_next(&it, &c);

		if (more <= 0) {
			*walked = more ? more : *walked;
			break;
		}
		++*walked;
	}
	gsym_close(g);
	free(b.p);
	return nr;
}

/* Calls with a number that is too large, or missing. */
static void damaged_calls(void **state)
{
	/* the function: from 0 on 16 bytes, with children, its name, without a call site */
	#define ROOT 1, 0, 16, 1, 1, 0, 0, 0, 0, 0
	#define CALL 1, 0, 16, 0, 1, 0, 0, 0
	#define TEN 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
	#define LARGEST 0xff, 0xff, 0xff, 0xff, 0x0f
	#define TOO_LARGE 0x80, 0x80, 0x80, 0x80, 0x10
	static const struct {
		uint8_t calls[48];
		uint8_t len;
		int nr, walked;
	} list[] = {
		{ { ROOT, CALL, 0, 7, 0 }, 21, 2, 2 },
		{ { ROOT, CALL, 0, LARGEST, 0 }, 25, 2, 2 },
		{ { ROOT, CALL, 0, TOO_LARGE, 0 }, 25, -EBADMSG, -EBADMSG },
		/* it would be file 0, which exists */
		{ { ROOT, CALL, TOO_LARGE, 7, 0 }, 25, -EBADMSG, -EBADMSG },
		{ { ROOT, CALL, LARGEST, 7, 0 }, 25, -EBADMSG, -EBADMSG },
		/* the start, or the size, of a range in more than 64 bits */
		{ { 1, TEN, 1, 16, 0, 1, 0, 0, 0, 0, 0, 0 }, 22, -EBADMSG, -EBADMSG },
		{ { 1, 0, TEN, 1, 0, 1, 0, 0, 0, 0, 0, 0 }, 22, -EBADMSG, -EBADMSG },
		/* cut off after the ranges: in the name, before file and line */
		{ { ROOT, 1, 0, 16, 0, 1, 0 }, 16, -EBADMSG, -EBADMSG },
		{ { ROOT, CALL }, 18, -EBADMSG, -EBADMSG },
		{ { ROOT, CALL, 0 }, 19, -EBADMSG, -EBADMSG },
		/* a call beside the one with the address; cut off in it, and after it */
		{ { ROOT, 1, 0, 4, 0, 1, 0, 0, 0, 0, 7, CALL, 0, 7, 0 }, 31, 2, 2 },
		{ { ROOT, 1, 0, 4, 1, 1, 0, 0, 0, 0, 7, CALL, 0, 7 }, 30, -EBADMSG, -EBADMSG },
	};
	size_t i;
	int walked;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		assert_int_equal(calls_of(list[i].calls, list[i].len, &walked), list[i].nr);
		assert_int_equal(walked, list[i].walked);
	}
}

/* @depth nodes, each inlined into the one before. */
static int nested(unsigned int depth)
{
	static const uint8_t lines[] = { 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1, 0, 4, 0 };
	static const uint8_t node[] = { 1, 0, 16, 1, 1, 0, 0, 0, 0, 7 };
	uint32_t size = (uint32_t)(depth * (sizeof(node) + 1));
	size_t len = sizeof(lines) + 8 + size + 8;
	uint8_t *info = calloc(1, len), *p = info;
	unsigned int i;
	int nr;

	memcpy(p, lines, sizeof(lines));
	p += sizeof(lines);
	*p = GSYM_INFO_INLINES;
	memcpy(p + 4, &size, 4);
	p += 8;
	for (i = 0; i < depth; i++, p += sizeof(node))
		memcpy(p, node, sizeof(node));
	nr = lookup_in(info, len);
	free(info);
	return nr;
}

/* Return: number of nodes that a walk has visited; -EBADMSG: it was refused after them. */
static int walk_nested(unsigned int depth, unsigned int *nr)
{
	static const uint8_t node[] = { 1, 0, 16, 1, 1, 0, 0, 0, 0, 7 };
	static const uint32_t addr = 0x40;
	uint32_t size = (uint32_t)(depth * (sizeof(node) + 1));
	uint8_t *info = calloc(1, 8 + size + 8);
	struct gsym_function func;
	struct gsym_calls it;
	struct gsym_call c;
	unsigned int i;
	struct gsym *g;
	struct blob b;
	int more;

	info[0] = GSYM_INFO_INLINES;
	memcpy(info + 4, &size, 4);
	for (i = 0; i < depth; i++)
		memcpy(info + 8 + i * sizeof(node), node, sizeof(node));
	g = make(&b, &addr, 1, info, 8 + size + 8);
	assert_int_equal(gsym_function(g, 0, &func), 0);
	assert_int_equal(gsym_calls_init(&it, g, &func), 0);
	for (*nr = 0; (more = gsym_calls_next(&it, &c)) > 0; ++*nr)
		assert_int_equal(c.depth, *nr);
	gsym_close(g);
	free(b.p);
	free(info);
	return more;
}

/* Walks, too, end at the maximum depth. */
static void walks_of_deep_calls(void **state)
{
	unsigned int nr;

	assert_int_equal(walk_nested(2, &nr), 0);
	assert_int_equal(nr, 2);
	assert_int_equal(walk_nested(GSYM_MAX_DEPTH, &nr), 0);
	assert_int_equal(nr, GSYM_MAX_DEPTH);
	assert_int_equal(walk_nested(GSYM_MAX_DEPTH + 1, &nr), -EBADMSG);
	assert_int_equal(nr, GSYM_MAX_DEPTH);
	assert_int_equal(walk_nested(10000, &nr), -EBADMSG);
}

static void deep_calls(void **state)
{
	/* the first is the function itself */
	assert_int_equal(nested(1), 1);
	assert_int_equal(nested(2), 2);
	assert_int_equal(nested(GSYM_MAX_DEPTH + 1), GSYM_MAX_FRAMES);
	assert_int_equal(nested(GSYM_MAX_DEPTH + 2), -EBADMSG);
	assert_int_equal(nested(10000), -EBADMSG);
}

static void not_files(void **state)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	static const uint8_t fat[64] = { 0xca, 0xfe, 0xba, 0xbe };
	struct gsym *g;

	assert_int_equal(gsym_open("/nowhere", &g, &diag), -ENOENT);
	assert_int_equal(gsym_open("/dev/null", &g, &diag), -EINVAL);
	assert_int_equal(gsym_open(SAMPLES, &g, &diag), -EINVAL);
	assert_int_equal(gsym_open("/proc/self/exe", &g, &diag), -EBADMSG);
	assert_string_equal(diag.text, "no section .gsym");
	assert_int_equal(gsym_open_bytes(fat, sizeof(fat), "fat", &g, &diag), -EBADMSG);
	assert_string_equal(diag.text, "several Mach-O files in one: lipo(1) takes one out");
	assert_int_equal(diag.offset, 0);
	gsym_close(NULL);
}

/* The other end of a pipe may never write, so a pipe is refused at once. */
static void a_pipe(void **state)
{
	char dir[] = "/tmp/gsym-XXXXXX", path[64];
	struct gsym *g;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/pipe", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	alarm(10);
	assert_int_equal(gsym_open(path, &g, NULL), -EINVAL);
	alarm(0);
	unlink(path);
	rmdir(dir);
}

/* A process may have no standard input. */
static void descriptor_0(void **state)
{
	int saved = dup(0);
	struct gsym *g;

	close(0);
	g = sample(samples[0]);
	assert_non_null(g);
	gsym_close(g);
	if (saved >= 0) {
		dup2(saved, 0);
		close(saved);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lookups),
		cmocka_unit_test(files_unwritten),
		cmocka_unit_test(room),
		cmocka_unit_test(headers),
		cmocka_unit_test(walks),
		cmocka_unit_test(cut),
		cmocka_unit_test(damaged_headers),
		cmocka_unit_test(several_at_one_address),
		cmocka_unit_test(right_before_several),
		cmocka_unit_test(other_byte_order),
		cmocka_unit_test(damaged_lines),
		cmocka_unit_test(lists_cut_off),
		cmocka_unit_test(damaged_rows),
		cmocka_unit_test(special_opcodes),
		cmocka_unit_test(damaged_calls),
		cmocka_unit_test(deep_calls),
		cmocka_unit_test(walks_of_deep_calls),
		cmocka_unit_test(not_files),
		cmocka_unit_test(a_pipe),
		cmocka_unit_test(descriptor_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
