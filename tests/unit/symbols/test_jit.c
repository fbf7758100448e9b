// SPDX-License-Identifier: GPL-2.0-only
/* Tests user/symbols/symstore/jit.h: perf maps, jitdump files, and the function of an address. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/symstore/jit.h"
#include "symbols/symstore/jitdump.h"
#include "symbols/symstore/perf_map.h"

static void expect(struct jit_codes *c, uint64_t addr, const char *name)
{
	const struct jit_code *code = jit_codes_find(c, addr);

	if (!name) {
		assert_null(code);
		return;
	}
	assert_non_null(code);
	assert_string_equal(c->names + code->name, name);
}

static void test_perf_map(void **state)
{
	static const char text[] = "1000 100 f\n0x2000 0x10 a name (with words)\r\nnonsense\n"
				   "3000 0 empty\n4000 zz bad\nffffffffffffffff 2 wraps\n"
				   "11112222333344445 1 long\n\n5000 10\n1100 20 half";
	struct jit_codes c = { .code = NULL };

	assert_int_equal(perf_map_parse(&c, text, sizeof(text) - 1),
			 strstr(text, "1100 20") - text);
	assert_int_equal(c.nr, 2);
	expect(&c, 0x1000, "f");
	expect(&c, 0x10ff, "f");
	expect(&c, 0x1100, NULL);
	expect(&c, 0x2005, "a name (with words)");
	expect(&c, 0x3000, NULL);
	expect(&c, 0, NULL);
	jit_codes_release(&c);
}

/*
 * Random functions over one another, looked up at random times, compared with a model that
 * keeps an owner for each byte.
 */
static void test_replace(void **state)
{
	enum { BYTES = 256, FUNCTIONS = 12 };
	struct jit_codes c = { .code = NULL };
	char text[64], name[16];
	int owner[BYTES], round, i;

	srand(1);
	for (round = 0; round < 300; round++) {
		jit_codes_release(&c);
		memset(owner, 0, sizeof(owner));
		for (i = 1; i <= FUNCTIONS; i++) {
			int start = rand() % BYTES, end = start + 1 + rand() % (BYTES - start);

			snprintf(text, sizeof(text), "%x %x f%d\n", start, end - start, i);
			assert_true(perf_map_parse(&c, text, strlen(text)) > 0);
			while (start < end)
				owner[start++] = i;
			if (rand() % 4)
				continue;
			snprintf(name, sizeof(name), "f%d", owner[start - 1]);
			expect(&c, (uint64_t)start - 1, name);
		}
		for (i = 0; i < BYTES; i++) {
			snprintf(name, sizeof(name), "f%d", owner[i]);
			expect(&c, (uint64_t)i, owner[i] ? name : NULL);
		}
	}
	jit_codes_release(&c);
}

/* A jitdump file as it is written, of either byte order. */
struct dump {
	uint8_t bytes[4096];
	size_t len;
	bool swapped;
};

static void put32(struct dump *d, uint32_t v)
{
	v = d->swapped ? __builtin_bswap32(v) : v;
	memcpy(d->bytes + d->len, &v, sizeof(v));
	d->len += sizeof(v);
}

static void put64(struct dump *d, uint64_t v)
{
	v = d->swapped ? __builtin_bswap64(v) : v;
	memcpy(d->bytes + d->len, &v, sizeof(v));
	d->len += sizeof(v);
}

static void put_string(struct dump *d, const char *s)
{
	strcpy((char *)d->bytes + d->len, s);
	d->len += strlen(s) + 1;
}

static void put_prefix(struct dump *d, uint32_t id, size_t size)
{
	put32(d, id);
	put32(d, (uint32_t)size);
	put64(d, 0);
}

static void put_header(struct dump *d)
{
	put32(d, 0x4a695444);
	put32(d, 1);
	put32(d, 40);
	put32(d, 62);
	put64(d, 0);
	put64(d, 0);
	put64(d, 0);
}

static void put_load(struct dump *d, uint64_t addr, uint32_t size, const char *name)
{
	put_prefix(d, 0, 56 + strlen(name) + 1 + size);
	put64(d, 0);
	put64(d, addr);
	put64(d, addr);
	put64(d, size);
	put64(d, 0);
	put_string(d, name);
	memset(d->bytes + d->len, 0x90, size);
	d->len += size;
}

static void put_lines(struct dump *d, uint64_t addr)
{
	put_prefix(d, 2, 32 + 16 + 4 + 16 + 2);
	put64(d, addr);
	put64(d, 2);
	put64(d, addr);
	put32(d, 7);
	put32(d, 0);
	put_string(d, "a.c");
	put64(d, addr + 4);
	put32(d, 9);
	put32(d, 0);
	d->bytes[d->len++] = 0xff;
	d->bytes[d->len++] = 0;
}

static void put_move(struct dump *d, uint64_t from, uint64_t to, uint64_t size)
{
	put_prefix(d, 1, 64);
	put64(d, 0);		/* pid, tid */
	put64(d, from);		/* vma */
	put64(d, from);
	put64(d, to);
	put64(d, size);
	put64(d, 0);		/* index */
}

static void make_dump(struct dump *d, bool swapped)
{
	*d = (struct dump){ .swapped = swapped };
	put_header(d);
	put_load(d, 0x1000, 16, "f");
	put_lines(d, 0x2000);
	put_load(d, 0x2000, 16, "g");
	put_prefix(d, 77, 16);		/* of an unknown kind */
	put_move(d, 0x1000, 0x3000, 16);
}

static void check_dump(struct jit_codes *c)
{
	const struct jit_code *g = jit_codes_find(c, 0x2006);
	const struct jit_line *line;

	expect(c, 0x100f, "f");
	expect(c, 0x1010, NULL);
	expect(c, 0x2006, "g");
	expect(c, 0x3008, "f");
	line = jit_codes_line_at(c, g, 0x2003);
	assert_int_equal(line->line, 7);
	line = jit_codes_line_at(c, g, 0x2006);
	assert_int_equal(line->line, 9);
	assert_string_equal(c->names + line->file, "a.c");
	assert_null(jit_codes_line_at(c, jit_codes_find(c, 0x1000), 0x1000));
}

static void test_jitdump(void **state)
{
	struct jit_codes c = { .code = NULL };
	struct jitdump d = { 0 };
	struct dump f;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		make_dump(&f, swapped);
		d = (struct jitdump){ 0 };
		assert_int_equal(jitdump_parse(&d, &c, f.bytes, f.len), f.len);
		check_dump(&c);
		jit_codes_release(&c);
	}
}

/* The file grows byte by byte. */
static void test_jitdump_grows(void **state)
{
	struct jit_codes c = { .code = NULL };
	struct jitdump d = { 0 };
	size_t at = 0, len;
	struct dump f;
	int64_t taken;

	make_dump(&f, false);
	for (len = 0; len <= f.len; len++) {
		taken = jitdump_parse(&d, &c, f.bytes + at, len - at);
		assert_true(taken >= 0);
		at += (size_t)taken;
	}
	assert_int_equal(at, f.len);
	check_dump(&c);
	jit_codes_release(&c);
}

static void test_jitdump_bad(void **state)
{
	struct jit_codes c = { .code = NULL };
	struct jitdump d = { 0 };
	struct dump f;

	make_dump(&f, false);
	f.bytes[0] ^= 1;
	assert_int_equal(jitdump_parse(&d, &c, f.bytes, f.len), -EBADMSG);
	make_dump(&f, false);
	f.bytes[44] = 15;	/* a record shorter than its prefix */
	assert_int_equal(jitdump_parse(&d, &c, f.bytes, f.len), -EBADMSG);
	d = (struct jitdump){ 0 };
	make_dump(&f, false);
	memset(f.bytes + 40 + 56, 'x', 18);	/* a name without an end */
	assert_int_equal(jitdump_parse(&d, &c, f.bytes, f.len), -EBADMSG);
	jit_codes_release(&c);
}

static void test_is_dump(void **state)
{
	assert_true(jit_is_dump("/tmp/jit-12.dump"));
	assert_true(jit_is_dump("/root/.debug/jit/x/jit-12.dump (deleted)"));
	assert_false(jit_is_dump("/tmp/jit-.dump"));
	assert_false(jit_is_dump("/tmp/jit-12.dum"));
	assert_false(jit_is_dump("/jit-1/lib.so"));
}

static bool is_odd(uint32_t pid, void *arg)
{
	uint32_t *asked = arg;

	++*asked;
	return pid & 1;
}

/* Many processes, close to and far from one another in the table, of which half are removed. */
static void test_forget(void **state)
{
	struct jit *j = jit_new();
	struct jit_frame f;
	uint32_t i, asked = 0;

	(void)state;
	/* no process has such a number, and so none has a file */
	for (i = 0; i < 500; i++)
		assert_int_equal(jit_find(j, 0x7f000000 + (i % 50) * 1024 + i, 0, &f), 0);
	jit_forget_others(j, is_odd, &asked);
	assert_true(asked >= 500);
	asked = 0;
	jit_forget_others(j, is_odd, &asked);
	assert_int_equal(asked, 250);
	jit_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perf_map),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_jitdump),
		cmocka_unit_test(test_jitdump_grows),
		cmocka_unit_test(test_jitdump_bad),
		cmocka_unit_test(test_is_dump),
		cmocka_unit_test(test_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
