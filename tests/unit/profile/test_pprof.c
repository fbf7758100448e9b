// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles as files: written and read again, files of other producers, refusals and their
 * messages, full disks and failed allocations. tests/judge/profile lets Go's tools judge them.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "alloc_fail.h"
#include "rounds.h"
#include "profile/main_mapping.h"
#include "profile/moments.h"
#include "profile/pprof.h"
#include "profile/pprof_source.h"

/* A file under construction. */
struct wire {
	uint8_t at[8192];
	size_t len;
};

static void put_varint(struct wire *w, uint64_t v)
{
	for (; v > 127; v >>= 7)
		w->at[w->len++] = (uint8_t)(v | 128);
	w->at[w->len++] = (uint8_t)v;
}

static void put_number(struct wire *w, unsigned int field, uint64_t v)
{
	put_varint(w, field << 3);
	put_varint(w, v);
}

static void put_bytes(struct wire *w, unsigned int field, const void *bytes, size_t len)
{
	put_varint(w, field << 3 | 2);
	put_varint(w, len);
	memcpy(w->at + w->len, bytes, len);
	w->len += len;
}

/* A message of numbers: pairs of field and value up to field 0. */
static void put_message(struct wire *w, unsigned int field, const uint64_t *pairs)
{
	struct wire m = { .len = 0 };

	for (; *pairs; pairs += 2)
		put_number(&m, (unsigned int)pairs[0], pairs[1]);
	put_bytes(w, field, m.at, m.len);
}
#define MESSAGE(w, field, ...) put_message(w, field, (const uint64_t[]){ __VA_ARGS__, 0 })

static void put_strings(struct wire *w)
{
	static const char *const texts[] = { "", "samples", "count", "main", "a.c", "prog", "ABCD" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		put_bytes(w, 6, texts[i], strlen(texts[i]));
}

/* Properties that every file must have: strings, a type, a function and two locations. */
static void put_base(struct wire *w)
{
	w->len = 0;
	put_strings(w);
	MESSAGE(w, 1, 1, 1, 2, 2);
	MESSAGE(w, 3, 1, 40, 2, 0x1000, 3, 0x2000, 5, 5, 6, 6);
	MESSAGE(w, 5, 1, 9, 2, 3, 4, 4, 5, 77);
	MESSAGE(w, 4, 1, 30, 2, 40, 3, 0x1234);
	MESSAGE(w, 4, 1, 20, 3, 0x99);
}

/* A copy of the exact size, for the address sanitizer. */
static int parse(const struct wire *w, struct profile **p, struct diag *diag)
{
	uint8_t *copy = malloc(w->len ? w->len : 1);
	int err;

	memcpy(copy, w->at, w->len);
	*diag = (struct diag){ .offset = DIAG_NO_OFFSET };
	err = pprof_parse(copy, w->len, "file", p, diag);
	free(copy);
	return err;
}

static struct profile *parsed(const struct wire *w)
{
	struct profile *p;
	struct diag diag;

	assert_int_equal(parse(w, &p, &diag), 0);
	return p;
}

static void refused(const struct wire *w, int err, const char *text)
{
	struct profile *p;
	struct diag diag;

	assert_int_equal(parse(w, &p, &diag), err);
	assert_string_equal(diag.text, text);
	assert_string_equal(diag.file, "file");
}

static uint8_t *written(const struct profile *p, size_t *len)
{
	struct diag diag;
	int fd = memfd_create("out", 0);
	uint8_t *bytes;

	assert_int_equal(pprof_write(p, fd, &diag), 0);
	*len = (size_t)lseek(fd, 0, SEEK_END);
	bytes = malloc(*len);
	assert_int_equal(pread(fd, bytes, *len, 0), *len);
	close(fd);
	return bytes;
}

static struct profile *sample_profile(void)
{
	const int64_t value[PROFILE_MAX_VALUES] = { 3, 30000000 };
	struct profile *p = profile_new();
	struct profile_mapping m = { .start = 0x400000, .limit = 0x500000, .offset = 0x1000 };
	struct profile_function f = { 0 };
	struct profile_line lines[2];
	struct profile_label l[2];
	uint32_t i, s;

	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	m.file = profile_string(p, "/usr/bin/prog");
	m.build_id = profile_string(p, "00ff");
	for (i = 0; i < 2; i++) {
		f.name = profile_string(p, i ? "outer" : "inner");
		f.system_name = profile_string(p, i ? "_outer" : "_inner");
		f.file = profile_string(p, "a.c");
		f.start_line = 10 + i;
		lines[i] = (struct profile_line){ profile_function(p, &f), 20 + i };
	}
	for (i = 0, s = 0; i < 3000; i++) {
		uint32_t at = profile_location(p, profile_mapping(p, &m), 0x400000 + i);

		if (i % 2)
			profile_location_lines(p, at, lines, 1 + i % 4 / 2);
		s = profile_stack(p, s, at);
		l[0] = (struct profile_label){ .key = profile_string(p, "thread"),
					       .str = profile_string(p, "main") };
		l[1] = (struct profile_label){ .key = profile_string(p, "pid"), .num = i,
					       .unit = profile_string(p, "id") };
		if (i % 100 == 99)
			profile_add(p, s, profile_labels(p, l, i % 3), value);
	}
	profile_comment(p, "first");
	profile_comment(p, "imagemap 7 AgE=");
	profile_comment(p, "second");
	p->time_ns = 1700000000000000000;
	p->duration_ns = 10000000000;
	p->period = 10101010;
	p->period_type = p->value_types[1];
	p->default_type = profile_string(p, "cpu");
	assert_int_equal(profile_error(p), 0);
	return p;
}

static void add_sample_of(struct profile *p, const char *path, const char *command, int64_t n)
{
	struct profile_mapping m = { .limit = UINT64_MAX, .file = profile_string(p, path) };
	struct profile_label l = { .key = profile_string(p, PROFILE_LABEL_COMMAND),
				   .str = profile_string(p, command) };
	uint32_t at = profile_location(p, profile_mapping(p, &m), 0x1000 + p->nr_locations);

	profile_value_type(p, "samples", "count");
	profile_add(p, profile_stack(p, 0, at), profile_labels(p, &l, 1), &n);
}

/* pprof's tools take the first mapping for the program. */
static void test_main_mapping(void **state)
{
	struct profile *p = profile_new(), *back;
	uint8_t *bytes;
	size_t len;

	(void)state;
	assert_int_equal(profile_main_mapping(p), 0);
	add_sample_of(p, "/lib/libc.so.6", "prog", 50);
	add_sample_of(p, "/usr/bin/sh", "sh", 10);
	assert_int_equal(profile_main_mapping(p), 2);
	add_sample_of(p, "/opt/a-program-with-a-name", "a-program-with-", 11);
	assert_int_equal(profile_main_mapping(p), 3);
	add_sample_of(p, "[kernel.kallsyms]", "[kernel.kallsym", 100);
	assert_int_equal(profile_main_mapping(p), 3);
	bytes = written(p, &len);
	assert_int_equal(pprof_parse(bytes, len, "test", &back, NULL), 0);
	assert_string_equal(profile_text(back, back->mappings[1].file), "/opt/a-program-with-a-name");
	assert_string_equal(profile_text(back, back->mappings[2].file), "/lib/libc.so.6");
	assert_int_equal(back->locations[1].mapping, 2);
	free(bytes);
	profile_free(back);
	profile_free(p);
	/* no mapping has the name of a command */
	p = profile_new();
	add_sample_of(p, "/usr/bin/python3", "worker", 1);
	assert_int_equal(profile_main_mapping(p), 1);
	profile_free(p);
}

/* Everything in a profile, except the numbers of its own tables. */
static void same_profile(const struct profile *a, const struct profile *b)
{
	uint32_t i;

#define SAME(array) do {							\
	assert_int_equal(a->nr_##array, b->nr_##array);				\
	if (a->nr_##array)							\
		assert_memory_equal(a->array, b->array, a->nr_##array * sizeof(*a->array)); \
} while (0)
	SAME(value_types);
	SAME(mappings);
	SAME(functions);
	SAME(stacks);
	assert_int_equal(a->nr_label, b->nr_label);
	for (i = 0; i < a->nr_label; i++) {
		const struct profile_label *x = &a->label[i], *y = &b->label[i];

		assert_true(x->key == y->key && x->str == y->str && x->unit == y->unit &&
			    x->num == y->num);
	}
	SAME(samples);
	SAME(comments);
	assert_int_equal(a->nr_strings, b->nr_strings);
	for (i = 0; i < a->nr_strings; i++)
		assert_string_equal(profile_text(a, i), profile_text(b, i));
	assert_int_equal(a->nr_locations, b->nr_locations);
	for (i = 0; i < a->nr_locations; i++) {
		const struct profile_location *x = &a->locations[i], *y = &b->locations[i];

		assert_true(x->address == y->address && x->mapping == y->mapping);
		assert_int_equal(x->nr_lines, y->nr_lines);
		assert_memory_equal(a->lines + x->first_line, b->lines + y->first_line,
				    x->nr_lines * sizeof(*a->lines));
	}
	assert_true(a->time_ns == b->time_ns && a->duration_ns == b->duration_ns);
	assert_true(a->period == b->period && a->default_type == b->default_type);
	assert_memory_equal(&a->period_type, &b->period_type, sizeof(a->period_type));
}

static void test_round(void **state)
{
	struct profile *p = sample_profile(), *q;
	uint8_t *bytes, *again;
	size_t len, len_again;
	struct diag diag;

	bytes = written(p, &len);
	assert_int_equal(pprof_parse(bytes, len, "file", &q, &diag), 0);
	same_profile(p, q);
	again = written(q, &len_again);
	assert_int_equal(len, len_again);
	assert_memory_equal(bytes, again, len);
	/* gzip's header has no time and no name */
	assert_memory_equal(bytes, "\x1f\x8b\x08\0\0\0\0\0", 8);
	free(bytes);
	free(again);
	profile_free(p);
	profile_free(q);
}

/* Bytes that are not UTF-8, from ustack and from other producers. */
static void test_utf8(void **state)
{
	struct profile *p = profile_new(), *q;
	struct wire w = { .len = 0 };
	struct diag diag;
	uint8_t *bytes;
	size_t len;

	profile_string(p, "a\xff\xe2\x82z");
	profile_string(p, "\xe2\x82\xac");
	bytes = written(p, &len);
	assert_int_equal(pprof_parse(bytes, len, "file", &q, &diag), 0);
	assert_string_equal(profile_text(q, 1), "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
	assert_string_equal(profile_text(q, 2), "\xe2\x82\xac");
	free(bytes);
	profile_free(p);
	profile_free(q);
	put_bytes(&w, 6, "", 0);
	put_bytes(&w, 6, "\xc0\x80", 2);
	put_bytes(&w, 6, "ab\0cd", 5);
	p = parsed(&w);
	assert_string_equal(profile_text(p, 1), "\xef\xbf\xbd\xef\xbf\xbd");
	assert_string_equal(profile_text(p, 2), "ab");
	profile_free(p);
}

/* Ids in any order, unpacked numbers, tables at any place, lines and labels. */
static void test_others(void **state)
{
	struct wire w = { .len = 0 }, m = { .len = 0 };
	const struct profile_location *l;
	struct profile *p;

	/* unpacked: innermost first */
	put_number(&m, 1, 30);
	put_number(&m, 1, 20);
	put_number(&m, 2, (uint64_t)-5);
	MESSAGE(&m, 3, 1, 3, 2, 4);
	MESSAGE(&m, 3, 1, 3, 3, (uint64_t)-9, 4, 2);
	put_bytes(&w, 2, m.at, m.len);
	m.len = 0;
	put_number(&m, 1, 30);
	put_number(&m, 2, 40);
	put_number(&m, 3, 0x1234);
	MESSAGE(&m, 4, 1, 9, 2, (uint64_t)-1);
	MESSAGE(&m, 4, 1, 0, 2, 5);
	MESSAGE(&m, 4, 1, 9, 2, 12);
	put_bytes(&w, 4, m.at, m.len);
	MESSAGE(&w, 4, 1, 20, 3, 0x99);
	MESSAGE(&w, 5, 1, 9, 2, 3, 4, 4, 5, 1ull << 40);
	MESSAGE(&w, 3, 1, 40, 2, 0x1000, 5, 5, 6, 6, 9, 1);
	MESSAGE(&w, 1, 1, 1, 2, 2);
	put_number(&w, 9, (uint64_t)-62135596800);
	put_number(&w, 13, 3);
	put_bytes(&w, 13, "\x04\x05", 2);
	put_number(&w, 7, 1);
	put_number(&w, 200, 1);
	put_bytes(&w, 77, "unknown", 7);
	put_strings(&w);
	p = parsed(&w);
	assert_int_equal(p->nr_samples, 1);
	assert_int_equal(p->samples[0].value[0], -5);
	assert_int_equal(p->stacks[p->samples[0].stack].depth, 2);
	l = &p->locations[p->stacks[p->samples[0].stack].location];
	assert_int_equal(l->address, 0x1234);
	/* a line without a function is left out, and an impossible line is ignored */
	assert_int_equal(l->nr_lines, 2);
	assert_int_equal(p->lines[l->first_line].line, 0);
	assert_int_equal(p->lines[l->first_line + 1].line, 12);
	assert_int_equal(p->functions[1].start_line, 0);
	assert_string_equal(profile_text(p, p->mappings[1].build_id), "abcd");
	assert_string_equal(profile_label_text(p, p->samples[0].labels, "main"), "a.c");
	assert_int_equal(p->label[1].num, -9);
	assert_int_equal(p->time_ns, 0);
	assert_int_equal(p->nr_comments, 3);
	assert_string_equal(profile_text(p, p->comments[2]), "prog");
	profile_free(p);
}

/* Locations of one address with other names: samples without addresses stay separate. */
static void test_no_addresses(void **state)
{
	struct wire w = { .len = 0 }, m;
	struct profile *p;
	uint32_t i;

	put_strings(&w);
	MESSAGE(&w, 1, 1, 1, 2, 2);
	for (i = 1; i < 4; i++)
		MESSAGE(&w, 5, 1, i, 2, i);
	for (i = 1; i < 4; i++) {
		m.len = 0;
		put_number(&m, 1, i);
		MESSAGE(&m, 4, 1, i);
		put_bytes(&w, 4, m.at, m.len);
	}
	MESSAGE(&w, 4, 1, 9);
	for (i = 1; i < 4; i++)
		MESSAGE(&w, 2, 1, i, 2, i);
	MESSAGE(&w, 2, 1, 9, 2, 9);
	p = parsed(&w);
	assert_int_equal(p->nr_samples, 4);
	assert_int_equal(p->nr_locations, 5);
	for (i = 0; i < 3; i++) {
		const struct profile_location *l =
			&p->locations[p->stacks[p->samples[i].stack].location];

		assert_int_equal(p->functions[p->lines[l->first_line].function].name, i + 1);
	}
	profile_free(p);
}

/* Tables that are completely missing. */
static void test_no_tables(void **state)
{
	struct wire w = { .len = 0 }, m = { .len = 0 };
	struct profile *p;

	put_strings(&w);
	MESSAGE(&w, 1, 1, 1, 2, 2);
	put_number(&m, 1, 1);
	put_number(&m, 2, 77);
	MESSAGE(&m, 4, 1, 5, 2, 6);
	put_bytes(&w, 4, m.at, m.len);
	MESSAGE(&w, 2, 1, 1, 2, 1);
	p = parsed(&w);
	assert_int_equal(p->locations[1].mapping, 0);
	assert_int_equal(p->locations[1].nr_lines, 0);
	profile_free(p);
	w.len = 0;
	put_bytes(&w, 6, "", 0);
	p = parsed(&w);
	assert_int_equal(p->nr_samples, 0);
	profile_free(p);
}

static void test_refused(void **state)
{
	struct wire w = { .len = 0 };
	unsigned int i;

	refused(&w, -EBADMSG, "is empty");
	put_bytes(&w, 6, "x", 1);
	refused(&w, -EBADMSG, "string 0 is not empty, as the first has to be");
	w = (struct wire){ .at = "PERFILE2", .len = 8 };
	refused(&w, -EBADMSG, "is a file of perf record: ustack report, flame, diff, export and symbolize read it");
	w = (struct wire){ .at = "\x7f" "ELF", .len = 4 };
	refused(&w, -EBADMSG, "is an ELF file, not a profile");
	w = (struct wire){ .at = "main;work 12\n", .len = 13 };
	refused(&w, -EBADMSG, "holds folded stacks, which ustack export writes but nothing reads");
	w = (struct wire){ .at = "\n[1,2]", .len = 6 };
	refused(&w, -EBADMSG, "holds JSON, not a pprof profile");
	w = (struct wire){ .at = "caf\xc3\xa9", .len = 5 };
	refused(&w, -EBADMSG, "is a text, not a pprof profile");
	w = (struct wire){ .at = "caf\xc3", .len = 4 };
	refused(&w, -EBADMSG, "is not a pprof profile: field 12 has an unknown type");
	w = (struct wire){ .at = "\x02\x01", .len = 2 };
	refused(&w, -EBADMSG, "is not a pprof profile: there is no field 0");
	w = (struct wire){ .at = "\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", .len = 11 };
	refused(&w, -EBADMSG, "a number has more than 64 bits");
	w.len = 5;
	refused(&w, -EBADMSG, "ends within a number");
	w.len = 1;
	refused(&w, -EBADMSG, "ends within a field");
#define REFUSED(text, ...) do {							\
	put_base(&w);								\
	__VA_ARGS__;								\
	refused(&w, -EBADMSG, text);						\
} while (0)
	REFUSED("mapping 1 has id 40, which another has", MESSAGE(&w, 3, 1, 40));
	REFUSED("mapping 1 has no id", MESSAGE(&w, 3, 2, 1));
	REFUSED("mapping 1 has string 7 of 7 as file", MESSAGE(&w, 3, 1, 1, 5, 7));
	REFUSED("mapping 1 has string -1 of 7 as build id", MESSAGE(&w, 3, 1, 1, 6, -1ull));
	REFUSED("function 1 has id 9, which another has", MESSAGE(&w, 5, 1, 9));
	REFUSED("function 1 has string 99 of 7 as name", MESSAGE(&w, 5, 1, 1, 2, 99));
	REFUSED("function 1 has string 99 of 7 as system name", MESSAGE(&w, 5, 1, 1, 3, 99));
	REFUSED("function 1 has string 99 of 7 as file", MESSAGE(&w, 5, 1, 1, 4, 99));
	REFUSED("location 2 has id 30, which another has", MESSAGE(&w, 4, 1, 30));
	REFUSED("location 2 refers to mapping 3, which does not exist", MESSAGE(&w, 4, 1, 1, 2, 3));
	REFUSED("sample 0 refers to location 5, which does not exist", MESSAGE(&w, 2, 1, 5, 2, 1));
	REFUSED("sample 0 refers to location 0, which does not exist", MESSAGE(&w, 2, 1, 0, 2, 1));
	REFUSED("sample 0 has 0 values where there are 1 types", MESSAGE(&w, 2, 1, 30));
	REFUSED("sample 0 has 2 values where there are 1 types", MESSAGE(&w, 2, 2, 1, 2, 1));
	REFUSED("type of values 1 is there twice", MESSAGE(&w, 1, 1, 1, 2, 2));
	REFUSED("type of values 1 has string 50 of 7 as type", MESSAGE(&w, 1, 1, 50));
	REFUSED("type of period 0 has string 50 of 7 as unit", MESSAGE(&w, 11, 2, 50));
	REFUSED("duration 0 is negative: -1", put_number(&w, 10, -1ull));
	REFUSED("period 0 is negative: -2", put_number(&w, 12, -2ull));
	REFUSED("period 0 is no number", put_bytes(&w, 12, "x", 1));
	REFUSED("default type 0 has string 7 of 7 as default type", put_number(&w, 14, 7));
	REFUSED("comment 0 has string 8 of 7 as text", put_number(&w, 13, 8));
	REFUSED("comment 0 has string 8 of 7 as text", put_number(&w, 1000, 8));
	REFUSED("comment 0 is damaged", put_bytes(&w, 13, "\xff", 1));
	REFUSED("sample 0 is no message", put_number(&w, 2, 1));
	REFUSED("sample 0 is damaged", put_bytes(&w, 2, "\x0a\x05\x01", 3));
	REFUSED("string 7 is no text", put_number(&w, 6, 1));
	REFUSED("ends within a field", put_varint(&w, 6 << 3 | 2); put_varint(&w, 100));
	put_base(&w);
	for (i = 0; i < 8; i++)
		MESSAGE(&w, 1, 1, 1 + i % 4, 2, 3 + i / 4);
	refused(&w, -EBADMSG, "type of values 8 is one too many: the limit is 8");
}

/* It is skipped when it is not wanted, but it cannot be read. */
static void test_large_field(void **state)
{
	uint8_t *bytes = calloc(1, PPROF_MAX_FIELD + 8192ull);
	struct profile *p;
	struct diag diag;
	struct wire w;

	put_base(&w);
	put_varint(&w, 2 << 3 | 2);
	put_varint(&w, PPROF_MAX_FIELD + 1ull);
	memcpy(bytes, w.at, w.len);
	assert_int_equal(pprof_parse(bytes, w.len + PPROF_MAX_FIELD + 1, "file", &p, &diag),
			 -EFBIG);
	assert_string_equal(diag.text, "field 2 has 16777217 bytes, more than 16777216");
	/* now of an unknown field */
	put_base(&w);
	put_varint(&w, 20 << 3 | 2);
	put_varint(&w, PPROF_MAX_FIELD + 1ull);
	memcpy(bytes, w.at, w.len);
	assert_int_equal(pprof_parse(bytes, w.len + PPROF_MAX_FIELD + 1, "file", &p, &diag), 0);
	profile_free(p);
	free(bytes);
}

/* The error names the place of the wrong element. */
static void test_offset(void **state)
{
	struct profile *p;
	struct diag diag;
	struct wire w;
	size_t at;

	put_base(&w);
	at = w.len;
	MESSAGE(&w, 4, 1, 30);
	put_base(&w);
	w.len = at;
	MESSAGE(&w, 4, 1, 30);
	assert_int_equal(parse(&w, &p, &diag), -EBADMSG);
	assert_int_equal(diag.offset, at);
}

static size_t packed(const struct wire *w, uint8_t *to, size_t room)
{
	z_stream z = { .next_in = (uint8_t *)w->at, .avail_in = (uInt)w->len,
		       .next_out = to, .avail_out = (uInt)room };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

/* Every way to cut or change a gzip file is refused, because it has a checksum. */
static void test_gzip(void **state)
{
	struct profile *p;
	struct diag diag;
	uint8_t zip[8192], *copy;
	struct wire w;
	size_t len, i;

	put_base(&w);
	MESSAGE(&w, 2, 1, 30, 2, 4);
	len = packed(&w, zip, sizeof(zip));
	assert_int_equal(pprof_parse(zip, len, "file", &p, &diag), 0);
	assert_int_equal(p->samples[0].value[0], 4);
	profile_free(p);
	for (i = 3; i < len; i++) {
		copy = malloc(i);
		memcpy(copy, zip, i);
		assert_int_equal(pprof_parse(copy, i, "file", &p, &diag), -EBADMSG);
		free(copy);
	}
	assert_string_equal(diag.text, "gzip's data ends too early");
	/* after gzip's header, whose time and flags may have any value */
	for (i = 10; i < len; i++) {
		zip[i] ^= 0x55;
		assert_int_equal(pprof_parse(zip, len, "file", &p, &diag), -EBADMSG);
		zip[i] ^= 0x55;
	}
	/* a second member, which continues where the first ends */
	w.len = 0;
	MESSAGE(&w, 2, 1, 20, 2, 6);
	len += packed(&w, zip + len, sizeof(zip) - len);
	assert_int_equal(pprof_parse(zip, len, "file", &p, &diag), 0);
	assert_int_equal(p->nr_samples, 2);
	profile_free(p);
	zip[len] = 'x';
	assert_int_equal(pprof_parse(zip, len + 1, "file", &p, &diag), -EBADMSG);
}

/* More strings than allowed, all of them empty: 64 MB, which gzip packs into 64 kB. */
static void test_too_many(void **state)
{
	size_t len = 2ull * (PPROF_MAX_ELEMENTS + 1), i;
	uint8_t *bytes = malloc(len);
	struct profile *p;
	struct diag diag;

	for (i = 0; i < len; i += 2)
		memcpy(bytes + i, "\x32", 2);
	assert_int_equal(pprof_parse(bytes, len, "file", &p, &diag), -EFBIG);
	assert_string_equal(diag.text, "has more than 33554432 strings");
	free(bytes);
}

static void test_write_errors(void **state)
{
	struct profile *p = sample_profile(), *none = profile_new();
	struct diag diag;
	int fd = open("/dev/full", O_WRONLY);

	assert_int_equal(pprof_write(p, fd, &diag), -ENOSPC);
	close(fd);
	p->period = -1;
	assert_int_equal(pprof_write(p, 1, &diag), -EINVAL);
	profile_add(none, 0, 0, (int64_t[PROFILE_MAX_VALUES]){ 0 });
	assert_int_equal(pprof_write(none, 1, &diag), -EINVAL);
	assert_string_equal(diag.text, "has samples, but no type of values");
	profile_free(p);
	profile_free(none);
}

static void test_save(void **state)
{
	char dir[] = "/tmp/ustack-pprof.XXXXXX", path[64], text[128];
	struct profile *p = sample_profile(), *q;
	struct diag diag;
	struct stat st;
	mode_t mask = umask(027);

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/profile", dir);
	assert_int_equal(pprof_save(p, path, &diag), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(pprof_load(path, &q, &diag), 0);
	same_profile(p, q);
	profile_free(q);
	/* a failure leaves the old file, and nothing else */
	p->period = -1;
	assert_int_equal(pprof_save(p, path, &diag), -EINVAL);
	assert_int_equal(pprof_load(path, &q, &diag), 0);
	profile_free(q);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
	p->period = 1;
	assert_int_equal(pprof_save(p, path, &diag), -ENOENT);
	assert_int_equal(pprof_load(path, &q, &diag), -ENOENT);
	assert_int_equal(pprof_load("/tmp", &q, &diag), -EISDIR);
	/* a special file stays what it is */
	assert_int_equal(pprof_save(p, "/dev/full", &diag), -ENOSPC);
	diag_format(&diag, text, sizeof(text));
	assert_string_equal(text, "/dev/full: No space left on device");
	assert_int_equal(pprof_save(p, "/dev/null", &diag), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	umask(mask);
	profile_free(p);
}

static void test_no_memory(void **state)
{
	struct profile *p = sample_profile(), *q;
	struct diag diag;
	uint8_t *bytes;
	size_t len;
	long n;
	int err, fd = open("/dev/null", O_WRONLY);

	bytes = written(p, &len);
	for (n = 0; n < 100000; n += 1 + n / 10) {
		alloc_left = n;
		err = pprof_write(p, fd, &diag);
		if (!err) {
			alloc_left = n;
			err = pprof_parse(bytes, len, "file", &q, &diag);
		}
		alloc_left = -1;
		if (!err)
			break;
		assert_int_equal(err, -ENOMEM);
	}
	assert_true(!err && n > 100);
	profile_free(q);
	profile_free(p);
	free(bytes);
	close(fd);
}

/*
 * A sample of location 30 with values and, unless it is 0, a time; its thread is a label, too.
 */
static void put_timed(struct wire *w, const uint64_t value[2], uint64_t time, uint64_t thread)
{
	struct wire m = { .len = 0 };

	put_number(&m, 1, 30);
	put_number(&m, 2, value[0]);
	put_number(&m, 2, value[1]);
	MESSAGE(&m, 3, 1, 9, 3, thread);
	if (time)
		MESSAGE(&m, 3, 1, 7, 3, time, 4, 8);
	put_bytes(w, 2, m.at, m.len);
}

static void put_timed_base(struct wire *w)
{
	static const char *const more[] = { "end_timestamp_ns", "nanoseconds", "tid", "cpu" };
	size_t i;

	put_base(w);
	for (i = 0; i < ARRAY_SIZE(more); i++)
		put_bytes(w, 6, more[i], strlen(more[i]));
	MESSAGE(w, 1, 1, 10, 2, 8);
}

static struct profile *merged(const struct wire *w, struct moments *m)
{
	struct profile *p;
	struct diag diag;

	assert_int_equal(pprof_parse_merged(w->at, w->len, "file", m, &p, &diag), 0);
	return p;
}

static void is_moment(const struct moments *m, size_t i, uint64_t ns, int64_t weight, uint32_t sample,
		      uint32_t value)
{
	assert_true(i < m->nr);
	assert_int_equal(m->at[i].ns, ns);
	assert_int_equal(m->at[i].weight, weight);
	assert_int_equal(m->at[i].sample, sample);
	assert_int_equal(m->at[i].value, value);
}

static void test_times(void **state)
{
	struct moments m = { .nr = 0 };
	struct profile *p;
	struct wire w;

	(void)state;
	put_timed_base(&w);
	put_timed(&w, (const uint64_t[]){ 1, 700 }, 2000, 5);
	put_timed(&w, (const uint64_t[]){ 1, 500 }, 1000, 5);
	put_timed(&w, (const uint64_t[]){ 1, 30 }, 1500, 6);
	/*
	 * two at the same time; one without a time; one of another event; one that was removed
	 */
	put_timed(&w, (const uint64_t[]){ 2, 15 }, 3000, 5);
	put_timed(&w, (const uint64_t[]){ 1, 9 }, 0, 5);
	put_timed(&w, (const uint64_t[]){ 1, 0 }, 4000, 6);
	put_timed(&w, (const uint64_t[]){ (uint64_t)-1, (uint64_t)-5 }, 5000, 6);
	p = merged(&w, &m);
	assert_int_equal(p->nr_samples, 2);
	assert_int_equal(p->samples[0].value[0], 5);
	assert_int_equal(p->samples[0].value[1], 1224);
	assert_int_equal(p->samples[1].value[0], 1);
	assert_int_equal(p->samples[1].value[1], 25);
	assert_int_equal(p->labels[p->samples[0].labels].nr, 1);
	assert_int_equal(m.nr, 6);
	assert_int_equal(m.left_out, 0);
	is_moment(&m, 0, 1000, 500, 0, 1);
	is_moment(&m, 1, 1500, 30, 1, 1);
	is_moment(&m, 2, 2000, 700, 0, 1);
	/* in ascending order of time; equal times in any order */
	assert_int_equal(m.at[3].weight + m.at[4].weight, 15);
	is_moment(&m, 5, 4000, 1, 1, 0);
	moments_release(&m);
	profile_free(p);
	/* without moments: the same profile */
	p = merged(&w, NULL);
	assert_int_equal(p->nr_samples, 2);
	profile_free(p);
	/* and unchanged for a program that writes them again */
	p = parsed(&w);
	assert_int_equal(p->nr_samples, 7);
	profile_free(p);
}

/*
 * Labels that are not read as a time: a text, a negative number, a number of a sample without
 * time.
 */
static void test_no_times(void **state)
{
	struct moments m = { .nr = 0 };
	struct profile *p;
	struct wire w;

	(void)state;
	put_timed_base(&w);
	put_timed(&w, (const uint64_t[]){ 1, 1 }, (uint64_t)-7, 5);
	put_timed(&w, (const uint64_t[]){ 1ull << 60, 80 }, 1000, 5);
	p = merged(&w, &m);
	assert_int_equal(p->nr_samples, 2);
	assert_int_equal(m.nr, 1);
	is_moment(&m, 0, 1000, 80, 1, 1);
	moments_release(&m);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_main_mapping), cmocka_unit_test(test_times), cmocka_unit_test(test_no_times),
		cmocka_unit_test(test_round), cmocka_unit_test(test_utf8), cmocka_unit_test(test_others),
		cmocka_unit_test(test_no_addresses), cmocka_unit_test(test_no_tables), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_large_field), cmocka_unit_test(test_offset), cmocka_unit_test(test_gzip),
		cmocka_unit_test(test_too_many), cmocka_unit_test(test_write_errors), cmocka_unit_test(test_save),
		cmocka_unit_test(test_no_memory),
	};

	rounds_leave_out("test_too_many");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
