// SPDX-License-Identifier: GPL-2.0-only
/*
 * The writer of GSYM files: LLVM's sample made again, refusals of parts, which functions are
 * kept of those that overlap, strings that share suffixes, the chosen windows of line tables
 * compared with all others, and failures. tests/judge/gsym/run judges random files.
 */
#include "support.h"
#include "rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/gsym/build.h"
#include "formats/gsym/rows.h"

#define DIR "/src/gsym/example"
#define BASE 0x400000ull

/* A file under construction, and the result. */
struct making {
	struct gsym_part *part;
	struct gsym_write_options o;
	struct gsym_write_stats stats;
	struct diag diag;
	uint8_t *bytes;
	size_t len;
};

static void making_init(struct making *m)
{
	*m = (struct making){ .part = gsym_part_new() };
	m->o.layout = GSYM_LLVM_1;
	m->o.base = BASE;
	assert_non_null(m->part);
}

static void making_release(struct making *m)
{
	gsym_part_free(m->part);
	free(m->bytes);
}

static int write_to(struct making *m, int fd)
{
	return gsym_write(&m->part, 1, &m->o, fd, "out", &m->stats, &m->diag);
}

/* Return: as gsym_write(); the bytes are in m->bytes. */
static int making_write(struct making *m)
{
	int fd = memfd_create("out", 0), err;

	assert_true(fd >= 0);
	err = write_to(m, fd);
	m->len = (size_t)lseek(fd, 0, SEEK_END);
	m->bytes = realloc(m->bytes, m->len + 1);
	assert_int_equal(pread(fd, m->bytes, m->len, 0), m->len);
	close(fd);
	return err;
}

static uint32_t string(struct making *m, const char *s)
{
	uint32_t ret;

	assert_int_equal(gsym_part_string(m->part, s, strlen(s), &ret), 0);
	return ret;
}

static uint32_t file(struct making *m, const char *dir, const char *base)
{
	uint32_t ret;

	assert_int_equal(gsym_part_file(m->part, string(m, dir), string(m, base), &ret), 0);
	return ret;
}

static struct gsym_new_function func(struct making *m, uint64_t start, uint64_t size,
				     const char *name)
{
	return (struct gsym_new_function){
		.range = { start, start + size }, .name = string(m, name),
	};
}

static void symbol(struct making *m, uint64_t start, uint64_t size, const char *name)
{
	struct gsym_new_function f = func(m, start, size, name);

	assert_int_equal(gsym_part_add(m->part, &f), 0);
}

static void sample_symbols(struct making *m)
{
	symbol(m, 0x401000, 0, "_init");
	symbol(m, 0x401040, 0x22, "_start");
	symbol(m, 0x401070, 1, "_dl_relocate_static_pie");
	symbol(m, 0x401080, 0, "deregister_tm_clones");
	symbol(m, 0x4010b0, 0, "register_tm_clones");
	symbol(m, 0x4010f0, 0, "__do_global_dtors_aux");
	symbol(m, 0x401120, 0, "frame_dummy");
	symbol(m, 0x401130, 0x1c, "foo");
	symbol(m, 0x401150, 8, "main");
	symbol(m, 0x401158, 9, "_fini");
}

/* The functions that tests/golden/gsym's samples have. */
static void sample(struct making *m)
{
	static const uint8_t uuid[GSYM_MAX_UUID] =
		"\xd4\xb6\x36\x22\xe7\xb7\xe3\x73\x03\xc9"
		"\xe0\x1f\x9a\x81\x38\xb5\xda\x8e\x41\xd9";
	uint32_t c = file(m, DIR, "g.c");
	const struct gsym_new_line foo_lines[] = {
		{ 0x401130, c, 9 }, { 0x401131, c, 3 },
		{ 0x401144, c, 7 }, { 0x401147, c, 10 },
	};
	const struct gsym_new_line main_lines[] = {
		{ 0x401150, c, 12 }, { 0x401151, c, 13 },
	};
	const struct range outer = { 0x401131, 0x401147 };
	const struct range inner = { 0x401131, 0x401144 };
	const struct gsym_new_call calls[] = {
		{ &outer, 1, 1, string(m, "outer"), c, 10 },
		{ &inner, 1, 2, string(m, "inner"), c, 6 },
	};
	struct gsym_new_function foo = func(m, 0x401130, 0x1c, "foo");
	struct gsym_new_function main_ = func(m, 0x401150, 8, "main");

	memcpy(m->o.uuid, uuid, sizeof(uuid));
	m->o.uuid_len = sizeof(uuid);
	sample_symbols(m);
	foo.lines = foo_lines;
	foo.nr_lines = 4;
	foo.calls = calls;
	foo.nr_calls = 2;
	assert_int_equal(gsym_part_add(m->part, &foo), 0);
	main_.lines = main_lines;
	main_.nr_lines = 2;
	assert_int_equal(gsym_part_add(m->part, &main_), 0);
}

/* Both files have the same bytes from @at on. */
static void assert_part(const struct making *m, size_t at, const struct bytes *golden,
			size_t golden_at, size_t len)
{
	assert_true(at + len <= m->len && golden_at + len <= golden->len);
	assert_memory_equal(m->bytes + at, golden->p + golden_at, len);
}

/*
 * the bytes of LLVM's file except for the places of strings: ours takes 20 less, because some
 * share suffixes
 */
static void sample_of_llvm_1(void **state)
{
	struct making m;
	struct bytes g;

	bytes_read_file("tests/golden/gsym/g14.gsym", &g);
	making_init(&m);
	sample(&m);
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.stats.functions, 10);
	assert_int_equal(m.stats.duplicates, 2);
	assert_int_equal(m.stats.strings, 0x8e);
	assert_int_equal(m.stats.bytes, m.len);
	assert_int_equal(m.len, g.len - 20);
	assert_part(&m, 0, &g, 0, 0x18);		/* header */
	assert_part(&m, 0x1c, &g, 0x1c, 0x44 - 0x1c);	/* UUID, addresses */
	assert_part(&m, 0x6c, &g, 0x6c, 12);		/* files */
	assert_part(&m, 0x180, &g, 0x194, 4);		/* size of foo */
	assert_part(&m, 0x188, &g, 0x19c, 28);		/* its lines, head of inlines */
	assert_part(&m, 0x1a8, &g, 0x1bc, 6);		/* ranges of outer */
	assert_part(&m, 0x1d0, &g, 0x1e4, 22);		/* lines of main */
	making_release(&m);
	free(g.p);
}

static void sample_of_llvm_2(void **state)
{
	struct making m;
	struct bytes g;

	bytes_read_file("tests/golden/gsym/g23v2.gsym", &g);
	making_init(&m);
	sample(&m);
	m.o.layout = GSYM_LLVM_2;
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.len, g.len - 20);
	/* header and entries up to the strings' size; the entry after it separately */
	assert_part(&m, 0, &g, 0, 0x70);
	assert_part(&m, 0x8c, &g, 0x8c, 0x12c - 0x8c);
	assert_part(&m, 0x26c - 20, &g, 0x26c, 4);
	assert_part(&m, 0x278 - 20, &g, 0x278, 28);
	making_release(&m);
	free(g.p);
}

/* The same numbers in the other byte order */
static void sample_of_big_endian(void **state)
{
	struct making m;

	making_init(&m);
	sample(&m);
	m.o.big_endian = true;
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.len, 504);
	assert_memory_equal(m.bytes, "GSYM\0\1\2\x14\0\0\0\0\0\x40\0\0\0\0\0\x0a\0\0\0\x80\0\0\0\x8e",
			    0x1c);
	assert_memory_equal(m.bytes + 0x30, "\x10\0\x10\x40\x10\x70", 6);
	assert_memory_equal(m.bytes + 0x188, "\0\0\0\1\0\0\0\x08\x7a\x04\x09\x0a\x0f\xdf\x2e\0", 16);
	making_release(&m);
}

static void sample_of_the_prototype(void **state)
{
	struct making m;

	making_init(&m);
	sample(&m);
	m.o.layout = GSYM_PROTOTYPE;
	assert_int_equal(making_write(&m), 0);
	/* without LLVM's UUID and empty file; suffixes are not shared, windows not chosen */
	assert_int_equal(m.len, 504 - 20 - 8 + 20 + 8);
	assert_non_null(memmem(m.bytes, m.len, "\0\0\0\x7c\x0a", 5));
	/* one file is stored, and it is number 1 */
	assert_memory_equal(m.bytes + 0x58, "\1\0\0\0\1\0\0\0\x13\0\0\0\0/src/", 18);
	m.o.merge = true;
	assert_int_equal(making_write(&m), -EINVAL);
	assert_non_null(strstr(m.diag.text, "prototype"));
	making_release(&m);
}

static void strings_and_files(void **state)
{
	struct making m;
	uint32_t n;

	making_init(&m);
	assert_int_equal(string(&m, ""), 0);
	assert_int_equal(string(&m, "a"), 1);
	assert_int_equal(string(&m, "ab"), 2);
	assert_int_equal(string(&m, "a"), 1);
	assert_int_equal(gsym_part_string(m.part, "a\0b", 3, &n), -EINVAL);
	assert_int_equal(file(&m, "", ""), 0);
	assert_int_equal(file(&m, "", "a"), 1);
	assert_int_equal(file(&m, "a", ""), 2);
	assert_int_equal(file(&m, "", "a"), 1);
	making_release(&m);
}

/* A function that breaks a rule is refused and leaves nothing behind. */
static void assert_refused(struct making *m, const struct gsym_new_function *f)
{
	assert_int_equal(gsym_part_add(m->part, f), -EINVAL);
}

static void refused(void **state)
{
	static const struct range all = { BASE, BASE + 100 };
	static const struct range outside = { BASE + 90, BASE + 101 };
	static const struct range empty = { BASE + 9, BASE + 9 };
	static const struct range mixed[] = { { BASE + 5, BASE + 9 },
						   { BASE + 1, BASE + 2 } };
	struct gsym_new_line lines[] = { { BASE + 1, 0, 1 }, { BASE, 0, 1 } };
	struct gsym_new_call calls[] = { { &all, 1, 1, 1, 0, 0 }, { &all, 1, 1, 1, 0, 0 } };
	struct gsym_new_function good, f;
	struct making m;

	making_init(&m);
	good = f = func(&m, BASE, 100, "f");
	f.name = 0;
	assert_refused(&m, &f);
	f.name = 2;
	assert_refused(&m, &f);
	f = good;
	f.range.end = BASE - 1;
	assert_refused(&m, &f);
	f = good;
	f.lines = lines;
	f.nr_lines = 2;
	assert_refused(&m, &f);
	lines[1] = (struct gsym_new_line){ BASE + 2, 1, 1 };
	assert_refused(&m, &f);
	f = good;
	f.calls = calls;
	f.nr_calls = 2;
	calls[1].depth = 3;
	assert_refused(&m, &f);
	calls[1].depth = 0;
	assert_refused(&m, &f);
	calls[1] = (struct gsym_new_call){ &outside, 1, 1, 1, 0, 0 };
	assert_refused(&m, &f);
	calls[1].ranges = &empty;
	assert_refused(&m, &f);
	calls[1].ranges = mixed;
	calls[1].nr_ranges = 2;
	assert_refused(&m, &f);
	calls[1].nr_ranges = 0;
	assert_refused(&m, &f);
	assert_int_equal(gsym_part_add(m.part, &good), 0);
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.stats.functions, 1);
	making_release(&m);
}

/* As deep as readers follow, and no deeper */
static void depth(void **state)
{
	static const struct range all = { BASE, BASE + 100 };
	struct gsym_new_call calls[GSYM_MAX_DEPTH + 1];
	struct gsym_new_function f;
	struct making m;
	uint32_t i;

	making_init(&m);
	f = func(&m, BASE, 100, "f");
	for (i = 0; i <= GSYM_MAX_DEPTH; i++)
		calls[i] = (struct gsym_new_call){ &all, 1, i + 1, 1, 0, i };
	f.calls = calls;
	f.nr_calls = GSYM_MAX_DEPTH + 1;
	assert_refused(&m, &f);
	f.nr_calls--;
	assert_int_equal(gsym_part_add(m.part, &f), 0);
	assert_int_equal(making_write(&m), 0);
	making_release(&m);
}

static void in_the_way(void **state)
{
	static const struct range text[] = { { BASE, BASE + 0x100 },
						  { BASE + 0x200, BASE + 0x300 } };
	struct making m;

	making_init(&m);
	m.o.text = text;
	m.o.nr_text = 2;
	symbol(&m, BASE - 1, 1, "below the base");
	symbol(&m, BASE + 0x100, 1, "in no text");
	symbol(&m, BASE + 0x10, 0, "where another one starts");
	symbol(&m, BASE + 0x10, 0x20, "sized");
	symbol(&m, BASE + 0x10, 0x20, "sized, too");
	symbol(&m, BASE + 0x18, 0, "within");
	symbol(&m, BASE + 0x20, 0x20, "overlaps");
	symbol(&m, BASE + 0x210, 0, "last");
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.stats.outside, 2);
	assert_int_equal(m.stats.functions, 3);
	assert_int_equal(m.stats.duplicates, 3);
	assert_int_equal(m.stats.overlaps, 1);
	assert_int_equal(m.stats.merged, 0);
	/* up to the end of its text */
	assert_memory_equal(m.bytes + m.len - 16, "\xf0\0\0\0", 4);
	m.o.merge = true;
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.stats.functions, 3);
	assert_int_equal(m.stats.merged, 1);
	assert_int_equal(m.stats.duplicates, 2);
	making_release(&m);
}

/* If two functions are equal, the one with call sites is kept, even if it came first. */
static void named_sites(void **state)
{
	struct making m;
	uint32_t callee;
	unsigned int first;

	for (first = 0; first < 2; first++) {
		struct gsym_new_site site = { .offset = 5, .match = &callee };
		struct gsym_new_function f;
		unsigned int i;

		making_init(&m);
		f = func(&m, BASE, 0x10, "caller");
		callee = string(&m, "callee");
		f.sites = &site;
		f.nr_sites = 1;
		for (i = 0; i < 2; i++) {
			f.order = i;
			site.nr_match = i == first;
			assert_int_equal(gsym_part_add(m.part, &f), 0);
		}
		assert_int_equal(making_write(&m), 0);
		assert_int_equal(m.stats.duplicates, 1);
		assert_non_null(memmem(m.bytes, m.len, "callee", 6));
		making_release(&m);
	}
}

static void shared_ends(void **state)
{
	struct making m;

	making_init(&m);
	symbol(&m, BASE, 1, "d");
	symbol(&m, BASE + 1, 1, "bcd");
	symbol(&m, BASE + 2, 1, "abcdefghabcd");
	symbol(&m, BASE + 3, 1, "efghabcd");
	symbol(&m, BASE + 4, 1, "fghabcd");
	symbol(&m, BASE + 5, 1, "xghabcd");
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.stats.strings, 1 + 13 + 8);
	/* whose reader finds them by their start */
	m.o.layout = GSYM_PROTOTYPE;
	assert_int_equal(making_write(&m), 0);
	assert_int_equal(m.stats.strings, 1 + 2 + 4 + 13 + 9 + 8 + 8);
	making_release(&m);
}

/* 1, 2, 4 and 8 bytes for an offset */
static void address_sizes(void **state)
{
	static const struct {
		uint64_t last;
		uint8_t size;
	} cases[] = {
		{ 0, 1 }, { 0xff, 1 }, { 0x100, 2 }, { 0xffff, 2 }, { 0x10000, 4 },
		{ UINT32_MAX, 4 }, { 1ull << 32, 8 }, { UINT64_MAX - BASE, 8 },
	};
	struct making m;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		making_init(&m);
		symbol(&m, BASE, 0, "a");
		symbol(&m, BASE + cases[i].last, 0, "b");
		assert_int_equal(making_write(&m), 0);
		assert_int_equal(m.bytes[6], cases[i].size);
		m.o.layout = GSYM_PROTOTYPE;
		assert_int_equal(making_write(&m), 0);
		assert_int_equal(m.bytes[6], cases[i].size == 1 ? 2 : cases[i].size);
		making_release(&m);
	}
}

static void nothing(void **state)
{
	struct making m;

	making_init(&m);
	for (m.o.layout = GSYM_PROTOTYPE; m.o.layout <= GSYM_LLVM_2; m.o.layout++) {
		assert_int_equal(making_write(&m), 0);
		assert_int_equal(m.stats.bytes, m.len);
		assert_memory_equal(m.bytes, "MYSG", 4);
	}
	making_release(&m);
}

static void too_large(void **state)
{
	struct making m;

	making_init(&m);
	symbol(&m, BASE, UINT32_MAX, "large");
	assert_int_equal(making_write(&m), 0);
	symbol(&m, BASE + 16, 1ull << 32, "larger");
	assert_int_equal(making_write(&m), -EFBIG);
	assert_non_null(strstr(m.diag.text, "0x400010 has more than 4 GiB"));
	making_release(&m);
}

/* No thread waits for one that failed. */
static void no_space(void **state)
{
	struct making m;
	char name[32];
	int fd = open("/dev/full", O_WRONLY), i;

	if (fd < 0)
		skip();
	making_init(&m);
	for (i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "function%d", i);
		symbol(&m, BASE + 16u * (unsigned int)i, 16, name);
	}
	m.o.threads = 4;
	assert_int_equal(write_to(&m, fd), -ENOSPC);
	assert_string_equal(m.diag.file, "out");
	close(fd);
	making_release(&m);
}

/* Small numbers in a fixed sequence. */
static uint32_t any(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

static size_t rows_make(uint32_t *seed, struct gsym_row *rows, size_t room)
{
	uint32_t step = 1 + any(seed, 40), bytes = 1 + any(seed, 30);
	size_t n = 1 + any(seed, (uint32_t)room - 1), i;

	rows[0] = (struct gsym_row){ BASE, 1, 1000 };
	for (i = 1; i < n; i++) {
		rows[i] = rows[i - 1];
		rows[i].addr += 1 + any(seed, bytes);
		rows[i].line += any(seed, 3) ? any(seed, 4) : any(seed, 2 * step) - step;
		rows[i].line &= 0xffffff;
	}
	return n;
}

static size_t rows_len(struct buffer *b, int min, int max, const struct gsym_row *rows,
		       size_t n)
{
	b->len = 0;
	gsym_rows_encode(b, (struct gsym_window){ (int8_t)min, (int8_t)max }, BASE, rows, n);
	return b->len;
}

/* The chosen window compared with all others: nearly always the shortest. */
static void windows(void **state)
{
	static struct gsym_steps steps;
	struct buffer b = { 0 };
	struct gsym_row rows[60];
	size_t chosen = 0, shortest = 0, best, len;
	const uint32_t nr = rounds(300, 30);
	uint32_t seed = 1, i;
	int min, max;

	for (i = 0; i < nr; i++) {
		size_t n = rows_make(&seed, rows, ARRAY_SIZE(rows));
		struct gsym_window w = gsym_rows_window(&steps, BASE, rows, n);

		len = best = rows_len(&b, w.min, w.max, rows, n);
		for (min = -40; min <= 40; min++)
			for (max = min; max <= 40; max++) {
				size_t other = rows_len(&b, min, max, rows, n);

				if (other < best)
					best = other;
			}
		chosen += len;
		shortest += best;
	}
	assert_true(chosen - shortest <= shortest / 100);
	buffer_release(&b);
}

/* Lines near the limits of numbers: no reader may find a line that was not written. */
static void line_limits(void **state)
{
	static const uint32_t lines[] = { 0, 3, UINT32_MAX, UINT32_MAX - 1, 0, 1, 5, 2 };
	struct gsym_row at = { BASE, 1, 0 }, row;
	struct buffer b = { 0 };
	struct gsym_window w = { 5, 9 };
	const uint8_t *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		row = (struct gsym_row){ BASE + i, 1, lines[i] };
		gsym_rows_step(&b, w, &at, &row);
		at = row;
	}
	at = (struct gsym_row){ BASE, 1, 0 };
	for (i = 0, p = b.at; i < ARRAY_SIZE(lines); i++) {
		gsym_rows_next(&p, w, &at);
		assert_int_equal(at.addr, BASE + i);
		assert_int_equal(at.line, lines[i]);
	}
	assert_ptr_equal(p, b.at + b.len);
	buffer_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sample_of_llvm_1),
		cmocka_unit_test(sample_of_llvm_2),
		cmocka_unit_test(sample_of_big_endian),
		cmocka_unit_test(sample_of_the_prototype),
		cmocka_unit_test(strings_and_files),
		cmocka_unit_test(refused),
		cmocka_unit_test(depth),
		cmocka_unit_test(in_the_way),
		cmocka_unit_test(named_sites),
		cmocka_unit_test(shared_ends),
		cmocka_unit_test(address_sizes),
		cmocka_unit_test(nothing),
		cmocka_unit_test(too_large),
		cmocka_unit_test(no_space),
		cmocka_unit_test(windows),
		cmocka_unit_test(line_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
