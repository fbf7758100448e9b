// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions made from hand-written DWARF entries. The part is replaced by one that writes down
 * what it is given:
 *
 * \tSTART-END NAME; ADDR=LINE ...; DEPTH:NAME@CALL_LINE[RANGES] ... +RETURN>CALLEE ...
 */
#include "dwarf_maker.h"

#include <errno.h>
#include <stdio.h>

#include "symbols/convert/from_dwarf_unit.h"

struct gsym_part {
	char *strings[64];
	uint32_t nr;
	char out[4096];
	size_t len;
};

struct gsym_part *gsym_part_new(void)
{
	struct gsym_part *p = calloc(1, sizeof(*p));

	p->strings[p->nr++] = strdup("");
	return p;
}

void gsym_part_free(struct gsym_part *p)
{
	while (p->nr)
		free(p->strings[--p->nr]);
	free(p);
}

int gsym_part_string(struct gsym_part *p, const char *s, size_t len, uint32_t *ret)
{
	for (*ret = 0; *ret < p->nr; ++*ret)
		if (strlen(p->strings[*ret]) == len && !memcmp(p->strings[*ret], s, len))
			return 0;
	assert_true(p->nr < 64);
	p->strings[p->nr++] = strndup(s, len);
	return 0;
}

int gsym_part_file(struct gsym_part *p, uint32_t dir, uint32_t base, uint32_t *ret)
{
	*ret = dir << 8 | base;
	return 0;
}

#define PRINT(p, ...) \
	((p)->len += (size_t)snprintf((p)->out + (p)->len, sizeof((p)->out) - (p)->len, \
				      __VA_ARGS__))

int gsym_part_add(struct gsym_part *p, const struct gsym_new_function *f)
{
	const struct gsym_new_call *c;
	size_t i, j;

	PRINT(p, "%lx-%lx %s;", f->range.start, f->range.end, p->strings[f->name]);
	for (i = 0; i < f->nr_lines; i++)
		PRINT(p, " %lx=%u", f->lines[i].addr, f->lines[i].line);
	PRINT(p, ";");
	for (j = 0, c = f->calls; j < f->nr_calls; j++, c++) {
		PRINT(p, " %u:%s@%u[", c->depth, p->strings[c->name], c->call_line);
		for (i = 0; i < c->nr_ranges; i++)
			PRINT(p, "%s%lx-%lx", i ? " " : "", c->ranges[i].start,
			      c->ranges[i].end);
		PRINT(p, "]");
	}
	for (i = 0; i < f->nr_sites; i++)
		PRINT(p, " +%lx>%s", f->sites[i].offset,
		      f->sites[i].nr_match ? p->strings[*f->sites[i].match] : "");
	PRINT(p, "\n");
	return 0;
}

enum {
	UNIT = 1,	/* language */
	NAMESPACE,	/* name */
	CLASS,		/* name */
	DECLARATION,	/* name */
	LINKED,		/* name, linkage name */
	FUNCTION,	/* name, start, end; children */
	LEAF,		/* the same without children */
	CONCRETE,	/* specification, start, bytes; children */
	PIECES,		/* name, ranges; children */
	INLINED,	/* origin, start, end, line; children */
	INLINED_PIECES,	/* origin, ranges, line */
	BLOCK,		/* children */
	DECLARED,	/* name, file, line, start, end */
	LINED_UNIT,	/* language, lines */
	SITE,		/* return address, origin */
	GNU_SITE,	/* the same */
	POINTER_SITE,	/* return address; children */
	TAIL_SITE,	/* return address */
	LATE_SITE,	/* address of the call */
};

#define A(attr, form) DW_AT_##attr, DW_FORM_##form

static void put_abbrevs(struct bytes *b)
{
	static const struct {
		uint16_t tag, children, specs[12];
	} all[] = {
		[UNIT] = { 0x11, 1, { A(language, data1), 0 } },
		[NAMESPACE] = { DW_TAG_namespace, 1, { A(name, string), 0 } },
		[CLASS] = { DW_TAG_class_type, 1, { A(name, string), 0 } },
		[DECLARATION] = { DW_TAG_subprogram, 0, { A(name, string), 0 } },
		[LINKED] = { DW_TAG_subprogram, 0,
			     { A(name, string), A(linkage_name, string), 0 } },
		[FUNCTION] = { DW_TAG_subprogram, 1,
			       { A(name, string), A(low_pc, addr), A(high_pc, addr), 0 } },
		[LEAF] = { DW_TAG_subprogram, 0,
			   { A(name, string), A(low_pc, addr), A(high_pc, addr), 0 } },
		[CONCRETE] = { DW_TAG_subprogram, 1,
			       { A(specification, ref4), A(low_pc, addr),
				 A(high_pc, data4), 0 } },
		[PIECES] = { DW_TAG_subprogram, 1,
			     { A(name, string), A(ranges, sec_offset), 0 } },
		[INLINED] = { DW_TAG_inlined_subroutine, 1,
			      { A(abstract_origin, ref4), A(low_pc, addr),
				A(high_pc, addr), A(call_line, data1), 0 } },
		[INLINED_PIECES] = { DW_TAG_inlined_subroutine, 0,
				     { A(abstract_origin, ref4), A(ranges, sec_offset),
				       A(call_line, data1), 0 } },
		[BLOCK] = { DW_TAG_lexical_block, 1, { 0 } },
		[DECLARED] = { DW_TAG_subprogram, 0,
			       { A(name, string), A(decl_file, data1),
				 A(decl_line, data1), A(low_pc, addr), A(high_pc, addr),
				 0 } },
		[LINED_UNIT] = { 0x11, 1,
				 { A(language, data1), A(stmt_list, sec_offset), 0 } },
		[SITE] = { DW_TAG_call_site, 0,
			   { A(call_return_pc, addr), A(call_origin, ref4), 0 } },
		[GNU_SITE] = { DW_TAG_GNU_call_site, 0,
			       { A(low_pc, addr), A(abstract_origin, ref4), 0 } },
		[POINTER_SITE] = { DW_TAG_call_site, 1, { A(call_return_pc, addr), 0 } },
		[TAIL_SITE] = { DW_TAG_call_site, 0,
				{ A(call_return_pc, addr),
				  A(call_tail_call, flag_present), 0 } },
		[LATE_SITE] = { DW_TAG_call_site, 0, { 0x81, DW_FORM_addr, 0 } },
	};
	unsigned int i;

	for (i = UNIT; i < sizeof(all) / sizeof(*all); i++)
		put_abbrev(b, i, all[i].tag, all[i].children, all[i].specs);
	bytes_le(b, 0, 1);
}

/* A unit whose end is still open; only the code of entries is added. */
static struct bytes *start(struct maker *m, uint8_t lang)
{
	put_abbrevs(&m->s[DWARF_ABBREV]);
	put_unit(&m->s[DWARF_INFO], 4, 0);
	bytes_le(&m->s[DWARF_INFO], UNIT, 1);
	bytes_le(&m->s[DWARF_INFO], lang, 1);
	return &m->s[DWARF_INFO];
}

static u32 put_named(struct bytes *b, u8 code, const char *name)
{
	u32 at = b->len;

	bytes_le(b, code, 1);
	put_string(b, name);
	return at;
}

static u32 put_code(struct bytes *b, u8 code, const char *name, u64 from, u64 to)
{
	u32 at = put_named(b, code, name);

	bytes_le(b, from, 8);
	bytes_le(b, to, 8);
	return at;
}

static u32 put_inlined(struct bytes *b, u32 origin, u64 from, u64 to, u8 line)
{
	u32 at = b->len;

	bytes_le(b, INLINED, 1);
	bytes_le(b, origin, 4);
	bytes_le(b, from, 8);
	bytes_le(b, to, 8);
	bytes_le(b, line, 1);
	return at;
}

static void put_concrete(struct bytes *b, u32 of, u64 from, u32 len)
{
	bytes_le(b, CONCRETE, 1);
	bytes_le(b, of, 4);
	bytes_le(b, from, 8);
	bytes_le(b, len, 4);
}

static void end(struct bytes *b, unsigned int n)
{
	while (n--)
		bytes_le(b, 0, 1);
}

static void put_site(struct bytes *b, u8 code, u64 pc, u32 origin)
{
	bytes_le(b, code, 1);
	bytes_le(b, pc, 8);
	if (origin)
		bytes_le(b, origin, 4);
}

/* Return: the result of from_dwarf_unit() for the first unit; the caller frees @out. */
static int convert(struct maker *m, struct gsym_dwarf_stats *stats, struct diag *diag,
		   char **out)
{
	struct gsym_part *part = gsym_part_new();
	struct dwarf_budget budget;
	struct from_dwarf t;
	struct dwarf_unit u;
	int err;

	end_unit(&m->s[DWARF_INFO], 0);
	dwarf_budget_init(&budget, maker_object(m));
	assert_int_equal(from_dwarf_init(&t, &m->o, &budget, part), 0);
	t.call_sites = true;
	assert_int_equal(dwarf_object_index(&m->o, diag), 0);
	assert_int_equal(dwarf_unit_header(&m->o, 0, &u, diag), 0);
	assert_true(dwarf_unit_open(&u, &t.cache, diag) >= 0);
	err = from_dwarf_unit(&t, &u, 0, diag);
	dwarf_unit_close(&u);
	*stats = t.stats;
	*out = strdup(part->out);
	from_dwarf_release(&t);
	gsym_part_free(part);
	return err;
}

static void becomes(struct maker *m, const char *expected)
{
	struct diag diag = { .text = "" };
	struct gsym_dwarf_stats stats;
	char *out;

	if (convert(m, &stats, &diag, &out))
		fail_msg("%s", diag.text);
	assert_string_equal(out, expected);
	free(out);
	maker_release(m);
}

static void refused(struct maker *m, const char *why)
{
	struct diag diag = { .text = "" };
	struct gsym_dwarf_stats stats;
	char *out;

	assert_int_equal(convert(m, &stats, &diag, &out), -EBADMSG);
	assert_non_null(strstr(diag.text, why));
	free(out);
	maker_release(m);
}

static void functions(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m, DW_LANG_C);

	put_code(b, LEAF, "one", 0x1000, 0x1010);
	put_code(b, LEAF, "dead", 0, 0x10);
	put_code(b, LEAF, "tombstone", UINT64_MAX, 0x10);
	put_code(b, LEAF, "empty", 0x1010, 0x1010);
	put_code(b, LEAF, "", 0x1010, 0x1020);
	put_named(b, DECLARATION, "declared");
	put_code(b, FUNCTION, "outer", 0x1020, 0x1040);
	put_code(b, LEAF, "nested", 0x1040, 0x1050);
	end(b, 2);
	becomes(&m, "1000-1010 one;;\n1040-1050 outer::nested;;\n1020-1040 outer;;\n");
}

static void names(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m, DW_LANG_C_plus_plus_14);
	u32 get, put, lambda;

	/* before the entry that it refers to */
	put_inlined(b, 0, 0, 0, 0);
	end(b, 1);
	put_named(b, NAMESPACE, "n");
	put_named(b, NAMESPACE, "");
	put_named(b, CLASS, "C");
	get = put_named(b, DECLARATION, "get");
	put = put_named(b, LINKED, "put");
	put_string(b, "_ZN1n1C3putEv");
	put_named(b, CLASS, "<lambda(int)>");
	lambda = put_named(b, DECLARATION, "operator()");
	end(b, 4);
	put_concrete(b, get, 0x1000, 0x10);
	end(b, 1);
	put_concrete(b, put, 0x1010, 0x10);
	end(b, 1);
	put_concrete(b, lambda, 0x1020, 0x10);
	end(b, 1);
	put_code(b, LEAF, "_Zf.isra.0", 0x1030, 0x1031);
	end(b, 1);
	becomes(&m, "1000-1010 n::C::get;;\n1010-1020 _ZN1n1C3putEv;;\n"
		    "1020-1030 n::C::{lambda(int)}::operator();;\n"
		    "1030-1031 _Zf.isra.0;;\n");
}

static void names_of_c(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m, 0x1d);
	u32 get;

	put_named(b, NAMESPACE, "n");
	get = put_named(b, DECLARATION, "get");
	end(b, 1);
	put_concrete(b, get, 0x1000, 0x10);
	end(b, 2);
	becomes(&m, "1000-1010 get;;\n");
}

static void reference_cycle(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m, DW_LANG_C_plus_plus);
	u32 at = b->len;

	put_concrete(b, at, 0x1000, 0x10);
	end(b, 1);
	put_concrete(b, 0x7fffffff, 0x1010, 0x10);
	end(b, 1);
	put_code(b, LEAF, "good", 0x1020, 0x1030);
	end(b, 1);
	becomes(&m, "1020-1030 good;;\n");
}

static void calls(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m, 0x1d);
	u32 a, c;

	a = put_named(b, DECLARATION, "a");
	c = put_named(b, DECLARATION, "c");
	put_code(b, FUNCTION, "f", 0x1000, 0x1100);
	put_inlined(b, a, 0x1010, 0x1050, 7);
	bytes_le(b, BLOCK, 1);
	put_inlined(b, c, 0x1020, 0x1030, 8);
	end(b, 3);
	put_inlined(b, c, 0x1060, 0x1060, 9);	/* none of its code is left, */
	put_inlined(b, a, 0x1060, 0x1070, 9);	/* so this belongs to no function */
	end(b, 2);
	put_inlined(b, c, 0x10f0, 0x1110, 10);	/* outside of the function */
	put_inlined(b, a, 0x10f0, 0x10f8, 10);
	end(b, 2);
	put_inlined(b, c, 0x1080, 0x1090, 11);
	end(b, 1);
	end(b, 2);
	becomes(&m, "1000-1100 f;; 1:a@7[1010-1050] 2:c@8[1020-1030] 1:c@11[1080-1090]\n");
}

/*
 * In the function, in blocks and in inlined calls; they belong to the range to which they
 * return.
 */
static void call_sites(void **state)
{
	static const uint64_t list[] = { 0x1000, 0x1100, 0x2000, 0x2010, 0, 0 };
	struct maker m = { 0 };
	struct bytes *b = start(&m, DW_LANG_C_plus_plus);
	u32 a, op;

	bytes_put(&m.s[DWARF_RANGES], list, sizeof(list));
	a = put_named(b, DECLARATION, "a");
	put_named(b, NAMESPACE, "n");
	op = put_named(b, DECLARATION, "operator*");
	put_site(b, SITE, 0x1001, a);		/* in no function */
	end(b, 1);
	put_named(b, PIECES, "f");
	bytes_le(b, 0, 4);
	put_site(b, SITE, 0x1100, a);		/* the last instruction is the call */
	put_site(b, SITE, 0x1101, a);
	put_site(b, SITE, 0x1000, a);
	bytes_le(b, BLOCK, 1);
	put_site(b, GNU_SITE, 0x1020, op);
	put_inlined(b, a, 0x1008, 0x1018, 3);
	put_site(b, SITE, 0x1010, a);
	end(b, 2);
	put_site(b, SITE, 0x1010, a);		/* the same again */
	put_site(b, SITE, 0x1010, op);
	put_site(b, POINTER_SITE, 0x2004, 0);
	put_site(b, SITE, 0x1018, a);		/* the location of a parameter: below a call */
	end(b, 1);
	put_site(b, TAIL_SITE, 0x2008, 0);
	put_site(b, LATE_SITE, 0x200c, 0);
	end(b, 2);
	becomes(&m, "1000-1100 f;; 1:a@3[1008-1018] +10>a +10>n::operator\\* "
		    "+20>n::operator\\* +100>a\n2000-2010 f;; +4>\n");
}

/* Every range has its part of the inlined calls. */
static void pieces(void **state)
{
	static const uint64_t list[] = { 0x1000, 0x1100, 0x2000, 0x2010, 0, 0x10, 0, 0,
					 0x2004, 0x2008, 0x1020, 0x1030, 0x1010, 0x1020, 0, 0 };
	struct maker m = { 0 };
	struct bytes *b = start(&m, 0x1d);
	u32 a;

	bytes_put(&m.s[DWARF_RANGES], list, sizeof(list));
	a = put_named(b, DECLARATION, "a");
	put_named(b, PIECES, "f");
	bytes_le(b, 0, 4);
	bytes_le(b, INLINED_PIECES, 1);
	bytes_le(b, a, 4);
	bytes_le(b, 64, 4);
	bytes_le(b, 5, 1);
	end(b, 2);
	becomes(&m, "1000-1100 f;; 1:a@5[1010-1030]\n2000-2010 f;; 1:a@5[2004-2008]\n");
}

/* A unit with this line table. */
static struct bytes *start_lined(struct maker *m, const char *table, u32 len)
{
	struct bytes *b = start(m, 0x1d);

	/* the entry of the unit again, with lines */
	b->len -= 2;
	bytes_le(b, LINED_UNIT, 1);
	bytes_le(b, 0x1d, 1);
	bytes_le(b, 0, 4);
	bytes_le(&m->s[DWARF_LINE], len, 4);
	bytes_put(&m->s[DWARF_LINE], table, len);
	return b;
}

/* Version 2: a row that starts before its function; a function without any row. */
static void lines(void **state)
{
	static const char table[] = "\x02\0\x11\0\0\0\x01\x01\0\x01\x04\0\1\1"
		"\0" "a.c\0\0\0\0" "\0"
		"\0\x09\x02\xf0\x0f\0\0\0\0\0\0\x03\x04\x01\x02\x18\x03\x01\x01\x02\x18\0\1\1";
	struct maker m = { 0 };
	struct bytes *b = start_lined(&m, table, sizeof(table) - 1);

	put_code(b, LEAF, "f", 0x1000, 0x1010);
	put_named(b, DECLARED, "g");
	bytes_le(b, 1, 1);
	bytes_le(b, 77, 1);
	bytes_le(b, 0x3000, 8);
	bytes_le(b, 0x3010, 8);
	/*
	 * rows that start inside: before them the line is that of the declaration, if there is
	 * one
	 */
	put_named(b, DECLARED, "h");
	bytes_le(b, 1, 1);
	bytes_le(b, 78, 1);
	bytes_le(b, 0xfe0, 8);
	bytes_le(b, 0xffc, 8);
	put_code(b, LEAF, "i", 0xfe8, 0x1009);
	put_code(b, LEAF, "j", 0xfe8, 0xff0);
	end(b, 1);
	becomes(&m, "1000-1010 f; 1000=5 1008=6;\n3000-3010 g; 3000=77;\n"
		    "fe0-ffc h; fe0=78 ff0=5;\nfe8-1009 i; fe8=0 ff0=5 1008=6;\nfe8-ff0 j;;\n");
}

/* A line table with only files. */
static void no_rows(void **state)
{
	static const char table[] = "\x02\0\x11\0\0\0\x01\x01\0\x01\x04\0\1\1"
		"\0" "a.c\0\0\0\0" "\0";
	struct maker m = { 0 };
	struct bytes *b = start_lined(&m, table, sizeof(table) - 1);

	put_named(b, DECLARED, "g");
	bytes_le(b, 1, 1);
	bytes_le(b, 77, 1);
	bytes_le(b, 0x3000, 8);
	bytes_le(b, 0x3010, 8);
	end(b, 1);
	becomes(&m, "3000-3010 g; 3000=77;\n");
}

static void damage(void **state)
{
	struct maker m = { 0 };
	struct bytes *b = start(&m, 0x1d);
	unsigned int i;

	put_code(b, FUNCTION, "f", 0x1000, 0x1100);
	bytes_le(b, 99, 1);
	refused(&m, "info+0x20: damaged entry");
	b = start(&m, 0x1d);
	put_named(b, LEAF, "f");
	refused(&m, "damaged entry");
	b = start(&m, 0x1d);
	for (i = 0; i <= DWARF_MAX_DEPTH; i++)
		bytes_le(b, BLOCK, 1);
	refused(&m, "deep in one another");
}

/* One table that is requested repeatedly. */
static void amplification(void **state)
{
	static const uint64_t pair[] = { 0x1000, 0x1001 };
	struct maker m = { 0 };
	struct bytes *b = start(&m, 0x1d);
	unsigned int i;

	for (i = 0; i < 60000; i++)
		bytes_put(&m.s[DWARF_RANGES], pair, sizeof(pair));
	bytes_put(&m.s[DWARF_RANGES], "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	for (i = 0; i < 200; i++) {
		put_named(b, PIECES, "");
		bytes_le(b, 0, 4);
		end(b, 1);
	}
	refused(&m, "again and again");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(names),
		cmocka_unit_test(names_of_c),
		cmocka_unit_test(reference_cycle),
		cmocka_unit_test(calls),
		cmocka_unit_test(call_sites),
		cmocka_unit_test(pieces),
		cmocka_unit_test(lines),
		cmocka_unit_test(no_rows),
		cmocka_unit_test(damage),
		cmocka_unit_test(amplification),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
