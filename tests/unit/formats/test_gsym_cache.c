// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cache of decoded functions: it gives the same answers as lookups that decode every time,
 * and decodes no more than its header says. The cache is compiled here again, with counters in
 * the functions that it calls.
 */
#include "support.h"
#include "alloc_fail.h"
#include "rounds.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/gsym/build.h"
#include "formats/gsym/cache.h"
#include "formats/gsym/expand.h"
#include "formats/gsym/format.h"
#include "formats/gsym/read.h"

#define MOST_PREFETCHED 64u

static struct {
	unsigned int decoded;	/* functions */
	unsigned int searched;	/* lookups that read the bytes of the file */
	const void *prefetched[MOST_PREFETCHED];
	unsigned int nr_prefetched;
} seen;

static void note_prefetch(const void *p)
{
	if (seen.nr_prefetched < MOST_PREFETCHED)
		seen.prefetched[seen.nr_prefetched] = p;
	seen.nr_prefetched++;
}

/* other names, because the library's functions are linked, too */
#define gsym_cache_new counted_cache_new
#define gsym_cache_free counted_cache_free
#define gsym_cache_lookup counted_cache_lookup
#define gsym_cache_prefetch counted_cache_prefetch
int gsym_cache_new(const struct gsym *g, size_t bytes, struct gsym_cache **ret);
void gsym_cache_free(struct gsym_cache *c);
int gsym_cache_lookup(struct gsym_cache *c, uint64_t addr, struct gsym_frame *ret,
		      unsigned int room);
void gsym_cache_prefetch(const struct gsym_cache *c, const uint64_t *addrs, unsigned int nr);

#define gsym_expand(...) (seen.decoded++, (gsym_expand)(__VA_ARGS__))
#define gsym_lookup_in(...) (seen.searched++, (gsym_lookup_in)(__VA_ARGS__))
#define __builtin_prefetch(p) note_prefetch(p)

#include "../../../user/formats/gsym/cache.c"

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

/*
 * A chain of calls inside others, in which each call consists of two ranges, and the next one
 * is in the first of them.
 */
static void add_function(struct gsym_part *part, uint64_t start, uint32_t nr_rows)
{
	static struct gsym_new_line rows[LARGE_ROWS];
	struct range ranges[CALLS][2];
	struct gsym_new_call calls[CALLS];
	struct gsym_new_function f = {
		.range = { start, start + (nr_rows == ROWS ? SIZE : 4 * nr_rows) },
		.name = new_string(part, "f", (uint32_t)start), .order = start,
		.lines = rows, .nr_lines = nr_rows, .calls = calls, .nr_calls = CALLS,
	};
	uint64_t left = start + 8;
	uint32_t file, i, depth;

	assert_int_equal(gsym_part_file(part, 0, new_string(part, "x", (uint32_t)(start % 7)),
					&file), 0);
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

static struct gsym *many_at(uint64_t base)
{
	const struct gsym_write_options o = { .layout = GSYM_LLVM_1, .base = base };
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym *g = NULL;
	char path[32];
	uint32_t i;
	int fd;

	assert_non_null(part);
	for (i = 0; i < FUNCTIONS; i++)
		add_function(part, base + i * SIZE, i == FUNCTIONS - 1 ? LARGE_ROWS : ROWS);
	fd = memfd_create("many", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(gsym_write(&part, 1, &o, fd, path, NULL, &diag), 0);
	gsym_part_free(part);
	assert_int_equal(gsym_open(path, &g, &diag), 0);
	close(fd);
	return g;
}

static struct gsym *many(void)
{
	return many_at(BASE);
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

/* Any number of lookups, also outside of all functions. */
static void prefetch_some(const struct gsym_cache *c)
{
	uint64_t addrs[2 * GSYM_CACHE_PREFETCHED];
	unsigned int nr = chance(ARRAY_SIZE(addrs) + 1), i;

	for (i = 0; i < nr; i++)
		addrs[i] = chance(8) ? BASE + chance(END - BASE) : chance(2) ? 0 : UINT64_MAX;
	gsym_cache_prefetch(c, addrs, nr);
}

/* Functions that all fit; more than fit; and one that needs the room of many. */
static void any_size(void **state)
{
	static const size_t sizes[] = { 0, 256 << 10, 8 << 20 };
	const uint32_t random_lookups = rounds(60000, 6000);
	struct gsym *g = many();
	struct gsym_cache *c;
	uint32_t i, k;

	for (k = 0; k < ARRAY_SIZE(sizes); k++) {
		assert_int_equal(gsym_cache_new(g, sizes[k], &c), 0);
		for (i = 0; i < random_lookups; i++) {
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

/* One lookup in function @i. */
static void ask(struct gsym_cache *c, uint32_t i)
{
	static struct gsym_frame f[GSYM_MAX_FRAMES];

	assert_true(gsym_cache_lookup(c, BASE + i * SIZE + 12, f, GSYM_MAX_FRAMES) > 0);
}

/*
 * The numbers of decodings and of searches in the file that @times lookups in function @i have
 * caused.
 */
static void costs(struct gsym_cache *c, uint32_t i, uint32_t times, unsigned int decoded,
		  unsigned int searched)
{
	seen.decoded = seen.searched = 0;
	while (times--)
		ask(c, i);
	assert_int_equal(seen.decoded, decoded);
	assert_int_equal(seen.searched, searched);
}

/* A function is decoded at its second lookup, and then kept. */
static void decoded_once(void **state)
{
	struct gsym *g = many();
	struct gsym_cache *c;
	uint32_t i, bad = 0;

	/* room for all functions, with more slots than functions could need */
	assert_int_equal(gsym_cache_new(g, 8 << 20, &c), 0);
	for (i = 0; i < FUNCTIONS; i++) {
		costs(c, i, 1, 0, 1);
		costs(c, i, 1, 1, 0);
		costs(c, i, 100, 0, 0);
	}
	/* all are kept, except a few that hashing has put into a full place */
	seen.searched = 0;
	for (i = 0; i < FUNCTIONS; i++) {
		ask(c, i);
		bad += seen.searched != 0;
		seen.searched = 0;
	}
	assert_in_range(bad, 0, 4);
	gsym_cache_free(c);
	/* a function that takes more than a quarter of the room is tried once */
	assert_int_equal(gsym_cache_new(g, 0, &c), 0);
	costs(c, FUNCTIONS - 1, 2, 1, 2);
	costs(c, FUNCTIONS - 1, 10, 0, 10);
	gsym_cache_free(c);
	gsym_close(g);
}

/* Functions as in a kernel. */
static void decoded_once_at_high_addresses(void **state)
{
	const uint64_t base = 0xffffffff81000000ull;
	static struct gsym_frame f[GSYM_MAX_FRAMES];
	struct gsym *g = many_at(base);
	struct gsym_cache *c;
	uint32_t i;

	assert_int_equal(gsym_cache_new(g, 8 << 20, &c), 0);
	seen.decoded = seen.searched = 0;
	for (i = 0; i < 300; i++)
		assert_true(gsym_cache_lookup(c, base + i / 10 * SIZE + i, f, 1) > 0);
	assert_int_equal(seen.decoded, 30);
	assert_int_equal(seen.searched, 30);
	gsym_cache_free(c);
	gsym_close(g);
}

/* Functions in turn, each looked up three times: little memory is enough for any number. */
static void one_after_the_other(void **state)
{
	struct gsym *g = many();
	struct gsym_cache *c;
	uint32_t i;

	assert_int_equal(gsym_cache_new(g, 0, &c), 0);
	for (i = 0; i < FUNCTIONS - 1; i++)
		costs(c, i, 3, 1, 1);
	/*
	 * There is room for eight: once they are in the cache, they stay. Functions that were
	 * there before may delay this for 16 lookups of each function that is there now.
	 */
	for (i = 0; i < 100 * 8 * 3; i++)
		ask(c, i / 3 % 8);
	seen.searched = 0;
	for (i = 0; i < 80; i++)
		ask(c, i % 8);
	assert_int_equal(seen.searched, 0);
	gsym_cache_free(c);
	gsym_close(g);
}

/* The share of kept functions among the @nr functions from @first on, in percent. */
static unsigned int kept(struct gsym_cache *c, uint32_t first, uint32_t nr, uint32_t rounds)
{
	uint32_t i, round;

	seen.searched = 0;
	for (round = 0; round < rounds; round++)
		for (i = 0; i < nr; i++)
			ask(c, first + i);
	return 100 - 100 * seen.searched / (nr * rounds);
}

/*
 * More functions in turn than there is room for: some stay. When others are looked up, they are
 * removed.
 */
static void more_than_has_room(void **state)
{
	struct gsym *g = many();
	struct gsym_cache *c;

	assert_int_equal(gsym_cache_new(g, 0, &c), 0);
	kept(c, 0, 60, 20);
	assert_in_range(kept(c, 0, 60, 50), 20, 80);
	/* 16 lookups for each function that stays */
	kept(c, 100, 8, 200);
	assert_int_equal(kept(c, 100, 8, 10), 100);
	gsym_cache_free(c);
	gsym_close(g);
}

static bool was_prefetched(const void *p)
{
	unsigned int i;

	for (i = 0; i < seen.nr_prefetched; i++)
		if (seen.prefetched[i] == p)
			return true;
	return false;
}

static void check_prefetch(const struct gsym_cache *c, uint64_t addr, const void *wanted)
{
	unsigned int i;

	seen.nr_prefetched = 0;
	gsym_cache_prefetch(c, &addr, 1);
	if (!wanted) {
		assert_int_equal(seen.nr_prefetched, 0);
		return;
	}
	/* the start of its bytes, its slots, and 256 bytes in pieces of 64 */
	assert_int_equal(seen.nr_prefetched, 6);
	assert_ptr_equal(seen.prefetched[0], gsym_info_before(c->g, addr));
	assert_ptr_equal(seen.prefetched[1], slots_of(c, (uint64_t)((const uint8_t *)
			 seen.prefetched[0] - c->g->bytes)));
	for (i = 0; i < 4; i++)
		assert_true(was_prefetched((const uint8_t *)wanted + 64 * (size_t)i));
}

/* The source of an answer: the decoded function if there is one, else the file. */
static void prefetched(void **state)
{
	uint64_t addrs[GSYM_CACHE_PREFETCHED + 1], addr;
	struct gsym *g = many();
	struct gsym_function f;
	struct gsym_cache *c;
	uint32_t i;

	assert_int_equal(gsym_cache_new(g, 8 << 20, &c), 0);
	for (i = 0; i < 50; i++) {
		addr = BASE + i * SIZE + 12;
		assert_int_equal(gsym_find(g, addr, &f), 1);
		check_prefetch(c, addr, g->bytes + f.at);
		ask(c, i);
		check_prefetch(c, addr, g->bytes + f.at);
		ask(c, i);
		check_prefetch(c, addr, c->arena + slot_of(c, &f)->block);
	}
	check_prefetch(c, BASE - 1, NULL);
	check_prefetch(c, 0, NULL);
	/* a function that is in no slot does not keep any of the others out */
	addrs[0] = 0;
	for (i = 1; i < ARRAY_SIZE(addrs); i++)
		addrs[i] = BASE + (i + 100) * SIZE;
	seen.nr_prefetched = 0;
	gsym_cache_prefetch(c, addrs, 2);
	assert_int_equal(seen.nr_prefetched, 6);
	seen.nr_prefetched = 0;
	gsym_cache_prefetch(c, addrs, ARRAY_SIZE(addrs));
	assert_int_equal(seen.nr_prefetched, 6 * (GSYM_CACHE_PREFETCHED - 1));
	gsym_cache_free(c);
	gsym_close(g);
}

#define MADE_BYTES 20000u

/* A file of one function 'a' of @size bytes at 0x100, with @info, and names up to 'd'. */
static struct gsym *made(uint8_t bytes[MADE_BYTES], uint32_t size, const uint8_t *info, size_t len)
{
	const uint32_t head[] = {
		GSYM_MAGIC, 1 | 4 << 16, 0, 0, 1, 68, 12, 0, 0, 0, 0, 0,
		/* an address, the offset of its function, and the file table */
		0x100, 80, 1, 0, 0,
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym *g = NULL;

	assert_true(88 + len <= MADE_BYTES);
	memset(bytes, 0, MADE_BYTES);
	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + 68, "\0a\0b\0c\0d\0\0\0", 12);
	memcpy(bytes + 80, (uint32_t[]){ size, 1 }, 8);
	memcpy(bytes + 88, info, len);
	if (gsym_open_bytes(bytes, 88 + len, "made", &g, &diag))
		fail_msg("%s", diag.text);
	return g;
}

/* The same, with 32 bytes of code, one line, and one call 'c' with @range. */
static struct gsym *made_with_call(uint8_t bytes[MADE_BYTES], const uint8_t *range, size_t len)
{
	static const uint8_t before[] = {
		1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0,
		1, 0, 32, 1, 1, 0, 0, 0, 0, 0,
	}, after[] = { 0, 3, 0, 0, 0, 0, 1, 0 }, end[8];
	uint8_t info[112];
	size_t at = sizeof(before);

	memcpy(info, before, sizeof(before));
	memcpy(info + at, range, len);
	at += len;
	memcpy(info + at, after, sizeof(after));
	at += sizeof(after);
	info[20] = (uint8_t)(at - 24);
	memcpy(info + at, end, sizeof(end));
	return made(bytes, 32, info, at + sizeof(end));
}

/*
 * A call whose range does not fit 32 bits relative to the function: after it, or starting
 * before it. It is answered as the file has it.
 */
static void ranges_of_more_than_32_bits(void **state)
{
	static const struct {
		uint8_t range[12];
		uint8_t len;
		int at_start;	/* frames there */
	} calls[] = {
		{ { 1, 0x80, 0x80, 0x80, 0x80, 0x10, 8 }, 7, 1 },
		{ { 1, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 8 }, 12, 2 },
		{ { 1, 4, 0x80, 0x80, 0x80, 0x80, 0x10 }, 7, 1 },
		{ { 1, 4, 8 }, 3, 1 },
	};
	static uint8_t bytes[MADE_BYTES];
	struct gsym_frame f[4];
	struct gsym_cache *c;
	unsigned int k, i, round;
	struct gsym *g;

	for (k = 0; k < ARRAY_SIZE(calls); k++) {
		g = made_with_call(bytes, calls[k].range, calls[k].len);
		assert_int_equal(gsym_lookup(g, 0x100, f, 4), calls[k].at_start);
		assert_int_equal(gsym_cache_new(g, 0, &c), 0);
		for (round = 0; round < 3; round++)
			for (i = 0; i < 32; i++)
				same_answer(g, c, 0x100 + i);
		gsym_cache_free(c);
		gsym_close(g);
	}
}

/*
 * A call with nothing but an empty range has a start, too: one that does not fit 32 bits is
 * refused, not cut off.
 */
static void empty_ranges_of_more_than_32_bits(void **state)
{
	static const struct {
		uint8_t range[12];
		uint8_t len;
		int err;
		uint32_t start;
	} calls[] = {
		{ { 1, 4, 0 }, 3, 0, 4 },
		{ { 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0 }, 7, 0, UINT32_MAX },
		{ { 1, 0x80, 0x80, 0x80, 0x80, 0x10, 0 }, 7, -EBADMSG, 0 },
		{ { 1, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0 }, 12,
		  -EBADMSG, 0 },
	};
	static uint8_t bytes[MADE_BYTES];
	struct gsym_expanded e = { 0 };
	struct gsym_function f;
	struct gsym *g;
	unsigned int k;

	for (k = 0; k < ARRAY_SIZE(calls); k++) {
		g = made_with_call(bytes, calls[k].range, calls[k].len);
		assert_int_equal(gsym_function(g, 0, &f), 0);
		assert_int_equal(gsym_expand(g, &f, &e), calls[k].err);
		if (!calls[k].err)
			assert_int_equal(e.nodes[e.nr_nodes - 1].start, calls[k].start);
		gsym_close(g);
	}
	gsym_expanded_release(&e);
}

#define DESCENDING 1400u

/*
 * Calls that descend take more and more work each: above some number decoding stops, and the
 * rest is not answered from the cache.
 */
static void too_much_work(void **state)
{
	static const uint8_t begin[] = {
		1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
		1, 0, 0x80, 0x80, 2, 1, 1, 0, 0, 0, 0, 0,	/* 0x8000 bytes */
	}, call[] = { 1, 0, 0, 2, 0, 3, 0, 0, 0, 0, 1 };
	static uint8_t bytes[MADE_BYTES], info[MADE_BYTES];
	const uint32_t step = rounds(1, 13);
	uint8_t *p = info + sizeof(begin);
	struct gsym_cache *c;
	struct gsym *g;
	uint32_t i, at;

	memcpy(info, begin, sizeof(begin));
	for (i = 0; i < DESCENDING; i++, p += sizeof(call)) {
		at = 4 * (DESCENDING - i) + 128;
		memcpy(p, call, sizeof(call));
		p[1] = (uint8_t)(0x80 | (at & 0x7f));
		p[2] = (uint8_t)(at >> 7);
	}
	p++;	/* the end of the calls */
	at = (uint32_t)(p - info) - 24;
	memcpy(info + 20, &at, 4);
	g = made(bytes, 0x8000, info, (size_t)(p - info) + 8);
	assert_int_equal(gsym_cache_new(g, 1 << 20, &c), 0);
	seen.decoded = 0;
	for (i = 0; i < 0x8000; i += step)
		same_answer(g, c, 0x100 + i);
	/* it is not tried again */
	assert_int_equal(seen.decoded, 1);
	gsym_cache_free(c);
	gsym_close(g);
}

/* Whatever the number is: functions that cannot be kept are searched in the file. */
static void memory_that_runs_out(void **state)
{
	struct gsym *g = many();
	struct gsym_cache *c;
	uint32_t i, k;

	for (k = 0; k < 12; k++) {
		assert_int_equal(gsym_cache_new(g, 8 << 20, &c), 0);
		alloc_left = k;
		for (i = 0; i < 2 * SIZE; i++)
			same_answer(g, c, BASE + i);
		alloc_left = -1;
		gsym_cache_free(c);
	}
	gsym_close(g);
}

/* A function that is not to be kept stays so when all the others are removed. */
static void large_ones_are_tried_once(void **state)
{
	struct gsym *g = many();
	struct gsym_cache *c;
	uint32_t i;

	assert_int_equal(gsym_cache_new(g, 0, &c), 0);
	costs(c, FUNCTIONS - 1, 2, 1, 2);
	/* more than there is room for */
	for (i = 0; i < 40; i++)
		costs(c, i, 3, 1, 1);
	costs(c, FUNCTIONS - 1, 10, 0, 10);
	gsym_cache_free(c);
	gsym_close(g);
}

/*
 * Calls that overlap, as no writer makes them: 'b' is [0, 8), an empty range and [20, 24). 'c',
 * after it, is [4, 12) and [22, 24), and contains 'd', [4, 8) and [10, 22). An address in two
 * calls belongs to the first one, and the contents of the other one are not searched there.
 */
static void overlaps(void **state)
{
	static const char expected[] = "bbbbbbbbccddaaaaaaaabbbbaaaaaaaa";
	static const uint8_t info[] = {
		1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0, 0,
		2, 0, 0, 0, 50, 0, 0, 0,
		1, 0, 32, 1, 1, 0, 0, 0, 0, 0,
		3, 0, 8, 12, 0, 20, 4, 0, 3, 0, 0, 0, 0, 1,
		2, 4, 8, 22, 2, 1, 5, 0, 0, 0, 0, 2,
		2, 0, 4, 6, 12, 0, 7, 0, 0, 0, 0, 3,
		0, 0,
		0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct gsym_frame f[GSYM_MAX_FRAMES];
	static uint8_t bytes[MADE_BYTES];
	struct gsym_cache *c;
	struct gsym *g;
	uint32_t i, round;

	g = made(bytes, 32, info, sizeof(info));
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

/* Changes each byte of a sample in turn. */
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
		cmocka_unit_test(decoded_once),
		cmocka_unit_test(decoded_once_at_high_addresses),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(more_than_has_room),
		cmocka_unit_test(prefetched),
		cmocka_unit_test(too_much_work),
		cmocka_unit_test(memory_that_runs_out),
		cmocka_unit_test(large_ones_are_tried_once),
		cmocka_unit_test(overlaps),
		cmocka_unit_test(ranges_of_more_than_32_bits),
		cmocka_unit_test(empty_ranges_of_more_than_32_bits),
		cmocka_unit_test(damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
