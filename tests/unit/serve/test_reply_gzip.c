// SPDX-License-Identifier: GPL-2.0-only
/* The answers that are compressed, and that they decompress to their original text. */
#include "support.h"

#include <unistd.h>
#include <zlib.h>

#include "serve/daemon/reply.h"

static void test_accepts(void **state)
{
	(void)state;
	assert_true(reply_accepts_gzip("gzip"));
	assert_true(reply_accepts_gzip("deflate, gzip, br"));
	assert_true(reply_accepts_gzip("br;q=1.0, GZIP;q=0.8, *;q=0.1"));
	assert_true(reply_accepts_gzip("*"));
	assert_false(reply_accepts_gzip(NULL));
	assert_false(reply_accepts_gzip(""));
	assert_false(reply_accepts_gzip("identity"));
	assert_false(reply_accepts_gzip("gzip;q=0"));
	assert_false(reply_accepts_gzip("gzip; q=0.000, br"));
	assert_false(reply_accepts_gzip("x-gzip2, gzipped"));
	assert_false(reply_accepts_gzip(",,, "));
}

/* An answer of so many bytes. */
static size_t make(struct reply *r, const char *type, size_t bytes)
{
	size_t len, i;

	assert_int_equal(reply_init(r), 0);
	r->type = type;
	for (i = 0; i < bytes; i++)
		putc("abcd"[i * i % 7 & 3], r->out);
	assert_int_equal(reply_finish(r, &len), 0);
	assert_int_equal(len, bytes);
	return len;
}

static void unpacked_is(const struct reply *r, size_t len, size_t bytes)
{
	unsigned char *packed = malloc(len), *text = malloc(bytes + 1);
	z_stream z = { .next_in = packed, .avail_in = (uInt)len, .next_out = text,
		       .avail_out = (uInt)bytes + 1 };
	size_t i;

	assert_int_equal(pread(r->fd, packed, len, 0), len);
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, bytes);
	assert_int_equal(z.avail_in, 0);
	for (i = 0; i < bytes; i++)
		assert_int_equal(text[i], "abcd"[i * i % 7 & 3]);
	inflateEnd(&z);
	free(packed);
	free(text);
}

static void test_packed(void **state)
{
	static const size_t sizes[] = { 1024, 65536, 300000 };
	struct reply r;
	size_t len, i;

	(void)state;
	for (i = 0; i < 3; i++) {
		len = make(&r, REPLY_JSON, sizes[i]);
		reply_gzip(&r, "gzip", &len);
		assert_true(r.gzip);
		assert_true(len < sizes[i] / 2);
		unpacked_is(&r, len, sizes[i]);
		reply_release(&r);
	}
}

static void test_not_packed(void **state)
{
	struct reply r;
	size_t len;

	(void)state;
	len = make(&r, REPLY_JSON, 1023);
	reply_gzip(&r, "gzip", &len);
	assert_false(r.gzip);
	reply_release(&r);
	/* a profile is already compressed */
	len = make(&r, REPLY_BYTES, 5000);
	reply_gzip(&r, "gzip", &len);
	assert_false(r.gzip);
	reply_release(&r);
	len = make(&r, REPLY_HTML, 5000);
	reply_gzip(&r, "br", &len);
	assert_false(r.gzip);
	assert_int_equal(len, 5000);
	reply_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepts),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_not_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
