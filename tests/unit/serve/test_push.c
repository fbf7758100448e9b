// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decisions of a push target that need no server: the consequences of an answer and the
 * time of the next attempt, its position, the samples in a request, and valid URLs and options.
 * tests/live/push has servers.
 */
#include "support.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "util/net/url.h"
#include "util/net/url_check.h"
#include "profile/profile.h"
#include "serve/push/grpc.h"
#include "serve/push/answer.h"
#include "serve/push/bytes.h"
#include "serve/push/copy.h"
#include "serve/push/segments.h"
#include "serve/push/machine_labels.h"
#include "serve/push/options.h"
#include "serve/push/order.h"
#include "serve/push/peer.h"
#include "serve/push/position.h"
#include "serve/push/verdict.h"

static void statuses(void **state)
{
	static const struct {
		long status;
		enum push_failure failure;
		enum push_verdict verdict;
	} rows[] = {
		{ 100, PUSH_LIED, PUSH_RETRY },
		{ 299, PUSH_LIED, PUSH_RETRY },
		{ 300, PUSH_NOT_THERE, PUSH_RETRY_SLOWLY },
		{ 400, PUSH_REFUSED, PUSH_GIVE_UP },
		{ 401, PUSH_UNAUTHORIZED, PUSH_RETRY_SLOWLY },
		{ 403, PUSH_UNAUTHORIZED, PUSH_RETRY_SLOWLY },
		{ 404, PUSH_NOT_THERE, PUSH_RETRY_SLOWLY },
		{ 407, PUSH_UNAUTHORIZED, PUSH_RETRY_SLOWLY },
		{ 408, PUSH_BUSY, PUSH_RETRY },
		{ 413, PUSH_TOO_LARGE, PUSH_SPLIT },
		{ 415, PUSH_NOT_THERE, PUSH_RETRY_SLOWLY },
		{ 422, PUSH_REFUSED, PUSH_GIVE_UP },
		{ 425, PUSH_BUSY, PUSH_RETRY },
		{ 426, PUSH_NOT_THERE, PUSH_RETRY_SLOWLY },
		{ 429, PUSH_BUSY, PUSH_RETRY },
		{ 499, PUSH_NOT_THERE, PUSH_RETRY_SLOWLY },
		{ 500, PUSH_SERVER, PUSH_RETRY },
		{ 599, PUSH_SERVER, PUSH_RETRY },
		{ 600, PUSH_LIED, PUSH_RETRY },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(push_status_failure(rows[i].status), rows[i].failure);
		assert_int_equal(push_verdict(rows[i].failure), rows[i].verdict);
	}
	assert_int_equal(push_verdict(PUSH_NONE), PUSH_ACKNOWLEDGED);
	assert_int_equal(push_verdict(PUSH_TLS), PUSH_RETRY_SLOWLY);
	assert_int_equal(push_verdict(PUSH_REDIRECTED), PUSH_RETRY_SLOWLY);
	for (i = 0; i < PUSH_NR_FAILURES; i++)
		assert_string_not_equal(push_failure_name((enum push_failure)i), "unknown");
	for (i = 0; i < PUSH_NR_TYPES; i++)
		assert_string_not_equal(push_type_name((enum push_type)i), "unknown");
	assert_string_equal(push_failure_name(PUSH_NR_FAILURES), "unknown");
	assert_string_equal(push_type_name(PUSH_NR_TYPES), "unknown");
}

static void delays(void **state)
{
	uint64_t most = 0, d;
	uint32_t tries, i;

	for (tries = 1; tries < 100; tries++) {
		for (i = 0, most = 0; i < 2000; i++) {
			d = push_delay_ms(PUSH_RETRY, tries, 0, i * 0x9e3779b97f4a7c15ull);
			most = d > most ? d : most;
		}
		d = tries < 7 ? PUSH_BACKOFF_MS << (tries - 1) : PUSH_BACKOFF_MAX_MS;
		assert_in_range(most, d * 9 / 10, d);
	}
	assert_in_range(push_delay_ms(PUSH_RETRY, UINT32_MAX, 0, UINT64_MAX), 0,
			PUSH_BACKOFF_MAX_MS);
	/* a person who fixes the fault does it in minutes */
	assert_in_range(push_delay_ms(PUSH_RETRY_SLOWLY, 1, 0, UINT64_MAX), 0, PUSH_BACKOFF_MS);
	assert_in_range(push_delay_ms(PUSH_RETRY_SLOWLY, 2, 0, 0), PUSH_BACKOFF_SLOW_MS / 2,
			PUSH_BACKOFF_SLOW_MS);
	assert_in_range(push_delay_ms(PUSH_RETRY_SLOWLY, 9, 0, UINT64_MAX),
			PUSH_BACKOFF_SLOW_MS / 2, PUSH_BACKOFF_SLOW_MS);
	/* never earlier than the server said */
	for (i = 0; i < 1000; i++)
		assert_in_range(push_delay_ms(PUSH_RETRY, 1, 4000, i * 77), 4000, 5000);
	assert_in_range(push_delay_ms(PUSH_RETRY, 1, UINT64_MAX, 3), PUSH_RETRY_AFTER_MAX_MS,
			PUSH_RETRY_AFTER_MAX_MS * 5 / 4);
}

static void positions(void **state)
{
	const struct push_position p = {
		.order = 0xfedcba9876543210ull,
		.next = { { UINT64_MAX - 1, 0 }, UINT64_MAX },
		.until = { { UINT64_MAX, UINT64_MAX }, UINT64_MAX },
	};
	struct push_position got;
	struct diag diag = { 0 };
	char text[PUSH_POSITION_BYTES], bad[PUSH_POSITION_BYTES];
	size_t len = push_position_format(&p, text), i;

	assert_true(len < PUSH_POSITION_BYTES && text[len - 1] == '\n');
	assert_int_equal(push_position_parse(text, len, "f", &got, &diag), 0);
	assert_memory_equal(&got, &p, sizeof(p));
	for (i = 0; i < len; i++) {
		assert_int_equal(push_position_parse(text, i, "f", &got, &diag), -EBADMSG);
		memcpy(bad, text, len);
		bad[i] ^= 1;
		assert_int_equal(push_position_parse(bad, len, "f", &got, &diag), -EBADMSG);
	}
	memset(bad, 'x', sizeof(bad));
	assert_int_equal(push_position_parse(bad, sizeof(bad), "f", &got, &diag), -EBADMSG);
	assert_string_equal(diag.file, "f");
	/* a range that ends before it begins, with a valid checksum */
	got = (struct push_position){ .next = { { 2, 0 }, 0 }, .until = { { 1, 9 }, 9 } };
	len = push_position_format(&got, text);
	assert_int_equal(push_position_parse(text, len, "f", &got, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "before it begins"));
}

static void position_files(void **state)
{
	const struct push_position p = { .next = { { 1, 2 }, 3 }, .until = { { 1, 2 }, 3 } };
	char dir[] = "/tmp/test_push.XXXXXX", path[64], new[80];
	struct push_position got;
	struct diag diag = { 0 };

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.position", dir);
	snprintf(new, sizeof(new), "%s.new", path);
	assert_int_equal(push_position_load(path, &got, &diag), -ENOENT);
	assert_int_equal(push_position_save(path, &p, &diag), 0);
	assert_int_equal(push_position_load(path, &got, &diag), 0);
	assert_memory_equal(&got, &p, sizeof(p));
	assert_int_equal(access(new, F_OK), -1);
	/* a position that cannot be written leaves the old one unchanged */
	assert_int_equal(mkdir(new, 0700), 0);
	got.next.sample = 4;
	assert_int_equal(push_position_save(path, &got, &diag), -EISDIR);
	assert_int_equal(push_position_load(path, &got, &diag), 0);
	assert_int_equal(got.next.sample, 3);
	/* a file left by a killed process is replaced, and a link is not followed */
	assert_int_equal(rmdir(new), 0);
	assert_int_equal(symlink("/dev/full", new), 0);
	assert_int_equal(push_position_save(path, &p, &diag), -ELOOP);
	assert_int_equal(unlink(new), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

static uint64_t between(const struct push_segments *k, uint64_t s, uint64_t r, uint64_t s2,
			uint64_t r2, uint64_t *unknown)
{
	const struct store_position from = { s, r }, to = { s2, r2 };

	return push_segments_between(k, &from, &to, unknown);
}

static void windows_that_are_known(void **state)
{
	static const struct store_position told[] = { { 5, 3 }, { 5, 4 }, { 6, 1 }, { 6, 10 },
						      { 9, 2 } };
	struct push_segments k = { 0 };
	uint64_t unknown;
	size_t i;

	assert_int_equal(between(&k, 1, 0, 3, 4, &unknown), 4);
	assert_int_equal(unknown, 1);
	for (i = 0; i < ARRAY_SIZE(told); i++)
		push_segments_appended(&k, &told[i]);
	assert_int_equal(between(&k, 5, 1, 9, 2, &unknown), 3 + 10 + 2);
	assert_int_equal(unknown, 2);
	assert_int_equal(between(&k, 5, 4, 6, 0, &unknown), 0);
	assert_int_equal(unknown, 0);
	assert_int_equal(between(&k, 6, 2, 6, 7, &unknown), 5);
	assert_int_equal(between(&k, 9, 2, 9, 2, &unknown), 0);
	assert_int_equal(between(&k, 9, 2, 6, 9, &unknown), 0);
	assert_int_equal(unknown, 0);
	assert_true(push_segments_has(&k, 6) && !push_segments_has(&k, 7));
	/* another store, with lower numbers */
	push_segments_appended(&k, &(struct store_position){ 2, 1 });
	assert_true(push_segments_has(&k, 2) && !push_segments_has(&k, 9));
	for (i = 3; i < 3 * PUSH_MAX_SEGMENTS; i++)
		push_segments_appended(&k, &(struct store_position){ i, 1 });
	assert_int_equal(k.nr, PUSH_MAX_SEGMENTS);
	assert_true(push_segments_has(&k, 3 * PUSH_MAX_SEGMENTS - 1) && !push_segments_has(&k, 3));
	push_segments_release(&k);
}

static void urls(void **state)
{
	static const struct {
		const char *url;
		bool plain;	/* accepted without a secret */
		bool secret;	/* and with one */
	} rows[] = {
		{ "http://a", true, false },
		{ "http://localhost:4040/x", true, true },
		{ "http://127.1.2.3", true, true },
		{ "http://[::1]:1/", true, true },
		{ "http://[::2]:1/", true, false },
		{ "http://127.0.0.1.example.org", true, false },
		{ "http://localhost.example.org", true, false },
		{ "HTTPS://a.b-c.d:65535/e/f", true, true },
		{ "https://", false, false },
		{ "https://:1", false, false },
		{ "https://a:", false, false },
		{ "https://a:65536", false, false },
		{ "https://a:123456", false, false },
		{ "https://a:b", false, false },
		{ "https://u:p@a", false, false },
		{ "https://a?b", false, false },
		{ "https://a#b", false, false },
		{ "https://a\\b", false, false },
		{ "https://a\tb", false, false },
		{ "https://a\xc3\xa4", false, false },
		{ "https://[::1", false, false },
		{ "https://[", false, false },
		{ "file:///etc/passwd", false, false },
		{ "a", false, false },
		{ "", false, false },
	};
	struct diag diag = { 0 };
	char *joined;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(net_url_check(rows[i].url, false, &diag),
				 rows[i].plain ? 0 : -EINVAL);
		assert_int_equal(net_url_check(rows[i].url, true, &diag),
				 rows[i].secret ? 0 : -EINVAL);
	}
	assert_int_equal(net_url_check(NULL, false, &diag), -EINVAL);
	joined = net_url_join("http://a/b//", "/ingest");
	assert_string_equal(joined, "http://a/b/ingest");
	free(joined);
	joined = net_url_join("http://a/ingest/", "/ingest");
	assert_string_equal(joined, "http://a/ingest");
	free(joined);
}

static void origins(void **state)
{
	const struct net_curl *c = net_curl(NULL);

	assert_non_null(c);
	assert_true(net_url_same_origin(c, "http://A/x", "http://a:80/y?z"));
	assert_true(net_url_same_origin(c, "https://a:443", "https://a"));
	assert_false(net_url_same_origin(c, "https://a", "http://a"));
	assert_false(net_url_same_origin(c, "https://a", "https://a.b"));
	assert_false(net_url_same_origin(c, "https://a", "https://a:444"));
	assert_false(net_url_same_origin(c, "https://a", "https://a@b"));
	assert_false(net_url_same_origin(c, "https://a", "//a"));
	assert_false(net_url_same_origin(c, "https://a", ""));
}

static void escapes(void **state)
{
	char buf[16];

	assert_int_equal(net_url_escape("a{b=\xff", buf, sizeof(buf)), 11);
	assert_string_equal(buf, "a%7Bb%3D%FF");
	/* a character of three bytes is never cut */
	assert_int_equal(net_url_escape("{{{{{{", buf, 8), 6);
	assert_string_equal(buf, "%7B%7B");
}

static void bytes(void **state)
{
	static const char *const texts[] = { "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=",
					     "Zm9vYmFy" };
	struct buffer b = { 0 };
	size_t i, m;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		push_put_base64(&b, "foobar", i);
		assert_int_equal(b.len, strlen(texts[i]));
		assert_memory_equal(b.at ? b.at : (uint8_t *)"", texts[i], b.len);
		b.len = 0;
	}
	push_put_json(&b, "a\"\\\n\xff\xc3\xa4");
	assert_int_equal(b.len, strlen("\"a\\u0022\\u005c\\u000a\\ufffd\xc3\xa4\""));
	assert_memory_equal(b.at, "\"a\\u0022\\u005c\\u000a\\ufffd\xc3\xa4\"", b.len);
	b.len = 0;
	push_put_json(&b, "\x1f \x7f");
	assert_int_equal(b.len, strlen("\"\\u001f \x7f\""));
	assert_memory_equal(b.at, "\"\\u001f \x7f\"", b.len);
	b.len = 0;
	m = push_message(&b, 3);
	push_put_number(&b, 1, 300);
	push_put_number(&b, 2, 0);
	push_put_fixed64(&b, 4, 1);
	push_put_string(&b, 16, "x\xff");
	push_message_end(&b, m);
	assert_int_equal(b.len, 5 + 3 + 9 + 7);
	assert_memory_equal(b.at, "\x1a\x93\x80\x80\0\x08\xac\x02\x21\1\0\0\0\0\0\0\0"
			    "\x82\x01\4x\xef\xbf\xbd", b.len);
	buffer_release(&b);
}

/* The length of a message has 28 bits. The test checks only those four bytes. */
static void messages_that_are_too_long(void **state)
{
	struct buffer b = { 0 };
	size_t m = push_message(&b, 1);

	b.len = m + (1u << 28) - 1;
	push_message_end(&b, m);
	assert_false(b.failed);
	assert_memory_equal(b.at + m - 4, "\xff\xff\xff\x7f", 4);
	b.len++;
	push_message_end(&b, m);
	assert_true(b.failed);
	buffer_release(&b);
}

static void packed_bodies(void **state)
{
	struct buffer b = { 0 };
	uint8_t text[3000], got[sizeof(text) + 1];
	z_stream z = { .next_out = got, .avail_out = sizeof(got) };
	size_t i;

	for (i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * i % 13);
	buffer_put(&b, text, sizeof(text));
	assert_int_equal(push_gzip(&b, NULL), 0);
	assert_true(b.len < sizeof(text) / 2);
	z.next_in = b.at;
	z.avail_in = (uInt)b.len;
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, sizeof(text));
	assert_int_equal(z.avail_in, 0);
	assert_memory_equal(got, text, sizeof(text));
	inflateEnd(&z);
	b.failed = true;
	assert_int_equal(push_gzip(&b, NULL), -ENOMEM);
	buffer_release(&b);
}

static uint32_t labels(struct profile *p, const char *unit, const char *container, int64_t pid)
{
	struct profile_label l[3] = { { .key = profile_string(p, "pid"), .num = pid } };
	uint32_t nr = 1;

	if (unit)
		l[nr++] = (struct profile_label){ .key = profile_string(p, "unit"),
						  .str = profile_string(p, unit) };
	if (container)
		l[nr++] = (struct profile_label){ .key = profile_string(p, "container"),
						  .str = profile_string(p, container) };
	return profile_labels(p, l, nr);
}

static struct profile *make_profile(void)
{
	static const char *const units[] = { "b", NULL, "a", "b", "a", "b" };
	static const char *const containers[] = { "y", NULL, NULL, "x", NULL, "y" };
	struct profile *p = profile_new();
	int64_t value = 1;
	uint32_t i, s;

	profile_value_type(p, "samples", "count");
	for (i = 0; i < 6; i++, value *= 2) {
		s = profile_stack(p, 0, profile_location(p, 0, 0x10 + i));
		s = profile_stack(p, s, profile_location(p, 0, 0x99));
		profile_add(p, s, labels(p, units[i], containers[i], i), &value);
	}
	profile_comment(p, "labels: {\"z\":\"1\",\"a\":\"\\u00e4\",\"n\":3,\"\":\"x\"}");
	profile_comment(p, "labels: {\"z\":\"2\"}");
	return p;
}

/* The result of an answer of gRPC: HTTP status, kind of failure, bytes of the message. */
static void grpc_answers(void **state)
{
	static const struct {
		const char *head;
		const char *body;
		size_t len;
		long status;
		enum push_failure failure;
		size_t left;
	} cases[] = {
		{ "grpc-status: 0", B("\0\0\0\0\0"), 200, PUSH_NONE, 0 },
		{ "Grpc-Status:0\r\n", B("\0\0\0\0\2ab"), 200, PUSH_NONE, 2 },
		{ "grpc-status: 0", B("\0\0\0\0\2a"), 200, PUSH_LIED, 0 },
		{ "grpc-status: 0", B("\0\0\0\0\2abc"), 200, PUSH_LIED, 0 },
		{ "grpc-status: 0", B("\1\0\0\0\2ab"), 200, PUSH_LIED, 0 },
		{ "grpc-status: 0", B(""), 200, PUSH_LIED, 0 },
		{ "content-type: x", B("\0\0\0\0\0"), 200, PUSH_LIED, 0 },
		{ "grpc-status: ", B("\0\0\0\0\0"), 200, PUSH_LIED, 0 },
		{ "grpc-status: -1", B("\0\0\0\0\0"), 200, PUSH_LIED, 0 },
		{ "grpc-status: 0x", B("\0\0\0\0\0"), 200, PUSH_LIED, 0 },
		{ "grpc-status: 3", B(""), 400, PUSH_REFUSED, 0 },
		{ "grpc-status: 7", B(""), 403, PUSH_UNAUTHORIZED, 0 },
		{ "grpc-status: 8", B(""), 429, PUSH_BUSY, 0 },
		{ "grpc-status: 12", B(""), 404, PUSH_NOT_THERE, 0 },
		{ "grpc-status: 13", B(""), 500, PUSH_SERVER, 0 },
		{ "grpc-status: 14", B(""), 503, PUSH_SERVER, 0 },
		{ "grpc-status: 16", B(""), 401, PUSH_UNAUTHORIZED, 0 },
		{ "grpc-status: 17", B(""), 500, PUSH_SERVER, 0 },
		{ "grpc-status: 999999999999", B(""), 500, PUSH_SERVER, 0 },
	};
	struct push_answer *a = calloc(1, sizeof(*a));
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		*a = (struct push_answer){ .status = 200, .grpc_status = 5, .len = cases[i].len };
		memcpy(a->body, cases[i].body, a->len);
		push_grpc_head(a, B("HTTP/2 200\r\n"));
		push_grpc_head(a, cases[i].head, strlen(cases[i].head));
		push_grpc_answer(a);
		assert_int_equal(a->status, cases[i].status);
		assert_int_equal(a->failure, cases[i].failure);
		assert_int_equal(a->len, cases[i].left);
	}
	*a = (struct push_answer){ .status = 200 };
	push_grpc_head(a, B("grpc-status: 8"));
	push_grpc_head(a, B("grpc-message: Received message larger than max (5 vs. 4)"));
	push_grpc_answer(a);
	assert_int_equal(a->failure, PUSH_TOO_LARGE);
	free(a);
}

/* Each status of gRPC's statuscodes.md, and the equivalent HTTP status. */
static void statuses_of_grpc(void **state)
{
	static const long http[] = { 0,	/* OK */
		503, 500, 400, 503, 404, 400, 403, 429, 400, 503, 503, 404, 500, 503, 503, 401 };
	struct push_answer *a = calloc(1, sizeof(*a));
	char head[32];
	size_t i;

	for (i = 1; i < ARRAY_SIZE(http); i++) {
		*a = (struct push_answer){ .status = 200 };
		snprintf(head, sizeof(head), "grpc-status: %zu", i);
		push_grpc_head(a, head, strlen(head));
		push_grpc_answer(a);
		assert_int_equal(a->status, http[i]);
		assert_int_equal(a->failure, push_status_failure(http[i]));
	}
	free(a);
}

/* Five bytes before a message: whether it is compressed, and its length. */
static void frames_of_grpc(void **state)
{
	struct buffer b = { 0 };
	uint32_t i;

	for (i = 0; i < 0x12345; i++)
		buffer_fixed(&b, i % 251, 1);
	assert_int_equal(push_grpc_frame(&b, true), 0);
	assert_int_equal(b.len, 0x12345 + 5);
	assert_memory_equal(b.at, "\1\0\x01\x23\x45", 5);
	for (i = 0; i < 0x12345; i++)
		assert_int_equal(b.at[5 + i], i % 251);
	b.len = 0;
	assert_int_equal(push_grpc_frame(&b, false), 0);
	assert_int_equal(b.len, 5);
	assert_memory_equal(b.at, "\0\0\0\0\0", 5);
	buffer_release(&b);
}

static void orders(void **state)
{
	static const char *const services[] = { "nothing", "unit", NULL };
	struct push_grouping how = { .services = services };
	struct profile *p = make_profile();
	struct push_order o;

	assert_int_equal(push_order_init(p, &how, &o), 0);
	assert_int_equal(o.nr_groups, 3);
	assert_memory_equal(o.samples, ((uint32_t[]){ 2, 4, 0, 3, 5, 1 }), sizeof(uint32_t[6]));
	assert_string_equal(push_order_group(&o, 0)->service, "a");
	assert_string_equal(push_order_group(&o, 1)->service, "a");
	assert_string_equal(push_order_group(&o, 2)->service, "b");
	assert_string_equal(push_order_group(&o, 3)->service, "b");
	assert_string_equal(push_order_group(&o, 4)->service, "b");
	assert_string_equal(push_order_group(&o, 5)->service, PUSH_NO_SERVICE);
	assert_int_equal(o.groups[1].start, 2);
	push_order_release(&o);

	how.containers = true;
	assert_int_equal(push_order_init(p, &how, &o), 0);
	assert_int_equal(o.nr_groups, 4);
	assert_memory_equal(o.samples, ((uint32_t[]){ 2, 4, 3, 0, 5, 1 }), sizeof(uint32_t[6]));
	assert_string_equal(push_order_group(&o, 2)->place[PUSH_CONTAINER], "x");
	push_order_release(&o);

	how.ungrouped = true;
	assert_int_equal(push_order_init(p, &how, &o), 0);
	assert_int_equal(o.nr_groups, 1);
	assert_memory_equal(o.samples, ((uint32_t[]){ 0, 1, 2, 3, 4, 5 }), sizeof(uint32_t[6]));
	push_order_release(&o);
	profile_free(p);
}

static void copies(void **state)
{
	static const char *const keep[] = { "unit", NULL };
	struct profile *p = make_profile(), *to = profile_new();
	struct push_copy c;
	uint32_t s, l;

	assert_int_equal(push_copy_init(&c, to, p, keep), 0);
	s = push_copy_stack(&c, p->samples[3].stack);
	l = push_copy_labels(&c, p->samples[3].labels);
	assert_int_equal(to->stacks[s].depth, 2);
	assert_int_equal(to->locations[to->stacks[s].location].address, 0x99);
	assert_int_equal(to->locations[to->stacks[to->stacks[s].parent].location].address, 0x13);
	assert_string_equal(profile_label_text(to, l, "unit"), "b");
	assert_int_equal(to->labels[l].nr, 1);
	/* labels that differ only in removed parts are equal; nothing else was copied */
	assert_int_equal(push_copy_labels(&c, p->samples[0].labels), l);
	assert_int_equal(push_copy_stack(&c, p->samples[3].stack), s);
	assert_int_equal(to->nr_locations, 3);
	assert_int_equal(push_copied(&c), 0);
	push_copy_release(&c);
	profile_free(to);
	profile_free(p);
}

static void machines(void **state)
{
	struct profile *p = make_profile();
	struct push_machine_labels *m = calloc(1, sizeof(*m));
	char text[16384] = "labels: {", name[16];

	push_machine_labels_of(p, "me", m);
	assert_int_equal(m->nr, 3);
	assert_string_equal(m->name[0], "a");
	assert_string_equal(push_machine_label(m, "a"), "\xc3\xa4");
	assert_string_equal(push_machine_label(m, "z"), "1");
	assert_string_equal(push_machine_label(m, "host"), "me");
	assert_string_equal(push_machine_label(m, "n"), "");
	profile_free(p);
	/* more than there is room for, and an empty host */
	for (unsigned int i = 0; i < 2 * PUSH_MAX_MACHINE_LABELS; i++) {
		snprintf(name, sizeof(name), "\"i%u\":\"x\",", i);
		strcat(text, name);
	}
	strcat(text, "\"host\":\"\"}");
	p = profile_new();
	profile_comment(p, text);
	push_machine_labels_of(p, "me", m);
	assert_int_equal(m->nr, PUSH_MAX_MACHINE_LABELS);
	assert_string_equal(push_machine_label(m, "host"), "me");
	profile_free(p);
	p = profile_new();
	profile_comment(p, "labels: {\"host\":");
	push_machine_labels_of(p, "me", m);
	assert_int_equal(m->nr, 1);
	profile_free(p);
	free(m);
}

static struct push_answer *answer(const char *type, const void *body, size_t len)
{
	struct push_answer *a = calloc(1, sizeof(*a));

	a->status = 200;
	snprintf(a->type, sizeof(a->type), "%s", type);
	memcpy(a->body, body, len);
	a->len = len;
	return a;
}

#define JUDGE(how, type, body, want)						\
do {										\
	struct push_answer *a_ = answer(type, body, sizeof(body) - 1);		\
										\
	how(a_);								\
	assert_int_equal(a_->failure, want);					\
	assert_int_equal(!a_->error[0], (want) == PUSH_NONE);			\
	free(a_);								\
} while (0)

static void answers(void **state)
{
	JUDGE(push_judge_pyroscope, "", "", PUSH_NONE);
	JUDGE(push_judge_pyroscope, "text/plain", "ok", PUSH_NONE);
	JUDGE(push_judge_pyroscope, "application/json", "{}", PUSH_NONE);
	JUDGE(push_judge_pyroscope, "application/json", "{\"code\":\"x\"}", PUSH_LIED);
	JUDGE(push_judge_pyroscope, "text/HTML; charset=utf-8", "hello", PUSH_LIED);
	JUDGE(push_judge_pyroscope, "text/html utf-8", "hello", PUSH_LIED);
	JUDGE(push_judge_pyroscope, "text/htmls", "hello", PUSH_NONE);
	JUDGE(push_judge_pyroscope, "", " \n<html>", PUSH_LIED);
	JUDGE(push_judge_parca, "application/json", "{}", PUSH_NONE);
	JUDGE(push_judge_parca, "application/json", "", PUSH_LIED);
	JUDGE(push_judge_parca, "application/json", "[]", PUSH_LIED);
	JUDGE(push_judge_parca, "application/json", "{\"message\":\"x\"}", PUSH_LIED);
	JUDGE(push_judge_otlp, "", "", PUSH_NONE);
	JUDGE(push_judge_otlp, "application/x-protobuf", "", PUSH_NONE);
	/* an empty partial success, and unknown fields */
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x0a\0", PUSH_NONE);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x7d\1\2\3\4\x78\1\x79xxxxxxxx", PUSH_NONE);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x0a\2\x08", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\0\0", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x0b", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x0a\x0b\x08\xff\xff\xff\xff\xff\xff"
	      "\xff\xff\xff\x01", PUSH_LIED);
	/* a number of more than 64 bits, of eleven bytes, and a length beyond the end */
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x0a\x0b\x08\xff\xff\xff\xff\xff\xff"
	      "\xff\xff\xff\x02", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x0a\x0c\x08\x80\x80\x80\x80\x80\x80"
	      "\x80\x80\x80\x80\0", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x12\2x", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/x-protobuf", "\x12\1x", PUSH_NONE);
	JUDGE(push_judge_otlp, "text/plain", "a", PUSH_LIED);
	JUDGE(push_judge_otlp, "application/json", "{}", PUSH_NONE);
	JUDGE(push_judge_otlp, "application/json", "x", PUSH_LIED);
}

static void answers_that_reject(void **state)
{
	static const char wire[] = "\x0a\x0b\x08\xac\x02\x12\x06no\x1bway";
	static const char json[] = "{\"partialSuccess\":{\"rejectedProfiles\":\"300\","
				   "\"errorMessage\":\"no\\u001bway\"}}";
	struct push_answer *a = answer("application/x-protobuf", wire, sizeof(wire) - 1);

	assert_int_equal(push_judge_otlp(a), 300);
	assert_int_equal(a->failure, PUSH_NONE);
	assert_string_equal(a->error, "300 profiles are refused: no\\033way");
	free(a);
	a = answer("application/json; charset=utf-8", json, sizeof(json) - 1);
	assert_int_equal(push_judge_otlp(a), 300);
	assert_string_equal(a->error, "300 profiles are refused: no\\033way");
	free(a);
}

/* The largest int64 is still accepted as a number of profiles. */
static void answers_that_reject_all(void **state)
{
	static const char wire[] = "\x0a\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
	struct push_answer *a = answer("application/x-protobuf", wire, sizeof(wire) - 1);

	assert_true(push_judge_otlp(a) == INT64_MAX);
	assert_int_equal(a->failure, PUSH_NONE);
	assert_string_equal(a->error, "9223372036854775807 profiles are refused");
	free(a);
}

/* Long texts from the server are cut, and invalid ones are ignored. */
static void long_and_empty_explanations(void **state)
{
	struct push_answer *a;
	char text[200];
	size_t len;

	for (len = 159; len <= 162; len++) {
		memset(text, 'x', sizeof(text));
		a = answer("text/plain", text, len);
		a->failure = PUSH_REFUSED;
		strcpy(a->error, "400");
		push_answer_explain(a);
		assert_int_equal(strlen(a->error), strlen("400: ") + (len < 160 ? len : 160));
		assert_int_equal(strspn(a->error + 5, "x"), strlen(a->error) - 5);
		free(a);
	}
	a = answer("text/plain", " \t\r\n", 4);
	a->failure = PUSH_REFUSED;
	push_answer_explain(a);
	assert_string_equal(a->error, "");
	/* nothing has failed, so there is no explanation */
	a->failure = PUSH_NONE;
	strcpy(a->body, "x");
	a->len = 1;
	push_answer_explain(a);
	assert_string_equal(a->error, "");
	free(a);
}

static void explanations(void **state)
{
	static const char json[] = "{\"code\":3,\"message\":\"too old\\n\"}";
	static const char status[] = "\x08\x03\x12\x07too old";
	struct push_answer *a = answer("application/json", json, sizeof(json) - 1);

	a->failure = PUSH_REFUSED;
	strcpy(a->error, "400");
	push_answer_explain(a);
	assert_string_equal(a->error, "400: too old");
	free(a);
	a = answer("application/x-protobuf", status, sizeof(status) - 1);
	a->failure = PUSH_REFUSED;
	push_answer_explain(a);
	assert_string_equal(a->error, ": too old");
	free(a);
	a = answer("text/html", "<html>", 6);
	a->failure = PUSH_REFUSED;
	push_answer_explain(a);
	assert_string_equal(a->error, "");
	free(a);
}

static void options(void **state)
{
	static const char *const headers[] = { "A: b", NULL };
	const struct push_options from = { .name = "a", .url = "https://b", .headers = headers,
					   .user = "u", .password = "p" };
	struct push_options o;
	struct diag diag = { 0 };
	enum push_type type;

	assert_int_equal(push_check(&from, &diag), 0);
	assert_int_equal(push_options_copy(&o, &from), 0);
	assert_string_equal(o.headers[0], "A: b");
	assert_null(o.headers[1]);
	assert_string_equal(o.services[1], "unit");
	assert_null(o.keep);
	assert_int_equal(o.timeout_ms, PUSH_DEFAULT_TIMEOUT_MS);
	assert_int_equal(o.batch, PUSH_DEFAULT_BATCH);
	o.batch = PUSH_MAX_BATCH + 1;
	assert_int_equal(push_check(&o, &diag), -EINVAL);
	assert_string_equal(diag.file, "a");
	push_options_release(&o);
	assert_int_equal(push_check(&(struct push_options){ .name = "a/b" }, &diag), -EINVAL);
	assert_int_equal(push_check(&(struct push_options){ .name = "" }, &diag), -EINVAL);
	assert_true(push_type_find("otlp", &type) && type == PUSH_OTLP);
	assert_false(push_type_find("kafka", &type));
}

static void names_of_labels(void **state)
{
	char buf[8];

	assert_string_equal(push_label_name("a.b-c", buf, sizeof(buf)), "a_b_c");
	assert_string_equal(push_label_name("0\xff", buf, sizeof(buf)), "_0_");
	assert_string_equal(push_label_name("abcdefghijk", buf, sizeof(buf)), "abcdefg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses),
		cmocka_unit_test(delays),
		cmocka_unit_test(positions),
		cmocka_unit_test(position_files),
		cmocka_unit_test(windows_that_are_known),
		cmocka_unit_test(urls),
		cmocka_unit_test(origins),
		cmocka_unit_test(escapes),
		cmocka_unit_test(bytes),
		cmocka_unit_test(messages_that_are_too_long),
		cmocka_unit_test(packed_bodies),
		cmocka_unit_test(grpc_answers),
		cmocka_unit_test(statuses_of_grpc),
		cmocka_unit_test(frames_of_grpc),
		cmocka_unit_test(orders),
		cmocka_unit_test(copies),
		cmocka_unit_test(machines),
		cmocka_unit_test(answers),
		cmocka_unit_test(answers_that_reject),
		cmocka_unit_test(answers_that_reject_all),
		cmocka_unit_test(long_and_empty_explanations),
		cmocka_unit_test(explanations),
		cmocka_unit_test(options),
		cmocka_unit_test(names_of_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
