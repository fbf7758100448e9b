// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of perf.data: files made by hand in both modes, every record that it knows, order,
 * compressed records, and refusals. Each file is cut at every length, and each of its bytes is
 * changed: it must be read, or refused with a message.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <zstd.h>

#include <cmocka.h>

#include "formats/perfdata/perfdata.h"
#include "perfdata_file.h"

#define CHAIN_TYPE (MADE_TYPE | PERF_SAMPLE_CALLCHAIN)

/* The contents that were read from a file. */
struct seen {
	struct diag diag;
	int end;		/* the error that ended it */
	unsigned int nr;
	uint64_t time[64];
	enum perfdata_kind kind[64];
	struct perfdata_counts counts;
};

static void see(const struct buffer *b, struct seen *ret)
{
	struct perfdata_record r;
	struct file_stream s;
	struct perfdata *d;
	char path[32];

	*ret = (struct seen){ .diag = { .offset = DIAG_NO_OFFSET } };
	assert_int_equal(open_bytes(b->at, b->len, path, &s), 0);
	ret->end = perfdata_open(&s, &d, &ret->diag);
	if (!ret->end) {
		while ((ret->end = perfdata_next(d, &r, &ret->diag)) > 0) {
			if (ret->nr < 64) {
				ret->time[ret->nr] = r.time;
				ret->kind[ret->nr] = r.kind;
			}
			ret->nr++;
		}
		perfdata_counts(d, &ret->counts);
		perfdata_close(d);
	}
	file_stream_release(&s);
}

static void put_round(struct buffer *b)
{
	record_end(b, record_begin(b, FORMAT_RECORD_ROUND, 0));
}

static void flat_sample(struct buffer *b, uint64_t time)
{
	put_sample(b, PERF_RECORD_MISC_USER, 7, 8, time, 0x1000 + time, 10, NULL, 0);
}

/* A file in pipe mode that has one of each. */
static void make_pipe(struct buffer *b)
{
	const uint64_t ips[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010,
				 FORMAT_CONTEXT_USER_DEFERRED, 77 };
	struct perf_event_attr attr = made_attr(CHAIN_TYPE);
	size_t at;

	pipe_begin(b, &attr, 5);
	at = record_begin(b, FORMAT_RECORD_FEATURE, 0);
	put_u64(b, FORMAT_HOSTNAME);
	put_u32(b, 4);
	buffer_put(b, "box", 4);
	record_end(b, at);
	at = record_begin(b, FORMAT_RECORD_EVENT_UPDATE, 0);
	put_u64(b, FORMAT_EVENT_UPDATE_NAME);
	put_u64(b, 5);
	put_text(b, "cpu-clock:u");
	record_end(b, at);
	put_comm(b, 7, 7, 0, "work", true);
	put_mmap(b, 7, 0, 0x1000, 0x1000, 0, "/bin/work");
	put_fork(b, PERF_RECORD_FORK, 7, 7, 8, 5);
	put_sample(b, PERF_RECORD_MISC_KERNEL, 7, 8, 10, 0xffffffff81000010, 3, ips, 4);
	at = record_begin(b, FORMAT_RECORD_DEFERRED, PERF_RECORD_MISC_USER);
	put_u64(b, 77);
	put_u64(b, 2);
	put_u64(b, (uint64_t)PERF_CONTEXT_USER);
	put_u64(b, 0x1010);
	put_id(b, 7, 8, 11);
	record_end(b, at);
	at = record_begin(b, PERF_RECORD_LOST, 0);
	put_u64(b, 5);
	put_u64(b, 12);
	put_id(b, 0, 0, 12);
	record_end(b, at);
	at = record_begin(b, FORMAT_RECORD_BUILD_ID, PERF_RECORD_MISC_USER | FORMAT_MISC_BUILD_ID_SIZE);
	put_u32(b, 0xffffffff);
	buffer_put(b, "0123456789abcdef\0\0\0\0\x10\0\0\0", 24);
	put_text(b, "/bin/work");
	record_end(b, at);
	put_fork(b, PERF_RECORD_EXIT, 7, 7, 8, 20);
	put_round(b);
}

static void test_pipe(void **state)
{
	static const enum perfdata_kind kinds[] = { PERFDATA_COMM, PERFDATA_MAP, PERFDATA_FORK,
						    PERFDATA_SAMPLE, PERFDATA_DEFERRED,
						    PERFDATA_LOST, PERFDATA_EXIT };
	struct buffer b = { 0 };
	struct perfdata_record r;
	struct file_stream s;
	struct perfdata *d;
	char path[32];
	size_t i;

	make_pipe(&b);
	assert_int_equal(open_bytes(b.at, b.len, path, &s), 0);
	assert_int_equal(perfdata_open(&s, &d, NULL), 0);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		assert_int_equal(perfdata_next(d, &r, NULL), 1);
		assert_int_equal(r.kind, kinds[i]);
		assert_int_equal(r.pid, 7 * (r.kind != PERFDATA_LOST));
		switch (r.kind) {
		case PERFDATA_COMM:
			assert_string_equal(r.comm.name, "work");
			assert_true(r.comm.exec);
			break;
		case PERFDATA_MAP:
			assert_string_equal(r.map.path, "/bin/work");
			assert_int_equal(r.map.start, 0x1000);
			assert_true(r.map.executable);
			break;
		case PERFDATA_SAMPLE:
			assert_int_equal(r.tid, 8);
			assert_int_equal(r.sample.period, 3);
			assert_int_equal(r.sample.cookie, 77);
			assert_int_equal(r.sample.nr_ips, 2);
			assert_int_equal(r.sample.ips[1], r.sample.ip);
			break;
		case PERFDATA_DEFERRED:
			assert_int_equal(r.deferred.cookie, 77);
			assert_int_equal(r.deferred.nr_ips, 2);
			assert_int_equal(r.deferred.ips[1], 0x1010);
			break;
		case PERFDATA_LOST:
			assert_int_equal(r.lost, 12);
			break;
		default:
			break;
		}
	}
	assert_int_equal(perfdata_next(d, &r, NULL), 0);
	assert_string_equal(perfdata_head(d)->hostname, "box");
	assert_int_equal(perfdata_head(d)->nr_build_ids, 1);
	assert_int_equal(perfdata_head(d)->build_ids[0].len, 16);
	assert_string_equal(perfdata_event(d, 0)->name, "cpu-clock:u");
	perfdata_close(d);
	file_stream_release(&s);
	buffer_release(&b);
}

/* Feature @number, at the end of @data: its section is appended. */
struct made_feature {
	uint32_t number;
	struct buffer bytes;
};

/* A file in file mode: events, each with one id, and features. */
static void make_file(struct buffer *ret, const struct perf_event_attr *attr, const uint64_t *id,
		      unsigned int nr, const struct buffer *records, const struct made_feature *f,
		      unsigned int nr_features)
{
	size_t entry = sizeof(*attr) + sizeof(struct format_section);
	struct format_head h = {
		.size = sizeof(h), .attr_size = entry,
		.attrs = { sizeof(h), nr * entry },
		.data = { sizeof(h) + nr * (entry + 8), records->len },
	};
	uint64_t at = h.data.offset + h.data.size + nr_features * sizeof(struct format_section);
	unsigned int i;

	memcpy(h.magic, FORMAT_MAGIC, sizeof(h.magic));
	for (i = 0; i < nr_features; i++)
		h.features[f[i].number / 64] |= 1ull << f[i].number % 64;
	buffer_put(ret, &h, sizeof(h));
	for (i = 0; i < nr; i++) {
		buffer_put(ret, &attr[i], sizeof(*attr));
		put_u64(ret, sizeof(h) + nr * entry + i * 8);
		put_u64(ret, 8);
	}
	buffer_put(ret, id, nr * sizeof(*id));
	buffer_put(ret, records->at, records->len);
	for (i = 0; i < nr_features; i++) {
		put_u64(ret, at);
		put_u64(ret, f[i].bytes.len);
		at += f[i].bytes.len;
	}
	for (i = 0; i < nr_features; i++)
		buffer_put(ret, f[i].bytes.at, f[i].bytes.len);
}

static void id_sample(struct buffer *b, uint64_t id, uint64_t time)
{
	size_t at = record_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	put_u64(b, 0x1234);
	put_u32(b, 7);
	put_u32(b, 8);
	put_u64(b, time);
	put_u64(b, id);
	put_u64(b, 1);
	record_end(b, at);
}

static void make_two_events(struct buffer *ret)
{
	struct perf_event_attr attr[2] = { made_attr(MADE_TYPE | PERF_SAMPLE_ID),
					   made_attr(MADE_TYPE | PERF_SAMPLE_ID) };
	struct made_feature f[4] = { { FORMAT_BUILD_ID }, { FORMAT_OSRELEASE }, { FORMAT_CMDLINE },
				     { FORMAT_EVENT_DESC } };
	const uint64_t id[2] = { 100, 200 };
	struct buffer records = { 0 };
	unsigned int i;
	size_t at;

	attr[1].config = PERF_COUNT_SW_PAGE_FAULTS;
	id_sample(&records, 200, 4);
	id_sample(&records, 100, 3);
	id_sample(&records, 300, 5);
	at = record_begin(&f[0].bytes, 0, PERF_RECORD_MISC_KERNEL);
	put_u32(&f[0].bytes, 0xffffffff);
	buffer_put(&f[0].bytes, "01234567890123456789\0\0\0\0", 24);
	put_text(&f[0].bytes, "[kernel.kallsyms]");
	record_end(&f[0].bytes, at);
	put_u32(&f[1].bytes, 8);
	put_text(&f[1].bytes, "6.1.0");
	put_u32(&f[2].bytes, 2);
	put_u32(&f[2].bytes, 8);
	put_text(&f[2].bytes, "perf");
	put_u32(&f[2].bytes, 8);
	put_text(&f[2].bytes, "record");
	put_u32(&f[3].bytes, 2);
	put_u32(&f[3].bytes, sizeof(attr[0]));
	for (i = 0; i < 2; i++) {
		buffer_put(&f[3].bytes, &attr[i], sizeof(attr[i]));
		put_u32(&f[3].bytes, 1);
		put_u32(&f[3].bytes, 16);
		buffer_put(&f[3].bytes, i ? "faults\0\0\0\0\0\0\0\0\0" : "clock:u\0\0\0\0\0\0\0\0", 16);
		put_u64(&f[3].bytes, id[i]);
	}
	make_file(ret, attr, id, 2, &records, f, 4);
	for (i = 0; i < 4; i++)
		buffer_release(&f[i].bytes);
	buffer_release(&records);
}

static void test_file(void **state)
{
	struct perfdata_counts counts;
	struct buffer b = { 0 };
	struct perfdata_record r;
	struct file_stream s;
	struct perfdata *d;
	char path[32];

	make_two_events(&b);
	assert_int_equal(open_bytes(b.at, b.len, path, &s), 0);
	assert_int_equal(perfdata_open(&s, &d, NULL), 0);
	assert_int_equal(perfdata_nr_events(d), 2);
	assert_string_equal(perfdata_event(d, 0)->name, "clock:u");
	assert_string_equal(perfdata_event(d, 1)->name, "faults");
	assert_string_equal(perfdata_head(d)->os_release, "6.1.0");
	assert_string_equal(perfdata_head(d)->command, "perf record");
	assert_true(perfdata_head(d)->build_ids[0].kernel);
	assert_int_equal(perfdata_next(d, &r, NULL), 1);
	assert_int_equal(r.event, 0);
	assert_int_equal(r.time, 3);
	assert_int_equal(perfdata_next(d, &r, NULL), 1);
	assert_int_equal(r.event, 1);
	assert_int_equal(perfdata_next(d, &r, NULL), 0);
	perfdata_counts(d, &counts);
	assert_int_equal(counts.unknown, 1);
	perfdata_close(d);
	file_stream_release(&s);
	buffer_release(&b);
}

/* The records of a round are not earlier than the latest of the round before the last. */
static void test_order(void **state)
{
	static const uint64_t rounds[4][3] = { { 30, 10, 20 }, { 25, 40, 35 }, { 50, 45, 60 } };
	struct perf_event_attr attr = made_attr(MADE_TYPE);
	struct buffer b = { 0 };
	struct seen seen;
	unsigned int i, k;

	pipe_begin(&b, &attr, 1);
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 3; k++)
			flat_sample(&b, rounds[i][k]);
		put_round(&b);
	}
	see(&b, &seen);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.nr, 9);
	assert_int_equal(seen.counts.late, 0);
	for (i = 1; i < seen.nr; i++)
		assert_true(seen.time[i - 1] <= seen.time[i]);
	/* a record that breaks the rule is delivered nevertheless, and counted */
	flat_sample(&b, 1);
	put_round(&b);
	see(&b, &seen);
	assert_int_equal(seen.nr, 10);
	assert_int_equal(seen.counts.late, 1);
	buffer_release(&b);
}

/*
 * Compresses @records as perf does: one stream, flushed at the end of each record, and cut at
 * places that are no record's end.
 */
static void put_packed(struct buffer *b, const struct buffer *records, uint32_t type)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	size_t half = records->len / 2 + 3, i;

	ZSTD_initCStream(z, 1);
	for (i = 0; i < 2; i++) {
		ZSTD_inBuffer in = { records->at + (i ? half : 0), i ? records->len - half : half, 0 };
		uint8_t packed[4096];
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };
		size_t at;

		ZSTD_compressStream(z, &out, &in);
		ZSTD_flushStream(z, &out);
		at = record_begin(b, type, 0);
		if (type == FORMAT_RECORD_COMPRESSED2)
			put_u64(b, out.pos);
		buffer_put(b, packed, out.pos);
		while (type == FORMAT_RECORD_COMPRESSED2 && b->len % 8)
			buffer_put(b, "", 1);
		record_end(b, at);
		put_round(b);
	}
	ZSTD_freeCStream(z);
}

static void make_packed(struct buffer *b, uint32_t type)
{
	struct perf_event_attr attr = made_attr(MADE_TYPE);
	struct buffer records = { 0 };
	unsigned int i;

	pipe_begin(b, &attr, 1);
	for (i = 1; i <= 20; i++)
		flat_sample(&records, i);
	put_packed(b, &records, type);
	buffer_release(&records);
}

static void test_packed(void **state)
{
	static const uint32_t types[] = { FORMAT_RECORD_COMPRESSED, FORMAT_RECORD_COMPRESSED2 };
	struct seen seen;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct buffer b = { 0 };

		make_packed(&b, types[i]);
		see(&b, &seen);
		assert_int_equal(seen.end, 0);
		assert_int_equal(seen.nr, 20);
		assert_int_equal(seen.time[19], 20);
		/* not even once the whole of a file */
		b.len -= 60;
		see(&b, &seen);
		assert_int_equal(seen.end, -EBADMSG);
		buffer_release(&b);
	}
}

/* Registers and a stack, after raw data, branches and counts of a group. */
static void test_large_sample(void **state)
{
	uint64_t type = CHAIN_TYPE | PERF_SAMPLE_READ | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
			PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CGROUP |
			PERF_SAMPLE_WEIGHT;
	struct perf_event_attr attr = made_attr(type);
	struct buffer b = { 0 };
	struct perfdata_record r;
	struct file_stream s;
	struct perfdata *d;
	char path[32];
	size_t at;

	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	attr.branch_sample_type = FORMAT_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_USER;
	attr.sample_regs_user = 0x5;
	attr.sample_stack_user = 16;
	pipe_begin(&b, &attr, 1);
	at = record_begin(&b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(&b, 0x1000);
	put_id(&b, 7, 8, 9);
	put_u64(&b, 1);		/* period */
	put_u64(&b, 2);		/* a group of two */
	put_u64(&b, 1), put_u64(&b, 1), put_u64(&b, 2), put_u64(&b, 2);
	put_u64(&b, 1), put_u64(&b, 0x1000);	/* chain */
	put_u32(&b, 4), put_u32(&b, 0xabcd);	/* raw */
	put_u64(&b, 1), put_u64(&b, 0);		/* branches */
	put_u64(&b, 0x2000), put_u64(&b, 0x1000), put_u64(&b, 0);
	put_u64(&b, PERF_SAMPLE_REGS_ABI_64), put_u64(&b, 11), put_u64(&b, 22);
	put_u64(&b, 16), put_u64(&b, 1), put_u64(&b, 2), put_u64(&b, 8);
	put_u64(&b, 3);		/* weight */
	put_u64(&b, 4242);	/* cgroup */
	record_end(&b, at);
	assert_int_equal(open_bytes(b.at, b.len, path, &s), 0);
	assert_int_equal(perfdata_open(&s, &d, NULL), 0);
	assert_int_equal(perfdata_next(d, &r, NULL), 1);
	assert_int_equal(r.sample.nr_branches, 1);
	assert_int_equal(r.sample.branches[0], 0x2000);
	assert_int_equal(r.sample.regs[1], 22);
	assert_int_equal(r.sample.stack_asked, 16);
	assert_int_equal(r.sample.stack_len, 8);
	assert_int_equal(r.sample.cgroup, 4242);
	perfdata_close(d);
	file_stream_release(&s);
	buffer_release(&b);
}

/* A flag that a kernel sets although there is no build id: see decode.c. */
static void test_build_id_mark(void **state)
{
	struct perf_event_attr attr = made_attr(MADE_TYPE);
	unsigned int asked;

	for (asked = 0; asked < 2; asked++) {
		struct buffer b = { 0 };
		struct perfdata_record r;
		struct file_stream s;
		struct perfdata *d;
		char path[32];
		size_t at;

		attr.build_id = asked;
		pipe_begin(&b, &attr, 1);
		at = record_begin(&b, PERF_RECORD_MMAP2,
				  PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
		put_u32(&b, 7), put_u32(&b, 7);
		put_u64(&b, 0x1000), put_u64(&b, 0x1000), put_u64(&b, 0);
		put_u32(&b, 8), put_u32(&b, 1), put_u64(&b, 4711), put_u64(&b, 0);
		put_u32(&b, 5), put_u32(&b, 2);
		put_text(&b, "/bin/work");
		put_id(&b, 7, 7, 1);
		record_end(&b, at);
		assert_int_equal(open_bytes(b.at, b.len, path, &s), 0);
		assert_int_equal(perfdata_open(&s, &d, NULL), 0);
		assert_int_equal(perfdata_next(d, &r, NULL), 1);
		assert_int_equal(r.map.build_id_len, asked ? 8 : 0);
		assert_int_equal(r.map.ino, asked ? 0 : 4711);
		perfdata_close(d);
		file_stream_release(&s);
		buffer_release(&b);
	}
}

static void expect_refused(const struct buffer *b, int err, const char *words)
{
	struct seen seen;

	see(b, &seen);
	assert_int_equal(seen.end, err);
	assert_non_null(strstr(seen.diag.text, words));
	assert_true(seen.diag.offset != DIAG_NO_OFFSET);
}

static void test_refused(void **state)
{
	struct perf_event_attr attr[2] = { made_attr(MADE_TYPE), made_attr(CHAIN_TYPE) };
	const uint64_t id[2] = { 1, 2 };
	struct buffer b = { 0 }, records = { 0 };

	buffer_put(&b, "2ELIFREP\0\0\0\0\0\0\0\x10", 16);
	expect_refused(&b, -ENOTSUP, "byte order");
	memcpy(b.at, "PERFFILE", 8);
	expect_refused(&b, -ENOTSUP, "older than 3.x");
	memcpy(b.at, "PERFILE2\x20\0\0\0\0\0\0\0", 16);
	expect_refused(&b, -EBADMSG, "neither 104");
	buffer_clear(&b);
	flat_sample(&records, 1);
	make_file(&b, attr, id, 2, &records, NULL, 0);
	expect_refused(&b, -ENOTSUP, "which event a sample is of");
	buffer_release(&b);
	buffer_release(&records);
}

/* A file that was not finished has no size of its records, and may be cut anywhere. */
static void test_not_ended(void **state)
{
	struct perf_event_attr attr = made_attr(MADE_TYPE);
	struct buffer b = { 0 }, records = { 0 };
	const uint64_t id = 1, none = 0;
	struct seen seen;

	flat_sample(&records, 1);
	flat_sample(&records, 2);
	make_file(&b, &attr, &id, 1, &records, NULL, 0);
	memcpy(b.at + offsetof(struct format_head, data.size), &none, sizeof(none));
	see(&b, &seen);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.nr, 2);
	b.len -= 5;
	see(&b, &seen);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.nr, 1);
	buffer_release(&b);
	buffer_release(&records);
}

static void expect_sane(const struct buffer *b)
{
	struct seen seen;

	see(b, &seen);
	assert_true(seen.end == 0 || seen.end == -EBADMSG || seen.end == -ENOTSUP);
	assert_true(!seen.end || seen.diag.text[0]);
}

/* Each length, and each byte as five others. */
static void damage(struct buffer *b)
{
	static const uint8_t other[] = { 0x01, 0x80, 0xff, 0x7f, 0x10 };
	size_t len = b->len, i, k;

	for (b->len = 0; b->len < len; b->len++)
		expect_sane(b);
	for (i = 0; i < len; i++)
		for (k = 0; k < sizeof(other); k++) {
			b->at[i] ^= other[k];
			expect_sane(b);
			b->at[i] ^= other[k];
		}
}

static void test_damage(void **state)
{
	struct buffer b = { 0 };

	make_pipe(&b);
	damage(&b);
	buffer_clear(&b);
	make_two_events(&b);
	damage(&b);
	buffer_clear(&b);
	make_packed(&b, FORMAT_RECORD_COMPRESSED);
	damage(&b);
	buffer_release(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe),	    cmocka_unit_test(test_file),
		cmocka_unit_test(test_order),	    cmocka_unit_test(test_packed),
		cmocka_unit_test(test_large_sample), cmocka_unit_test(test_build_id_mark),
		cmocka_unit_test(test_refused),	    cmocka_unit_test(test_not_ended),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
