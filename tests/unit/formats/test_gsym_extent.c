// SPDX-License-Identifier: GPL-2.0-only
/* The reader of GSYM files: where a function begins and how many bytes it has. */
#include "support.h"

#include <string.h>

#include "formats/gsym/reader.h"

#define SAMPLE "tests/golden/gsym/g14.gsym"
#define NR_FUNCTIONS 10

/* Functions of SAMPLE; the file has a size for some of them only. */
static const struct {
	uint64_t start, size;
} functions[NR_FUNCTIONS] = {
	{ 0x401000, 0x40 }, { 0x401040, 0x22 }, { 0x401070, 0x01 }, { 0x401080, 0x30 },
	{ 0x4010b0, 0x40 }, { 0x4010f0, 0x30 }, { 0x401120, 0x10 }, { 0x401130, 0x1c },
	{ 0x401150, 0x08 }, { 0x401158, 0x09 },
};

/* Places of numbers of 32 bits in SAMPLE. */
#define NAME_OF_6TH 0x178
#define SIZE_OF_LAST 0x1fc

static void set(struct bytes *b, size_t at, uint32_t old, uint32_t new)
{
	assert_memory_equal(b->p + at, &old, sizeof(old));
	memcpy(b->p + at, &new, sizeof(new));
}

static void is_extent(const struct gsym *g, uint64_t addr, uint64_t start, uint64_t size)
{
	uint64_t got_start = 1, got_size = 1;

	assert_int_equal(gsym_extent(g, addr, &got_start, &got_size), 1);
	assert_int_equal(got_start, start);
	assert_int_equal(got_size, size);
}

static void is_none(const struct gsym *g, uint64_t addr)
{
	uint64_t start = 0x5a, size = 0xa5;

	assert_int_equal(gsym_extent(g, addr, &start, &size), 0);
	assert_int_equal(start, 0x5a);
	assert_int_equal(size, 0xa5);
}

static void all_functions(void **state)
{
	struct gsym *g;
	size_t i;

	assert_int_equal(gsym_open(SAMPLE, &g, NULL), 0);
	for (i = 0; i < NR_FUNCTIONS; i++) {
		is_extent(g, functions[i].start, functions[i].start, functions[i].size);
		is_extent(g, functions[i].start + functions[i].size - 1, functions[i].start,
			  functions[i].size);
	}
	is_none(g, functions[0].start - 1);
	is_none(g, functions[1].start + functions[1].size);
	is_none(g, functions[NR_FUNCTIONS - 1].start + functions[NR_FUNCTIONS - 1].size);
	gsym_close(g);
}

/* Nothing says where the last function ends if the file has no size for it. */
static void last_without_size(void **state)
{
	const uint64_t start = functions[NR_FUNCTIONS - 1].start;
	struct bytes b = { 0 };
	struct gsym *g;

	bytes_read_file(SAMPLE, &b);
	set(&b, SIZE_OF_LAST, 9, 0);
	assert_int_equal(gsym_open_bytes(b.p, b.len, "made", &g, NULL), 0);
	is_extent(g, start, start, 0);
	is_extent(g, start + 100, start, 0);
	gsym_close(g);
	free(b.p);
}

/* A function that cannot be read ends the search for the next one: no size is made up. */
static void unreadable_neighbour(void **state)
{
	const uint64_t start = functions[3].start;
	struct bytes b = { 0 };
	struct gsym *g;

	bytes_read_file(SAMPLE, &b);
	set(&b, NAME_OF_6TH, 0x54, UINT32_MAX);
	assert_int_equal(gsym_open_bytes(b.p, b.len, "made", &g, NULL), 0);
	is_extent(g, start + 1, start, 0);
	gsym_close(g);
	free(b.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_functions),
		cmocka_unit_test(last_without_size),
		cmocka_unit_test(unreadable_neighbour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
