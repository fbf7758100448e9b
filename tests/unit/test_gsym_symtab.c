// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbol tables: of two small libraries and a relocatable file, and of those with every
 * byte changed. What xz packed, and what it did not.
 */
#include "support.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gsym/from_symtab.h"
#include "gsym/part.h"
#include "gsym/unxz.h"

#define GOLDEN "tests/golden/gsym/"

static const struct gsym_added *find(const struct gsym_part *part, const char *name)
{
	size_t i;

	for (i = 0; i < part->nr_funcs; i++)
		if (!strcmp(gsym_part_text(part, part->funcs[i].name), name))
			return &part->funcs[i];
	return NULL;
}

static void assert_function(const struct gsym_part *part, const struct gsym_symtab *s,
			    const char *name, uint64_t size)
{
	const struct gsym_added *f = find(part, name);

	assert_non_null(f);
	assert_int_equal(f->end - f->start, size);
	assert_true(f->start >= s->text[0].start && f->end <= s->text[0].end);
}

static void symtab(void **state)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;

	assert_int_equal(gsym_from_symtab(GOLDEN "symtab.so", part, &s, &diag), 0);
	assert_int_equal(s.symbols, 3);
	assert_int_equal(s.dynamic + s.packed, 0);
	assert_int_equal(s.base, 0);
	assert_int_equal(s.uuid_len, 20);
	assert_int_equal(s.nr_text, 1);
	assert_false(s.big_endian);
	assert_function(part, &s, "hidden", 10);
	assert_function(part, &s, "exported", 9);
	assert_function(part, &s, "alias", 9);
	assert_true(find(part, "hidden")->order < find(part, "exported")->order);
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

static void packed(void **state)
{
	struct gsym_part *part = gsym_part_new();
	struct diag diag = { 0 };
	struct gsym_symtab s;

	assert_int_equal(gsym_from_symtab(GOLDEN "packed.so", part, &s, &diag), 0);
	assert_int_equal(s.symbols, 0);
	assert_int_equal(s.dynamic, 2);
	assert_int_equal(s.packed, 1);
	assert_function(part, &s, "hidden", 10);
	assert_function(part, &s, "exported", 9);
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

/* Sections that all begin at 0: .text, and three behind it */
static void relocatable(void **state)
{
	static const struct {
		const char *name;
		uint64_t start, size;
	} want[] = {
		{ "plain", 0, 11 }, { "bare", 16, 2 }, { "after", 18, 1 },
		{ "hot", 19, 11 }, { "start", 30, 26 },
	};
	struct gsym_part *part = gsym_part_new();
	const struct gsym_added *f;
	struct diag diag = { 0 };
	struct gsym_symtab s;
	size_t i;

	assert_int_equal(gsym_from_symtab(GOLDEN "sections.o", part, &s, &diag), 0);
	assert_int_equal(s.symbols, ARRAY_SIZE(want));
	assert_int_equal(s.base, 0);
	assert_int_equal(s.text[0].start, 0);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		f = find(part, want[i].name);
		assert_non_null(f);
		assert_int_equal(f->start, want[i].start);
		assert_int_equal(f->end, want[i].start + want[i].size);
	}
	gsym_symtab_release(&s);
	gsym_part_free(part);
}

/* Return: of gsym_from_symtab() */
static int read_bytes(const void *bytes, size_t len, struct diag *diag)
{
	int fd = memfd_create("elf", 0), err;
	struct gsym_part *part = gsym_part_new();
	struct gsym_symtab s;
	char path[32];

	assert_int_equal(write(fd, bytes, len), len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = gsym_from_symtab(path, part, &s, diag);
	assert_true(!err || diag->text[0]);
	if (!err)
		gsym_symtab_release(&s);
	gsym_part_free(part);
	close(fd);
	return err;
}

/* Every byte of the headers and tables, one after the other */
static void damaged(void **state)
{
	static const char *const paths[] = {
		GOLDEN "symtab.so", GOLDEN "packed.so", GOLDEN "sections.o"
	};
	struct diag diag = { 0 };
	struct bytes b;
	size_t i;
	u32 at;
	u8 old;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		bytes_read_file(paths[i], &b);
		for (at = 0; at < b.len; at++) {
			old = b.p[at];
			b.p[at] ^= 0xff;
			(void)read_bytes(b.p, b.len, &diag);
			b.p[at] = old;
			if (at % 16 == 0)
				(void)read_bytes(b.p, at, &diag);
		}
		free(b.p);
	}
	assert_int_equal(read_bytes("", 0, &diag), -EBADMSG);
	assert_int_equal(read_bytes("text", 4, &diag), -EBADMSG);
	assert_int_equal(read_bytes("!<arch>\n", 8, &diag), -EBADMSG);
}

/* 100,000 bytes 'a', and a stream behind it with "b" */
static void xz(void **state)
{
	static const char file[] = GOLDEN "packed.xz";
	struct bytes b;
	uint8_t *out;
	size_t len;

	bytes_read_file(file, &b);
	assert_int_equal(unxz(b.p, b.len, 1 << 20, &out, &len), 0);
	assert_int_equal(len, 100001);
	assert_int_equal(out[99999], 'a');
	assert_int_equal(out[100000], 'b');
	free(out);
	assert_int_equal(unxz(b.p, b.len, 100001, &out, &len), 0);
	free(out);
	assert_int_equal(unxz(b.p, b.len, 100000, &out, &len), -EFBIG);
	assert_int_equal(unxz(b.p, b.len - 1, 1 << 20, &out, &len), -EBADMSG);
	assert_int_equal(unxz(b.p, 0, 1 << 20, &out, &len), -EBADMSG);
	b.p[b.len / 2] ^= 1;
	assert_int_equal(unxz(b.p, b.len, 1 << 20, &out, &len), -EBADMSG);
	free(b.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symtab),
		cmocka_unit_test(packed),
		cmocka_unit_test(relocatable),
		cmocka_unit_test(damaged),
		cmocka_unit_test(xz),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
