// SPDX-License-Identifier: GPL-2.0-only
/* decode.c: one header, one function entry, one row at a time. */
#include "support.h"

static enum ustack_reason part_of(struct sf *s, struct ustack_part *part)
{
	enum ustack_reason reason;
	const struct ustack_arch *arch = s->arch;
	struct bytes b = { 0 };

	sf_emit(s, &b);
	reason = ustack_decode_part(b.p, 0, b.len, arch, part);
	free(b.p);
	return reason;
}

static void sf_one(struct sf *s, const struct ustack_arch *arch, u8 version)
{
	sf_init(s, arch, version);
	sf_func(s, TEXT_START, 16, FN_ADDR1, 0, 0);
	SF_ROW(s, 0x00, 0x03, 0x08);
}

static void header_fields(void **state)
{
	static const u32 fde_len[] = { 0, 17, 20, 16 };
	struct ustack_part part;
	struct sf s;
	u8 v;

	for (v = 1; v <= 3; v++) {
		sf_one(&s, X86, v);
		s.aux = 12;
		assert_reason(part_of(&s, &part), USTACK_OK);
		assert_int_equal(part.version, v);
		assert_int_equal(part.fde_len, fde_len[v]);
		assert_int_equal(part.nr_fdes, 1);
		assert_int_equal(part.nr_fres, 1);
		assert_int_equal(part.fdes, 28 + 12);
		assert_int_equal(part.fres, 28 + 12 + fde_len[v]);
		assert_int_equal(part.end, part.fres + (v == 3 ? 8 : 3));
		assert_int_equal(part.ra_fixed, -8);
	}
}

#define HEADER_REFUSED(on, ver, change, want) do {				\
	struct ustack_part part = { .version = 77 };			\
	struct sf s;							\
									\
	sf_one(&s, on, ver);						\
	s.change;							\
	assert_reason(part_of(&s, &part), want);			\
	assert_int_equal(part.version, 77);	/* written on success only */ \
} while (0)

static void headers_that_are_refused(void **state)
{
	HEADER_REFUSED(X86, 2, version = 0, USTACK_BAD_VERSION);
	HEADER_REFUSED(X86, 2, version = 4, USTACK_BAD_VERSION);
	HEADER_REFUSED(X86, 1, flags = 0x5, USTACK_BAD_FLAGS);
	HEADER_REFUSED(X86, 2, flags = 0x9, USTACK_BAD_FLAGS);
	HEADER_REFUSED(X86, 3, flags = 0x7, USTACK_BAD_FLAGS);
	HEADER_REFUSED(X86, 3, flags = 0x1, USTACK_NOT_PCREL);
	HEADER_REFUSED(X86, 2, abi = SFRAME_ABI_AARCH64_LE, USTACK_WRONG_ARCH);
	HEADER_REFUSED(A64, 2, abi = SFRAME_ABI_AMD64_LE, USTACK_WRONG_ARCH);
	HEADER_REFUSED(A64, 2, abi = SFRAME_ABI_AARCH64_BE, USTACK_WRONG_ARCH);
	HEADER_REFUSED(X86, 2, fp_fixed = -16, USTACK_BAD_HEADER);
	HEADER_REFUSED(X86, 2, ra_fixed = 0, USTACK_BAD_HEADER);
	HEADER_REFUSED(A64, 2, ra_fixed = -8, USTACK_BAD_HEADER);
}

static void flags_that_are_taken(void **state)
{
	struct ustack_part part;
	struct sf s;

	sf_one(&s, X86, 1);
	s.flags = 0x3;
	assert_reason(part_of(&s, &part), USTACK_OK);
	sf_one(&s, X86, 2);
	s.flags = 0x7;
	assert_reason(part_of(&s, &part), USTACK_OK);
	sf_one(&s, A64, 3);
	s.flags = 0x4;
	assert_reason(part_of(&s, &part), USTACK_OK);
}

static void magic_decides_first(void **state)
{
	struct ustack_part part;
	struct bytes b = { 0 };
	struct sf s;

	sf_one(&s, X86, 2);
	sf_emit(&s, &b);
	b.p[2] = 9;
	b.p[0] = 0xde;
	b.p[1] = 0xe2;
	assert_reason(ustack_decode_part(b.p, 0, b.len, X86, &part),
		      USTACK_FOREIGN_ENDIAN);
	b.p[0] = 0xe3;
	assert_reason(ustack_decode_part(b.p, 0, b.len, X86, &part),
		      USTACK_BAD_MAGIC);
	free(b.p);
}

/* Every prefix of a good section is truncated, and no read goes past its end. */
static void every_prefix_is_truncated(void **state)
{
	struct ustack_part part;
	struct bytes b = { 0 };
	struct sf s;
	u32 len;
	u8 *p;

	sf_one(&s, X86, 2);
	sf_emit(&s, &b);
	for (len = 0; len < b.len; len++) {
		p = malloc(len + !len);
		memcpy(p, b.p, len);
		assert_reason(ustack_decode_part(p, 0, len, X86, &part),
			      USTACK_TRUNCATED);
		free(p);
	}
	free(b.p);
}

static void set32(struct bytes *b, u32 off, u32 v)
{
	memcpy(b->p + off, &v, sizeof(v));
}

/* In a part that does not begin the section: bytes before its entries, and before its rows. */
static void gaps_in_a_part(void **state)
{
	struct ustack_part part;
	struct bytes b = { 0 };
	struct sf s;
	u32 gap;

	bytes_le(&b, 0, 8);
	sf_one(&s, X86, 2);
	sf_emit(&s, &b);
	bytes_le(&b, 0, 8);
	for (gap = 0; gap < 4; gap++) {
		set32(&b, 8 + 20, gap);
		set32(&b, 8 + 24, gap + 20 + gap);
		assert_reason(ustack_decode_part(b.p, 8, 8 + 28 + 20 + 3 + 2 * gap, X86, &part),
			      USTACK_OK);
		assert_int_equal(part.off, 8);
		assert_int_equal(part.fdes, 8 + 28 + gap);
		assert_int_equal(part.fres, 8 + 28 + gap + 20 + gap);
		assert_int_equal(part.end, part.fres + 3);
		assert_reason(ustack_decode_part(b.p, 8, part.end - 1, X86, &part),
			      USTACK_TRUNCATED);
		/* the entries must end before the rows begin */
		set32(&b, 8 + 24, gap + 19);
		assert_reason(ustack_decode_part(b.p, 8, b.len, X86, &part), USTACK_BAD_HEADER);
	}
	free(b.p);
}

/* Counts and offsets near 2^32, alone and in sums. */
static void counts_that_overflow(void **state)
{
	static const struct {
		u32 off;
		u32 v;
		enum ustack_reason want;
	} cases[] = {
		{ 0x08, 2, USTACK_BAD_HEADER },
		{ 0x08, 0xffffffffu, USTACK_BAD_HEADER },
		{ 0x08, 0x0ccccccdu, USTACK_BAD_HEADER },  /* * 20 = 2^32 + 4 */
		{ 0x10, 4, USTACK_TRUNCATED },
		{ 0x10, 0xffffffffu, USTACK_TRUNCATED },
		{ 0x14, 1, USTACK_BAD_HEADER },
		{ 0x14, 0xffffffffu, USTACK_BAD_HEADER },
		{ 0x14, 0xffffffecu, USTACK_BAD_HEADER },  /* + 20 = 2^32 */
		{ 0x18, 0xffffffffu, USTACK_TRUNCATED },
		{ 0x18, 0xffffffe4u, USTACK_TRUNCATED },   /* + 28 = 2^32 */
		{ 0x18, 19, USTACK_BAD_HEADER },
	};
	struct ustack_part part;
	struct bytes b;
	unsigned int i;
	struct sf s;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		b = (struct bytes){ 0 };
		sf_one(&s, X86, 2);
		sf_emit(&s, &b);
		set32(&b, cases[i].off, cases[i].v);
		assert_reason(ustack_decode_part(b.p, 0, b.len, X86, &part),
			      cases[i].want);
		free(b.p);
	}
}

static enum ustack_reason func_of(struct sf *s, u64 vaddr,
				  enum ustack_anchor anchor,
				  struct ustack_func *func)
{
	const struct ustack_arch *arch = s->arch;
	enum ustack_reason reason;
	struct ustack_part part;
	struct bytes b = { 0 };

	sf_emit(s, &b);
	reason = ustack_decode_part(b.p, 0, b.len, arch, &part);
	if (!reason)
		reason = ustack_decode_func(b.p, &part, part.nr_fdes - 1, vaddr,
					    anchor, func);
	free(b.p);
	return reason;
}

static void function_fields(void **state)
{
	struct ustack_func f;
	struct sf s;
	u8 v;

	for (v = 1; v <= 3; v++) {
		sf_init(&s, X86, v);
		sf_func(&s, 0x1000, 8, FN_ADDR1, 0, 0);
		sf_func(&s, 0x1234, 0x321, FN_ADDR2, 0, 0);
		SF_ROW(&s, 0, 0, 3, 8);
		SF_ROW(&s, 1, 1, 3, 16);
		assert_reason(func_of(&s, SECTION_VADDR, s.anchor, &f), USTACK_OK);
		assert_true(f.start == 0x1234);
		assert_int_equal(f.size, 0x321);
		assert_int_equal(f.nr_rows, 2);
		assert_int_equal(f.fre_type, 1);
		assert_int_equal(f.version, v);
		assert_false(f.is_mask);
		assert_int_equal(f.block, 0);
	}
}

/* The two anchors differ by the offset of the start field, for any distance. */
static void anchors(void **state)
{
	struct ustack_func f;
	struct sf s;

	sf_one(&s, X86, 2);
	assert_reason(func_of(&s, SECTION_VADDR, USTACK_ANCHOR_FIELD, &f), USTACK_OK);
	assert_true(f.start == TEXT_START + 28);
	sf_one(&s, X86, 3);
	s.vaddr = 0x7fff00000000ull;
	assert_reason(func_of(&s, s.vaddr, USTACK_ANCHOR_FIELD, &f), USTACK_OK);
	assert_true(f.start == TEXT_START);
	sf_one(&s, X86, 1);
	s.funcs[0].start = SECTION_VADDR + 0x1000;	/* text behind .sframe */
	assert_reason(func_of(&s, SECTION_VADDR, USTACK_ANCHOR_SECTION, &f), USTACK_OK);
	assert_true(f.start == SECTION_VADDR + 0x1000);
}

static void pc_mask_blocks(void **state)
{
	struct ustack_func f;
	struct sf s;
	u8 v;

	for (v = 2; v <= 3; v++) {
		sf_init(&s, X86, v);
		sf_func(&s, 0x1000, 64, FN_MASK, 0, 24);
		assert_reason(func_of(&s, SECTION_VADDR, s.anchor, &f), USTACK_OK);
		assert_true(f.is_mask);
		assert_int_equal(f.block, 24);
		sf_init(&s, X86, v);
		sf_func(&s, 0x1000, 64, FN_MASK, 0, 0);
		assert_reason(func_of(&s, SECTION_VADDR, s.anchor, &f),
			      USTACK_BAD_FDE);
		/* without the mask bit the size means nothing */
		sf_init(&s, X86, v);
		sf_func(&s, 0x1000, 64, 0, 0, 16);
		assert_reason(func_of(&s, SECTION_VADDR, s.anchor, &f), USTACK_OK);
		assert_int_equal(f.block, 0);
	}
	/* V1 has no such field */
	sf_init(&s, X86, 1);
	sf_func(&s, 0x1000, 64, FN_MASK, 0, 0);
	assert_reason(func_of(&s, SECTION_VADDR, s.anchor, &f), USTACK_OK);
	assert_int_equal(f.block, 16);
}

static void functions_that_are_refused(void **state)
{
	struct ustack_func f = { .size = 77 };
	struct sf s;

	sf_init(&s, X86, 2);
	sf_func(&s, 0x1000, 8, 3, 0, 0);
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_BAD_FDE);
	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 8, 15, 0, 0);
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_BAD_FDE);
	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 8, 0, 2, 0);
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_BAD_FDE);
	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 8, 0, 30, 0);
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_BAD_FDE);
	sf_one(&s, X86, 2);
	s.funcs[0].rows = 4;	/* rows are 3 bytes */
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_TRUNCATED);
	assert_int_equal(f.size, 77);
}

/* The attribute of V3 must fit into the bytes of the rows: tried at every offset. */
static void an_attribute_is_not_read_past_the_end(void **state)
{
	struct ustack_part part;
	struct ustack_func f;
	struct bytes b = { 0 };
	struct sf s;
	u32 off;

	sf_one(&s, X86, 3);
	sf_emit(&s, &b);
	b.p = realloc(b.p, b.len);
	assert_reason(ustack_decode_part(b.p, 0, b.len, X86, &part), USTACK_OK);
	for (off = 4; off < 12; off++) {
		set32(&b, 28 + 12, off);
		assert_reason(ustack_decode_func(b.p, &part, 0, 0,
						 USTACK_ANCHOR_FIELD, &f),
			      USTACK_TRUNCATED);
	}
	set32(&b, 28 + 12, 0xffffffffu);
	assert_reason(ustack_decode_func(b.p, &part, 0, 0, USTACK_ANCHOR_FIELD, &f),
		      USTACK_TRUNCATED);
	free(b.p);
}

/* Rows */
struct row_case {
	const char *bytes;
	u32 len;
	enum ustack_reason want;
	u32 start;
	struct ustack_rule rule;
};

#define AT_CFA (USTACK_OP_CFA | USTACK_OP_DEREF)

static void check_rows(const struct row_case *cases, unsigned int n,
		       const struct ustack_func *func,
		       const struct ustack_arch *arch)
{
	struct ustack_cursor c;
	struct ustack_row row;
	unsigned int i;
	u8 *p;
	u32 len;

	for (i = 0; i < n; i++) {
		p = malloc(cases[i].len);
		memcpy(p, cases[i].bytes, cases[i].len);
		ustack_cursor_init(&c, p, 0, cases[i].len);
		row.start = 12345;
		assert_reason(ustack_decode_row(&c, func, arch, &row), cases[i].want);
		if (cases[i].want) {
			assert_int_equal(row.start, 12345);
			free(p);
			continue;
		}
		assert_int_equal(c.pos, cases[i].len);
		assert_int_equal(row.start, cases[i].start);
		assert_memory_equal(&row.rule, &cases[i].rule, sizeof(row.rule));
		for (len = 0; len < cases[i].len; len++) {
			ustack_cursor_init(&c, p, 0, len);
			assert_reason(ustack_decode_row(&c, func, arch, &row),
				      USTACK_TRUNCATED);
		}
		free(p);
	}
}

static void default_rows_of_amd64(void **state)
{
	static const struct row_case cases[] = {
		{ B("\x00\x03\x08"), 0, 0,
		  { 8, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
		{ B("\x27\x05\x08\xf0"), 0, 0x27,
		  { 8, -8, -16, USTACK_OP_SP, AT_CFA, AT_CFA, 0 } },
		{ B("\xff\x04\x10\xf0"), 0, 0xff,
		  { 16, -8, -16, USTACK_OP_FP, AT_CFA, AT_CFA, 0 } },
		{ B("\x01\x25\x00\x80\x00\xff"), 0, 1,	/* 2-byte words */
		  { -32768, -8, -256, USTACK_OP_SP, AT_CFA, AT_CFA, 0 } },
		{ B("\x01\x43\x78\x56\x34\x12"), 0, 1,	/* 4-byte words */
		  { 0x12345678, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
		{ B("\x00\x00"), 0, 0, { .flags = USTACK_RULE_OUTERMOST } },
		{ B("\x00\x01"), USTACK_BAD_FRE },
		{ B("\x00\x80"), USTACK_BAD_FRE },
		{ B("\x00\x07\x08\x00\x00"), USTACK_BAD_FRE },	/* 3 words */
		{ B("\x00\x63\x08\x00\x00\x00"), USTACK_BAD_FRE }, /* size code 3 */
		{ B("\x00\x0f\0\0\0\0\0\0\0"), USTACK_BAD_FRE },   /* 7 words */
		{ B("\x00\x1f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), USTACK_BAD_FRE },
	};
	struct ustack_func func = { 0 };

	check_rows(cases, ARRAY_SIZE(cases), &func, X86);
}

static void row_starts_of_every_width(void **state)
{
	static const struct row_case two[] = {
		{ B("\x34\xf2\x03\x08"), 0, 0xf234,
		  { 8, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
	};
	static const struct row_case four[] = {
		{ B("\x78\x56\x34\xf2\x03\x08"), 0, 0xf2345678u,
		  { 8, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
	};
	struct ustack_func func = { .fre_type = 1 };

	check_rows(two, 1, &func, X86);
	func.fre_type = 2;
	check_rows(four, 1, &func, X86);
}

/* sframe.md 6.5 */
static void default_rows_of_aarch64(void **state)
{
	static const struct row_case cases[] = {
		{ B("\x00\x03\x00"), 0, 0, { 0, 0, 0, USTACK_OP_SP, 0, 0, 0 } },
		{ B("\x04\x83\x00"), 0, 4, { 0, 0, 0, USTACK_OP_SP, 0, 0, 0 } },
		{ B("\x08\x87\x50\xb8\xb0"), 0, 8,
		  { 80, -72, -80, USTACK_OP_SP, AT_CFA, AT_CFA, 0 } },
		{ B("\x08\x06\x50\xb8\xb0"), 0, 8,
		  { 80, -72, -80, USTACK_OP_FP, AT_CFA, AT_CFA, 0 } },
		{ B("\x00\x00"), 0, 0, { .flags = USTACK_RULE_OUTERMOST } },
		/* RA saved, FP not: this is not in the specification, but tools write it */
		{ B("\x0c\x05\x10\xf8"), 0, 12,
		  { 16, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
		{ B("\x00\x09\x00\xf8\xf0\xf0"), USTACK_BAD_FRE },
	};
	struct ustack_func func = { 0 };

	check_rows(cases, ARRAY_SIZE(cases), &func, A64);
}

/* sframe.md 6.4, and faults of flexible rows */
static void flexible_rows(void **state)
{
	static const struct row_case cases[] = {
		{ B("\x00\x04\x39\x08"), 0, 0,
		  { 8, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
		{ B("\x01\x08\x39\x08\x69\x00"), 0, 1,
		  { 8, 0, 0, USTACK_OP_SP, USTACK_OP_REG(13), 0, 0 } },
		{ B("\x02\x0c\x39\x08\x69\x00\x02\xf0"), 0, 2,
		  { 8, 0, -16, USTACK_OP_SP, USTACK_OP_REG(13), AT_CFA, 0 } },
		/* 2-byte words, r10 where the notes' example has r20 */
		{ B("\x03\x2c\x51\x00\x2c\x01\x69\x00\x00\x00\x61\x00\x00\x00"),
		  0, 3, { 300, 0, 0, USTACK_OP_REG(10), USTACK_OP_REG(13),
			  USTACK_OP_REG(12), 0 } },
		/* DRAP */
		{ B("\x05\x04\x51\x00"), 0, 5,
		  { 0, -8, 0, USTACK_OP_REG(10), AT_CFA, 0, 0 } },
		{ B("\x11\x0a\x51\x00\x00\x33\x00"), 0, 0x11,
		  { 0, -8, 0, USTACK_OP_REG(10), AT_CFA,
		    USTACK_OP_FP | USTACK_OP_DEREF, 0 } },
		{ B("\x12\x0a\x33\xf8\x00\x33\x00"), 0, 0x12,
		  { -8, -8, 0, USTACK_OP_FP | USTACK_OP_DEREF, AT_CFA,
		    USTACK_OP_FP | USTACK_OP_DEREF, 0 } },
		/* two padding words; FP = CFA - 16; FP = *(SP + 8) */
		{ B("\x00\x08\x39\x08\x00\x00"), 0, 0,
		  { 8, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
		{ B("\x00\x0a\x39\x08\x00\x04\xf0"), 0, 0,
		  { 8, -8, -16, USTACK_OP_SP, AT_CFA, USTACK_OP_CFA_VALUE, 0 } },
		{ B("\x00\x0a\x39\x08\x00\x3b\x08"), 0, 0,
		  { 8, -8, 8, USTACK_OP_SP, AT_CFA,
		    USTACK_OP_SP | USTACK_OP_DEREF, 0 } },
		{ B("\x00\x00"), 0, 0, { .flags = USTACK_RULE_OUTERMOST } },
		/* register 20: not negative, but AMD64 does not have it */
		{ B("\x00\x04\xa1\x08"), USTACK_BAD_OPERAND },
		{ B("\x00\x04\x81\x08"), USTACK_BAD_OPERAND },	/* 16, rip */
		{ B("\x00\x08\x39\x08\x81\x00"), USTACK_BAD_OPERAND },	/* RA */
		{ B("\x00\x0a\x39\x08\x00\x81\x00"), USTACK_BAD_OPERAND },	/* FP */
		{ B("\x00\x44\xff\xff\xff\xff\x08\0\0\0"), USTACK_BAD_OPERAND },
		{ B("\x00\x02\x39"), USTACK_BAD_OPERAND },	/* no offset */
		{ B("\x00\x06\x39\x08\x69"), USTACK_BAD_OPERAND },
		{ B("\x00\x02\x00"), USTACK_BAD_OPERAND },	/* no CFA */
		{ B("\x00\x06\x00\x39\x08"), USTACK_BAD_OPERAND },
		{ B("\x00\x04\x02\x08"), USTACK_BAD_OPERAND },	/* CFA by CFA */
		{ B("\x00\x04\x04\x08"), USTACK_BAD_OPERAND },
		{ B("\x00\x08\x39\x08\x04\xf8"), USTACK_BAD_OPERAND }, /* RA = CFA - 8 */
		{ B("\x00\x0c\x39\x08\x00\x00\x00\x00"), USTACK_BAD_OPERAND },
		{ B("\x00\x0a\x39\x08\x00\x00\x00"), USTACK_BAD_OPERAND },
		{ B("\x00\x64\x39\x08"), USTACK_BAD_FRE },
		{ B("\x00\x0e\0\0\0\0\0\0\0"), USTACK_BAD_FRE },
	};
	struct ustack_func func = { .is_flex = 1 };
	unsigned int i;

	check_rows(cases, ARRAY_SIZE(cases), &func, X86);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_true(cases[i].len > 1);
}

/* Our extension: words added after the CFA's dereference. */
static void added_rows(void **state)
{
	static const struct row_case cases[] = {
		{ B("\x00\x06\x3b\x28\x01"), 0, 0,
		  { 40, -8, 0, USTACK_OP_SP | USTACK_OP_DEREF, AT_CFA, 0, 1 << 5 } },
		{ B("\x00\x0e\x3b\x28\x07\x02\xf8\x02\xf0"), 0, 0,
		  { 40, -8, -16, USTACK_OP_SP | USTACK_OP_DEREF, AT_CFA, AT_CFA,
		    7 << 5 } },
		{ B("\x00\x06\x39\x28\x00"), 0, 0,	/* nothing to add: any CFA is allowed */
		  { 40, -8, 0, USTACK_OP_SP, AT_CFA, 0, 0 } },
		{ B("\x00\x06\x3b\x28\x08"), USTACK_BAD_OPERAND },
		{ B("\x00\x06\x3b\x28\xff"), USTACK_BAD_OPERAND },
		{ B("\x00\x06\x39\x28\x01"), USTACK_BAD_OPERAND }, /* no dereference */
		{ B("\x00\x04\x3b\x28"), USTACK_BAD_OPERAND },
		{ B("\x00\x10\x3b\x28\x01\0\0\0\0\0"), USTACK_BAD_FRE },
	};
	struct ustack_func func = { .is_flex = 1, .is_added = 1 };

	check_rows(cases, ARRAY_SIZE(cases), &func, X86);
}

/* Only an FDE can say where RA is; without a rule it is in LR. */
static void flexible_rows_of_aarch64(void **state)
{
	static const struct row_case cases[] = {
		{ B("\x00\x04\xf9\x10"), 0, 0,
		  { 16, 0, 0, USTACK_OP_SP, USTACK_OP_NONE, 0, 0 } },
		{ B("\x00\x08\xe9\x10\x02\xf8"), 0, 0,
		  { 16, -8, 0, USTACK_OP_FP, AT_CFA, 0, 0 } },
		{ B("\x00\x04\xf1\x10"), 0, 0,
		  { 16, 0, 0, USTACK_OP_REG(30), 0, 0, 0 } },
		{ B("\x00\x24\x01\x01\x10\x00"), USTACK_BAD_OPERAND }, /* r32 */
	};
	struct ustack_func func = { .is_flex = 1 };

	check_rows(cases, ARRAY_SIZE(cases), &func, A64);
}

static void signal_functions_mark_their_rows(void **state)
{
	static const struct row_case cases[] = {
		{ B("\x00\x03\x08"), 0, 0,
		  { 8, -8, 0, USTACK_OP_SP, AT_CFA, 0, USTACK_RULE_SIGNAL } },
		{ B("\x00\x00"), 0, 0, { .flags = USTACK_RULE_OUTERMOST } },
	};
	struct ustack_func f = { .is_signal = 1 };
	struct sf s;

	check_rows(cases, ARRAY_SIZE(cases), &f, X86);
	/* bit 7 has this meaning only in V3 */
	sf_init(&s, X86, 3);
	sf_func(&s, 0x1000, 8, FN_SIGNAL, 0, 0);
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_OK);
	assert_true(f.is_signal);
	sf_init(&s, X86, 2);
	sf_func(&s, 0x1000, 8, FN_SIGNAL, 0, 0);
	assert_reason(func_of(&s, 0, s.anchor, &f), USTACK_OK);
	assert_false(f.is_signal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_fields),
		cmocka_unit_test(headers_that_are_refused),
		cmocka_unit_test(flags_that_are_taken),
		cmocka_unit_test(magic_decides_first),
		cmocka_unit_test(every_prefix_is_truncated),
		cmocka_unit_test(gaps_in_a_part),
		cmocka_unit_test(counts_that_overflow),
		cmocka_unit_test(function_fields),
		cmocka_unit_test(anchors),
		cmocka_unit_test(pc_mask_blocks),
		cmocka_unit_test(functions_that_are_refused),
		cmocka_unit_test(an_attribute_is_not_read_past_the_end),
		cmocka_unit_test(default_rows_of_amd64),
		cmocka_unit_test(row_starts_of_every_width),
		cmocka_unit_test(default_rows_of_aarch64),
		cmocka_unit_test(flexible_rows),
		cmocka_unit_test(added_rows),
		cmocka_unit_test(flexible_rows_of_aarch64),
		cmocka_unit_test(signal_functions_mark_their_rows),
	};

	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
