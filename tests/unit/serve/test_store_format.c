// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store's format as Documentation/store.md describes it: segments put together byte by
 * byte, in which one field after the other is wrong although all checksums are right; and the
 * headers and heads that the writer makes, field by field.
 */
#include "store_random.h"

#include <zlib.h>
#include <zstd.h>

#include "serve/store/bytes.h"
#include "serve/store/segment.h"

enum { HEADER = 128, HEAD = 64, NUMBER = 0x1234 };

static uint64_t number_at(const uint8_t *at, unsigned int bytes)
{
	uint64_t v = 0;

	memcpy(&v, at, bytes);
	return v;
}

static void put_number(uint8_t *at, uint64_t v, unsigned int bytes)
{
	memcpy(at, &v, bytes);
}

/* A part of a record: bytes in pieces, of which a test replaces one. */
enum piece { STRINGS, MAPPINGS, FUNCTIONS, NAMES, LOCATIONS, STACKS, LABELS, MORE, NR_PIECES };
struct bytes_of {
	const char *p;
	size_t len;
};

static const struct bytes_of good[NR_PIECES] = {
	[STRINGS] = { B("\5" "\3\2\1\6\1" "cpu" "ns" "f" "/bin/p" "k") },
	[MAPPINGS] = { B("\1" "\x10\x20\0\4\5") },
	[FUNCTIONS] = { B("\1" "\6\1\x08\7") },
	[NAMES] = { B("\0") },
	[LOCATIONS] = { B("\1" "\2\x2a" "\1\2\x09") },
	[STACKS] = { B("\1" "\0" "\2") },
	[LABELS] = { B("\1" "\1\5\3") },
	[MORE] = { B("") },
};

/* period 100 ns of cpu; one type; no comment; one sample of 5 */
#define SAMPLES_HEAD "\xc8\1" "\1\2\1"
#define SAMPLES_GOOD SAMPLES_HEAD "\1\1\2" "\0" "\1\2\1\1" "\0\x0a"

/* A segment of one record. */
struct made {
	uint8_t bytes[4096];
	size_t len;
};

static void sum_header(struct made *m)
{
	put_number(m->bytes + 124, crc32(0, m->bytes, 124), 4);
}

static void sum_head(struct made *m)
{
	put_number(m->bytes + HEADER + 4, crc32(0, m->bytes + HEADER + 8, HEAD - 8), 4);
}

static void put_part(struct made *m, const void *raw, size_t len, unsigned int sizes,
		     unsigned int sum)
{
	uint8_t *head = m->bytes + HEADER;
	size_t n = ZSTD_compress(m->bytes + m->len, sizeof(m->bytes) - m->len, raw, len, 3);

	assert_false(ZSTD_isError(n));
	put_number(head + sizes, n, 4);
	put_number(head + sizes + 4, len, 4);
	put_number(head + sum, crc32(0, m->bytes + m->len, (unsigned int)n), 4);
	m->len += n;
}

static void make(struct made *m, const struct bytes_of *definitions, const char *samples,
		 size_t samples_len)
{
	char raw[1024];
	size_t len = 0;
	unsigned int i;

	memset(m, 0, sizeof(*m));
	memcpy(m->bytes, "USTKSEG\n", 8);
	put_number(m->bytes + 8, 1, 4);
	put_number(m->bytes + 16, NUMBER, 8);
	put_number(m->bytes + 24, (uint64_t)time(NULL) * SECOND, 8);
	gethostname((char *)m->bytes + 32, 64);
	sum_header(m);
	memcpy(m->bytes + HEADER, "USWD", 4);
	put_number(m->bytes + HEADER + 16, NUMBER, 8);
	put_number(m->bytes + HEADER + 24, BEGIN, 8);
	put_number(m->bytes + HEADER + 32, SECOND, 8);
	m->len = HEADER + HEAD;
	for (i = 0; i < NR_PIECES; len += definitions[i++].len)
		memcpy(raw + len, definitions[i].p, definitions[i].len);
	put_part(m, raw, len, 40, 56);
	put_part(m, samples, samples_len, 48, 60);
	sum_head(m);
}

static void make_good(struct made *m)
{
	make(m, good, B(SAMPLES_GOOD));
}

static void path_of(const char *dir, uint64_t number, char path[400])
{
	snprintf(path, 400, "%s/%016" PRIx64 ".seg", dir, number);
}

static void put_file(const char *dir, const struct made *m)
{
	char path[400];
	FILE *out;

	path_of(dir, NUMBER, path);
	out = fopen(path, "w");
	assert_int_equal(fwrite(m->bytes, 1, m->len, out), m->len);
	assert_int_equal(fclose(out), 0);
}

/* The first result of a reader. Return: 1 for a window, whose text is @text; else an error. */
static int first_of(const struct made *m, char **text, struct diag *diag)
{
	char *dir = make_dir();
	struct store_reader *r;
	struct store_window w;
	int n;

	put_file(dir, m);
	r = must_read(dir, (struct store_position){ 0, 0 });
	*diag = (struct diag){ .text = "" };
	n = store_reader_next(r, &w, diag);
	if (n > 0 && text)
		*text = say_profile(w.profile);
	/* one record: nothing follows it, and an error is reported once */
	assert_int_equal(store_reader_next(r, &w, NULL), 0);
	store_reader_free(r);
	remove_dir(dir);
	return n;
}

static void is_good(const struct made *m)
{
	struct diag diag;
	int n = first_of(m, NULL, &diag);

	if (n != 1)
		fail_msg("%d: %s", n, diag.text);
}

static void is_bad(const struct made *m, int err, uint64_t offset, const char *why)
{
	struct diag diag;

	assert_int_equal(first_of(m, NULL, &diag), err);
	if (!strstr(diag.text, why))
		fail_msg("%s; not: %s", diag.text, why);
	assert_int_equal(diag.offset, offset);
}

static void test_good(void **state)
{
	struct diag diag;
	struct made m;
	char *text;

	make_good(&m);
	assert_int_equal(first_of(&m, &text, &diag), 1);
	assert_string_equal(text, "1790000000000000000 1000000000 100 cpu ns cpu\n"
				  "cpu/ns 5  k=f/0 | 15 10-30+0 /bin/p k [f ns /bin/p:7 9]\n");
	free(text);
}

/* U: of @left bytes the last is the last one that is read, and at most ten are. */
static void test_numbers(void **state)
{
#define NINE "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	static const struct {
		const char *bytes;
		size_t left;
		uint64_t value;
		size_t rest;
		bool failed;
	} cases[] = {
		{ "\0\1", 2, 0, 1, false },
		{ "\x7f\1", 2, 0x7f, 1, false },
		{ "\x80\1", 2, 0x80, 0, false },
		{ "\xff\x7f\1", 3, 0x3fff, 1, false },
		{ NINE "\1\1", 11, UINT64_MAX, 1, false },
		{ NINE "\0\1", 11, UINT64_MAX >> 1, 1, false },
		{ "\x80\x80\x80\x80\x80\x80\x80\x80\x80\0", 10, 0, 0, false },
		/* a failure empties the cursor */
		{ NINE "\2\1", 11, 0, 0, true },
		{ NINE "\x81\1", 11, 0, 0, true },
		/* more bytes follow, but they belong to the next number */
		{ "\1", 0, 0, 0, true },
		{ "\x80\1", 1, 0, 0, true },
		{ NINE "\1", 9, 0, 0, true },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cursor c = cursor_over(cases[i].bytes, cases[i].left);

		assert_true(store_take_u(&c) == cases[i].value);
		assert_int_equal(cursor_left(&c), cases[i].rest);
		assert_int_equal(c.bad, cases[i].failed);
		assert_ptr_equal(c.p, (const uint8_t *)cases[i].bytes + cases[i].left - cases[i].rest);
	}
}

static void test_headers(void **state)
{
	static const struct {
		unsigned int at;
		uint8_t change;
		bool sum;
		int err;
		uint64_t offset;
		const char *why;
	} cases[] = {
		{ 0, 1, true, -EBADMSG, 0, "not a segment of a store" },
		{ 7, 1, true, -EBADMSG, 0, "not a segment of a store" },
		{ 8, 3, true, -ENOTSUP, 8, "version 2, which this program does not know" },
		{ 11, 1, true, -ENOTSUP, 8, "version 16777217, which" },
		{ 16, 1, true, -EBADMSG, 16, "its number is not that of its name" },
		{ 23, 1, true, -EBADMSG, 16, "its number is not that of its name" },
		{ 123, 1, false, -EBADMSG, 124, "the header's checksum is wrong" },
		{ 124, 1, false, -EBADMSG, 124, "the header's checksum is wrong" },
		{ 127, 1, false, -EBADMSG, 124, "the header's checksum is wrong" },
	};
	struct made m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		make_good(&m);
		m.bytes[cases[i].at] ^= cases[i].change;
		if (cases[i].sum)
			sum_header(&m);
		is_bad(&m, cases[i].err, cases[i].offset, cases[i].why);
	}
}

static void test_heads(void **state)
{
	static const struct {
		unsigned int at;
		unsigned int bytes;
		uint64_t value;
		const char *why;
	} cases[] = {
		{ 3, 1, 'E', "no record begins here" },
		{ 8, 4, 1, "a record before this one is missing" },
		{ 11, 1, 1, "a record before this one is missing" },
		{ 16, 8, NUMBER + 1, "a record of another segment" },
		{ 23, 1, 1, "a record of another segment" },
		{ 44, 4, (128u << 20) + 1, "a record is larger than the format allows" },
		{ 52, 4, (64u << 20) + 1, "a record is larger than the format allows" },
		/* stored larger than zstd makes it from so many bytes */
		{ 44, 4, 0, "a record is larger than the format allows" },
		{ 52, 4, 0, "a record is larger than the format allows" },
	};
	struct made m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		make_good(&m);
		put_number(m.bytes + HEADER + cases[i].at, cases[i].value, cases[i].bytes);
		if (i >= 7)
			put_number(m.bytes + HEADER + cases[i].at - 4, ZSTD_compressBound(0) + 1, 4);
		sum_head(&m);
		is_bad(&m, -EBADMSG, HEADER, cases[i].why);
	}
	make_good(&m);
	m.bytes[HEADER + 4] ^= 1;
	is_bad(&m, -EBADMSG, HEADER, "the checksum of a record's head is wrong");
}

/* Sizes and checksums of the two parts. */
static void test_parts(void **state)
{
	struct made m;
	uint64_t samples;
	unsigned int k;

	make_good(&m);
	samples = HEADER + HEAD + number_at(m.bytes + HEADER + 40, 4);
	for (k = 0; k < 2; k++) {
		uint64_t offset = k ? samples : HEADER + HEAD;
		uint8_t *raw = m.bytes + HEADER + 44 + 8 * k, *sum = m.bytes + HEADER + 56 + 4 * k;

		sum[3] ^= 0x80;
		sum_head(&m);
		is_bad(&m, -EBADMSG, offset, "the checksum of a record is wrong");
		sum[3] ^= 0x80;
		put_number(raw, number_at(raw, 4) + 1, 4);
		sum_head(&m);
		is_bad(&m, -EBADMSG, offset, "a record does not unpack: too short");
		put_number(raw, number_at(raw, 4) - 2, 4);
		sum_head(&m);
		is_bad(&m, -EBADMSG, offset, "a record does not unpack: Destination buffer");
		put_number(raw, number_at(raw, 4) + 1, 4);
		sum_head(&m);
		is_good(&m);
	}
}

static const struct wrong {
	enum piece piece;
	struct bytes_of bytes;
	const char *why;	/* NULL: it is right */
} wrong_definitions[] = {
	/* NUL; empty; one twice */
	{ STRINGS, { B("\5" "\3\2\1\6\1" "cpu" "ns" "f" "/b\0n/p" "k") }, "a string is not whole" },
	{ STRINGS, { B("\5" "\3\2\1\6\0" "cpu" "ns" "f" "/bin/p") }, "a string is there twice" },
	{ STRINGS, { B("\5" "\3\2\1\6\1" "cpu" "ns" "f" "/bin/p" "f") }, "a string is there twice" },
	{ MAPPINGS, { B("\1" "\x10\x20\0\5\4") }, NULL },
	{ MAPPINGS, { B("\1" "\x10\x20\0\6\5") }, "a mapping is bad" },
	{ MAPPINGS, { B("\1" "\x10\x20\0\4\6") }, "a mapping is bad" },
	{ MAPPINGS, { B("\2" "\x10\x20\0\4\5" "\x10\x20\0\4\5") }, "a mapping is bad or there twice" },
	{ FUNCTIONS, { B("\1" "\x0a\0\x0a\xff\xff\xff\xff\x0f") }, NULL },
	{ FUNCTIONS, { B("\1" "\x0c\0\x08\7") }, "a function is bad" },
	{ FUNCTIONS, { B("\1" "\6\6\x08\7") }, "a function is bad" },
	{ FUNCTIONS, { B("\1" "\6\1\x0c\7") }, "a function is bad" },
	{ FUNCTIONS, { B("\1" "\6\1\x08\x80\x80\x80\x80\x10") }, "a function is bad" },
	{ FUNCTIONS, { B("\2" "\6\1\x08\7" "\0\1\0\7") }, "a function is bad or there twice" },
	/* the first record has no earlier location that could get a name */
	{ NAMES, { B("\1" "\0\1\2\1") }, "lines for a location that cannot have them" },
	{ NAMES, { B("\1" "\2\1\2\1") }, "a line of a location is bad" },
	{ NAMES, { B("\1" "\0\1\0\1") }, "a line of a location is bad" },
	{ LOCATIONS, { B("\1" "\2\x2a" "\1\2\xff\xff\xff\xff\x0f") }, NULL },
	{ LOCATIONS, { B("\1" "\2\x2a" "\1\2\x80\x80\x80\x80\x10") }, "a line of a location is bad" },
	{ LOCATIONS, { B("\1" "\2\x2a" "\1\0\x09") }, "a line of a location is bad" },
	{ LOCATIONS, { B("\1" "\2\x2a" "\1\4\x09") }, "a line of a location is bad" },
	{ LOCATIONS, { B("\1" "\4\x2a" "\1\2\x09") }, "a location is bad" },
	{ LOCATIONS, { B("\2" "\2\x2a" "\1\2\x09" "\0\0" "\1\0\x09") }, "a location is bad or there twice" },
	{ STACKS, { B("\2" "\0\1" "\2\0") }, NULL },
	{ STACKS, { B("\1" "\1" "\2") }, "a stack has a frame without a location" },
	{ STACKS, { B("\2" "\0\2" "\2\0") }, "a stack has a frame without a location" },
	{ STACKS, { B("\1" "\0" "\0") }, "a stack has a frame without a location" },
	{ STACKS, { B("\1" "\0" "\4") }, "a stack has a frame without a location" },
	{ STACKS, { B("\2" "\0\0" "\2\0") }, "a stack is there twice" },
	{ LABELS, { B("\1" "\1\5\0\2\x0b") }, NULL },
	{ LABELS, { B("\1" "\1\6\3") }, "labels are bad" },
	{ LABELS, { B("\1" "\1\5\6") }, "labels are bad" },
	{ LABELS, { B("\1" "\1\5\0\6\x0b") }, "labels are bad" },
	{ LABELS, { B("\2" "\1\5\3" "\1\5\3") }, "labels are there twice" },
	{ LABELS, { B("\2" "\1\5\3") }, "labels are bad" },
	{ MORE, { B("\0") }, "definitions end too early or too late" },
};

static void test_definitions(void **state)
{
	struct bytes_of parts[NR_PIECES];
	const struct wrong *w;
	struct made m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong_definitions); i++) {
		w = &wrong_definitions[i];
		memcpy(parts, good, sizeof(parts));
		parts[w->piece] = w->bytes;
		make(&m, parts, B(SAMPLES_GOOD));
		if (w->why)
			is_bad(&m, -EBADMSG, HEADER + HEAD, w->why);
		else
			is_good(&m);
	}
}

/* A string may be the last bytes that there are: then the field after it is missing. */
static void test_end_after_strings(void **state)
{
	struct bytes_of parts[NR_PIECES];
	struct made m;
	unsigned int i;

	for (i = 0; i < NR_PIECES; i++)
		parts[i] = good[MORE];
	parts[STRINGS] = (struct bytes_of){ B("\1" "\1" "a") };
	make(&m, parts, B(SAMPLES_GOOD));
	is_bad(&m, -EBADMSG, HEADER + HEAD, "definitions end too early or too late");
}

/*
 * As many labels as a set may have, and one more: all have the same key, and their number as
 * value.
 */
static void test_most_labels(void **state)
{
	struct bytes_of parts[NR_PIECES];
	uint8_t labels[2 + 4 * 65];
	struct made m;
	uint8_t nr, i;

	memcpy(parts, good, sizeof(parts));
	for (nr = 64; nr <= 65; nr++) {
		labels[0] = 1;
		labels[1] = nr;
		for (i = 0; i < nr; i++)
			memcpy(labels + 2 + 4 * i, (const uint8_t[]){ 5, 0, 0, i }, 4);
		parts[LABELS] = (struct bytes_of){ (const char *)labels, 2 + 4ul * nr };
		make(&m, parts, B(SAMPLES_GOOD));
		if (nr == 64)
			is_good(&m);
		else
			is_bad(&m, -EBADMSG, HEADER + HEAD, "labels are bad");
	}
}

static void test_samples(void **state)
{
	static const struct {
		struct bytes_of bytes;
		const char *why;
	} cases[] = {
		/* strings of the head */
		{ { B("\xc8\1" "\5\5\5" "\1\5\5" "\1\x0a" "\1\2\1\1" "\0\x0a") }, NULL },
		{ { B("\xc8\1" "\6\2\1" "\1\1\2" "\0" "\1\2\1\1" "\0\x0a") }, "refer to what is not there" },
		{ { B("\xc8\1" "\1\6\1" "\1\1\2" "\0" "\1\2\1\1" "\0\x0a") }, "refer to what is not there" },
		{ { B("\xc8\1" "\1\2\6" "\1\1\2" "\0" "\1\2\1\1" "\0\x0a") }, "refer to what is not there" },
		{ { B(SAMPLES_HEAD "\1\6\2" "\0" "\1\2\1\1" "\0\x0a") }, "refer to what is not there" },
		{ { B(SAMPLES_HEAD "\1\1\6" "\0" "\1\2\1\1" "\0\x0a") }, "refer to what is not there" },
		/* a type that is repeated; more types than there are */
		{ { B(SAMPLES_HEAD "\2\1\2\1\2" "\0" "\1\2\1\1" "\0\x0a\0\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\2\1\2\2\1" "\0" "\1\2\1\1" "\0\x0a\1\0") }, NULL },
		{ { B(SAMPLES_HEAD "\2\1\2\2\1" "\0" "\1\2\1\1" "\0\x0a\2\0") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\1\1" "\1\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\x08\1\2\2\1\1\1\2\2\3\1\1\3\3\2\2\3" "\0" "\0"
		      "\0\0\0\0\0\0\0\0") }, NULL },
		{ { B(SAMPLES_HEAD "\x09\1\2\2\1\1\1\2\2\3\1\1\3\3\2\2\3\3\3" "\0" "\0"
		      "\0\0\0\0\0\0\0\0\0") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\1\x0c" "\1\2\1\1" "\0\x0a") }, "too early" },
		/*
		 * groups: no labels with that number, an empty one, more than all, not
		 * ascending
		 */
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\4\1\1" "\0\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\0\1" "\0\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\0\0\1\1" "\0\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\2\0\1" "\0\x0a\0") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\2\2\1\1\0\1\0" "\0\x0a\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\2\2\1\1\1\1\1" "\0\x0a\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\2\0\1\1\2\1\1" "\0\x0a\x0a") }, NULL },
		/* stacks: the first may be 0, then they ascend, and must exist */
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\2\2\2\0\1" "\0\x0a\x0a") }, NULL },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\2\2\2\1\0" "\0\x0a\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\2\2\2\1\1" "\0\x0a\x0a") }, "refer to" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\1\2" "\0\x0a") }, "refer to" },
		/* the end */
		{ { B(SAMPLES_GOOD "\0") }, "samples end too early or too late" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\1\1" "\0") }, "samples end too early" },
		{ { B(SAMPLES_HEAD "\1\1\2" "\0" "\1\2\1\1" "\0\x80") }, "samples end too early" },
	};
	struct made m;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		make(&m, good, cases[i].bytes.p, cases[i].bytes.len);
		if (cases[i].why)
			is_bad(&m, -EBADMSG, HEADER + HEAD + number_at(m.bytes + HEADER + 40, 4),
			       cases[i].why);
		else
			is_good(&m);
	}
}

/* A writer that opens a segment continues it only as long as it is young. */
static void test_age(void **state)
{
	static const struct {
		int64_t age;	/* seconds */
		bool goes_on;
	} cases[] = { { 10, true }, { 101, false }, { -100, false } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t now = (uint64_t)time(NULL) * SECOND;
		char *dir = make_dir();
		struct store_position at, end;
		struct store_info info;
		struct made m;
		struct store *s;

		make_good(&m);
		put_number(m.bytes + 24, now - (uint64_t)cases[i].age * SECOND, 8);
		sum_header(&m);
		put_file(dir, &m);
		s = must_open(dir, (struct store_options){ .segment_ns = 100 * SECOND });
		store_info(s, &info);
		assert_int_equal(info.bytes, m.len);
		assert_int_equal(info.segments, 1);
		assert_int_equal(info.first_ns, BEGIN);
		store_end(s, &end);
		assert_int_equal(end.segment, cases[i].goes_on ? NUMBER : NUMBER + 1);
		assert_int_equal(end.record, cases[i].goes_on);
		append_window(s, 1, &at);
		assert_int_equal(at.segment, cases[i].goes_on ? NUMBER : NUMBER + 1);
		assert_int_equal(at.record, cases[i].goes_on ? 2 : 1);
		store_close(s);
		remove_dir(dir);
	}
}

/* A file that the writer made. */
static void take_file(const char *dir, uint64_t number, struct made *m)
{
	char path[400];
	FILE *in;

	path_of(dir, number, path);
	in = fopen(path, "r");
	m->len = fread(m->bytes, 1, sizeof(m->bytes), in);
	assert_true(feof(in));
	fclose(in);
}

static bool is_zero(const uint8_t *at, size_t len)
{
	while (len--)
		if (*at++)
			return false;
	return true;
}

static void test_writer(void **state)
{
	static char host[65];
	char *dir = make_dir();
	struct store *s = must_open(dir, (struct store_options){ 0 });
	struct store_position at;
	struct profile *p;
	struct made m;
	uint32_t i, stored, more;
	uint64_t made, now = (uint64_t)time(NULL);
	const uint8_t *head;

	for (i = 0; i < 2; i++) {
		p = profile_new();
		p->time_ns = BEGIN + i;
		p->duration_ns = 77 + i;
		assert_int_equal(store_append(s, p, &at, NULL), 0);
		profile_free(p);
	}
	store_close(s);
	take_file(dir, at.segment, &m);
	gethostname(host, 64);
	assert_memory_equal(m.bytes, "USTKSEG\n", 8);
	assert_int_equal(number_at(m.bytes + 8, 4), 1);
	assert_true(is_zero(m.bytes + 12, 4) && is_zero(m.bytes + 96, 28));
	assert_int_equal(number_at(m.bytes + 16, 8), at.segment);
	made = number_at(m.bytes + 24, 8) / SECOND;
	assert_in_range(made, now - 1, now + 60);
	assert_memory_equal(m.bytes + 32, host, 64);
	assert_int_equal(number_at(m.bytes + 124, 4), crc32(0, m.bytes, 124));
	head = m.bytes + HEADER;
	for (i = 0; i < 2; i++) {
		stored = (uint32_t)number_at(head + 40, 4);
		more = (uint32_t)number_at(head + 48, 4);
		assert_memory_equal(head, "USWD", 4);
		assert_int_equal(number_at(head + 4, 4), crc32(0, head + 8, HEAD - 8));
		assert_int_equal(number_at(head + 8, 4), i);
		assert_true(is_zero(head + 12, 4));
		assert_int_equal(number_at(head + 16, 8), at.segment);
		assert_int_equal(number_at(head + 24, 8), BEGIN + i);
		assert_int_equal(number_at(head + 32, 8), 77 + i);
		/* an empty window defines nothing */
		assert_int_equal(stored | number_at(head + 44, 4), 0);
		assert_int_equal(number_at(head + 52, 4), 7);
		assert_int_equal(number_at(head + 60, 4), crc32(0, head + HEAD + stored, more));
		head += HEAD + stored + more;
	}
	assert_ptr_equal(head, m.bytes + m.len);
	remove_dir(dir);
}

/* A new file is complete, whatever was at its place before. */
static void test_reserved_bytes(void **state)
{
	const struct store_segment g = { .number = NUMBER };
	const struct store_head h = { .time_ns = BEGIN };
	uint8_t bytes[HEADER];

	memset(bytes, 0xff, sizeof(bytes));
	store_header_put(&g, bytes);
	assert_true(is_zero(bytes + 12, 4) && is_zero(bytes + 32, 92));
	memset(bytes, 0xff, sizeof(bytes));
	store_head_put(&g, 0, &h, bytes);
	assert_true(is_zero(bytes + 12, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_end_after_strings),
		cmocka_unit_test(test_most_labels),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_writer),
		cmocka_unit_test(test_reserved_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
