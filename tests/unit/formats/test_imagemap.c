// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Compact ImageMap Format: the streams of Swift's own tests
 * (test/Backtracing/CompactImageMapFormat.swift), the numbers and paths of its document, and
 * streams that are written and read again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/imagemap/imagemap.h"
#include "util/hex.h"

/* The start of most: 64 bits, the platform "test". */
#define HEAD "\x02\x04test"

/* Bytes in a buffer of exactly the size, for the sanitizer. */
static int decode(const char *bytes, size_t len, unsigned int flags, struct imagemap *map,
		  struct diag *diag)
{
	uint8_t *copy = malloc(len + !len);
	int err;

	memcpy(copy, bytes, len);
	*map = (struct imagemap)IMAGEMAP_INIT;
	err = imagemap_decode(copy, len, "test", flags, map, diag);
	free(copy);
	return err;
}

struct want {
	uint64_t base;
	uint64_t end;
	const char *path;
};

static void check_image(const struct imagemap *map, uint32_t i, const struct want *w)
{
	const struct imagemap_image *image = &map->images[i];
	const char *path = imagemap_path(map, image);

	assert_true(i < map->nr);
	assert_true(image->base == w->base);
	assert_true(image->end == w->end);
	if (w->path)
		assert_string_equal(path, w->path);
	else
		assert_null(path);
}

static void check_same(const struct imagemap *a, const struct imagemap *b)
{
	uint32_t i;

	assert_int_equal(a->word, b->word);
	assert_string_equal(a->platform, b->platform);
	assert_int_equal(a->nr, b->nr);
	for (i = 0; i < a->nr; i++) {
		const struct imagemap_image *x = &a->images[i], *y = &b->images[i];

		check_image(a, i, &(struct want){ y->base, y->end, imagemap_path(b, y) });
		assert_int_equal(x->build_id_len, y->build_id_len);
		assert_memory_equal(imagemap_build_id(a, x), imagemap_build_id(b, y),
				    x->build_id_len);
	}
}

/*
 * Whatever is written must be read back equal, strictly, and as these bytes. The caller frees
 * @ret.
 */
static size_t round_trip(const struct imagemap *map, uint8_t **ret)
{
	struct imagemap again;
	struct diag diag;
	size_t len;

	assert_int_equal(imagemap_encode(map, ret, &len, &diag), 0);
	assert_int_equal(decode((char *)*ret, len, IMAGEMAP_STRICT, &again, &diag), 0);
	check_same(map, &again);
	assert_false(again.old);
	imagemap_release(&again);
	return len;
}

static void check_stream(const char *bytes, size_t len, const struct want *w, uint32_t nr)
{
	struct imagemap map;
	struct diag diag;
	uint8_t *out;
	uint32_t i;

	assert_int_equal(decode(bytes, len, IMAGEMAP_STRICT, &map, &diag), 0);
	assert_int_equal(map.nr, nr);
	for (i = 0; i < nr; i++)
		check_image(&map, i, &w[i]);
	/* never more than Swift's encoder writes in its tests */
	assert_true(round_trip(&map, &out) <= len);
	free(out);
	imagemap_release(&map);
}

#define CHECK_STREAM(bytes, ...)                                                  \
	check_stream(bytes, sizeof(bytes) - 1, (const struct want[]){ __VA_ARGS__ }, \
		     sizeof((const struct want[]){ __VA_ARGS__ }) / sizeof(struct want))

#define SLASHES_63 "/A/B/C/D/E/F/G/H/I/J/K/L/M/N/O/P/Q/R/S/T/U/V/W/X/Y/Z/a/b/c/d/e/"

static void test_swift_streams(void **state)
{
	CHECK_STREAM("\x02\x06macosx\x01\x39\x00\x00\x55\x55\x00\x00\x10\x00\x20\x00\x04"
		     "\xde\xad\xbe\xef\x15/usr/lib/libfoo.dylib\x00",
		     { 0x555500001000, 0x555500003000, "/usr/lib/libfoo.dylib" });
	CHECK_STREAM(HEAD "\x01\x09\x10\x00\x01\x00\x00\x00", { 0x1000, 0x1100, NULL });
	CHECK_STREAM(HEAD "\x01\x09\x10\x00\x01\x00\x00\x80\x0a/libbar.so\x00",
		     { 0x1000, 0x1100, "/lib/libbar.so" });
	CHECK_STREAM(HEAD "\x02\x09\x10\x00\x01\x00\x00\x1d/swift/linux/x86_64/libfoo.so\x00"
			  "\x89\x01\x00\x01\x00\x00\xa1\x0a/libbar.so\x00",
		     { 0x1000, 0x1100, "/swift/linux/x86_64/libfoo.so" },
		     { 0x1100, 0x1200, "/swift/linux/libbar.so" });
	CHECK_STREAM(HEAD "\x01\x09\x10\x00\x01\x00\x00\x84\x45""CAppKit",
		     { 0x1000, 0x1100,
		       "/System/Library/Frameworks/AppKit.framework/Versions/C/AppKit" });
	CHECK_STREAM(HEAD "\x02\x09\x10\x00\x01\x00\x00\x3f" SLASHES_63 "\x11"
			  "f/g/h/i/j/k/l/m/n\x00\x89\x01\x00\x01\x00\x00\xc0\x00\x09/extra.so\x00",
		     { 0x1000, 0x1100, SLASHES_63 "f/g/h/i/j/k/l/m/n" },
		     { 0x1100, 0x1200, SLASHES_63 "f/g/extra.so" });
	check_stream(HEAD "\x00", 7, NULL, 0);
}

static void check_refused(const char *bytes, size_t len, uint64_t offset, const char *text)
{
	struct imagemap map;
	struct diag diag;

	assert_int_equal(decode(bytes, len, 0, &map, &diag), -EBADMSG);
	if (diag.offset != offset || !strstr(diag.text, text))
		fail_msg("at %#llx: %s, not %s", (unsigned long long)diag.offset, diag.text, text);
	imagemap_release(&map);
}

#define CHECK_REFUSED(bytes, offset, text) \
	check_refused(bytes, sizeof(bytes) - 1, offset, text)
#define IMAGE "\x09\x10\x00\x01\x00"

static void test_refused(void **state)
{
	CHECK_REFUSED("", 0, "empty");
	CHECK_REFUSED("\x06", 0, "version 1");
	CHECK_REFUSED("\x03", 0, "size 3");
	CHECK_REFUSED("\x02", 1, "before the platform");
	CHECK_REFUSED("\x02\x05" "AB", 2, "inside the platform");
	CHECK_REFUSED("\x02\x01\xff\x00", 2, "UTF-8");
	CHECK_REFUSED("\x02\x02" "a\0\x00", 2, "NUL");
	CHECK_REFUSED(HEAD "\xc0\x80\x01", 9, "1048577 images");
	CHECK_REFUSED(HEAD "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 15, "63 bits");
	CHECK_REFUSED(HEAD "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 16, "63 bits");
	/* the last number of the document's table, which is more than the limit */
	CHECK_REFUSED(HEAD "\x81\x80\x80\x00", 10, "2097152 images");
	/* 2^60 images */
	CHECK_REFUSED(HEAD "\x90\x80\x80\x80\x80\x80\x80\x80\x00", 15,
		      "1152921504606846976 images");
	CHECK_REFUSED(HEAD "\x05", 7, "before image 0");
	CHECK_REFUSED(HEAD "\x01" IMAGE "\x88\x01", 14, "1025 bytes");
	CHECK_REFUSED(HEAD "\x01" IMAGE "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 21, "63 bits");
	CHECK_REFUSED(HEAD "\x01" IMAGE "\x04" "abc", 13, "inside a build id");
	CHECK_REFUSED(HEAD "\x01\x08\x10\x00\x00\x00\x00", 11, "not above its base");
	CHECK_REFUSED(HEAD "\x01\x08\x10\x00\xff\x00\x00", 11, "not above its base");
	CHECK_REFUSED(HEAD "\x01\x3f\x10\x00", 8, "inside an address");
	/* a path that swallows the bytes of the next image */
	CHECK_REFUSED(HEAD "\x02" IMAGE "\x00\x14" "ABC" IMAGE "\x00\x00", 24, "before image 1");
}

static void check_damaged(const char *bytes, size_t len, enum imagemap_damage damage)
{
	struct imagemap map;
	struct diag diag;

	assert_int_equal(decode(bytes, len, 0, &map, &diag), 0);
	assert_int_equal(map.nr, 1);
	assert_int_equal(map.images[0].damage, damage);
	check_image(&map, 0, &(struct want){
		0x1000, 0x1100, damage == IMAGEMAP_NOT_UTF8 ? "\xff" : NULL });
	imagemap_release(&map);
	assert_int_equal(decode(bytes, len, IMAGEMAP_STRICT, &map, &diag), -EBADMSG);
	assert_string_equal(diag.text, imagemap_damage_text(damage));
	imagemap_release(&map);
}

#define CHECK_DAMAGED(path, damage)                                            \
	check_damaged(HEAD "\x01" IMAGE "\x00" path,                           \
		      sizeof(HEAD "\x01" IMAGE "\x00" path) - 1, damage)

static void test_damaged_paths(void **state)
{
	CHECK_DAMAGED("", IMAGEMAP_CUT);
	CHECK_DAMAGED("\x0a" "AB", IMAGEMAP_CUT);
	CHECK_DAMAGED("\x53" "Ax", IMAGEMAP_CUT);
	CHECK_DAMAGED("\xc3\x00\x00", IMAGEMAP_CUT);
	CHECK_DAMAGED("\x01\xff\x00", IMAGEMAP_NOT_UTF8);
	CHECK_DAMAGED("\x94\x00", IMAGEMAP_BAD_CODE);
	CHECK_DAMAGED("\xa8\x00", IMAGEMAP_BAD_CODE);
	CHECK_DAMAGED("\xc7\x7f\xff\xff\xff\xff\xff\xff\xc0\x00", IMAGEMAP_BAD_CODE);
	CHECK_DAMAGED("\xc7\xff\xff\xff\xff\xff\xff\xff\xff\x00", IMAGEMAP_BAD_CODE);
	CHECK_DAMAGED("\x02" "a\0\x00", IMAGEMAP_NUL);
	CHECK_DAMAGED("\x40" "A\0", IMAGEMAP_NUL);
}

/* A lost path costs only itself: the codes that it defines have the intended meaning. */
static void test_behind_a_lost_path(void **state)
{
	static const char bytes[] = HEAD "\x03" IMAGE "\x00\x94\x05/a/b/\x94\x02/c\x00"
		"\x89\x01\x00\x01\x00\x00\xa1\x02/d\x00"
		"\x89\x01\x00\x01\x00\x00\xa2\x02/d\x00";
	struct imagemap map;

	assert_int_equal(decode(bytes, sizeof(bytes) - 1, 0, &map, NULL), 0);
	check_image(&map, 0, &(struct want){ 0x1000, 0x1100, NULL });
	check_image(&map, 1, &(struct want){ 0x1100, 0x1200, "/a/b/d" });
	/* it contains the lost path */
	check_image(&map, 2, &(struct want){ 0x1200, 0x1300, NULL });
	assert_int_equal(map.images[2].damage, IMAGEMAP_BAD_CODE);
	imagemap_release(&map);
}

static void test_numbers(void **state)
{
	static const struct {
		uint32_t number;
		const char *bytes;
	} table[] = {	/* of the document */
		{ 0, "\x00" }, { 127, "\x7f" }, { 128, "\x81\x00" }, { 700, "\x85\x3c" },
		{ 1234, "\x89\x52" }, { 16384, "\x81\x80\x00" }, { 65535, "\x83\xff\x7f" },
	};
	uint8_t *out, byte = 1;
	size_t len, i, n;
	uint32_t k;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct imagemap map = IMAGEMAP_INIT;

		for (k = 0; k < table[i].number; k++)
			assert_int_equal(imagemap_add(&map, &(struct imagemap_new){
				.base = k, .end = k + 1, .build_id = &byte }), 0);
		len = round_trip(&map, &out);
		n = table[i].number < 128 ? 1 : table[i].number < 16384 ? 2 : 3;
		assert_true(len >= 2 + n);
		assert_memory_equal(out + 2, table[i].bytes, n);
		free(out);
		imagemap_release(&map);
	}
}

/* Swift's encoder writes one group too many for 7 bits, 14 bits and so on */
static void test_needless_groups(void **state)
{
	char bytes[10 + 127 + 1] = "\x02\x00\x80\x80\x01\x00\x00\x01\x80\x7f";
	struct imagemap map;

	bytes[5] = 0;
	bytes[6] = 0;
	assert_int_equal(decode(bytes, sizeof(bytes), 0, &map, NULL), 0);
	assert_int_equal(map.nr, 1);
	assert_int_equal(map.images[0].build_id_len, 127);
	imagemap_release(&map);
}

static void test_signs(void **state)
{
	CHECK_STREAM("\x02\x00\x01\x09\x80\x00\x10\x00\x00\x00",
		     { 0xffffffffffff8000, 0xffffffffffff9000, NULL });
}

static void check_words(enum imagemap_word word, uint64_t base, uint64_t end, size_t len)
{
	struct imagemap map = { .word = word };
	uint8_t *out;

	assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ base, end }), 0);
	assert_int_equal(round_trip(&map, &out), len);
	free(out);
	imagemap_release(&map);
}

static void test_word_sizes(void **state)
{
	struct imagemap map = IMAGEMAP_INIT;

	/*
	 * a leading zero byte where Swift's reader would take the first bit of a 64-bit number
	 * for a sign
	 */
	check_words(IMAGEMAP_16, 0x8000, 0x8001, 3 + 1 + 3 + 1 + 2);
	check_words(IMAGEMAP_32, 0x80001000, 0x80002000, 3 + 1 + 5 + 2 + 2);
	check_words(IMAGEMAP_32, 0, 0xffffffff, 3 + 1 + 1 + 5 + 2);
	check_words(IMAGEMAP_64, 0xffffffff80001000, 0xffffffff80002000, 3 + 1 + 4 + 2 + 2);
	check_words(IMAGEMAP_64, 0x7f, 0x80, 3 + 1 + 1 + 1 + 2);
	/* as older encoders wrote it, and Swift's reader misreads it */
	assert_int_equal(decode("\x01\x00\x01\x19\x80\x00\x10\x00\x10\x00\x00\x00", 12,
				IMAGEMAP_STRICT, &map, NULL), 0);
	check_image(&map, 0, &(struct want){ 0x80001000, 0x80002000, NULL });
	imagemap_release(&map);
	map.word = IMAGEMAP_16;
	assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ 0xffff, 0x10000 }), -EINVAL);
	map.word = IMAGEMAP_64;
	assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ 5, 5 }), -EINVAL);
	assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ 0, 1ull << 63 }), 0);
	assert_int_equal(imagemap_encode(&map, NULL, NULL, NULL), -ERANGE);
	imagemap_release(&map);
}

/* With 64 bits and unsorted images: the form that takes fewer bytes. */
static void test_unsorted(void **state)
{
	static const uint64_t bases[] = { 0x7f0000000000, 0x7effffff0000, 0x1000, UINT64_MAX - 99 };
	enum imagemap_word word;
	uint8_t *out;
	size_t i;

	for (word = IMAGEMAP_16; word <= IMAGEMAP_64; word++) {
		struct imagemap map = { .word = word };

		for (i = 0; i < 4; i++) {
			uint64_t base = bases[i] & (UINT64_MAX >> (64 - imagemap_bits(word)));

			assert_int_equal(imagemap_add(&map, &(struct imagemap_new){
				base, base + 5, .path = "/x" }), 0);
		}
		round_trip(&map, &out);
		free(out);
		imagemap_sort(&map);
		round_trip(&map, &out);
		free(out);
		imagemap_release(&map);
	}
}

/* Codes with one, two and three bytes: Swift's encoder loses bytes from 320 on. */
static void test_many_prefixes(void **state)
{
	struct imagemap map = IMAGEMAP_INIT;
	char path[64];
	uint8_t *out;
	uint32_t i;

	for (i = 0; i < 140000; i++) {
		snprintf(path, sizeof(path), "/%u/%s", i / 2, i % 2 ? "b.so" : "a.so");
		assert_int_equal(imagemap_add(&map, &(struct imagemap_new){
			0x1000 * i, 0x1000 * i + 0x1000, .path = path }), 0);
	}
	round_trip(&map, &out);
	free(out);
	imagemap_release(&map);
}

/*
 * Paths without end take time in proportion to their length, not to the sum of their prefixes.
 */
static void test_long_paths(void **state)
{
	const size_t n = 1 << 20;
	struct imagemap map = IMAGEMAP_INIT;
	char *path = malloc(n + 1);
	uint8_t *out;
	size_t i;

	for (i = 0; i < n; i++)
		path[i] = i % 2 ? 'a' : '/';
	path[n] = 0;
	for (i = 0; i < 4; i++) {
		/* the same start, and another one */
		path[i < 2 ? n - 1 : 1] = (char)('b' + i);
		assert_int_equal(imagemap_add(&map, &(struct imagemap_new){
			0x1000 * i, 0x1000 * i + 0x1000, .path = path }), 0);
	}
	assert_in_range(round_trip(&map, &out), n, 5 * n);
	free(out);
	free(path);
	imagemap_release(&map);
}

static void test_paths(void **state)
{
	static const struct {
		const char *path;
		const char *bytes;
		size_t len;
	} table[] = {	/* the document's example, without the zeros behind frameworks */
		{ "/System/Library/Frameworks/AppKit.framework/Versions/C/AppKit", "\x84\x45""CAppKit", 9 },
		{ "/System/Library/Frameworks/Photos.framework/Versions/A/Photos", "\x84\x45""APhotos", 9 },
		{ "/usr/lib/libobjc.A.dylib", "\x81\x10/libobjc.A.dylib", 19 },
		{ "/usr/lib/libz.1.dylib", "\x81\x0d/libz.1.dylib", 16 },
		{ "/usr/lib/swift/libswiftCore.dylib", "\x81\x19/swift/libswiftCore.dylib", 28 },
		{ "/usr/lib/libSystem.B.dylib", "\x81\x12/libSystem.B.dylib", 21 },
		{ "/usr/lib/libc++.1.dylib", "\x81\x0f/libc++.1.dylib", 18 },
		{ "/usr/lib/swift/libswiftOS.dylib", "\x81\xa0\x11/libswiftOS.dylib", 21 },
		/* a prefix need not end where a name ends */
		{ "/libfoo", "\x80\x03""foo", 6 },
		{ "/lib", "\x80", 2 },
		{ "C:\\Windows\\System32\\a.dll", "\x8a\x06\\a.dll", 9 },
		{ "C:\\x\\y", "\x06""C:\\x\\y", 8 },
		{ "C:\\x\\z", "\xa2\x02\\z", 5 },
		/* no frameworks */
		{ "/A.framework/Versions/BB/A", "\x1a/A.framework/Versions/BB/A", 28 },
		{ "/a/B.framework/Versions/B/B", "\x1b/a/B.framework/Versions/B/B", 29 },
		{ "/.framework/Versions/B/", "\x17/.framework/Versions/B/", 25 },
	};
	const size_t nr = sizeof(table) / sizeof(*table);
	char stream[1024] = "\x02\x00", *p = stream + 2;
	struct imagemap map;
	struct diag diag;
	uint8_t *out;
	uint32_t i;

	*p++ = (char)nr;
	for (i = 0; i < nr; i++) {
		p = mempcpy(p, "\x80\x01\x01\x00", 4);
		p = mempcpy(p, table[i].bytes, table[i].len);
	}
	assert_int_equal(decode(stream, (size_t)(p - stream), IMAGEMAP_STRICT, &map, &diag), 0);
	for (i = 0; i < nr; i++)
		check_image(&map, i, &(struct want){ i + 1, i + 2, table[i].path });
	assert_true(round_trip(&map, &out) <= (size_t)(p - stream));
	free(out);
	imagemap_release(&map);
}

static void test_long_frameworks(void **state)
{
	char name[80], path[256];
	uint8_t *out;
	int n;

	for (n = 62; n <= 66; n++) {
		struct imagemap map = IMAGEMAP_INIT;

		memset(name, 'n', sizeof(name));
		name[n] = '\0';
		snprintf(path, sizeof(path), "/Library/Frameworks/%s.framework/Versions/A/%s",
			 name, name);
		assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ 0, 1, .path = path }), 0);
		assert_int_equal(round_trip(&map, &out), n <= 64 ? 3 + 4 + 2 + 1 + n :
								   3 + 4 + 1 + 26 + 2 * n + 5 - 4);
		free(out);
		imagemap_release(&map);
	}
}

/* A prefix that ends inside a framework's name is used only if that is shorter. */
static void test_frameworks_and_prefixes(void **state)
{
	static const char *const paths[] = {
		"//x", "/Library/Frameworks/Kit.framework/Versions/A/Kit", "/Library/Frameworks/a/x",
		"/Library/Frameworks/Kit.framework/Versions/A/Kit/x",
		"/Library/Frameworks/Kit.framework/Versions/A/Kit",
	};
	struct imagemap map = IMAGEMAP_INIT;
	uint64_t i, len = 3 + 5 * 4;
	uint8_t *out;

	for (i = 0; i < 5; i++)
		assert_int_equal(imagemap_add(&map, &(struct imagemap_new){
			.base = i, .end = i + 1, .path = paths[i] }), 0);
	/* "//x" defines "/", the fourth path is everything after it in the fifth */
	len += (1 + 3 + 1) + (1 + 2 + 3) + (1 + 1 + 4 + 1) + (1 + 1 + 31 + 1) + (1 + 1 + 1 + 1);
	assert_int_equal(round_trip(&map, &out), len);
	free(out);
	imagemap_release(&map);
}

/* Before 2025 streams had no platform. */
static void test_old_streams(void **state)
{
	static const char old[] = "\x02\x01" IMAGE "\x02\xab\xcd\x81\x08/libx.so\x00";
	struct imagemap map;

	assert_int_equal(decode(old, sizeof(old) - 1, 0, &map, NULL), 0);
	assert_true(map.old);
	assert_string_equal(map.platform, "");
	check_image(&map, 0, &(struct want){ 0x1000, 0x1100, "/usr/lib/libx.so" });
	imagemap_release(&map);
	assert_int_equal(decode(old, sizeof(old) - 1, IMAGEMAP_STRICT, &map, NULL), -EBADMSG);
	imagemap_release(&map);
	assert_int_equal(decode("\x02\x00", 2, 0, &map, NULL), 0);
	assert_true(map.old && !map.nr);
	imagemap_release(&map);
}

/* Each path is the sum of all before it: 2^n. */
static void test_bomb(void **state)
{
	enum { NR = 120 };
	uint8_t bytes[8 + NR * 16], *p = bytes;
	struct imagemap map = IMAGEMAP_INIT;
	struct diag diag;
	unsigned int i;

	p = mempcpy(p, "\x02\x00", 2);
	*p++ = NR;
	for (i = 0; i < NR; i++) {
		p = mempcpy(p, "\x00\x00\x01\x00", 4);
		*p++ = 1;
		*p++ = 'x';
		if (i && i <= 32) {
			*p++ = (uint8_t)(0x80 | (31 + i));
			*p++ = (uint8_t)(0x80 | (31 + i));
		}
		*p++ = 1;
		*p++ = '/';
		*p++ = 0;
	}
	assert_int_equal(imagemap_decode(bytes, (size_t)(p - bytes), "bomb", 0, &map, &diag),
			 -E2BIG);
	assert_true(strstr(diag.text, "expand to more than 64 MB") && map.nr > 16);
	assert_true(map.text_room <= IMAGEMAP_MAX_TEXT);
	imagemap_release(&map);
}

static void test_lenient(void **state)
{
	struct imagemap map;

	assert_int_equal(decode("\x02\x00\x01\x08\x10\x00\x00\x00\x00", 9, IMAGEMAP_EMPTY_TEXT,
				&map, NULL), 0);
	check_image(&map, 0, &(struct want){ 0x1000, 0x1000, NULL });
	imagemap_release(&map);
	/* bit 6 is set, and bytes follow */
	assert_int_equal(decode(HEAD "\x01\x49\x10\x00\x01\x00\x00\x00!", 15, 0, &map, NULL), 0);
	assert_int_equal(map.trailing, 1);
	imagemap_release(&map);
	assert_int_equal(decode(HEAD "\x01\x49\x10\x00\x01\x00\x00\x00", 14, IMAGEMAP_STRICT,
				&map, NULL), -EBADMSG);
	imagemap_release(&map);
	assert_int_equal(decode(HEAD "\x00!", 8, IMAGEMAP_STRICT, &map, NULL), -EBADMSG);
	imagemap_release(&map);
}

static void test_find(void **state)
{
	struct imagemap map = IMAGEMAP_INIT;

	assert_null(imagemap_find(&map, 0));
	assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ 0x3000, 0x4000, .path = "/a/b" }), 0);
	assert_int_equal(imagemap_add(&map, &(struct imagemap_new){ 0x1000, 0x2000, .path = "c" }), 0);
	imagemap_sort(&map);
	assert_null(imagemap_find(&map, 0xfff));
	assert_ptr_equal(imagemap_find(&map, 0x1000), &map.images[0]);
	assert_ptr_equal(imagemap_find(&map, 0x1fff), &map.images[0]);
	assert_null(imagemap_find(&map, 0x2000));
	assert_ptr_equal(imagemap_find(&map, 0x3fff), &map.images[1]);
	assert_null(imagemap_find(&map, 0x4000));
	assert_string_equal(imagemap_name(&map, &map.images[1]), "b");
	assert_string_equal(imagemap_name(&map, &map.images[0]), "c");
	imagemap_release(&map);
}

static void test_base64(void **state)
{
	static const char *const table[] = { "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };
	static const char *const wrong[] = { "Z", "Zg=a", "Zm9v=", "Zm9vZ", "Zm9!", "====" };
	char text[16];
	uint8_t bytes[16];
	size_t i, len;

	for (i = 0; i < 7; i++) {	/* RFC 4648, section 10 */
		base64_write((const uint8_t *)"foobar", i, text);
		assert_string_equal(text, table[i]);
		assert_true(base64_read(text, strlen(text), bytes, &len) && len == i);
		assert_memory_equal(bytes, "foobar", i);
		assert_true(base64_read(text, strcspn(text, "="), bytes, &len) && len == i);
	}
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(base64_read(wrong[i], strlen(wrong[i]), bytes, &len));
	assert_true(base64_read("-_ 8\n=", 6, bytes, &len) && len == 2 && bytes[0] == 0xfb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_swift_streams),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_damaged_paths),
		cmocka_unit_test(test_behind_a_lost_path),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_needless_groups),
		cmocka_unit_test(test_signs),
		cmocka_unit_test(test_word_sizes),
		cmocka_unit_test(test_unsorted),
		cmocka_unit_test(test_many_prefixes),
		cmocka_unit_test(test_long_paths),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_long_frameworks),
		cmocka_unit_test(test_frameworks_and_prefixes),
		cmocka_unit_test(test_old_streams),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_lenient),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_base64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
