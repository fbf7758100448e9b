// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packages of split units, of both versions, and references to the file into which dwz moves
 * common parts.
 */
#include "dwarf_maker.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/dwarf/companion.h"
#include "formats/dwarf/package.h"
#include "formats/dwarf/ranges.h"

#define ID 0x1234567800000003ull

/* Bytes before every share, so that a wrong offset is noticed. */
#define PAD 8u

/* Columns in an order that is not that of their numbers. */
static const uint8_t kinds_gnu[] = { DW_SECT_STR_OFFSETS, DW_SECT_INFO, DW_SECT_ABBREV, 8 };
static const uint8_t kinds_5[] = { DW_SECT_RNGLISTS, DW_SECT_INFO, DW_SECT_ABBREV,
				   DW_SECT_STR_OFFSETS };

static const enum dwarf_section_id section_of_5[] = {
	DWARF_RNGLISTS, DWARF_INFO, DWARF_ABBREV, DWARF_STR_OFFSETS,
};
static const enum dwarf_section_id section_of_gnu[] = {
	DWARF_STR_OFFSETS, DWARF_INFO, DWARF_ABBREV, DWARF_LINE,
};

/*
 * Four slots: the slot of the id (3) has another id, so the id is in the next slot of its
 * chain.
 */
static void put_index(struct maker *m, bool gnu)
{
	const enum dwarf_section_id *s = gnu ? section_of_gnu : section_of_5;
	struct bytes *b = &m->s[DWARF_CU_INDEX];
	u64 mask = 3, step = (ID >> 32 & mask) | 1, at = (3 + step) & mask, i;

	bytes_le(b, gnu ? 2 : 5, 4);
	bytes_le(b, 4, 4);
	bytes_le(b, 2, 4);
	bytes_le(b, 4, 4);
	for (i = 0; i < 4; i++)
		bytes_le(b, i == at ? ID : i == 3 ? 7 : 0, 8);
	for (i = 0; i < 4; i++)
		bytes_le(b, i == at ? 2 : i == 3 ? 1 : 0, 4);
	for (i = 0; i < 4; i++)
		bytes_le(b, gnu ? kinds_gnu[i] : kinds_5[i], 4);
	for (i = 0; i < 8; i++)
		bytes_le(b, i < 4 ? 0 : PAD, 4);
	for (i = 0; i < 8; i++)
		bytes_le(b, i < 4 ? PAD : m->s[s[i - 4]].len - PAD, 4);
}

/* A unit with a name by index and, of version 5, ranges by index. */
static void put_packed(struct maker *m, bool gnu)
{
	static const uint16_t attrs_gnu[] = { DW_AT_GNU_dwo_id, DW_FORM_data8, DW_AT_comp_dir,
					      DW_FORM_GNU_str_index, 0 };
	static const uint16_t attrs_5[] = { DW_AT_comp_dir, DW_FORM_strx1, 0 };
	struct bytes *info = &m->s[DWARF_INFO];
	unsigned int i;
	u32 at;

	for (i = 0; i < DWARF_CU_INDEX; i++)
		bytes_le(&m->s[i], 0xeeeeeeeeeeeeeeee, PAD);
	put_abbrev(&m->s[DWARF_ABBREV], 1, 0x11, false, gnu ? attrs_gnu : attrs_5);
	bytes_le(&m->s[DWARF_ABBREV], 0, 1);
	put_string(&m->s[DWARF_STR], "zero");
	put_string(&m->s[DWARF_STR], "one");
	if (!gnu)
		bytes_le(&m->s[DWARF_STR_OFFSETS], 0x500000010, 8);
	bytes_le(&m->s[DWARF_STR_OFFSETS], PAD, 4);
	bytes_le(&m->s[DWARF_STR_OFFSETS], PAD + 5, 4);
	at = put_unit(info, gnu ? 4 : 5, 0);
	if (!gnu) {
		info->p[at + 6] = DW_UT_split_compile;
		bytes_le(info, ID, 8);
	}
	bytes_le(info, 1, 1);
	if (gnu)
		bytes_le(info, ID, 8);
	bytes_le(info, 1, 1);
	end_unit(info, at);
	/* a table's header, and two lists with their offsets */
	for (i = 0; i < 3; i++)
		bytes_le(&m->s[DWARF_RNGLISTS], i == 2 ? 2 : 0, 4);
	bytes_le(&m->s[DWARF_RNGLISTS], 8, 4);
	bytes_le(&m->s[DWARF_RNGLISTS], 8, 4);
	bytes_le(&m->s[DWARF_RNGLISTS], DW_RLE_start_length, 1);
	bytes_le(&m->s[DWARF_RNGLISTS], 0x1000, 8);
	bytes_le(&m->s[DWARF_RNGLISTS], 0x20, 2);
}

static struct dwarf_abbrev_cache cache;
static const struct dwarf_object main_file = { .path = "main" };

static int64_t find(struct maker *m, uint64_t id, struct dwarf_unit *u, struct diag *diag)
{
	static struct dwarf_unit skeleton;
	struct dwarf_object *o = maker_object(m);
	int64_t n;

	skeleton = (struct dwarf_unit){ .o = &main_file, .has_dwo_id = true, .dwo_id = id };
	o->dwo = true;
	n = dwarf_check_package(o, diag);
	return n ? n : dwarf_find_packed(o, &skeleton, &cache, u, diag);
}

static void done(struct maker *m)
{
	dwarf_abbrev_cache_forget(&cache, &m->o);
	maker_release(m);
}

static void packages(void **state)
{
	struct dwarf_value v = { .form = DW_FORM_strx, .u = 1 };
	struct dwarf_ranges r = { 0 };
	struct maker m = { 0 };
	struct dwarf_unit u;
	struct dwarf_ref ref;
	int gnu;

	for (gnu = 0; gnu < 2; gnu++) {
		put_packed(&m, gnu);
		put_index(&m, gnu);
		assert_true(find(&m, ID, &u, NULL) > 0);
		assert_int_equal(u.off, PAD);
		assert_string_equal(dwarf_value_string(&u, &v), "one");
		if (!gnu) {
			v = (struct dwarf_value){ .form = DW_FORM_rnglistx, .u = 1 };
			assert_true(dwarf_ranges_read(&u, &v, &r, NULL) > 0);
			assert_int_equal(r.nr, 1);
			assert_true(r.p[0].start == 0x1000 && r.p[0].end == 0x1020);
			r.nr = 0;
			/* by offset, also from the share's start */
			v = (struct dwarf_value){ .form = DW_FORM_sec_offset, .u = 20 };
			assert_true(dwarf_ranges_read(&u, &v, &r, NULL) > 0);
			assert_int_equal(r.nr, 1);
		}
		v = (struct dwarf_value){ .form = DW_FORM_ref_addr, .u = u.die };
		assert_false(dwarf_value_ref(&u, &v, &ref));
		v = (struct dwarf_value){ .form = DW_FORM_GNU_str_index, .u = 1 };
		dwarf_unit_close(&u);
		/* ids that end a chain, and one whose slot contains another id */
		assert_int_equal(find(&m, 1, &u, NULL), -ENOENT);
		assert_int_equal(find(&m, 0x900000003, &u, NULL), -ENOENT);
		done(&m);
	}
	free(r.p);
}

static void refuse(struct maker *m, const char *why)
{
	struct diag diag = { .text = "" };
	struct dwarf_unit u;

	assert_int_equal(find(m, ID, &u, &diag), -EBADMSG);
	if (!strstr(diag.text, why))
		fail_msg("%s, not %s", diag.text, why);
	done(m);
}

static struct bytes *start(struct maker *m)
{
	put_packed(m, false);
	put_index(m, false);
	return &m->s[DWARF_CU_INDEX];
}

static void put32(struct bytes *b, u32 at, u32 v)
{
	memcpy(b->p + at, &v, 4);
}

/* Header 16 bytes, 4 ids, 4 rows, 4 kinds, offsets of 2 units, sizes of 2 units. */
enum { KINDS = 16 + 32 + 16, OFFSETS = KINDS + 16, SIZES = OFFSETS + 32 };

static void damaged_packages(void **state)
{
	struct maker m = { 0 };
	struct bytes *b;

	put_packed(&m, false);
	refuse(&m, "no package");
	b = start(&m);
	b->p[0] = 3;
	refuse(&m, "unknown version");
	b = start(&m);
	b->len = 12;
	refuse(&m, "unknown version");
	b = start(&m);
	put32(b, 12, 3);
	refuse(&m, "damaged index");
	b = start(&m);
	put32(b, 8, 5);
	refuse(&m, "damaged index");
	b = start(&m);
	put32(b, 4, 17);
	refuse(&m, "damaged index");
	b = start(&m);
	b->len--;
	refuse(&m, "beyond the end of the section");
	b = start(&m);
	put32(b, 12, 1u << 31);
	refuse(&m, "beyond the end of the section");
	b = start(&m);
	put32(b, OFFSETS + 16, 0xffffffff);
	refuse(&m, "beyond the end of its section");
	b = start(&m);
	put32(b, SIZES + 16, 0xffffffff);
	refuse(&m, "beyond the end of its section");
	b = start(&m);
	put32(b, SIZES + 16 + 4, 4);
	refuse(&m, "not in its share");
	b = start(&m);
	put32(b, SIZES + 16 + 8, 0);
	refuse(&m, "not in its share");
	start(&m);
	m.s[DWARF_INFO].p[PAD + 12] ^= 1;
	refuse(&m, "has another id");
}

/* Every slot is taken, and none has the id: the search ends. */
static void full_table(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m);
	struct dwarf_unit u;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		put32(b, 16 + 8 * i, 99 + i);
		put32(b, 16 + 32 + 4 * i, 1);
	}
	assert_int_equal(find(&m, ID, &u, NULL), -ENOENT);
	/* a row that does not exist */
	done(&m);
	b = start(&m);
	for (i = 0; i < 4; i++)
		put32(b, 16 + 32 + 4 * i, 0xffffffff);
	assert_int_equal(find(&m, ID, &u, NULL), -ENOENT);
	done(&m);
}

static void put_sup(struct maker *m, u8 is_sup, const char *path, u32 len)
{
	struct bytes *b = &m->s[DWARF_SUP];

	b->len = 0;
	bytes_le(b, 5, 2);
	bytes_le(b, is_sup, 1);
	put_string(b, path);
	put_uleb(b, len);
	bytes_le(b, 0x0807060504030201, 8);
}

static void links(void **state)
{
	struct maker m = { 0 };
	struct dwarf_link l;

	assert_false(dwarf_link_read(maker_object(&m), &l));
	put_sup(&m, 0, "/a/common", 8);
	assert_true(dwarf_link_read(maker_object(&m), &l));
	assert_true(l.is_sup && l.len == 8 && l.id[7] == 8);
	assert_string_equal(l.path, "/a/common");
	/* such a file has no link to another one */
	put_sup(&m, 1, "", 8);
	assert_false(dwarf_link_read(maker_object(&m), &l));
	put_sup(&m, 0, "", 8);
	assert_false(dwarf_link_read(maker_object(&m), &l));
	put_sup(&m, 0, "/a/common", 9);
	assert_false(dwarf_link_read(maker_object(&m), &l));
	put_sup(&m, 0, "/a/common", 0);
	assert_false(dwarf_link_read(maker_object(&m), &l));
	put_sup(&m, 0, "/a/common", 8);
	m.s[DWARF_SUP].p[0] = 4;
	assert_false(dwarf_link_read(maker_object(&m), &l));
	/* the link in GNU's format: only path and build id */
	put_string(&m.s[DWARF_ALTLINK], "common");
	assert_false(dwarf_link_read(maker_object(&m), &l));
	bytes_le(&m.s[DWARF_ALTLINK], 0x04030201, 4);
	assert_true(dwarf_link_read(maker_object(&m), &l));
	assert_true(!l.is_sup && l.len == 4 && l.id[3] == 4);
	maker_release(&m);
}

/* A file that cannot be read is reported by name; a missing file is not yet an error. */
static void absent(void **state)
{
	struct dwarf_object *o = (void *)1, here = { .path = (char *)"/dev/null" };
	struct diag diag = { .text = "" };
	struct maker m = { 0 };

	assert_int_equal(dwarf_open_package(&here, "/nowhere", &o, &diag), 0);
	assert_null(o);
	put_sup(&m, 0, "/nowhere/common", 8);
	assert_int_equal(dwarf_open_alt(maker_object(&m), "/nowhere", &o, &diag), -ENOENT);
	assert_non_null(strstr(diag.text, "/nowhere/common"));
	put_sup(&m, 0, "/nowhere/common", 80);
	assert_int_equal(dwarf_open_alt(maker_object(&m), "/nowhere", &o, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "sup+0x0"));
	maker_release(&m);
}

/* The message has the name of the damaged file, not of the one that refers to it. */
static void damaged(void **state)
{
	char path[] = "/tmp/ustack-dwz-XXXXXX";
	struct dwarf_object *o = (void *)1;
	struct diag diag = { .text = "" };
	struct maker m = { 0 };
	int fd = mkstemp(path);

	assert_int_equal(write(fd, "not ELF", 7), 7);
	put_sup(&m, 0, path, 8);
	assert_int_equal(dwarf_open_alt(maker_object(&m), "/nowhere", &o, &diag), -EBADMSG);
	assert_null(o);
	assert_null(diag.file);
	if (!strstr(diag.text, path))
		fail_msg("%s", diag.text);
	maker_release(&m);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages),
		cmocka_unit_test(damaged_packages),
		cmocka_unit_test(full_table),
		cmocka_unit_test(links),
		cmocka_unit_test(absent),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
