// SPDX-License-Identifier: GPL-2.0-only
/* The reader of GSYM files: the layouts of version 1, and what only one of them may contain. */
#include "support.h"

#include <errno.h>
#include <string.h>

#include "formats/gsym/format.h"
#include "formats/gsym/reader.h"

/*
 * A file of version 1 without functions. LLVM's has a UUID of up to 20 bytes after the place of
 * its strings, followed by the file table; the prototype's file table is where the UUID would
 * be. The first file of LLVM's table is empty.
 */
static void which_layout(void **state)
{
	static const struct {
		uint8_t uuid_len, uuid, nr_files, file;
		enum gsym_layout layout;
	} list[] = {
		{ 0, 0, 0, 0, GSYM_LLVM_1 },
		{ 0, 0, 0, 1, GSYM_LLVM_1 },	/* the following bytes are not a file */
		{ 0, 0, 1, 0, GSYM_LLVM_1 },
		{ 0, 0, 1, 1, GSYM_PROTOTYPE },
		{ 20, 0, 1, 1, GSYM_LLVM_1 },
		{ 20, 9, 0, 1, GSYM_LLVM_1 },
		{ 4, 0, 0, 0, GSYM_LLVM_1 },
	};
	struct gsym_info info;
	struct gsym *g;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		uint32_t head[16] = { GSYM_MAGIC, 1 | 4 << 16 | (uint32_t)list[i].uuid_len << 24,
				      0, 0, 0, 60, 4, list[i].uuid };

		/* the file table at 48; the strings, of which the first is empty, at 60 */
		head[12] = list[i].nr_files;
		head[13] = list[i].file;
		assert_int_equal(gsym_open_bytes((uint8_t *)head, sizeof(head), "made", &g, NULL),
				 0);
		gsym_identify(g, &info);
		assert_int_equal(info.layout, list[i].layout);
		gsym_close(g);
	}
}

static bool is_mapped(const char *name)
{
	FILE *f = fopen("/proc/self/maps", "r");
	bool found = false;
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		found |= strstr(line, name) != NULL;
	fclose(f);
	return found;
}

/* Nothing of a file remains when it is closed, or refused. */
static void closed_files_are_not_mapped(void **state)
{
	struct gsym *g;

	assert_int_equal(gsym_open("tests/golden/gsym/g14.gsym", &g, NULL), 0);
	assert_true(is_mapped("g14.gsym"));
	gsym_close(g);
	assert_false(is_mapped("g14.gsym"));
	assert_int_equal(gsym_open("tests/golden/sframe/t44.elf", &g, NULL), -EBADMSG);
	assert_false(is_mapped("t44.elf"));
}

/* If a file is refused, the caller's pointer stays as it was. */
static void refused(void **state)
{
	struct gsym *g = (void *)1;
	uint8_t zeros[64] = { 0 };

	assert_int_equal(gsym_open_bytes(zeros, sizeof(zeros), "it", &g, NULL), -EBADMSG);
	assert_ptr_equal(g, (void *)1);
}

/* Without a length of its UUID, and not a prototype's either: it is read as LLVM's. */
static void uuid_of_no_length(void **state)
{
	struct gsym_frame f[GSYM_MAX_FRAMES];
	struct bytes b = { 0 };
	struct gsym_info info;
	struct gsym *g;

	bytes_read_file("tests/golden/gsym/g14.gsym", &b);
	assert_int_equal(b.p[7], 20);
	b.p[7] = 0;
	assert_int_equal(gsym_open_bytes(b.p, b.len, "made", &g, NULL), 0);
	gsym_identify(g, &info);
	assert_int_equal(info.layout, GSYM_LLVM_1);
	assert_int_equal(info.uuid_len, 0);
	assert_int_equal(gsym_lookup(g, 0x401131, f, GSYM_MAX_FRAMES), 3);
	gsym_close(g);
	free(b.p);
}

/*
 * One address of one byte: offsets of functions at 32, or at 29 as the native tool wrote them.
 */
static void prototype_offsets(void **state)
{
	static const uint32_t places[] = { 29, 32 };
	const uint32_t head[] = { GSYM_MAGIC, 1 | 1 << 16, 0x1000, 0, 1, 40, 4 }, at = 44, size = 16;
	struct gsym_frame f[GSYM_MAX_FRAMES];
	struct gsym_info info;
	uint8_t bytes[64];
	struct gsym *g;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, head, sizeof(head));
		bytes[28] = 0x20;
		memcpy(bytes + places[i], &at, 4);
		/* no files at 36 */
		memcpy(bytes + 40, "\0ab", 4);
		memcpy(bytes + 44, &size, 4);
		bytes[48] = 1;
		assert_int_equal(gsym_open_bytes(bytes, sizeof(bytes), "made", &g, NULL), 0);
		gsym_identify(g, &info);
		assert_int_equal(info.layout, GSYM_PROTOTYPE);
		assert_int_equal(gsym_lookup(g, 0x1025, f, GSYM_MAX_FRAMES), 1);
		assert_string_equal(f[0].function, "ab");
		assert_int_equal(gsym_lookup(g, 0x1030, f, GSYM_MAX_FRAMES), 0);
		gsym_close(g);
	}
}

/* A file of the prototype's layout with one function, at 0x1020, that is to be put at 44. */
static void put_head(void *file, size_t len)
{
	static const uint32_t head[] = { GSYM_MAGIC, 1 | 4 << 16, 0x1000, 0, 1, 40, 4, 0x20, 44 };

	memset(file, 0, len);
	memcpy(file, head, sizeof(head));
	memcpy((uint8_t *)file + 40, "\0ab", 4);
}

/*
 * Files and lines are numbers of 32 bits. The prototype may name files that it has not written.
 */
static void largest_file_and_line(void **state)
{
	static const uint8_t lebs[][5] = {
		{ 0xff, 0xff, 0xff, 0xff, 0x0f }, { 0x80, 0x80, 0x80, 0x80, 0x10 },
	};
	const uint32_t function[] = { 16, 1, GSYM_INFO_LINES, 16 };
	struct gsym_frame f[GSYM_MAX_FRAMES];
	unsigned int file, line;
	struct gsym_function func;
	struct gsym_lines it;
	struct gsym_line row;
	uint8_t bytes[96];
	struct gsym *g;
	bool good;

	for (file = 0; file < 2; file++) {
		for (line = 0; line < 2; line++) {
			put_head(bytes, sizeof(bytes));
			memcpy(bytes + 44, function, sizeof(function));
			/* from 0 to 0 lines, the line, the file, a row, the end */
			memcpy(bytes + 62, lebs[line], 5);
			bytes[67] = 1;
			memcpy(bytes + 68, lebs[file], 5);
			bytes[73] = 2;
			good = !file && !line;
			assert_int_equal(gsym_open_bytes(bytes, sizeof(bytes), "it", &g, NULL), 0);
			assert_int_equal(gsym_lookup(g, 0x1020, f, 1), good ? 1 : -EBADMSG);
			assert_int_equal(gsym_function(g, 0, &func), 0);
			assert_int_equal(gsym_lines_init(&it, g, &func), line ? -EBADMSG : 0);
			if (!line)
				assert_int_equal(gsym_lines_next(&it, &row),
						 good ? 1 : -EBADMSG);
			if (good) {
				assert_int_equal(f[0].line, UINT32_MAX);
				assert_int_equal(row.line, UINT32_MAX);
				assert_int_equal(row.file_index, UINT32_MAX);
			}
			gsym_close(g);
		}
	}
}

/* A line table that ends in its header. */
static void header_cut_off(void **state)
{
	const uint32_t function[] = { 16, 1, GSYM_INFO_LINES, 2 };
	struct gsym_function func;
	struct gsym_lines it;
	uint8_t bytes[96];
	struct gsym *g;

	put_head(bytes, sizeof(bytes));
	memcpy(bytes + 44, function, sizeof(function));
	assert_int_equal(gsym_open_bytes(bytes, sizeof(bytes), "it", &g, NULL), 0);
	assert_int_equal(gsym_function(g, 0, &func), 0);
	assert_int_equal(gsym_lines_init(&it, g, &func), -EBADMSG);
	gsym_close(g);
}

/* Empty lists, and lists of two: functions that were merged, and call sites. */
static void lists(void **state)
{
	const uint32_t two[] = { 2, 16, 16, 1, 0, 0, 16, 16, 2, 0, 0 };
	struct gsym_function func, other;
	struct gsym_merged merged;
	struct gsym_sites sites;
	struct gsym_site site;
	uint32_t words[40], nr, n;
	struct gsym *g;

	for (nr = 0; nr <= 2; nr += 2) {
		put_head(words, sizeof(words));
		words[11] = 16;
		words[12] = 1;
		words[13] = GSYM_INFO_SITES;
		words[14] = 4;
		words[16] = GSYM_INFO_MERGED;
		words[17] = nr ? sizeof(two) : 4;
		memcpy(words + 18, two, sizeof(two));
		words[18] = nr;
		assert_int_equal(gsym_open_bytes(words, sizeof(words), "it", &g, NULL), 0);
		assert_int_equal(gsym_function(g, 0, &func), 0);
		assert_int_equal(gsym_sites_init(&sites, g, &func), 0);
		assert_int_equal(gsym_sites_next(&sites, &site), 0);
		assert_int_equal(gsym_merged_init(&merged, g, &func), 0);
		for (n = 0; n < nr; n++) {
			assert_int_equal(gsym_merged_next(&merged, &other), 1);
			assert_string_equal(other.name, n ? "b" : "ab");
			assert_ptr_equal(other.end, words + 24 + 5 * n);
		}
		assert_int_equal(gsym_merged_next(&merged, &other), 0);
		gsym_close(g);
	}
}

/* Lists that are cut off in their number, and in the length of an element. */
static void lists_cut_off(void **state)
{
	struct gsym_function func, other;
	struct gsym_merged merged;
	struct gsym_sites sites;
	uint32_t words[32], len;
	struct gsym *g;

	for (len = 1; len < 8; len++) {
		put_head(words, sizeof(words));
		words[11] = 16;
		words[12] = 1;
		words[13] = GSYM_INFO_SITES;
		words[14] = 4;
		words[15] = 1;
		words[16] = GSYM_INFO_MERGED;
		words[17] = len;
		words[18] = 1;
		assert_int_equal(gsym_open_bytes(words, sizeof(words), "it", &g, NULL), 0);
		assert_int_equal(gsym_function(g, 0, &func), 0);
		assert_int_equal(gsym_merged_init(&merged, g, &func), len < 4 ? -EBADMSG : 0);
		if (len >= 4)
			assert_int_equal(gsym_merged_next(&merged, &other), -EBADMSG);
		assert_int_equal(gsym_sites_init(&sites, g, &func), 0);
		gsym_close(g);
		words[14] = len & 3;
		assert_int_equal(gsym_open_bytes(words, sizeof(words), "it", &g, NULL), 0);
		assert_int_equal(gsym_function(g, 0, &func), 0);
		assert_int_equal(gsym_sites_init(&sites, g, &func), len & 3 ? -EBADMSG : 0);
		gsym_close(g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_layout),
		cmocka_unit_test(closed_files_are_not_mapped),
		cmocka_unit_test(refused),
		cmocka_unit_test(uuid_of_no_length),
		cmocka_unit_test(prototype_offsets),
		cmocka_unit_test(largest_file_and_line),
		cmocka_unit_test(header_cut_off),
		cmocka_unit_test(lists),
		cmocka_unit_test(lists_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
