// SPDX-License-Identifier: GPL-2.0-only
/* The reader of DWARF: numbers, abbreviations, lists of ranges, line tables. */
#include "dwarf_maker.h"

#include <errno.h>

#include "formats/dwarf/line.h"
#include "formats/dwarf/ranges.h"

static struct cursor over(const void *p, size_t n, bool swap)
{
	return (struct cursor){ p, (const uint8_t *)p + n, swap, false };
}

static void numbers(void **state)
{
	static const uint8_t b[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct cursor c = over(b, 8, false);

	assert_int_equal(dwarf_uint(&c, 3), 0x030201);
	assert_int_equal(dwarf_uint(&c, 4), 0x07060504);
	assert_false(c.bad);
	assert_int_equal(dwarf_uint(&c, 2), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_u8(&c), 0);
	c = over(b, 8, true);
	assert_int_equal(dwarf_uint(&c, 3), 0x010203);
	assert_int_equal(dwarf_uint(&c, 5), 0);
	assert_true(c.bad);
}

static void leb(void **state)
{
	static const uint8_t max[] = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 1 };
	static const uint8_t over64[] = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 2 };
	static const uint8_t padded[] = { 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					  0x80, 0x80, 0x80, 0 };
	static const uint8_t minus[] = { 0x7f, 0x80, 0x7f };
	struct cursor c = over(max, 10, false);

	assert_true(cursor_uleb(&c) == UINT64_MAX && !c.bad);
	c = over(over64, 10, false);
	cursor_uleb(&c);
	assert_true(c.bad);
	c = over(padded, sizeof(padded), false);
	assert_true(cursor_uleb(&c) == 1 && !c.bad && !cursor_left(&c));
	c = over(minus, 3, false);
	assert_int_equal(cursor_sleb(&c), -1);
	assert_int_equal(cursor_sleb(&c), -128);
	c = over(max, 4, false);
	cursor_uleb(&c);
	assert_true(c.bad);
}

static const struct dwarf_sizes sizes = { 8, 4, 4 };

static int64_t get(struct maker *m, struct dwarf_abbrev_cache *cache,
		   struct dwarf_abbrevs **t, struct diag *diag)
{
	return dwarf_abbrevs_get(cache, maker_object(m), 0, sizes, t, diag);
}

static void abbreviations(void **state)
{
	static const uint16_t attrs[] = { DW_AT_name, DW_FORM_string, DW_AT_low_pc,
					  DW_FORM_addr, DW_AT_ranges, DW_FORM_sec_offset,
					  0 };
	static const uint8_t die[] = { 'x', 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 9 };
	struct cursor c = over(die, sizeof(die), false);
	static struct dwarf_abbrev_cache cache;
	struct dwarf_abbrevs *t, *same;
	struct maker m = { 0 };

	put_abbrev(&m.s[DWARF_ABBREV], 1, DW_TAG_subprogram, true, attrs);
	put_abbrev(&m.s[DWARF_ABBREV], 0x4000, DW_TAG_namespace, false, attrs + 6);
	put_abbrev(&m.s[DWARF_ABBREV], 7, DW_TAG_lexical_block, true, attrs + 6);
	bytes_le(&m.s[DWARF_ABBREV], 0, 1);
	assert_int_equal(get(&m, &cache, &t, NULL), m.s[DWARF_ABBREV].len);
	assert_int_equal(dwarf_abbrev_find(t, 0x4000)->tag, DW_TAG_namespace);
	assert_int_equal(dwarf_abbrev_find(t, 7)->tag, DW_TAG_lexical_block);
	assert_null(dwarf_abbrev_find(t, 2));
	assert_true(dwarf_abbrev_find(t, 1)->has_pc);
	assert_false(dwarf_abbrev_find(t, 7)->has_pc);
	dwarf_skip_attrs(&c, t, dwarf_abbrev_find(t, 1));
	assert_true(!c.bad && *c.p == 9);
	/* a second time it is there already */
	assert_int_equal(get(&m, &cache, &same, NULL), 0);
	assert_ptr_equal(t, same);
	dwarf_abbrevs_put(t);
	dwarf_abbrevs_put(same);
	dwarf_abbrev_cache_release(&cache);
	maker_release(&m);
}

static void unknown_form(void **state)
{
	static const uint16_t good[] = { DW_AT_name, DW_FORM_string, 0 };
	static const uint16_t bad[] = { DW_AT_name, 0x7e, 0 };
	static struct dwarf_abbrev_cache cache;
	struct dwarf_abbrevs *t;
	struct maker m = { 0 };
	struct diag diag;

	put_abbrev(&m.s[DWARF_ABBREV], 1, DW_TAG_subprogram, true, good);
	put_abbrev(&m.s[DWARF_ABBREV], 2, DW_TAG_subprogram, true, bad);
	assert_int_equal(get(&m, &cache, &t, &diag), -EBADMSG);
	assert_string_equal(diag.text, "abbrev+0x7: damaged abbreviation, or one of an "
				       "unknown form");
	dwarf_abbrev_cache_release(&cache);
	maker_release(&m);
}

static void is_range(const struct dwarf_ranges *r, size_t i, uint64_t start, uint64_t end)
{
	assert_true(i < r->nr);
	assert_int_equal(r->p[i].start, start);
	assert_int_equal(r->p[i].end, end);
}

static void pairs(void **state)
{
	static const uint64_t list[] = { 0x10, 0x20, UINT64_MAX, 0x5000, 0, 0x8, 3, 3, 0, 0 };
	struct dwarf_value v = { .form = DW_FORM_sec_offset };
	struct dwarf_unit u = { .version = 4, .sizes = sizes, .low_pc = 0x1000 };
	struct dwarf_ranges r = { 0 };
	struct maker m = { 0 };
	struct diag diag;

	bytes_put(&m.s[DWARF_RANGES], list, sizeof(list));
	u.o = maker_object(&m);
	assert_int_equal(dwarf_ranges_read(&u, &v, &r, NULL), sizeof(list));
	assert_int_equal(r.nr, 2);
	is_range(&r, 0, 0x1010, 0x1020);
	is_range(&r, 1, 0x5000, 0x5008);
	/* a list without its end is refused as a whole */
	m.s[DWARF_RANGES].len -= 16;
	u.o = maker_object(&m);
	assert_int_equal(dwarf_ranges_read(&u, &v, &r, &diag), -EBADMSG);
	assert_int_equal(r.nr, 2);
	v.u = 1u << 20;
	assert_int_equal(dwarf_ranges_read(&u, &v, &r, &diag), -EBADMSG);
	free(r.p);
	maker_release(&m);
}

static void range_lists(void **state)
{
	struct dwarf_value v = { .form = DW_FORM_rnglistx, .u = 1 };
	struct dwarf_unit u = { .version = 5, .sizes = sizes, .rnglists_base = 12,
				.addr_base = 8, .low_pc = 0x1000 };
	struct dwarf_ranges r = { 0 };
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_RNGLISTS];

	bytes_le(&m.s[DWARF_ADDR], 0, 8);
	bytes_le(&m.s[DWARF_ADDR], 0x2000, 8);
	bytes_le(&m.s[DWARF_ADDR], 0x2100, 8);
	bytes_le(b, 0, 8);
	bytes_le(b, 0, 8);	/* header, and the first offset */
	bytes_le(b, 8, 4);
	bytes_put(b, "\x04\x01\x02", 3);	/* offset_pair */
	bytes_put(b, "\x02\x00\x01", 3);	/* startx_endx */
	bytes_put(b, "\x03\x01\x10", 3);	/* startx_length */
	bytes_put(b, "\x01\x01", 2);		/* base_addressx */
	bytes_put(b, "\x04\x05\x06", 3);
	bytes_put(b, "\x05\x00\x30\0\0\0\0\0\0", 9);	/* base_address */
	bytes_put(b, "\x04\x00\x01", 3);
	bytes_put(b, "\x06\x00\x40\0\0\0\0\0\0\x02\x40\0\0\0\0\0\0", 17);
	bytes_put(b, "\x07\x00\x50\0\0\0\0\0\0\x20", 10);
	bytes_put(b, "\x00", 1);
	u.o = maker_object(&m);
	assert_true(dwarf_ranges_read(&u, &v, &r, NULL) > 0);
	assert_int_equal(r.nr, 7);
	is_range(&r, 0, 0x1001, 0x1002);
	is_range(&r, 1, 0x2000, 0x2100);
	is_range(&r, 2, 0x2100, 0x2110);
	is_range(&r, 3, 0x2105, 0x2106);
	is_range(&r, 4, 0x3000, 0x3001);
	is_range(&r, 5, 0x4000, 0x4002);
	is_range(&r, 6, 0x5000, 0x5020);
	free(r.p);
	maker_release(&m);
}

/* A header of version 4, 14 opcodes: line_base -3, line_range 12. */
static void put_line_header(struct bytes *b, unsigned int min_bytes, unsigned int max_ops)
{
	static const uint8_t operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2 };
	u32 at;

	bytes_le(b, 0, 4);
	bytes_le(b, 4, 2);
	at = b->len;
	bytes_le(b, 0, 4);
	bytes_le(b, min_bytes, 1);
	bytes_le(b, max_ops, 1);
	bytes_le(b, 1, 1);
	bytes_le(b, 0xfd, 1);
	bytes_le(b, 12, 1);
	bytes_le(b, 14, 1);
	bytes_put(b, operands, sizeof(operands));
	bytes_put(b, "inc\0/abs\0", 10);
	bytes_put(b, "a.c\0\0\0\0" "b.h\0\1\0\0" "c.h\0\2\0\0" "/d.h\0\1\0\0", 29);
	bytes_le(b, 0, 1);
	b->p[at] = (u8)(b->len - at - 4);
}

static void set_address(struct bytes *b, u64 addr)
{
	bytes_put(b, "\0\x09\x02", 3);
	bytes_le(b, addr, 8);
}

#define END_SEQUENCE "\0\1\1"
#define SPECIAL(addr, line) (14 + 12 * (addr) + (line) + 3)

static int64_t read_lines(struct maker *m, struct dwarf_lines *l, struct dwarf_unit *u)
{
	u32 len = m->s[DWARF_LINE].len - 4;

	memcpy(m->s[DWARF_LINE].p, &len, 4);
	*u = (struct dwarf_unit){ .version = 4, .sizes = sizes, .comp_dir = "/comp" };
	u->o = maker_object(m);
	return dwarf_lines_read(l, u, NULL);
}

static void is_row(const struct dwarf_lines *l, size_t i, uint64_t addr, uint32_t file,
		   uint32_t line)
{
	assert_true(i < l->nr_rows);
	assert_int_equal(l->rows[i].addr, addr);
	assert_int_equal(l->rows[i].file, file);
	assert_int_equal(l->rows[i].line, line);
}

static void line_rows(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_LINE];
	struct dwarf_lines l = { 0 };
	struct dwarf_unit u;

	put_line_header(b, 1, 1);
	set_address(b, 0x3000);
	bytes_put(b, "\x03\x09\x01", 3);		/* line 10 */
	bytes_le(b, SPECIAL(4, 0), 1);			/* says the same */
	bytes_le(b, SPECIAL(4, 1), 1);
	bytes_put(b, "\x04\x02\x01", 3);		/* replaced: another file there */
	bytes_put(b, "\x08\x01", 2);			/* const_add_pc: 20 bytes */
	bytes_put(b, "\x09\x00\x01\x01", 4);		/* fixed_advance_pc */
	bytes_put(b, "\x02\x05" END_SEQUENCE, 5);
	set_address(b, 0x2000);
	bytes_put(b, "\x01\x02\x10" END_SEQUENCE, 6);
	set_address(b, 0);				/* outside of all text */
	bytes_put(b, "\x01\x02\x10" END_SEQUENCE, 6);
	set_address(b, 0x4000);				/* the address decreases */
	bytes_le(b, 1, 1);
	set_address(b, 0x3f00);
	bytes_put(b, "\x03\x01\x01\x02\x10" END_SEQUENCE, 8);
	set_address(b, 0x5000);				/* without an end */
	bytes_le(b, 1, 1);
	assert_int_equal(read_lines(&m, &l, &u), b->len);
	assert_int_equal(l.nr_sequences, 2);
	assert_int_equal(l.dropped, 1);
	assert_int_equal(l.sequences[0].start, 0x2000);
	assert_int_equal(l.sequences[1].start, 0x3000);
	assert_int_equal(l.sequences[1].nr, 2);
	assert_int_equal(l.sequences[1].end, 0x3000 + 8 + 20 + 0x100 + 5);
	is_row(&l, 0, 0x3000, 1, 10);
	is_row(&l, 1, 0x3008, 2, 11);
	is_row(&l, 2, 0x2000, 1, 1);
	assert_ptr_equal(dwarf_lines_from(&l, 0x3007), &l.sequences[1]);
	assert_int_equal(dwarf_lines_row(&l, &l.sequences[1], 0x3007), 0);
	assert_int_equal(dwarf_lines_row(&l, &l.sequences[1], 0x3008), 1);
	/* the first sequence that ends after the address, also if it begins later */
	assert_ptr_equal(dwarf_lines_from(&l, 0x2010), &l.sequences[1]);
	assert_ptr_equal(dwarf_lines_from(&l, 0x1fff), &l.sequences[0]);
	assert_null(dwarf_lines_from(&l, 0x5000));
	dwarf_lines_release(&l);
	maker_release(&m);
}

/* Instructions of 16 bytes with three operations: IA-64's. */
static void line_bundles(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_LINE];
	struct dwarf_lines l = { 0 };
	struct dwarf_unit u;

	put_line_header(b, 16, 3);
	set_address(b, 0x3000);
	bytes_le(b, SPECIAL(2, 1), 1);
	bytes_le(b, SPECIAL(2, 1), 1);
	bytes_put(b, "\x02\x02" END_SEQUENCE, 5);
	assert_true(read_lines(&m, &l, &u) > 0);
	assert_int_equal(l.nr_rows, 2);
	is_row(&l, 0, 0x3000, 1, 2);
	is_row(&l, 1, 0x3010, 1, 3);
	assert_int_equal(l.sequences[0].end, 0x3020);
	dwarf_lines_release(&l);
	maker_release(&m);
}

static void is_path(const struct dwarf_lines *l, uint64_t i, const char *comp_dir,
		    const char *dir, const char *name)
{
	struct dwarf_path p;

	assert_true(dwarf_lines_file(l, i, &p));
	assert_string_equal(p.comp_dir ? p.comp_dir : "-", comp_dir);
	assert_string_equal(p.dir ? p.dir : "-", dir);
	assert_string_equal(p.name, name);
}

static void line_files(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_LINE];
	struct dwarf_lines l = { 0 };
	struct dwarf_path p;
	struct dwarf_unit u;

	put_line_header(b, 1, 1);
	bytes_put(b, "\0\x05\x03late", 7);	/* define_file, cut */
	assert_int_equal(read_lines(&m, &l, &u), -EBADMSG);
	b->len = 0;
	put_line_header(b, 1, 1);
	bytes_put(b, "\0\x09\x03late\0\x01\0\0", 11);
	assert_true(read_lines(&m, &l, &u) > 0);
	assert_false(dwarf_lines_file(&l, 0, &p));
	is_path(&l, 1, "/comp", "-", "a.c");
	is_path(&l, 2, "/comp", "inc", "b.h");
	is_path(&l, 3, "-", "/abs", "c.h");
	is_path(&l, 4, "-", "-", "/d.h");
	is_path(&l, 5, "/comp", "inc", "late");
	assert_false(dwarf_lines_file(&l, 6, &p));
	assert_false(dwarf_lines_file(&l, UINT64_MAX, &p));
	dwarf_lines_release(&l);
	maker_release(&m);
}

static void line_files_5(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_LINE];
	struct dwarf_lines l = { 0 };
	struct dwarf_path p;
	struct dwarf_unit u;

	put_string(&m.s[DWARF_LINE_STR], "/main");
	bytes_put(b, "\0\0\0\0\5\0\x08\0\0\0\0\0", 12);
	bytes_put(b, "\1\1\1\xfb\x0e\x01", 6);
	bytes_put(b, "\1\1\x1f\2", 4);			/* directories: line_strp */
	bytes_put(b, "\0\0\0\0\1\0\0\0", 8);
	bytes_put(b, "\3\1\x08\2\x0b\5\x1e\2", 8);	/* string, data1, MD5 */
	bytes_put(b, "a.c\0\0" "0123456789abcdef" "b.h\0\1" "0123456789abcdef", 42);
	b->p[8] = (u8)(b->len - 12);
	assert_int_equal(read_lines(&m, &l, &u), b->len + strlen("/mainmaina.cb.h"));
	is_path(&l, 0, "-", "/main", "a.c");
	is_path(&l, 1, "/comp", "main", "b.h");
	assert_false(dwarf_lines_file(&l, 2, &p));
	/* 3 million directories without contents */
	memcpy(b->p + 18, "\0\xff\xff\xff\1", 5);
	assert_int_equal(read_lines(&m, &l, &u), -EBADMSG);
	assert_int_equal(l.nr_dirs, 0);
	dwarf_lines_release(&l);
	maker_release(&m);
}

static void line_damage(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_LINE];
	struct dwarf_lines l = { 0 };
	struct dwarf_unit u;
	u32 len, i;

	put_line_header(b, 1, 1);
	set_address(b, 0x3000);
	bytes_put(b, "\1\2\x10" END_SEQUENCE, 6);
	len = b->len;
	/* if it is cut anywhere, it is refused or has fewer rows */
	for (i = 4; i <= len; i++) {
		b->len = i;
		if (read_lines(&m, &l, &u) > 0)
			assert_int_equal(l.nr_sequences, i == len);
	}
	assert_int_equal(l.nr_sequences, 1);
	b->p[4] = 6;
	assert_int_equal(read_lines(&m, &l, &u), -EBADMSG);
	b->p[4] = 4;
	b->p[14] = 0;	/* line_range, by which special opcodes divide */
	bytes_le(b, SPECIAL(1, 1), 1);
	assert_int_equal(read_lines(&m, &l, &u), -EBADMSG);
	dwarf_lines_release(&l);
	maker_release(&m);
}

static void headers(void **state)
{
	struct dwarf_unit u;
	struct maker m = { 0 };
	struct bytes *b = &m.s[DWARF_INFO];
	struct diag diag;

	end_unit(b, put_unit(b, 4, 0x10));
	bytes_le(b, 0, 4);	/* padding between units */
	end_unit(b, put_unit(b, 5, 0x20));
	assert_int_equal(dwarf_object_index(maker_object(&m), &diag), 0);
	assert_int_equal(m.o.nr_units, 2);
	assert_int_equal(dwarf_unit_header(&m.o, m.o.units[1], &u, &diag), 0);
	assert_int_equal(u.version, 5);
	assert_int_equal(u.abbrev_off, 0x20);
	assert_int_equal(u.die, b->len);
	end_unit(b, put_unit(b, 6, 0));
	assert_int_equal(dwarf_object_index(maker_object(&m), &diag), -EBADMSG);
	assert_string_equal(diag.text, "info+0x1b: unknown DWARF version 6");
	b->len -= 3;
	assert_int_equal(dwarf_object_index(maker_object(&m), &diag), -EBADMSG);
	maker_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(leb),
		cmocka_unit_test(abbreviations),
		cmocka_unit_test(unknown_form),
		cmocka_unit_test(pairs),
		cmocka_unit_test(range_lists),
		cmocka_unit_test(line_rows),
		cmocka_unit_test(line_bundles),
		cmocka_unit_test(line_files),
		cmocka_unit_test(line_files_5),
		cmocka_unit_test(line_damage),
		cmocka_unit_test(headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
