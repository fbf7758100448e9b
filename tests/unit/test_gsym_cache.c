// SPDX-License-Identifier: GPL-2.0-only
/* The cache of decoded functions: it answers as lookups do that decode every time. */
#include "support.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gsym/build.h"
#include "gsym/cache.h"
#include "gsym/format.h"

#define BASE 0x10000u
#define FUNCTIONS 400u
#define SIZE 0x400u
#define ROWS 60u
#define CALLS 24u
/* The last function is too large to be kept. */
#define LARGE_ROWS 3000u
#define LARGE (BASE + (FUNCTIONS - 1) * SIZE)
#define END (LARGE + 4 * LARGE_ROWS)

static uint32_t chance(uint32_t below)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % below;
}

static uint32_t new_string(struct gsym_part *part, const char *kind, uint32_t number)
{
	char text[32];
	uint32_t ret;
	int len = snprintf(text, sizeof(text), "%s%u", kind, number);

	assert_int_equal(gsym_part_string(part, text, (size_t)len, &ret), 0);
	return ret;
}

/* A chain of calls, in others of which each is the whole of two ranges, and the next
 * one in the first of them.
 */
static void add_function(struct gsym_part *part, uint32_t start, uint32_t nr_rows)
{
	static struct gsym_new_line rows[LARGE_ROWS];
	struct range ranges[CALLS][2];
	struct gsym_new_call calls[CALLS];
	struct gsym_new_function f = {
		.range = { start, start + (nr_rows == ROWS ? SIZE : 4 * nr_rows) },
		.name = new_string(part, "f", start), .order = start,
		.lines = rows, .nr_lines = nr_rows, .calls = calls, .nr_calls = CALLS,
	};
	uint32_t file, i, left = start + 8, depth;

	assert_int_equal(gsym_part_file(part, 0, new_string(part, "x", start % 7), &file), 0);
	for (i = 0; i < nr_rows; i++)
		rows[i] = (struct gsym_new_line){ start + 4 * (i + 1), i % 5 ? file : 0,
						  1 + chance(1000) };
	for (i = 0; i < CALLS; i++) {
		depth = i % 4;
		if (!depth && i)
			left += 40;
		ranges[i][0] = (struct range){ left + depth, left + 20 - depth };
		ranges[i][1] = (struct range){ left + 22, left + 30 };
		calls[i] = (struct gsym_new_call){
			.ranges = ranges[i], .nr_ranges = depth ? 1 : 2, .depth = depth + 1,
			.name = new_string(part, "g", i), .call_file = file, .call_line = i + 1,
		};
	}
	assert_int_equal(gsym_part_add(part, &f), 0);
}

static struct gsym *many(void)
{
	const struct gsym_write_options o = { .layout = GSYM_LLVM_1, .base = BASE };
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym *g = NULL;
	char path[32];
	uint32_t i;
	int fd;

	assert_non_null(part);
	for (i = 0; i < FUNCTIONS; i++)
		add_function(part, BASE + i * SIZE, i == FUNCTIONS - 1 ? LARGE_ROWS : ROWS);
	fd = memfd_create("many", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(gsym_write(&part, 1, &o, fd, path, NULL, &diag), 0);
	gsym_part_free(part);
	assert_int_equal(gsym_open(path, &g, &diag), 0);
	close(fd);
	return g;
}

static void same_answer(const struct gsym *g, struct gsym_cache *c, uint64_t addr)
{
	static struct gsym_frame a[GSYM_MAX_FRAMES], b[GSYM_MAX_FRAMES];
	int nr = gsym_lookup(g, addr, a, GSYM_MAX_FRAMES), i;

	assert_int_equal(gsym_cache_lookup(c, addr, b, GSYM_MAX_FRAMES), nr);
	for (i = 0; i < nr; i++) {
		assert_ptr_equal(a[i].function, b[i].function);
		assert_string_equal(a[i].dir, b[i].dir);
		assert_string_equal(a[i].file, b[i].file);
		assert_int_equal(a[i].line, b[i].line);
		assert_int_equal(a[i].offset, b[i].offset);
		assert_int_equal(a[i].inlined, b[i].inlined);
	}
	if (nr > 1) {
		memset(b, 0x5a, sizeof(b[0]) * 2);
		assert_int_equal(gsym_cache_lookup(c, addr, b, 1), nr);
		assert_int_equal(b[1].line, 0x5a5a5a5a);
	}
}

/* Any number of them, also outside of all functions. */
static void prefetch_some(const struct gsym_cache *c)
{
	uint64_t addrs[2 * GSYM_CACHE_PREFETCHED];
	unsigned int nr = chance(ARRAY_SIZE(addrs) + 1), i;

	for (i = 0; i < nr; i++)
		addrs[i] = chance(8) ? BASE + chance(END - BASE) : chance(2) ? 0 : UINT64_MAX;
	gsym_cache_prefetch(c, addrs, nr);
}

/* All that has room; more than has; and one that needs the room of many. */
static void any_size(void **state)
{
	static const size_t sizes[] = { 0, 256 << 10, 8 << 20 };
	struct gsym *g = many();
	struct gsym_cache *c;
	uint32_t i, k;

	for (k = 0; k < ARRAY_SIZE(sizes); k++) {
		assert_int_equal(gsym_cache_new(g, sizes[k], &c), 0);
		for (i = 0; i < 60000; i++) {
			if (!chance(16))
				prefetch_some(c);
			same_answer(g, c, BASE - 16 + chance(END - BASE + 32));
		}
		for (i = 0; i < 3000; i++)
			same_answer(g, c, LARGE + chance(END - LARGE));
		for (i = BASE; i < BASE + 60 * SIZE; i++)
			same_answer(g, c, i);
		gsym_cache_free(c);
	}
	gsym_close(g);
	gsym_cache_free(NULL);
}

/*
 * Calls that overlap, as no writer makes them: 'b' is [0, 8), an empty range and [20, 24),
 * 'c', after it, [4, 12) and in it 'd' [4, 8) and [10, 22): where two have an address it is
 * the first one's, and what is in the other one is not looked at there.
 */
static void overlaps(void **state)
{
	static const char expected[] = "bbbbbbbbccddaaaaaaaabbbbaaaaaaaa";
	static const uint8_t info[] = {
		1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0, 0,
		2, 0, 0, 0, 48, 0, 0, 0,
		1, 0, 32, 1, 1, 0, 0, 0, 0, 0,
		3, 0, 8, 12, 0, 20, 4, 0, 3, 0, 0, 0, 0, 1,
		1, 4, 8, 1, 5, 0, 0, 0, 0, 2,
		2, 0, 4, 6, 12, 0, 7, 0, 0, 0, 0, 3,
		0, 0,
		0, 0, 0, 0, 0, 0, 0, 0,
	};
	const uint32_t head[] = {
		GSYM_MAGIC, 1 | 4 << 16, 0, 0, 1, 68, 12, 0, 0, 0, 0, 0,
		/* an address, where its function is, and the file table */
		0x100, 80, 1, 0, 0,
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	uint8_t bytes[88 + sizeof(info)] = { 0 };
	struct gsym_frame f[GSYM_MAX_FRAMES];
	struct gsym_cache *c;
	struct gsym *g;
	uint32_t i, round;

	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + 68, "\0a\0b\0c\0d\0\0\0", 12);
	memcpy(bytes + 80, (uint32_t[]){ 32, 1 }, 8);
	memcpy(bytes + 88, info, sizeof(info));
	if (gsym_open_bytes(bytes, sizeof(bytes), "made", &g, &diag))
		fail_msg("%s", diag.text);
	assert_int_equal(gsym_cache_new(g, 0, &c), 0);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < 32; i++) {
			same_answer(g, c, 0x100 + i);
			assert_true(gsym_cache_lookup(c, 0x100 + i, f, GSYM_MAX_FRAMES) > 0);
			assert_int_equal(f[0].function[0], expected[i]);
		}
	}
	gsym_cache_free(c);
	gsym_close(g);
}

/* Each byte of a sample in turn something else. */
static void damage(void **state)
{
	static const uint8_t flips[] = { 0x01, 0x80, 0xff };
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	FILE *file = fopen("tests/golden/gsym/g14.gsym", "r");
	uint8_t bytes[4096];
	struct gsym_cache *c;
	struct gsym *g;
	size_t len, i, k;
	uint64_t addr;

	assert_non_null(file);
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_true(len && len < sizeof(bytes));
	for (i = 0; i < len * ARRAY_SIZE(flips); i++) {
		bytes[i % len] ^= flips[i / len];
		if (!gsym_open_bytes(bytes, len, "damaged", &g, &diag)) {
			assert_int_equal(gsym_cache_new(g, 0, &c), 0);
			for (addr = 0x401030; addr < 0x401150; addr += 3)
				for (k = 0; k < 3; k++)
					same_answer(g, c, addr);
			gsym_cache_free(c);
			gsym_close(g);
		}
		bytes[i % len] ^= flips[i / len];
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_size),
		cmocka_unit_test(overlaps),
		cmocka_unit_test(damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
