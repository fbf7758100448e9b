// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ClickHouse client code without a server: numbers, tables, rows byte by byte, queries
 * after a doubtful insert, and the reaction to answers. tests/live/clickhouse has servers.
 */
#include "support.h"

#include <errno.h>

#include "serve/clickhouse/number_set.h"
#include "serve/clickhouse/schema.h"
#include "serve/clickhouse/siphash.h"
#include "serve/push/clickhouse_ask.h"
#include "serve/push/clickhouse_numbers.h"
#include "serve/push/clickhouse_rows.h"

#define T 1700000000ull

static void hashes(void **state)
{
	/* SELECT sipHash64('') and so on, of ClickHouse 18.16 */
	assert_true(siphash("", 0) == 2202906307356721367ull);
	assert_true(siphash("a", 1) == 10863254463029944905ull);
	assert_true(siphash("abcdefgh", 8) == 16599038366039810451ull);
	assert_true(siphash("abcdefghi", 9) == 5991824118181275020ull);
	assert_true(siphash("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16) == siphash_two(1, 2));
}

static void known_numbers(void **state)
{
	struct clickhouse_number_set k = { 0 };
	uint64_t i;

	for (i = 0; i < 5000; i++)
		assert_true(clickhouse_number_set_add(&k, i * 0x9e3779b97f4a7c15ull));
	for (i = 0; i < 5000; i++)
		assert_false(clickhouse_number_set_add(&k, i * 0x9e3779b97f4a7c15ull));
	assert_int_equal(k.nr, 5000);
	clickhouse_number_set_release(&k);
	assert_true(clickhouse_number_set_add(&k, 7));
	/* 0 becomes 1, because the numbers are hashes */
	assert_true(clickhouse_number_set_add(&k, 0));
	assert_false(clickhouse_number_set_add(&k, 0));
	clickhouse_number_set_release(&k);
}

static void known_numbers_are_bounded(void **state)
{
	struct clickhouse_number_set k = { 0 };
	uint64_t i;

	for (i = 1; i < 2 * CLICKHOUSE_MAX_NUMBERS; i++)
		clickhouse_number_set_add(&k, i);
	assert_int_equal(k.nr, CLICKHOUSE_MAX_NUMBERS);
	assert_false(clickhouse_number_set_add(&k, 5));
	assert_true(clickhouse_number_set_add(&k, CLICKHOUSE_MAX_NUMBERS + 5));
	assert_true(clickhouse_number_set_add(&k, CLICKHOUSE_MAX_NUMBERS + 5));
	clickhouse_number_set_release(&k);
}

static void names(void **state)
{
	static const char *const bad[] = { "", "1a", "a-b", "a.b", "a`", "a b", "\xc3\xa4",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	size_t i;

	assert_true(clickhouse_is_name("a_1"));
	assert_true(clickhouse_is_name("_"));
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(clickhouse_is_name(bad[i]));
}

struct statements {
	unsigned int nr;
	unsigned int views;
	unsigned int distributed;
	unsigned int replicated;
	unsigned int ttl;
	unsigned int zstd;
	unsigned int on_cluster;
	unsigned int windows;
	int stop_after;
};

static int count(const char *s, void *arg)
{
	struct statements *c = arg;

	c->nr++;
	c->views += !strncmp(s, "CREATE MATERIALIZED VIEW IF NOT EXISTS ", 39);
	c->distributed += strstr(s, "ENGINE = Distributed('c', 'd', ") != NULL;
	c->replicated += strstr(s, "MergeTree('/clickhouse/tables/{shard}/d/") != NULL;
	c->ttl += strstr(s, "\nTTL ") != NULL;
	c->zstd += strstr(s, "CODEC(") != NULL;
	c->on_cluster += strstr(s, " ON CLUSTER `c`") != NULL;
	/* after it only the tables that are distributed over it */
	assert_true(!c->windows || strstr(s, ".`windows` ON CLUSTER") != NULL);
	c->windows += strstr(s, ".`windows") != NULL;
	assert_null(strchr(s, ';'));
	return c->stop_after && (int)c->nr == c->stop_after ? -EPIPE : 0;
}

static void schemas(void **state)
{
	struct statements c = { 0 };

	assert_int_equal(clickhouse_schema(&(struct clickhouse_schema){ 0 }, count, &c), 0);
	assert_int_equal(c.views, 2 * CLICKHOUSE_NR_TARGETS);
	assert_int_equal(c.windows, 1);
	assert_int_equal(c.distributed + c.replicated + c.ttl + c.zstd + c.on_cluster, 0);
	c = (struct statements){ 0 };
	assert_int_equal(clickhouse_schema(&(struct clickhouse_schema){
		.database = "d", .cluster = "c", .ttl_days = 7, .zstd = true }, count, &c), 0);
	assert_int_equal(c.replicated, 14);
	/* a table that stores nothing is distributed, too */
	assert_int_equal(c.distributed, c.replicated + 1 + CLICKHOUSE_NR_TARGETS);
	assert_int_equal(c.ttl, c.replicated);
	assert_int_equal(c.zstd, c.replicated);
	assert_int_equal(c.on_cluster, c.nr);
	c = (struct statements){ .stop_after = 3 };
	assert_int_equal(clickhouse_schema(&(struct clickhouse_schema){ 0 }, count, &c), -EPIPE);
	assert_int_equal(c.nr, 3);
}

static uint32_t label(struct profile *p, const char *key, const char *text, int64_t num,
		      uint32_t more)
{
	struct profile_label l[2] = {
		{ .key = profile_string(p, key), .str = profile_string(p, text), .num = num },
		{ .key = profile_string(p, "stack"), .str = profile_string(p, "complete") },
	};

	return profile_labels(p, l, 1 + more);
}

/* "b" called "a" of a file with a build id, and a raw frame of the kernel. */
static struct profile *window(void)
{
	struct profile *p = profile_new();
	const int64_t one[] = { 1, 100 }, two[] = { 2, 200 };
	struct profile_line line;
	uint32_t exe, kernel, a, k;

	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
	p->time_ns = T * 1000000000;
	p->duration_ns = 10;
	profile_comment(p, "imagemap 5 AAEC");
	profile_comment(p, "said");
	exe = profile_mapping(p, &(struct profile_mapping){ .limit = 9,
		.file = profile_string(p, "/e"), .build_id = profile_string(p, "ab") });
	kernel = profile_mapping(p, &(struct profile_mapping){ .start = 1ull << 63,
		.limit = UINT64_MAX, .file = profile_string(p, "[kernel]"),
		.build_id = profile_string(p, "cd") });
	line = (struct profile_line){ .line = 3, .function = profile_function(p,
		&(struct profile_function){ .name = profile_string(p, "f"),
			.system_name = profile_string(p, "_f"), .start_line = 2 }) };
	a = profile_stack(p, 0, profile_location_named(p, exe, 0x10, &line, 1));
	k = profile_stack(p, a, profile_location(p, kernel, UINT64_MAX));
	profile_add(p, a, label(p, "unit", "u", 0, 1), two);
	profile_add(p, k, label(p, "pid", NULL, 5, 0), one);
	assert_int_equal(profile_error(p), 0);
	return p;
}

static const char *const services[] = { "unit", NULL };
static const uint32_t all[] = { 0, 1 };

static struct push_part part(const struct profile *p, struct push_machine_labels *m)
{
	push_machine_labels_of(p, "h", m);
	return (struct push_part){
		.window = p, .at = { 7, 8 }, .machine = m, .samples = all, .nr = 2,
		.services = services, .identity = "h/7.8/1700000000000000000/0-2",
	};
}

/* The expected bytes, put together by hand. */
static void put8(struct buffer *b, uint64_t v)
{
	buffer_fixed(b, v, 8);
}

static void put_str(struct buffer *b, const char *s)
{
	buffer_fixed(b, strlen(s), 1);
	buffer_text(b, s);
}

static void put_day(struct buffer *b)
{
	buffer_fixed(b, T / 86400, 2);
}

static void same(struct buffer *got, struct buffer *want)
{
	assert_int_equal(got->len, want->len);
	assert_memory_equal(got->at, want->at, want->len);
	buffer_clear(want);
}

static uint64_t of_text(const char *s)
{
	return siphash(s, strlen(s));
}

#define of_bytes(s) siphash(s, sizeof(s) - 1)

static void put_row_start(struct buffer *b, uint64_t machine)
{
	put_day(b);
	buffer_fixed(b, T, 4);
	put_str(b, "h");
	put8(b, machine);
}

static void check_samples(struct buffer *got, uint64_t frame, uint64_t kernel)
{
	const uint64_t machine = of_bytes("host\0h\0\0\0\0\0\0\0\0\0\0");
	const uint64_t stack = siphash_two(0, frame);
	struct buffer b = { 0 };

	put_row_start(&b, machine);
	put_str(&b, "u");
	put_str(&b, "");
	put_str(&b, "complete");
	put8(&b, of_bytes("stack\0complete\0\0\0\0\0\0\0\0\0\0unit\0u\0\0\0\0\0\0\0\0\0\0"));
	put8(&b, stack);
	put8(&b, frame);
	put8(&b, of_text("ab"));
	put8(&b, of_text("ab"));
	put8(&b, 2);
	put8(&b, 200);
	buffer_fixed(&b, 0, 1);
	put8(&b, 0);
	put_row_start(&b, machine);
	put_str(&b, "unknown_service");
	put_str(&b, "");
	put_str(&b, "");
	put8(&b, of_bytes("pid\0\0\5\0\0\0\0\0\0\0\0"));
	put8(&b, siphash_two(stack, kernel));
	put8(&b, kernel);
	put8(&b, of_text("ab"));
	put8(&b, of_text("ab"));
	put8(&b, 1);
	put8(&b, 100);
	buffer_fixed(&b, 0, 1);
	put8(&b, 0);
	/* the mark */
	put_row_start(&b, 0);
	put_str(&b, "");
	put_str(&b, "");
	put_str(&b, "");
	put8(&b, 2);
	put8(&b, 0);
	put8(&b, 0);
	put8(&b, 0);
	put8(&b, 0);
	put8(&b, 0);
	put8(&b, 0);
	buffer_fixed(&b, 0, 1);
	put8(&b, of_text("h/7.8/1700000000000000000/0-2"));
	same(got, &b);
	buffer_release(&b);
}

static void check_code(struct clickhouse_batch *batch, uint64_t frame, uint64_t kernel)
{
	struct buffer b = { 0 };

	put_day(&b);
	put8(&b, frame);
	put8(&b, of_text("ab"));
	put8(&b, 0x10);
	put_day(&b);
	put8(&b, kernel);
	put8(&b, of_text("cd"));
	put8(&b, UINT64_MAX);
	same(&batch->kinds[CLICKHOUSE_FRAMES], &b);
	put_day(&b);
	put8(&b, frame);
	buffer_fixed(&b, 2, 1);
	buffer_put(&b, "\1\1f\1\2_f\1\0\1\2\0\0\0\1\3\0\0\0", 19);
	same(&batch->kinds[CLICKHOUSE_NAMES], &b);
	put_day(&b);
	put8(&b, siphash_two(0, frame));
	buffer_fixed(&b, 1, 1);
	put8(&b, frame);
	put_day(&b);
	put8(&b, siphash_two(siphash_two(0, frame), kernel));
	buffer_fixed(&b, 2, 1);
	put8(&b, kernel);
	put8(&b, frame);
	same(&batch->kinds[CLICKHOUSE_STACKS], &b);
	buffer_release(&b);
}

static void check_rest(struct clickhouse_batch *batch)
{
	struct buffer b = { 0 };

	put_day(&b);
	put8(&b, of_bytes("\0\1\2"));
	buffer_put(&b, "\3\0\1\2", 4);
	same(&batch->kinds[CLICKHOUSE_MAPS], &b);
	put_day(&b);
	put_str(&b, "h");
	buffer_fixed(&b, 5, 4);
	put8(&b, of_bytes("\0\1\2"));
	buffer_fixed(&b, T, 4);
	same(&batch->kinds[CLICKHOUSE_PROCESSES], &b);
	put_day(&b);
	put_str(&b, "h");
	put8(&b, 7);
	put8(&b, 8);
	put8(&b, T * 1000000000);
	put8(&b, 10);
	put8(&b, of_bytes("host\0h\0\0\0\0\0\0\0\0\0\0"));
	buffer_put(&b, "\2\7samples\3cpu\2\5count\13nanoseconds\0", 33);
	put8(&b, 0);
	buffer_put(&b, "\0\0\1\4said", 8);
	buffer_fixed(&b, 2, 4);
	put8(&b, 3);
	put8(&b, 300);
	same(&batch->kinds[CLICKHOUSE_WINDOWS], &b);
	buffer_release(&b);
}

static void rows(void **state)
{
	struct profile *p = window();
	struct push_machine_labels m;
	const struct push_part one = part(p, &m);
	struct clickhouse_number_set known = { 0 };
	struct clickhouse_batch batch = { 0 };
	struct buffer samples = { 0 };
	const uint64_t frame = siphash_two(of_text("ab"), 0x10);
	const uint64_t kernel = siphash_two(of_text("cd"), UINT64_MAX);
	size_t windows;

	assert_int_equal(clickhouse_add(&batch, &samples, &known, &one), 0);
	check_samples(&samples, frame, kernel);
	check_code(&batch, frame, kernel);
	check_rest(&batch);
	/* the same window again: nothing that is stored only once is sent again */
	windows = batch.kinds[CLICKHOUSE_WINDOWS].len;
	buffer_clear(&batch.kinds[CLICKHOUSE_STACKS]);
	assert_int_equal(clickhouse_add(&batch, &samples, &known, &one), 0);
	assert_int_equal(batch.kinds[CLICKHOUSE_STACKS].len, 0);
	assert_int_equal(batch.kinds[CLICKHOUSE_WINDOWS].len, 2 * windows);
	assert_int_equal(batch.nr_parts, 2);
	buffer_release(&samples);
	clickhouse_batch_release(&batch);
	clickhouse_number_set_release(&known);
	profile_free(p);
}

/* Sets of labels and frames have the same number, whatever their order in a window. */
static void numbers_are_everywhere_the_same(void **state)
{
	struct profile *p = window(), *other = profile_new();
	struct clickhouse_numbers a, b;

	profile_string(other, "unit");
	profile_merge(other, p);
	assert_int_equal(clickhouse_numbers_init(&a, p), 0);
	assert_int_equal(clickhouse_numbers_init(&b, other), 0);
	assert_true(a.labels[p->samples[0].labels] == b.labels[other->samples[0].labels]);
	assert_true(a.stacks[p->samples[1].stack] == b.stacks[other->samples[1].stack]);
	clickhouse_numbers_release(&a);
	clickhouse_numbers_release(&b);
	profile_free(p);
	profile_free(other);
}

/* For kernel functions, a name is the same at each boot, but the address is not. */
static void places_of_the_kernel(void **state)
{
	struct profile *p = profile_new();
	struct clickhouse_numbers n;
	struct profile_line line = { 0 };
	uint32_t kernel, exe, a, b, c, d;

	kernel = profile_mapping(p, &(struct profile_mapping){ .start = 1ull << 63,
		.file = profile_string(p, "[kernel]"), .build_id = profile_string(p, "cd") });
	exe = profile_mapping(p, &(struct profile_mapping){ .file = profile_string(p, "/e"),
		.build_id = profile_string(p, "ab") });
	line.function = profile_function(p, &(struct profile_function){
		.name = profile_string(p, "f") });
	a = profile_location_named(p, kernel, 1ull << 63 | 1, &line, 1);
	b = profile_location_named(p, kernel, 1ull << 63 | 2, &line, 1);
	c = profile_location_named(p, exe, 5, &line, 1);
	line.line = 1;
	d = profile_location_named(p, exe, 5, &line, 1);
	assert_int_not_equal(c, d);
	assert_int_equal(clickhouse_numbers_init(&n, p), 0);
	assert_true(n.frames[a] == n.frames[b]);
	assert_true(n.frames[c] == siphash_two(of_text("ab"), 5));
	assert_true(n.frames[d] != n.frames[c]);
	clickhouse_numbers_release(&n);
	profile_free(p);
}

static void moments(void **state)
{
	assert_int_equal(clickhouse_seconds(T * 1000000000 + 999999999), T);
	assert_int_equal(clickhouse_day(86400ull * 3 * 1000000000), 3);
	assert_int_equal(clickhouse_day(86400ull * 3 * 1000000000 - 1), 2);
	assert_int_equal(clickhouse_seconds(UINT64_MAX), UINT32_MAX);
}

static struct clickhouse_part parts[] = {
	{ .number = 11, .at = { 7, 1 }, .time_ns = T * 1000000000, .first = 0, .end = 10 },
	{ .number = 12, .at = { 7, 2 }, .time_ns = (T + 10) * 1000000000, .first = 0, .end = 20 },
};

static struct clickhouse_batch two_parts(void)
{
	return (struct clickhouse_batch){ .parts = parts, .nr_parts = 2, .day = 19675,
					  .host = "it's \\" };
}

static void questions(void **state)
{
	static const char want[] =
		"SELECT DISTINCT toUInt8(0) AS target, part, stack AS first, labels AS end FROM "
		"`d`.`samples` WHERE day = toDate(19675) AND part != 0 AND host = 'it\\'s \\\\' AND "
		"intDiv(toUInt32(time), 3600) IN (472222,472222) AND toUInt32(time) IN "
		"(1700000000,1700000010) UNION ALL SELECT DISTINCT toUInt8(1) AS target, part, "
		"toUInt64(0) AS first, toUInt64(0) AS end FROM `d`.`services_by_minute` WHERE "
		"day = toDate(19675) AND service = '' AND part IN (11,12) UNION ALL ";
	struct clickhouse_batch b = two_parts();
	struct buffer got = { 0 };

	clickhouse_ask("d", &b, &got);
	assert_true(got.len > sizeof(want));
	assert_memory_equal(got.at, want, sizeof(want) - 1);
	buffer_release(&got);
}

static int find(const char *text, enum clickhouse_finding *f, struct push_point *until)
{
	struct clickhouse_batch b = two_parts();

	return clickhouse_find(text, strlen(text), "h", &b, f, until);
}

#define EVERYWHERE(part) "0\t" part "\t0\t10\n1\t" part "\t0\t0\n2\t" part "\t0\t0\n" \
			 "3\t" part "\t0\t0\n4\t" part "\t0\t0\n"

static void findings(void **state)
{
	enum clickhouse_finding f;
	struct push_point until = { 0 };

	assert_int_equal(find("", &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_NOWHERE);
	assert_int_equal(find("0\t99\t0\t10\n", &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_NOWHERE);
	assert_int_equal(find(EVERYWHERE("11") EVERYWHERE("12"), &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_THERE);
	assert_int_equal(find("2\t11\t0\t0\n2\t12\t0\t0\n", &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_LACKING);
	assert_int_equal(parts[0].there, 4);
	/* the first is in the database, the second is not: they are two inserts */
	assert_int_equal(find(EVERYWHERE("11"), &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_OTHER_CUT);
	assert_true(until.window.segment == 7 && until.window.record == 1 && until.sample == 10);
}

static void other_cuts(void **state)
{
	char identity[PUSH_IDENTITY_BYTES], line[128];
	enum clickhouse_finding f;
	struct push_point until = { 0 };

	/* half of the first window */
	push_identity("h", &parts[0].at, parts[0].time_ns, 0, 4, identity);
	snprintf(line, sizeof(line), "0\t%llu\t0\t4\n",
		 (unsigned long long)clickhouse_part_number(identity));
	assert_int_equal(find(line, &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_OTHER_CUT);
	assert_true(until.window.record == 1 && until.sample == 4);
	/* the number of another host proves nothing */
	line[2] ^= 1;
	assert_int_equal(find(line, &f, &until), 0);
	assert_int_equal(f, CLICKHOUSE_NOWHERE);
}

static void bad_answers(void **state)
{
	static const char *const bad[] = {
		"0", "0\t11", "0\t11\t0\t10", "5\t11\t0\t0\n", "0\t-1\t0\t0\n", "0\t 11\t0\t0\n",
		"0\t11\t0\t0\n\n", "0\t99999999999999999999\t0\t0\n", "Code: 1\n", "0 11 0 0\n",
		"0\t11\t0\t0\t0\n",
	};
	enum clickhouse_finding f = CLICKHOUSE_THERE;
	struct push_point until;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(find(bad[i], &f, &until), -EBADMSG);
	assert_int_equal(f, CLICKHOUSE_THERE);
}

static void settings(void **state)
{
	char q[256];

	assert_int_equal(clickhouse_settings("max_block_size\n", q, sizeof(q)), 0);
	assert_string_equal(q, "");
	assert_int_equal(clickhouse_settings("async_insert\ninsert_distributed_sync\n"
		"max_block_size\nasync_insert\nother\n", q, sizeof(q)), 0);
	assert_string_equal(q, "&async_insert=0&insert_distributed_sync=1");
	assert_int_equal(clickhouse_settings("", q, sizeof(q)), -EBADMSG);
	assert_int_equal(clickhouse_settings("async_insert\n", q, sizeof(q)), -EBADMSG);
	assert_int_equal(clickhouse_settings("max_block_size", q, sizeof(q)), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes),
		cmocka_unit_test(known_numbers),
		cmocka_unit_test(known_numbers_are_bounded),
		cmocka_unit_test(names),
		cmocka_unit_test(schemas),
		cmocka_unit_test(rows),
		cmocka_unit_test(numbers_are_everywhere_the_same),
		cmocka_unit_test(places_of_the_kernel),
		cmocka_unit_test(moments),
		cmocka_unit_test(questions),
		cmocka_unit_test(findings),
		cmocka_unit_test(other_cuts),
		cmocka_unit_test(bad_answers),
		cmocka_unit_test(settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
