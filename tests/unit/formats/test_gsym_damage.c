// SPDX-License-Identifier: GPL-2.0-only
/*
 * GSYM files cut off at each byte, and with each byte changed: all answers about each of them,
 * and the errors of those that do not open, as one checksum for each file. The checksums come
 * from a reader that has passed the judges of tests/judge/gsym, and show any change of any answer
 * about a damaged file. If a change is intended, use the checksum that is printed.
 */
#include "support.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/gsym/build.h"
#include "formats/gsym/cache.h"
#include "formats/gsym/format.h"
#include "formats/gsym/read.h"

#define SAMPLES "tests/golden/gsym/"
#define BASE 0x1000u
#define MOST_FUNCTIONS 12u
#define MOST_OF_A_LIST 40u

/* FNV-1a checksum of the answers. */
struct answers {
	uint64_t sum;
};

static void say_bytes(struct answers *a, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (; len; len--)
		a->sum = (a->sum ^ *p++) * 0x100000001b3ull;
}

static void say(struct answers *a, uint64_t number)
{
	say_bytes(a, &number, sizeof(number));
}

static void say_text(struct answers *a, const char *text)
{
	if (text)
		say_bytes(a, text, strlen(text) + 1);
	else
		say(a, 1);
}

static void ask_lines(struct answers *a, const struct gsym *g, const struct gsym_function *f)
{
	struct gsym_lines it;
	struct gsym_line row;
	unsigned int i;
	int more;

	say(a, (uint64_t)gsym_lines_init(&it, g, f));
	for (i = 0; i < MOST_OF_A_LIST && (more = gsym_lines_next(&it, &row)) > 0; i++) {
		say(a, row.addr);
		say(a, row.line);
		say(a, row.file_index);
		say_text(a, row.file);
	}
	say(a, i < MOST_OF_A_LIST ? (uint64_t)more : 1);
}

static void ask_calls(struct answers *a, const struct gsym *g, const struct gsym_function *f)
{
	struct gsym_ranges ranges;
	struct gsym_calls it;
	struct gsym_call c;
	uint64_t start, end;
	unsigned int i, k;
	int more = gsym_calls_init(&it, g, f);

	say(a, (uint64_t)more);
	if (more < 0)
		return;
	for (i = 0; i < MOST_OF_A_LIST && (more = gsym_calls_next(&it, &c)) > 0; i++) {
		say_text(a, c.name);
		say(a, c.depth);
		say(a, c.call_line);
		say(a, c.call_file_index);
		say_text(a, c.call_file);
		say(a, c.start);
		say(a, c.nr_ranges);
		gsym_ranges_init(&ranges, &c);
		for (k = 0; k < MOST_OF_A_LIST && gsym_ranges_next(&ranges, &start, &end); k++) {
			say(a, start);
			say(a, end);
		}
	}
	say(a, i < MOST_OF_A_LIST ? (uint64_t)more : 1);
}

static void ask_more(struct answers *a, const struct gsym *g, const struct gsym_function *f)
{
	struct gsym_function other;
	struct gsym_merged merged;
	struct gsym_sites sites;
	struct gsym_site site;
	unsigned int i, k;
	int more = gsym_merged_init(&merged, g, f);

	say(a, (uint64_t)more);
	for (i = 0; !more && i < MOST_OF_A_LIST; i++) {
		more = gsym_merged_next(&merged, &other);
		say(a, (uint64_t)more);
		if (more <= 0)
			break;
		more = 0;
		say_text(a, other.name);
		say(a, other.size);
		ask_lines(a, g, &other);
	}
	say(a, i);
	more = gsym_sites_init(&sites, g, f);
	say(a, (uint64_t)more);
	for (i = 0; !more && i < MOST_OF_A_LIST; i++) {
		more = gsym_sites_next(&sites, &site);
		say(a, (uint64_t)more);
		if (more <= 0)
			break;
		more = 0;
		say(a, site.offset);
		say(a, site.flags);
		say(a, site.nr_match);
		for (k = 0; k < site.nr_match && k < MOST_OF_A_LIST; k++)
			say_text(a, gsym_site_match(g, &site, k));
	}
	say(a, i);
}

static void ask_at(struct answers *a, const struct gsym *g, struct gsym_cache *c, uint64_t addr)
{
	static struct gsym_frame f[GSYM_MAX_FRAMES], cached[GSYM_MAX_FRAMES];
	int nr = gsym_lookup(g, addr, f, GSYM_MAX_FRAMES), i;

	say(a, (uint64_t)nr);
	for (i = 0; i < nr; i++) {
		say_text(a, f[i].function);
		say_text(a, f[i].dir);
		say_text(a, f[i].file);
		say(a, f[i].line);
		say(a, f[i].offset);
		say(a, f[i].inlined);
	}
	say_text(a, gsym_lookup_name(g, addr, NULL));
	assert_int_equal(gsym_cache_lookup(c, addr, cached, GSYM_MAX_FRAMES), nr);
	for (i = 0; i < nr; i++) {
		assert_ptr_equal(cached[i].function, f[i].function);
		assert_int_equal(cached[i].line, f[i].line);
	}
}

static void ask_function(struct answers *a, const struct gsym *g, struct gsym_cache *c, uint32_t i)
{
	static const int64_t places[] = { -1, 0, 1, 2, 3, 4, 5, 8, 12, 16, 17 };
	struct gsym_function f;
	unsigned int k;

	if (gsym_function(g, i, &f)) {
		say(a, 2);
		return;
	}
	say_text(a, f.name);
	say(a, f.start);
	say(a, f.size);
	say(a, f.at);
	ask_lines(a, g, &f);
	ask_calls(a, g, &f);
	ask_more(a, g, &f);
	for (k = 0; k < ARRAY_SIZE(places); k++)
		ask_at(a, g, c, f.start + (uint64_t)places[k]);
	ask_at(a, g, c, f.start + f.size - 1);
	ask_at(a, g, c, f.start + f.size);
}

static void ask_all(struct answers *a, const struct gsym *g)
{
	const char *dir, *base;
	struct gsym_cache *c;
	struct gsym_info info;
	uint32_t i;

	gsym_identify(g, &info);
	say_text(a, gsym_layout_name(info.layout));
	say(a, info.big_endian);
	say(a, info.base);
	say(a, info.addr_size);
	say(a, info.nr_functions);
	say(a, info.nr_files);
	say(a, info.strings);
	say(a, info.section);
	say(a, info.bytes);
	say_bytes(a, info.uuid, info.uuid_len);
	for (i = 0; i < 4; i++) {
		say(a, (uint64_t)gsym_file(g, i, &dir, &base));
		say_text(a, dir);
		say_text(a, base);
	}
	assert_int_equal(gsym_cache_new(g, 0, &c), 0);
	for (i = 0; i <= info.nr_functions && i < MOST_FUNCTIONS; i++)
		ask_function(a, g, c, i);
	ask_at(a, g, c, 0);
	ask_at(a, g, c, UINT64_MAX);
	gsym_cache_free(c);
}

/* In memory of exactly that size, for the variant with sanitizers. */
static void ask_copy(struct answers *a, const uint8_t *bytes, size_t len)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	uint8_t *copy = malloc(len + !len);
	struct gsym *g;

	memcpy(copy, bytes, len);
	if (gsym_open_bytes(copy, len, "damaged", &g, &diag)) {
		say_text(a, diag.text);
		say(a, diag.offset);
	} else {
		ask_all(a, g);
		gsym_close(g);
	}
	free(copy);
}

static uint64_t damage(const uint8_t *bytes, size_t len)
{
	static const uint8_t flips[] = { 0x01, 0x80, 0xff };
	struct answers a = { 0xcbf29ce484222325ull };
	uint8_t *copy = malloc(len);
	size_t i, k;

	ask_copy(&a, bytes, len);
	for (i = 0; i < len; i++)
		ask_copy(&a, bytes, i);
	memcpy(copy, bytes, len);
	for (i = 0; i < len; i++)
		for (k = 0; k < ARRAY_SIZE(flips); k++) {
			copy[i] ^= flips[k];
			ask_copy(&a, copy, len);
			copy[i] ^= flips[k];
		}
	free(copy);
	return a.sum;
}

static bool is_sum(const char *what, uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		print_error("%s: 0x%016" PRIx64 "\n", what, got);
	return got == wanted;
}

static void samples(void **state)
{
	static const struct {
		const char *path;
		uint64_t sum;
	} list[] = {
		{ SAMPLES "g14.gsym", 0xa2b4e976af22e537 },
		{ SAMPLES "g23v2.gsym", 0x8ddea770ea3ce730 },
		{ SAMPLES "prototype.gsym", 0xadbf9ca9d2c2073f },
		{ SAMPLES "elf.o", 0x24517249a5219d60 },
	};
	bool good = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		struct bytes b = { 0 };

		bytes_read_file(list[i].path, &b);
		good &= is_sum(list[i].path, damage(b.p, b.len), list[i].sum);
		free(b.p);
	}
	assert_true(good);
}

/* Numbers of either byte order. */
struct making {
	struct bytes b;
	bool big;
};

static void put(struct making *m, uint64_t v, unsigned int n)
{
	uint64_t turned = __builtin_bswap64(v) >> (64 - 8 * n);

	bytes_le(&m->b, m->big ? turned : v, n);
}

static void put_entry(struct making *m, uint32_t type, const void *data, uint32_t len)
{
	put(m, type, 4);
	put(m, len, 4);
	bytes_put(&m->b, data, len);
}

static const uint8_t lines[] = { 0, 4, 9, 1, 1, 2, 0, 7, 3, 5, 9, 2, 6, 0 };

/* A node of inlined calls, up to its children. */
static void put_call(struct making *m, const char *ranges, uint32_t len, bool children,
		     uint32_t name, uint8_t file, uint8_t line, unsigned int word)
{
	bytes_put(&m->b, ranges, len);
	put(m, children, 1);
	put(m, name, word);
	put(m, file, 1);
	put(m, line, 1);
}

static void put_calls(struct making *m, unsigned int word)
{
	struct making in = { .big = m->big };

	put_call(&in, B("\2\0\x10\x14\4"), true, 1, 0, 0, word);
	put_call(&in, B("\1\2\x0c"), true, 5, 1, 20, word);
	put_call(&in, B("\2\0\2\4\2"), false, 9, 2, 21, word);
	put(&in, 0, 1);
	put(&in, 0, 1);
	put_entry(m, GSYM_INFO_INLINES, in.b.p, in.b.len);
	free(in.b.p);
}

static void put_merged(struct making *m, unsigned int word)
{
	struct making in = { .big = m->big };

	put(&in, 1, 4);
	put(&in, 4 + word + 8 + sizeof(lines) + 8, 4);
	put(&in, 16, 4);
	put(&in, 9, word);
	put_entry(&in, GSYM_INFO_LINES, lines, sizeof(lines));
	put_entry(&in, GSYM_INFO_END, NULL, 0);
	put_entry(m, GSYM_INFO_MERGED, in.b.p, in.b.len);
	free(in.b.p);
}

static void put_sites(struct making *m, unsigned int word)
{
	struct making in = { .big = m->big };

	put(&in, 2, 4);
	put(&in, 6, 8);
	put(&in, GSYM_SITE_INTERNAL, 1);
	put(&in, 2, 4);
	put(&in, 1, word);
	put(&in, 5, word);
	put(&in, 12, 8);
	put(&in, GSYM_SITE_EXTERNAL, 1);
	put(&in, 0, 4);
	put_entry(m, GSYM_INFO_SITES, in.b.p, in.b.len);
	free(in.b.p);
}

/* One function with all possible entries, and the bytes before it. */
static void put_function(struct making *m, unsigned int word)
{
	put(m, 0x18, 4);
	put(m, 1, word);
	put_entry(m, GSYM_INFO_LINES, lines, sizeof(lines));
	put_calls(m, word);
	put_merged(m, word);
	put_entry(m, 99, "?", 1);
	put_sites(m, word);
	put_entry(m, GSYM_INFO_END, NULL, 0);
}

static void align(struct making *m, uint32_t to)
{
	while (m->b.len % to)
		put(m, 0, 1);
}

static const char strings[] = "\0one\0two\0three\0/dir\0file.c";

static void put_files(struct making *m, unsigned int word)
{
	static const uint32_t files[] = { 0, 0, 15, 20, 0, 20 };
	unsigned int i;

	put(m, ARRAY_SIZE(files) / 2, 4);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		put(m, files[i], word);
}

/* Reserves a number whose value is known later. */
static void put_at(struct making *m, uint32_t at, uint64_t v, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		m->b.p[at + i] = (uint8_t)(v >> 8 * (m->big ? n - 1 - i : i));
}

/* The second function has a name only. Return: its offset. */
static uint32_t put_functions(struct making *m, unsigned int word)
{
	uint32_t second;

	put_function(m, word);
	align(m, 4);
	second = m->b.len;
	put(m, 0, 4);
	put(m, 5, word);
	put_entry(m, GSYM_INFO_END, NULL, 0);
	return second;
}

static void put_addresses(struct making *m, unsigned int size)
{
	put(m, 0x10, size);
	put(m, 0x40, size);
}

static void put_header(struct making *m, unsigned int version, unsigned int size, unsigned int uuid)
{
	put(m, GSYM_MAGIC, 4);
	put(m, version, 2);
	put(m, size, 1);
	put(m, uuid, 1);
	put(m, BASE, 8);
	put(m, 2, 4);
}

/* LLVM's version 1, with offsets of addresses of @size bytes. */
static void make_1(struct making *m, unsigned int size)
{
	uint32_t infos = (48 + 2 * size + 3) & ~3u, text = infos + 8 + 4 + 24, second;
	unsigned int i;

	put_header(m, 1, size, 4);
	put(m, text, 4);
	put(m, sizeof(strings), 4);
	bytes_put(&m->b, "uuid", 4);
	for (i = 0; i < 16; i++)
		put(m, 0, 1);
	put_addresses(m, size);
	align(m, 4);
	put(m, (text + sizeof(strings) + 3) & ~3u, 4);
	put(m, 0, 4);
	put_files(m, 4);
	bytes_put(&m->b, strings, sizeof(strings));
	align(m, 4);
	second = put_functions(m, 4);
	put_at(m, infos + 4, second, 4);
}

/* Writes at @at, in the list of parts, the place of part @type: from @start to here. */
static uint32_t set_part(struct making *m, uint32_t at, uint32_t type, uint32_t start)
{
	put_at(m, at, type, 4);
	put_at(m, at + 4, start, 8);
	put_at(m, at + 12, m->b.len - start, 8);
	return at + GSYM_GLOBAL_SIZE;
}

/* LLVM's version 2: words of 8 bytes, and a list of parts, one of which has an unknown type. */
static void make_2(struct making *m, unsigned int size)
{
	uint32_t at = GSYM_HEADER_LLVM_2, start, infos, second;
	unsigned int i;

	put_header(m, 2, size, 0);
	for (i = 0; i < 8 * GSYM_GLOBAL_SIZE; i++)
		put(m, 0, 1);
	start = m->b.len;
	bytes_put(&m->b, "uuid!", 5);
	at = set_part(m, at, GSYM_GLOBAL_UUID, start);
	at = set_part(m, at, 77, start);
	align(m, 8);
	start = m->b.len;
	put_addresses(m, size);
	at = set_part(m, at, GSYM_GLOBAL_ADDR_OFFSETS, start);
	align(m, 8);
	infos = m->b.len;
	put(m, 0, 8);
	put(m, 0, 8);
	at = set_part(m, at, GSYM_GLOBAL_INFO_OFFSETS, infos);
	start = m->b.len;
	put_files(m, 8);
	at = set_part(m, at, GSYM_GLOBAL_FILES, start);
	start = m->b.len;
	bytes_put(&m->b, strings, sizeof(strings));
	at = set_part(m, at, GSYM_GLOBAL_STRINGS, start);
	align(m, 8);
	start = m->b.len;
	second = put_functions(m, 8);
	put_at(m, infos + 8, second - start, 8);
	set_part(m, at, GSYM_GLOBAL_FUNCTIONS, start);
}

static const struct {
	void (*make)(struct making *m, unsigned int size);
	bool big;
	unsigned int size;
	uint64_t sum;
} made[] = {
	{ make_1, false, 1, 0x0d87d85d88c309aa },
	{ make_1, true, 2, 0x5cc9070df8fa2a10 },
	{ make_1, false, 4, 0x80aa151c42c875b6 },
	{ make_1, true, 8, 0x5e6d149a95329aa7 },
	{ make_2, false, 8, 0x99603089c68876e0 },
	{ make_2, true, 4, 0x1ca6e8024d9510fe },
};

static void is_frame(const struct gsym_frame *f, const char *function, const char *file,
		     uint32_t line, uint64_t offset)
{
	assert_string_equal(f->function, function);
	assert_string_equal(f->file, file);
	assert_int_equal(f->line, line);
	assert_int_equal(f->offset, offset);
}

/* The file without damage. */
static void check_made(const struct gsym *g)
{
	struct gsym_frame f[GSYM_MAX_FRAMES];
	struct gsym_function func, other;
	struct gsym_merged merged;
	struct gsym_sites sites;
	struct gsym_site site;

	assert_int_equal(gsym_lookup(g, BASE + 0x12, f, GSYM_MAX_FRAMES), 3);
	is_frame(&f[0], "three", "file.c", 17, 0);
	is_frame(&f[1], "two", "file.c", 21, 0);
	is_frame(&f[2], "one", "file.c", 20, 2);
	assert_string_equal(f[1].dir, "");
	assert_string_equal(f[2].dir, "/dir");
	assert_int_equal(gsym_lookup(g, BASE + 0x1e, f, GSYM_MAX_FRAMES), 1);
	assert_string_equal(f[0].function, "one");
	assert_int_equal(gsym_lookup(g, BASE + 0x28, f, GSYM_MAX_FRAMES), 0);
	assert_string_equal(gsym_lookup_name(g, BASE + 0x999, NULL), "two");
	assert_int_equal(gsym_function(g, 0, &func), 0);
	assert_int_equal(gsym_merged_init(&merged, g, &func), 0);
	assert_int_equal(gsym_merged_next(&merged, &other), 1);
	assert_string_equal(other.name, "three");
	assert_int_equal(gsym_merged_next(&merged, &other), 0);
	assert_int_equal(gsym_sites_init(&sites, g, &func), 0);
	assert_int_equal(gsym_sites_next(&sites, &site), 1);
	assert_int_equal(site.offset, 6);
	assert_int_equal(site.flags, GSYM_SITE_INTERNAL);
	assert_int_equal(site.nr_match, 2);
	assert_string_equal(gsym_site_match(g, &site, 1), "two");
	assert_int_equal(gsym_sites_next(&sites, &site), 1);
	assert_int_equal(site.offset, 12);
	assert_int_equal(gsym_sites_next(&sites, &site), 0);
}

static void everything(void **state)
{
	char what[32];
	bool good = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(made); i++) {
		struct diag diag = { .offset = DIAG_NO_OFFSET };
		struct making m = { .big = made[i].big };
		struct gsym *g;

		made[i].make(&m, made[i].size);
		if (gsym_open_bytes(m.b.p, m.b.len, "made", &g, &diag))
			fail_msg("%zu: %s", i, diag.text);
		check_made(g);
		gsym_close(g);
		snprintf(what, sizeof(what), "made[%zu]", i);
		good &= is_sum(what, damage(m.b.p, m.b.len), made[i].sum);
		free(m.b.p);
	}
	assert_true(good);
}

/* Fewer offsets of functions than there are functions. */
static void part_too_small(void **state)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	const uint32_t size = GSYM_HEADER_LLVM_2 + 3 * GSYM_GLOBAL_SIZE + 12;
	struct making m = { .big = false };
	struct gsym *g;

	make_2(&m, 4);
	assert_int_equal(m.b.p[size], 16);
	m.b.p[size] = 8;
	assert_int_equal(gsym_open_bytes(m.b.p, m.b.len, "made", &g, &diag), -EBADMSG);
	assert_string_equal(diag.text, "a part is too small for its functions");
	assert_int_equal(diag.offset, GSYM_HEADER_LLVM_2);
	free(m.b.p);
}

/* A Mach-O file of one segment with one section, followed by the GSYM file. */
static void in_macho(void **state)
{
	const struct {
		uint32_t magic, cpu, sub, type, commands, size, flags, zero;
		uint32_t command, len;
		char segment[16];
		uint64_t at, bytes, off, file;
		uint32_t most, now, sections, none;
		char section[16], in[16];
		uint64_t start, length;
		uint32_t offset, align, relocations, nr_relocations, kind, rest[3];
	} head = {
		.magic = 0xfeedfacf, .cpu = 0x01000007, .type = 10, .commands = 1,
		.size = sizeof(head) - 32, .command = 0x19, .len = sizeof(head) - 32,
		.segment = "__GSYM", .off = sizeof(head), .sections = 1,
		.section = "__gsym", .in = "__GSYM", .offset = sizeof(head),
	};
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct bytes file = { 0 }, sample = { 0 };
	struct gsym_info info;
	struct gsym *g;
	uint64_t len;

	bytes_read_file(SAMPLES "g14.gsym", &sample);
	bytes_put(&file, &head, sizeof(head));
	bytes_put(&file, sample.p, sample.len);
	len = sample.len;
	memcpy(file.p + offsetof(__typeof__(head), length), &len, sizeof(len));
	memcpy(file.p + offsetof(__typeof__(head), bytes), &len, sizeof(len));
	memcpy(file.p + offsetof(__typeof__(head), file), &len, sizeof(len));
	if (gsym_open_bytes(file.p, file.len, "made", &g, &diag))
		fail_msg("%s", diag.text);
	gsym_identify(g, &info);
	assert_int_equal(info.section, sizeof(head));
	assert_int_equal(info.bytes, sample.len);
	assert_string_equal(gsym_lookup_name(g, 0x401144, NULL), "foo");
	gsym_close(g);
	assert_true(is_sum("in a Mach-O file", damage(file.p, file.len),
			   0x0e9bb210d8ee7eae));
	/* another name */
	file.p[offsetof(__typeof__(head), section)] = 'x';
	assert_int_equal(gsym_open_bytes(file.p, file.len, "made", &g, &diag), -EBADMSG);
	assert_string_equal(diag.text, "no section __gsym");
	free(file.p);
	free(sample.p);
}

/* All answers about all functions. */
static uint64_t answers_of(const struct gsym *g)
{
	struct answers a = { 0xcbf29ce484222325ull };

	ask_all(&a, g);
	return a.sum;
}

/* Whether a function in [@from, @to) of the file is reported as damaged. */
static bool is_said(const struct gsym *g, size_t from, size_t to)
{
	struct diag diag = { .offset = DIAG_NO_OFFSET };
	struct gsym_function f;
	struct gsym_info info;
	uint32_t i;

	gsym_identify(g, &info);
	for (i = 0; i < info.nr_functions; i++) {
		if (gsym_function(g, i, &f) || !gsym_function_check(g, &f, "damaged", &diag))
			continue;
		assert_string_equal(diag.file, "damaged");
		assert_memory_equal(diag.text, f.name, strlen(f.name));
		assert_in_range(diag.offset, from, to - 1);
		return true;
	}
	return false;
}

/*
 * Changes the word at @at, the type of an entry, in the entries of a function up to @end: any
 * value that changes an answer must be reported.
 */
static void damage_type(const uint8_t *bytes, size_t len, size_t at, size_t end, uint64_t whole)
{
	static const uint8_t flips[] = { 1, 2, 3, 4, 5, 6, 7, 0x63, 0x80, 0xff };
	uint8_t *copy = malloc(len);
	struct gsym *g;
	size_t i, k;

	memcpy(copy, bytes, len);
	for (i = at; i < at + 4; i++)
		for (k = 0; k < ARRAY_SIZE(flips); k++) {
			copy[i] ^= flips[k];
			if (!gsym_open_bytes(copy, len, "damaged", &g, NULL)) {
				if (!is_said(g, at, end) && answers_of(g) != whole)
					fail_msg("0x%zx ^ 0x%02x is not said", i, flips[k]);
				gsym_close(g);
			}
			copy[i] ^= flips[k];
		}
	free(copy);
}

/*
 * Each word of a file that is the type of an entry of a function. Return: number of such words.
 */
static unsigned int damage_types(const uint8_t *bytes, size_t len)
{
	struct gsym_function f;
	struct gsym_info info;
	struct gsym_entry e;
	const uint8_t *p;
	unsigned int nr = 0;
	struct gsym *g;
	uint64_t whole;
	uint32_t i;
	size_t at;

	assert_int_equal(gsym_open_bytes(bytes, len, "whole", &g, NULL), 0);
	whole = answers_of(g);
	gsym_identify(g, &info);
	for (i = 0; i < info.nr_functions && i < MOST_FUNCTIONS; i++) {
		assert_int_equal(gsym_function(g, i, &f), 0);
		for (p = f.info; gsym_entry_next(g, &p, f.end, &e) > 0; nr++) {
			/* its type, its length, its data */
			at = (size_t)(e.data - 8 - bytes);
			damage_type(bytes, len, at, len, whole);
		}
	}
	gsym_close(g);
	return nr;
}

static void types(void **state)
{
	static const char *const paths[] = {
		SAMPLES "g14.gsym", SAMPLES "g23v2.gsym", SAMPLES "elf.o",
	};
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		struct bytes b = { 0 };
		struct gsym *g;

		bytes_read_file(paths[i], &b);
		assert_int_equal(gsym_open_bytes(b.p, b.len, "whole", &g, NULL), 0);
		assert_false(is_said(g, 0, b.len));
		gsym_close(g);
		nr += damage_types(b.p, b.len);
		free(b.p);
	}
	assert_in_range(nr, 9, 1000);
}

/* Entries that today's reader does not know are reported, and the others are still answered. */
static void unknown_type(void **state)
{
	struct diag diag;
	struct making m = { .big = false };
	struct gsym_function f;
	struct gsym *g;

	make_1(&m, 4);
	assert_int_equal(gsym_open_bytes(m.b.p, m.b.len, "made", &g, &diag), 0);
	assert_int_equal(gsym_function(g, 0, &f), 0);
	assert_int_equal(gsym_function_check(g, &f, "made", &diag), -EBADMSG);
	assert_string_equal(diag.text, "one: an entry of the unknown type 0x63: the file is damaged, "
			    "or newer than this program");
	assert_int_equal(gsym_function(g, 1, &f), 0);
	assert_int_equal(gsym_function_check(g, &f, "made", &diag), 0);
	gsym_close(g);
	free(m.b.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples),
		cmocka_unit_test(everything),
		cmocka_unit_test(part_too_small),
		cmocka_unit_test(in_macho),
		cmocka_unit_test(types),
		cmocka_unit_test(unknown_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
