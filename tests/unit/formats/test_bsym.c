// SPDX-License-Identifier: GPL-2.0-only
/*
 * BSYM: the constructed files of versions 1.0 and 2.0, byte for byte, the known words of
 * version 2.1, and the difficult cases for readers: overflowing lengths, tables at odd offsets,
 * missing tokens, pages that did not shrink.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "formats/bsym/build.h"
#include "formats/bsym/read.h"

#define THING "\\epoc32\\release\\armv5\\urel\\_rofs_thing.dll"
#define EKERN "\\epoc32\\release\\armv5\\urel\\_variant_ekern.exe"

static const char *const seven[] = {
	"void", "char", "unsigned", "long", "int", "const", " const", NULL,
};

/* The contents of the constructed files. */
static struct bsym_new *constructed(void)
{
	struct bsym_new *n = bsym_new();
	char xs[301];

	memset(xs, 'x', 300);
	xs[300] = '\0';
	assert_non_null(n);
	assert_int_equal(bsym_new_codeseg(n, "\\EPOC32\\release\\armv5\\urel\\_variant_ekern.exe", false), 0);
	assert_int_equal(bsym_new_symbol(n, 0x80001030, 0x40, "LtkUtils::RNode::Del(char const *)"), 0);
	assert_int_equal(bsym_new_symbol(n, 0x80001000, 0x20, "_E32Startup"), 0);
	assert_int_equal(bsym_new_symbol(n, 0x80001070, 0, "zero"), 0);
	assert_int_equal(bsym_new_symbol(n, 0x80001020, 8, "LtkUtils::RNode::Add(void, unsigned int)"), 0);
	assert_int_equal(bsym_new_symbol(n, 0x80001070, 4, xs), 0);
	assert_int_equal(bsym_new_rename(n, "ekern.exe"), 0);
	assert_int_equal(bsym_new_codeseg(n, THING, true), 0);
	assert_int_equal(bsym_new_symbol(n, 0, 0x10, "Foo::Bar(int)"), 0);
	assert_int_equal(bsym_new_symbol(n, 0x10, 0x24, "E32Dll()"), 0);
	assert_int_equal(bsym_new_codeseg(n, "empty", false), 0);
	return n;
}

/* @ret: the caller frees it. */
static size_t write_new(struct bsym_new *n, uint32_t version, const char *const *tokens,
			uint8_t **ret, struct bsym_written *done)
{
	int fd = memfd_create("bsym", 0);
	struct stat st;

	assert_int_equal(bsym_write(n, &(struct bsym_write_options){ version, tokens }, fd,
				    "test", done, NULL), 0);
	assert_int_equal(fstat(fd, &st), 0);
	*ret = malloc((size_t)st.st_size);
	assert_int_equal(pread(fd, *ret, (size_t)st.st_size, 0), st.st_size);
	close(fd);
	bsym_free(n);
	assert_true(done->bytes == (uint64_t)st.st_size);
	return (size_t)st.st_size;
}

static size_t read_golden(const char *path, uint8_t **ret)
{
	FILE *f = fopen(path, "r");
	size_t len;

	assert_non_null(f);
	*ret = malloc(4096);
	len = fread(*ret, 1, 4096, f);
	fclose(f);
	return len;
}

static void check_golden(uint32_t version, const char *path)
{
	struct bsym_written done;
	uint8_t *golden, *made;
	size_t len = read_golden(path, &golden);

	assert_int_equal(write_new(constructed(), version, seven, &made, &done), len);
	assert_memory_equal(made, golden, len);
	assert_int_equal(done.codesegs, 2);
	assert_int_equal(done.symbols, 6);
	assert_int_equal(done.empty, 1);
	assert_int_equal(done.renames_lost, 1);
	free(golden);
	free(made);
}

static void test_bytes(void **state)
{
	check_golden(BSYM_VERSION(1, 0), "tests/golden/bsym/bsym-1.0.bsym");
	check_golden(BSYM_VERSION(2, 0), "tests/golden/bsym/bsym-2.0.bsym");
}

static void test_bytes_21(void **state)
{
	static const uint32_t words[] = {
		0x4253594d, 0x00020001, 0x18, 0x44, 0x90, 0xb0, 2, 0, 2, 0xbc, 0, 0xe7,
		0x80001000, 4, 0xef, 2, 0x11d, 6, 0, 0x00010010, 0x131,
	};
	struct bsym_written done;
	uint8_t *made;
	size_t i;

	write_new(constructed(), BSYM_VERSION(2, 1), seven, &made, &done);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		assert_int_equal(bsym_be32(made + 4 * i), words[i]);
	assert_memory_equal(made + 0x131, "\x06" "Bar(\x84)", 7);
	assert_memory_equal(made + 0x163, "\xff\x01\x2cxxx", 6);
	assert_memory_equal(made + 0x11d, "\x00\x00\x01\x21\x0fLtkUtils::RNode", 20);
	free(made);
}

/* Bytes in a buffer of exactly the size, for the sanitizer. */
static struct bsym *open_copy(const uint8_t *bytes, size_t len, uint8_t **copy)
{
	struct diag diag;
	struct bsym *b;

	*copy = malloc(len);
	memcpy(*copy, bytes, len);
	if (bsym_open_bytes(*copy, len, "test", &b, &diag))
		fail_msg("%s", diag.text);
	return b;
}

static void check_place(const struct bsym *b, int found, const struct bsym_place *at,
			int want, const char *name, uint32_t offset)
{
	char text[400];

	assert_int_equal(found, want);
	if (found > BSYM_NONE)
		assert_int_equal(at->offset, offset);
	if (found < BSYM_BEYOND)
		return;
	assert_int_equal(bsym_name(b, &at->symbol, text, sizeof(text)), strlen(name));
	assert_string_equal(text, name);
}

static void check_addr(const struct bsym *b, uint32_t addr, int want, const char *name,
		       uint32_t offset)
{
	struct bsym_place at;
	int found = bsym_find(b, addr, &at);

	check_place(b, found, &at, want, name, offset);
}

static void check_lookups(const struct bsym *b)
{
	struct bsym_place at;
	uint32_t i;

	check_addr(b, 0x80001000, BSYM_FOUND, "_E32Startup", 0);
	check_addr(b, 0x80001021, BSYM_FOUND, "LtkUtils::RNode::Add(void, unsigned int)", 1);
	check_addr(b, 0x8000102a, BSYM_BEYOND, "LtkUtils::RNode::Add(void, unsigned int)", 10);
	check_addr(b, 0x8000106f, BSYM_FOUND, "LtkUtils::RNode::Del(char const *)", 0x3f);
	check_addr(b, 0x80001074, BSYM_NONE, NULL, 0);
	check_addr(b, 0x80000fff, BSYM_NONE, NULL, 0);
	check_addr(b, 5, BSYM_NONE, NULL, 0);
	assert_true(bsym_find_codeseg(b, THING, 0, &i) && i == 0);
	assert_true(bsym_find_codeseg(b, "_ROFS_thing.dll", 0, &i) && i == 0);
	check_place(b, bsym_find_offset(b, 0, 5, &at), &at, BSYM_FOUND, "Foo::Bar(int)", 5);
	check_place(b, bsym_find_offset(b, 0, 0x33, &at), &at, BSYM_FOUND, "E32Dll()", 0x23);
	check_place(b, bsym_find_offset(b, 0, 0x34, &at), &at, BSYM_NONE, NULL, 0);
	assert_false(bsym_find_codeseg(b, THING, 1, &i));
	assert_false(bsym_find_codeseg(b, "thing", 0, &i));
	check_place(b, bsym_find_offset(b, 1, 0x20, &at), &at, BSYM_FOUND,
		    "LtkUtils::RNode::Add(void, unsigned int)", 0);
	check_place(b, bsym_find_offset(b, 1, UINT32_MAX, &at), &at, BSYM_NONE, NULL, 0);
}

static void say_odd(bool odd, const char *text, void *arg)
{
	if (!odd)
		print_message("%s\n", text);
	++*(unsigned int *)arg;
}

static void test_lookups(void **state)
{
	static const uint32_t versions[] = {
		BSYM_VERSION(1, 0), BSYM_VERSION(2, 0), BSYM_VERSION(2, 1), BSYM_VERSION(2, 7),
	};
	struct bsym_written done;
	uint8_t *made, *copy;
	unsigned int odd = 0;
	struct bsym *b;
	uint32_t i, at;
	size_t len;

	for (i = 0; i < 4; i++) {
		len = write_new(constructed(), i < 3 ? versions[i] : BSYM_VERSION(2, 1),
				i % 2 ? NULL : seven, &made, &done);
		/*
		 * a later version of the same major version; word 6 then belongs to the table
		 * and is not 0
		 */
		if (i == 3)
			made[7] = 7;
		b = open_copy(made, len, &copy);
		check_lookups(b);
		assert_int_equal(bsym_verify(b, say_odd, &odd), 0);
		assert_int_equal(odd, 0);
		/* before 2.1 names are guessed, from 2.1 on there are renames */
		assert_true(bsym_find_codeseg(b, "ekern.exe", 0, &at) && at == 1);
		assert_true(bsym_find_codeseg(b, "z:\\sys\\bin\\ekern.exe", 0, &at) ==
			    (i == 2));
		bsym_close(b);
		free(made);
		free(copy);
	}
}

/* A small file of version 2.1 that tests damage: one code segment, two symbols, no renames. */
static size_t small(uint8_t bytes[256], uint32_t word1, uint32_t prefixes)
{
	const uint32_t words[] = {
		BSYM_MAGIC, BSYM_VERSION(2, 1), 24, 48, 76, 0,
		1, 0x1000, 2, 84, 0, prefixes,
		2, 0x1000, word1, 86, 0x30000, 0x10, 88,
		1, 93,
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		bytes[4 * i] = (uint8_t)(words[i] >> 24);
		bytes[4 * i + 1] = (uint8_t)(words[i] >> 16);
		bytes[4 * i + 2] = (uint8_t)(words[i] >> 8);
		bytes[4 * i + 3] = (uint8_t)words[i];
	}
	/* code segment "m", symbols "a", "x" token 0 token 1 "y"; token 0 "void" */
	memcpy(bytes + 84, "\x01m\x01" "a\x04x\x80\x81y\x04void\x00\x00\x00\x5d\xff\x00\x05hello", 26);
	return 84 + 26;
}

static void check_small(uint32_t word1, uint32_t prefixes, uint32_t addr, int want,
			const char *name)
{
	uint8_t bytes[256], *copy;
	struct bsym *b = open_copy(bytes, small(bytes, word1, prefixes), &copy);

	check_addr(b, addr, want, name, addr - 0x1000);
	check_addr(b, 0x30001, BSYM_FOUND, "xvoid?y", 1);
	bsym_close(b);
	free(copy);
}

static void test_overflow(void **state)
{
	/* 0x20000 bytes: the bits above 16 are not the number of a prefix */
	check_small(0x20000, 0, 0x20fff, BSYM_FOUND, "a");
	check_small(0x20000, 0, 0x21000, BSYM_BEYOND, "a");
	/* with a table they are: at the odd offset 98 = 86 + 12 */
	check_small(0x10010, 98, 0x100f, BSYM_FOUND, "void::a");
	check_small(0x10010, 98, 0x1010, BSYM_BEYOND, "void::a");
}

static void test_damaged_prefix(void **state)
{
	uint8_t bytes[256], *copy;
	struct bsym *b = open_copy(bytes, small(bytes, 0xffff0010, 98), &copy);
	unsigned int odd = 0;
	struct bsym_symbol s;
	struct bsym_codeseg c;

	assert_int_equal(bsym_codeseg(b, 0, &c), 0);
	assert_int_equal(bsym_symbol(b, &c, 0, &s), -EBADMSG);
	assert_int_equal(s.length, 0x10);
	/* and token 1 */
	assert_int_equal(bsym_verify(b, say_odd, &odd), 2);
	bsym_close(b);
	free(copy);
}

static void test_strings(void **state)
{
	uint8_t bytes[256], *copy;
	size_t len = small(bytes, 0x10, 0);
	struct bsym *b = open_copy(bytes, len, &copy);
	char text[8];

	/* a short string in the long form */
	assert_int_equal(bsym_string(b, 102, text, sizeof(text)), 5);
	assert_string_equal(text, "hello");
	assert_int_equal(bsym_string(b, 102, text, 4), 5);
	assert_string_equal(text, "hel");
	assert_int_equal(bsym_string(b, 88, NULL, 0), 7);
	assert_int_equal(bsym_string(b, (uint32_t)len, text, sizeof(text)), -EBADMSG);
	assert_int_equal(bsym_string(b, (uint32_t)len - 1, text, sizeof(text)), -EBADMSG);
	assert_int_equal(bsym_string(b, UINT32_MAX, text, sizeof(text)), -EBADMSG);
	bsym_close(b);
	free(copy);
}

static void test_string_lengths(void **state)
{
	static const struct { size_t len; const char *start; size_t head; } table[] = {
		{ 254, "\xfe" "y", 1 }, { 255, "\xff\x00\xff", 3 }, { 256, "\xff\x01\x00", 3 },
		{ 65535, "\xff\xff\xff", 3 },
	};
	struct bsym_written done;
	uint8_t *made, *copy;
	struct bsym *b;
	size_t i, len;
	char *name = malloc(65536), *text = malloc(65536);

	for (i = 0; i < 4; i++) {
		struct bsym_new *n = bsym_new();

		memset(name, 'y', 65536);
		name[table[i].len] = '\0';
		bsym_new_codeseg(n, "m", false);
		bsym_new_symbol(n, 0x1000, 1, name);
		len = write_new(n, BSYM_VERSION(1, 0), NULL, &made, &done);
		assert_memory_equal(made + 58, table[i].start, table[i].head);
		b = open_copy(made, len, &copy);
		assert_int_equal(bsym_string(b, 58, text, 65536), table[i].len);
		assert_string_equal(text, name);
		bsym_close(b);
		free(made);
		free(copy);
	}
	free(name);
	free(text);
}

static void test_prefixes(void **state)
{
	static const char *const names[] = {
		"f(std::string)", "::g", "a::b::c", "a::b::d", "e::", ":::", "plain",
	};
	struct bsym_new *n = bsym_new();
	struct bsym_written done;
	uint8_t *made, *copy;
	struct bsym *b;
	uint32_t i;
	size_t len;

	bsym_new_codeseg(n, "m", false);
	for (i = 0; i < 7; i++)
		bsym_new_symbol(n, 0x1000 + i, 1, names[i]);
	len = write_new(n, BSYM_VERSION(2, 0), NULL, &made, &done);
	/* "f(std", "a::b", "e", ":" */
	assert_int_equal(done.prefixes, 4);
	b = open_copy(made, len, &copy);
	for (i = 0; i < 7; i++)
		check_addr(b, 0x1000 + i, BSYM_FOUND, names[i], 0);
	bsym_close(b);
	free(made);
	free(copy);
}

static void test_more_than_fits(void **state)
{
	struct bsym_new *n = bsym_new();
	struct bsym_written done;
	char name[32];
	uint8_t *made, *copy;
	struct bsym *b;
	uint32_t i;
	size_t len;

	/* more prefixes than there are numbers, a long symbol, and bytes that are tokens */
	bsym_new_codeseg(n, "m", false);
	for (i = 0; i < 70000; i++) {
		snprintf(name, sizeof(name), "n%u::f", i);
		bsym_new_symbol(n, 0x1000 + 2 * i, 2, name);
	}
	bsym_new_symbol(n, 0x1000000, 0x12345, "caf\xc3\xa9");
	/* the only symbol, without bytes: it reaches to the next code segment */
	bsym_new_codeseg(n, "blob", false);
	bsym_new_symbol(n, 0x2000000, 0, "blob");
	bsym_new_codeseg(n, "next", false);
	bsym_new_symbol(n, 0x2000100, 4, "next");
	bsym_new_codeseg(n, "last", false);
	bsym_new_symbol(n, 0x3000000, 0, "last");
	len = write_new(n, BSYM_VERSION(2, 1), NULL, &made, &done);
	assert_int_equal(done.prefixes, 65534);
	assert_int_equal(done.cut, 1);
	assert_int_equal(done.mended, 1);
	assert_int_equal(done.empty, 1);
	assert_int_equal(done.codesegs, 3);
	b = open_copy(made, len, &copy);
	check_addr(b, 0x1000 + 2 * 65533, BSYM_FOUND, "n65533::f", 0);
	check_addr(b, 0x1000 + 2 * 65534, BSYM_FOUND, "n65534::f", 0);
	check_addr(b, 0x1000 + 2 * 69999, BSYM_FOUND, "n69999::f", 0);
	check_addr(b, 0x100fffe, BSYM_FOUND, "caf??", 0xfffe);
	check_addr(b, 0x20000ff, BSYM_FOUND, "blob", 0xff);
	bsym_close(b);
	free(made);
	free(copy);
}

/*
 * Tables in which a guess by size is far off, at both ends; every address is compared with a
 * linear walk.
 */
static void check_skewed(uint32_t nr, uint32_t (*size)(uint32_t i))
{
	struct bsym_new *n = bsym_new();
	uint32_t i, at = 0x100, want = 0;
	struct bsym_written done;
	uint8_t *made, *copy;
	struct bsym_place p;
	struct bsym *b;
	char name[16];
	size_t len;

	bsym_new_codeseg(n, "m", false);
	for (i = 0; i < nr; at += size(i++)) {
		snprintf(name, sizeof(name), "f%u", i);
		bsym_new_symbol(n, at, size(i), name);
	}
	len = write_new(n, BSYM_VERSION(2, 1), NULL, &made, &done);
	b = open_copy(made, len, &copy);
	for (i = 0x100, at = 0x100; i < 0x100 + 40000 && want < nr; i++) {
		if (i == at + size(want))
			at += size(want++);
		if (want == nr)
			break;
		assert_int_equal(bsym_find(b, i, &p), BSYM_FOUND);
		assert_int_equal(p.index, want);
		assert_int_equal(p.offset, i - at);
	}
	assert_true(want + 1 >= nr || i == 0x100 + 40000);
	bsym_close(b);
	free(made);
	free(copy);
}

static uint32_t equal(uint32_t i) { return 4; }
static uint32_t growing(uint32_t i) { return i + 1; }
static uint32_t large_first(uint32_t i) { return i < 2 ? 9000 : 1; }
static uint32_t large_last(uint32_t i) { return i > 997 ? 9000 : 1; }
static uint32_t waves(uint32_t i) { return i / 50 % 2 ? 1 : 70; }

static void test_skewed(void **state)
{
	static uint32_t (*const sizes[])(uint32_t i) = {
		equal, growing, large_first, large_last, waves,
	};
	static const uint32_t nr[] = { 1, 2, 8, 9, 10, 17, 100, 1000 };
	size_t i, k;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (k = 0; k < sizeof(nr) / sizeof(*nr); k++)
			check_skewed(nr[k], sizes[i]);
}

static void check_refused(const uint8_t *bytes, size_t len, const char *text)
{
	uint8_t *copy = malloc(len + !len);
	struct diag diag = { 0 };
	struct bsym *b;

	memcpy(copy, bytes, len);
	assert_int_equal(bsym_open_bytes(copy, len, "test", &b, &diag), -EBADMSG);
	if (!strstr(diag.text, text))
		fail_msg("%s, not %s", diag.text, text);
	free(copy);
}

static void test_refused(void **state)
{
	uint8_t bytes[256], copy[256];
	size_t len = small(bytes, 0x10, 0), i;

	check_refused((const uint8_t *)"BSY", 3, "not a BSYM");
	check_refused((const uint8_t *)"BSYM\0\1", 6, "cut off");
	for (i = 8; i < 24; i++)
		check_refused(bytes, i, "");
	memcpy(copy, bytes, len);
	copy[5] = 4;
	check_refused(copy, len, "version 4.1");
	copy[5] = 0;
	check_refused(copy, len, "version 0.1");
	memcpy(copy, bytes, len);
	copy[24] = 1;
	check_refused(copy, len, "code segments are outside");
	memcpy(copy, bytes, len);
	copy[12] = 0x80;
	check_refused(copy, len, "symbols are outside");
	memcpy(copy, bytes, len);
	copy[79] = 129;
	check_refused(copy, len, "tokens are outside");
	memcpy(copy, bytes, len);
	copy[23] = 100;
	check_refused(copy, len, "renames are outside");
}

static void check_page(const char *packed, size_t len, const char *want)
{
	uint8_t out[64];
	int n = bsym_unpack_page((const uint8_t *)packed, len, out, 16);

	if (!want) {
		assert_int_equal(n, -EBADMSG);
		return;
	}
	assert_int_equal(n, strlen(want));
	assert_memory_equal(out, want, strlen(want));
}

static void test_byte_pairs(void **state)
{
	char bits[2 + 32 + 64 + 4] = { 32, 'M' };
	int i;

	check_page("\0abc", 4, "abc");
	check_page("\1M" "Aab" "xAAx", 9, "xababx");
	check_page("\2M" "Aab" "BAc" "BAMAMM", 14, "abcabAM");
	check_page("\1M" "AAb" "A", 6, NULL);	/* a token that contains itself */
	check_page("\1M" "Aab" "M", 6, NULL);	/* a literal that does not exist */
	check_page("\2M" "Aab" "B", 6, NULL);
	check_page("", 0, NULL);
	check_page("\1", 1, NULL);
	check_page("\0aaaaaaaaaaaaaaaaa", 18, NULL);	/* 17 of 16 */
	/* 32 tokens, 0x80 to 0x9f, of two letters each */
	for (i = 0; i < 4; i++)
		bits[2 + 16 + i] = (char)0xff;
	for (i = 0; i < 64; i++)
		bits[34 + i] = (char)('0' + i);
	memcpy(bits + 98, "\x80\x9f.M", 4);
	check_page(bits, 101, "01no.");
	check_page(bits, 102, NULL);
	bits[3] = 1;	/* one bit more than there are tokens */
	check_page(bits, 101, NULL);
}

/* Version 3.0: one unit with code and data, whose second page did not shrink. */
static size_t make_3(uint8_t *f, bool big, bool packed)
{
	const uint32_t words[] = {
		/* unit: code, data, zeros, names, first symbol */
		0x80001000, 2, 0x80400000, 1, 0, 0, 1, 7, 0,
		/* symbols: address, length, scope, name, section */
		0x80001000, 0x12345, 10, 14, 0, 0x80020000, 4, 0, 14, 0,
		0x80400000, 8, 0, 18, 0,
	};
	const uint32_t image = 36 + 60 + 24, at = packed ? 48 + 8 + 8 : 48;
	const uint32_t head[] = {
		at, 1, 36, 3, 96, 24, packed ? image + 1 : 0, image, packed ? 48 : 0,
		4096, 1, 0, image + 1,
	};
	size_t n = 12, i;

	memcpy(f, "BSYM\0\3\0\0", 8);
	f[8] = big;
	f[9] = packed;
	f[10] = f[11] = 0;
	for (i = 0; i < (packed ? 13 : 9); i++, n += 4)
		for (int k = 0; k < 4; k++)
			f[n + k] = (uint8_t)(head[i] >> 8 * (big ? 3 - k : k));
	if (packed)
		f[n++] = 0;	/* no tokens */
	for (i = 0; i < sizeof(words) / 4; i++, n += 4)
		for (int k = 0; k < 4; k++)
			f[n + k] = (uint8_t)(words[i] >> 8 * (big ? 3 - k : k));
	memcpy(f + n, "\0\5a.exe\2d\0\3N::\3f()\2dat\0", 24);
	return n + 24;
}

static void check_3(bool big, bool packed)
{
	uint8_t f[512], *copy;
	struct bsym_info info;
	unsigned int odd = 0;
	struct bsym *b;
	size_t len = make_3(f, big, packed);

	b = open_copy(f, len, &copy);
	bsym_info(b, &info);
	assert_int_equal(info.big_endian, big);
	assert_int_equal(info.packed, packed);
	assert_int_equal(info.nr_codesegs, 2);
	assert_int_equal(info.nr_symbols, 3);
	check_addr(b, 0x80001000 + 0x12344, BSYM_FOUND, "N::::f()", 0x12344);
	check_addr(b, 0x80020003, BSYM_FOUND, "f()", 3);
	check_addr(b, 0x80400007, BSYM_FOUND, "da", 7);
	check_addr(b, 0x80400008, BSYM_NONE, NULL, 0);
	assert_int_equal(bsym_verify(b, say_odd, &odd), 0);
	bsym_close(b);
	free(copy);
	check_refused(f, 47, "cut off");
	check_refused(f, len - 30, packed ? "page is damaged" : "outside of the file");
}

static void test_version_3(void **state)
{
	check_3(false, false);
	check_3(true, false);
	check_3(false, true);
	check_3(true, true);
}

static struct bsym_new *parse(const char *text, int want, struct bsym_source *ret,
			      struct diag *diag)
{
	int fd = memfd_create("symbol", 0);
	struct bsym_new *n = bsym_new();
	char path[64];

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(bsym_from_symbol_file(path, n, ret, diag), want);
	close(fd);
	return n;
}

static void test_symbol_file(void **state)
{
	struct bsym_source source;
	struct bsym_written done;
	struct diag diag;
	uint8_t *made, *copy;
	struct bsym *b;
	char text[64];
	size_t len;
	struct bsym_new *n = parse(
		"From    \\epoc32\\release\\armv5\\urel\\X.exe\r\n\r\n"
		"8342d6b8    0000    Image$$ER_RO$$Base                       anon$$obj.o(linker$$defined$$symbols)\r\n"
		"8342d6b9    0070    _E32Startup                              uc_exe_.o(.emb_text)\r\n"
		"8342d728    12340    A::Name(of, more than, forty, characters)  a.o(.text)\r\n"
		"83440000    0004    Ends in it\r\n"
		"\nFrom    rofs.dll\n"
		"00000000    0010    First()                                  a.o\n", 0, &source, &diag);

	assert_int_equal(source.symbols, 5);
	len = write_new(n, BSYM_VERSION(2, 1), NULL, &made, &done);
	assert_int_equal(done.empty, 1);
	b = open_copy(made, len, &copy);
	check_addr(b, 0x8342d6b8, BSYM_FOUND, "_E32Startup", 0);
	check_addr(b, 0x8342d728, BSYM_FOUND, "A::Name(of, more than, forty, characters)", 0);
	check_addr(b, 0x83440003, BSYM_FOUND, "Ends in it", 3);
	/* its name is the string after the tables, in lower case */
	assert_true(bsym_string(b, bsym_be32(made + 24 + 4 + 20 + 8), text, sizeof(text)) > 0);
	assert_string_equal(text, "\\epoc32\\release\\armv5\\urel\\x.exe");
	bsym_close(b);
	free(made);
	free(copy);
	bsym_free(parse("", -EBADMSG, &source, &diag));
	assert_true(strstr(diag.text, "no \"From\""));
	bsym_free(parse("8342d6b8    0070    f\n", -EBADMSG, &source, &diag));
	assert_true(strstr(diag.text, "line 1: a symbol before"));
	bsym_free(parse("From a\nxyz\n", -EBADMSG, &source, &diag));
	assert_true(strstr(diag.text, "line 2: no address"));
	bsym_free(parse("From a\n108342d6b8    0070    f\n", -EBADMSG, &source, &diag));
	assert_true(strstr(diag.text, "more than 32 bits"));
	bsym_free(parse("From a\n8342d6b8    0070\n", -EBADMSG, &source, &diag));
	assert_true(strstr(diag.text, "without a name"));
	bsym_free(parse("From   \n", -EBADMSG, &source, &diag));
	assert_true(strstr(diag.text, "\"From\" without a path"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bytes_21),
		cmocka_unit_test(test_lookups),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_damaged_prefix),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_string_lengths),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_more_than_fits),
		cmocka_unit_test(test_skewed),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_byte_pairs),
		cmocka_unit_test(test_version_3),
		cmocka_unit_test(test_symbol_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
