// SPDX-License-Identifier: GPL-2.0-only
/*
 * The encoder: the bytes of small sections, widths on both sides of every limit, refusals by
 * name, and thousands of functions, which the core must read as they were given, at every pc.
 */
#include "support.h"

#include <errno.h>

#include "../../judge/encode/funcs.h"
#include "popped.h"
#include "sframe/encode.h"

#define CFA_WORD (USTACK_OP_CFA | USTACK_OP_DEREF)
#define AMD_RA .ra = CFA_WORD, .ra_off = -8
#define OUTERMOST { .flags = USTACK_RULE_OUTERMOST }

static const struct sframe_format v3 = { X86, 3, false, SECTION_VADDR };
static const struct sframe_format v2 = { X86, 2, false, SECTION_VADDR };
static const struct sframe_format v2_old = { X86, 2, true, SECTION_VADDR };
static const struct sframe_format v3_arm = { A64, 3, false, SECTION_VADDR };
static const struct sframe_format v2_arm = { A64, 2, false, SECTION_VADDR };
static const struct sframe_format *const formats[] = {
	&v3, &v2, &v2_old, &v3_arm, &v2_arm,
};

/* Starts of rows and their rules, as a function at 0x2000. */
static struct sframe_func func_of(u32 size, const struct sframe_row *rows, u32 n)
{
	return (struct sframe_func){
		.start = 0x2000, .size = size, .nr_rows = n, .rows = rows,
	};
}

static struct sframe_encoded encode(const struct sframe_format *fmt,
				    const struct sframe_func *funcs, u32 nr)
{
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct diag diag = { 0 };

	if (sframe_encode(fmt, funcs, nr, NULL, &s, &diag))
		fail_msg("not encoded: %s", diag.text);
	return s;
}

#define assert_cause(got, want) \
	_assert_string_equal(sframe_cause_name(got), sframe_cause_name(want), \
			     __FILE__, __LINE__)

/* The row of the core's table for row @row of @f; rows come in their order. */
static struct ustack_rule in_table(const struct image *im, const struct sframe_func *f, u32 row,
				   struct ustack_slots *slots)
{
	struct ustack_rule rule = f->rows[row].rule;

	if (f->signal && !(rule.flags & USTACK_RULE_OUTERMOST))
		rule.flags |= USTACK_RULE_SIGNAL;
	if (!f->block)
		ustack_keep_popped(slots, im->sec.arch, &rule);
	return rule;
}

static void assert_rule(const struct image *im, const struct ustack_rule *want, u64 pc)
{
	const struct ustack_rule *got = image_rule(im, pc);

	if (!got)
		fail_msg("no row at 0x%llx", (unsigned long long)pc);
	if (!ustack_rule_equal(got, want))
		fail_msg("another rule at 0x%llx: cfa 0x%x%+d", (unsigned long long)pc,
			 got->cfa, got->cfa_off);
}

/* Every pc of a function; of a long function every pc near a border. */
static void assert_func(const struct image *im, const struct sframe_func *f)
{
	struct ustack_slots slots = { 0 };
	struct ustack_rule want = { 0 };
	u32 off, at, end, row = 0;

	for (off = 0; off < f->size; off++) {
		at = f->block ? off % f->block : off;
		if (!at)
			want = in_table(im, f, row = 0, &slots);
		while (row + 1 < f->nr_rows && f->rows[row + 1].start <= at)
			want = in_table(im, f, ++row, &slots);
		assert_rule(im, &want, f->start + off);
		end = row + 1 < f->nr_rows ? f->rows[row + 1].start : f->size;
		if (f->size > 4096 && !f->block && at > f->rows[row].start &&
		    end - off > 80)
			off += 64;
	}
}

static void image_take(struct image *im, const struct sframe_format *fmt,
		       const struct sframe_encoded *s)
{
	image_init(im, fmt->arch);
	im->sec.vaddr = fmt->vaddr;
	im->text[0].end = 0x20000000;
	bytes_put(&im->bytes, s->bytes, s->len);
	assert_reason(image_make(im), USTACK_OK);
	assert_int_equal(im->sec.report.lost, 0);
	assert_int_equal(im->sec.report.functions, s->nr_funcs);
	assert_int_equal(im->sec.report.rows, s->nr_rows);
	assert_int_equal(im->sec.report.dup_rows + im->sec.report.tail_rows +
			 im->sec.report.overlaps + im->sec.report.no_info, 0);
	assert_false(im->sec.report.resorted || im->sec.report.reanchored);
}

/* Encodes one function and reads it again; the caller checks the bytes and releases them. */
static struct sframe_encoded round_trip(const struct sframe_format *fmt,
					const struct sframe_func *f)
{
	struct sframe_encoded s = encode(fmt, f, 1);
	struct image im;

	image_take(&im, fmt, &s);
	assert_func(&im, f);
	assert_no_row(&im, f->start + f->size);
	image_release(&im);
	return s;
}

#define assert_bytes(s, at, want) do {					\
	assert_true((s).len >= (at) + sizeof(want) - 1);		\
	assert_memory_equal((s).bytes + (at), want, sizeof(want) - 1);	\
} while (0)

/* withfp of the golden t44.elf and t47.elf: as GNU as wrote it */
static void golden(void **state)
{
	static const struct sframe_row rows[] = {
		{ 0x00, { .cfa = USTACK_OP_SP, .cfa_off = 8, AMD_RA } },
		{ 0x01, { .cfa = USTACK_OP_SP, .cfa_off = 16, AMD_RA,
			  .fp = CFA_WORD, .fp_off = -16 } },
		{ 0x0f, { .cfa = USTACK_OP_FP, .cfa_off = 16, AMD_RA,
			  .fp = CFA_WORD, .fp_off = -16 } },
		{ 0x27, { .cfa = USTACK_OP_SP, .cfa_off = 8, AMD_RA,
			  .fp = CFA_WORD, .fp_off = -16 } },
	};
	static const char row_bytes[] = "\x00\x03\x08\x01\x05\x10\xf0"
		"\x0f\x04\x10\xf0\x27\x05\x08\xf0";
	const struct sframe_func f = func_of(0x28, rows, 4);
	struct sframe_encoded s;

	s = round_trip(&v3, &f);
	assert_int_equal(s.len, 28 + 16 + 5 + 15);
	assert_bytes(s, 0, "\xe2\xde\x03\x05\x03\x00\xf8\x00\x01\x00\x00\x00"
		     "\x04\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00"
		     "\xe4\x1f\xc0\xff\xff\xff\xff\xff\x28\x00\x00\x00\x00\x00\x00\x00"
		     "\x04\x00\x00\x00\x00");
	assert_bytes(s, 49, row_bytes);
	sframe_encoded_release(&s);

	s = round_trip(&v2, &f);
	assert_int_equal(s.len, 28 + 20 + 15);
	assert_bytes(s, 0, "\xe2\xde\x02\x05\x03\x00\xf8\x00\x01\x00\x00\x00"
		     "\x04\x00\x00\x00\x0f\x00\x00\x00\x00\x00\x00\x00\x14\x00\x00\x00"
		     "\xe4\x1f\xc0\xff\x28\x00\x00\x00\x00\x00\x00\x00"
		     "\x04\x00\x00\x00\x00\x00\x00\x00");
	assert_bytes(s, 48, row_bytes);
	sframe_encoded_release(&s);

	s = round_trip(&v2_old, &f);
	assert_bytes(s, 2, "\x02\x01");
	assert_bytes(s, 28, "\x00\x20\xc0\xff");
	sframe_encoded_release(&s);
}

/* The flexible rows of section 6.4 of the format, as in the specification */
static void flexible(void **state)
{
	static const struct sframe_row rows[] = {
		{ 0, { .cfa = USTACK_OP_SP, .cfa_off = 8, AMD_RA } },
		{ 1, { .cfa = USTACK_OP_SP, .cfa_off = 8,
		       .ra = USTACK_OP_REG(13) } },
		{ 2, { .cfa = USTACK_OP_SP, .cfa_off = 8,
		       .ra = USTACK_OP_REG(13), .fp = CFA_WORD, .fp_off = -16 } },
		{ 3, { .cfa = USTACK_OP_REG(14), .cfa_off = 300,
		       .ra = USTACK_OP_REG(13), .fp = USTACK_OP_REG(12) } },
		{ 4, { .cfa = USTACK_OP_REG(10), AMD_RA,
		       .fp = USTACK_OP_FP | USTACK_OP_DEREF } },
		{ 5, { .cfa = USTACK_OP_FP | USTACK_OP_DEREF, .cfa_off = -8,
		       AMD_RA, .fp = USTACK_OP_FP | USTACK_OP_DEREF } },
		{ 6, { .cfa = USTACK_OP_SP, .cfa_off = 8, .ra = CFA_WORD,
		       .ra_off = -1024 } },
		{ 7, OUTERMOST },
	};
	const struct sframe_func f = func_of(8, rows, ARRAY_SIZE(rows));
	struct sframe_encoded s = round_trip(&v3, &f);

	assert_bytes(s, 44, "\x08\x00\x00\x01\x00"
		     "\x00\x04\x39\x08"
		     "\x01\x08\x39\x08\x69\x00"
		     "\x02\x0c\x39\x08\x69\x00\x02\xf0"
		     "\x03\x2c\x71\x00\x2c\x01\x69\x00\x00\x00\x61\x00\x00\x00"
		     "\x04\x0a\x51\x00\x00\x33\x00"
		     "\x05\x0a\x33\xf8\x00\x33\x00"
		     "\x06\x28\x39\x00\x08\x00\x02\x00\x00\xfc"
		     "\x07\x00");
	sframe_encoded_release(&s);
}

static void arm_rows(void **state)
{
	static const struct sframe_row rows[] = {
		{ 0, { .cfa = USTACK_OP_SP } },
		{ 4, { .cfa = USTACK_OP_SP, .cfa_off = 80, .ra = CFA_WORD,
		       .ra_off = -72, .fp = CFA_WORD, .fp_off = -80 } },
		{ 8, { .cfa = USTACK_OP_FP, .cfa_off = 16, .ra = CFA_WORD,
		       .ra_off = -8 } },
		{ 12, OUTERMOST },
		/* only flexible rows can leave RA unchanged and save FP */
		{ 16, { .cfa = USTACK_OP_SP, .cfa_off = 16, .fp = CFA_WORD,
			.fp_off = -16 } },
		{ 20, { .cfa = USTACK_OP_REG(30), .ra = USTACK_OP_REG(17) } },
	};
	struct sframe_func f = func_of(24, rows, 4);
	static const char plain[] = "\x00\x03\x00" "\x04\x07\x50\xb8\xb0"
		"\x08\x04\x10\xf8" "\x0c\x00";
	struct sframe_encoded s = round_trip(&v3_arm, &f);

	assert_bytes(s, 4, "\x02\x00\x00\x00");
	assert_bytes(s, 49, plain);
	sframe_encoded_release(&s);
	s = round_trip(&v2_arm, &f);
	assert_bytes(s, 48, plain);
	sframe_encoded_release(&s);
	f.nr_rows = 6;
	s = round_trip(&v3_arm, &f);
	assert_bytes(s, 44, "\x06\x00\x00\x01\x00" "\x00\x04\xf9\x00"
		     "\x04\x0c\xf9\x50\x02\xb8\x02\xb0"
		     "\x08\x08\xe9\x10\x02\xf8" "\x0c\x00"
		     "\x10\x0a\xf9\x10\x00\x02\xf0" "\x14\x08\xf1\x00\x89\x00");
	sframe_encoded_release(&s);
	assert_cause(sframe_encodable(&f, A64, 2).cause, SFRAME_FP_ALONE);
	assert_int_equal(sframe_encodable(&f, A64, 2).at, 4);
}

/* One offset at each limit: the length of the row shows its width. */
static void word_widths(void **state)
{
	static const struct {
		s32 off;
		u32 width;
	} t[] = {
		{ 127, 1 }, { 128, 2 }, { -128, 1 }, { -129, 2 },
		{ 32767, 2 }, { 32768, 4 }, { -32768, 2 }, { -32769, 4 },
		{ INT32_MAX, 4 }, { INT32_MIN, 4 }, { 0, 1 },
	};
	struct sframe_row row = { 0 };
	const struct sframe_func f = func_of(16, &row, 1);
	const struct sframe_format *fmt;
	struct sframe_encoded s;
	u32 i, k, head;

	for (i = 0; i < ARRAY_SIZE(t) * ARRAY_SIZE(formats); i++) {
		fmt = formats[i % ARRAY_SIZE(formats)];
		k = i / ARRAY_SIZE(formats);
		head = fmt->version == 3 ? 28 + 16 + 5 : 28 + 20;
		row.rule = (struct ustack_rule){
			.cfa = USTACK_OP_SP, .cfa_off = 16, .ra = CFA_WORD,
			.ra_off = -8, .fp = CFA_WORD, .fp_off = t[k].off,
		};
		s = round_trip(fmt, &f);
		assert_int_equal(s.len - head - 2,
				 t[k].width * (fmt->arch == X86 ? 2 : 3));
		sframe_encoded_release(&s);
		row.rule.cfa = USTACK_OP_REG(0);
		if (fmt->version == 2)
			continue;
		s = round_trip(fmt, &f);
		assert_int_equal(s.len - head - 2,
				 t[k].width * (fmt->arch == X86 ? 5 : 6));
		sframe_encoded_release(&s);
	}
}

/* The width of starts depends only on the function's size. */
static void start_widths(void **state)
{
	static const struct {
		u32 size;
		u32 code;
	} t[] = {
		{ 1, 0 }, { 255, 0 }, { 256, 1 }, { 257, 1 },
		{ 65535, 1 }, { 65536, 2 }, { 65537, 2 }, { 0x1000000, 2 },
	};
	struct sframe_row rows[2] = {
		{ 0, { .cfa = USTACK_OP_SP, .cfa_off = 8, AMD_RA } },
		{ 0, { .cfa = USTACK_OP_SP, .cfa_off = 16, AMD_RA } },
	};
	struct sframe_encoded s;
	struct sframe_func f;
	u32 i, v;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		f = func_of(t[i].size, rows, t[i].size > 1 ? 2 : 1);
		rows[1].start = t[i].size - 1;
		for (v = 0; v < 3; v++) {
			s = round_trip(formats[v], &f);
			assert_int_equal(s.bytes[28 + (v ? 16 : 16 + 2)], t[i].code);
			assert_int_equal(s.len, 28 + (v ? 20 : 21) + f.nr_rows *
						(3 + (1u << t[i].code) - 1));
			sframe_encoded_release(&s);
		}
	}
}

static void blocks_and_signals(void **state)
{
	static const struct sframe_row rows[] = {
		{ 0, { .cfa = USTACK_OP_SP, .cfa_off = 8, AMD_RA } },
		{ 11, { .cfa = USTACK_OP_SP, .cfa_off = 16, AMD_RA } },
	};
	struct sframe_func f = func_of(100, rows, 2);
	struct sframe_encoded s;
	u32 v;

	f.block = 16;
	for (v = 0; v < 3; v++) {
		s = round_trip(formats[v], &f);
		assert_int_equal(s.bytes[28 + (v ? 16 : 18)], 0x10);
		assert_int_equal(s.bytes[28 + (v ? 17 : 20)], 16);
		sframe_encoded_release(&s);
	}
	f.block = 0;
	f.signal = true;
	s = round_trip(&v3, &f);
	assert_int_equal(s.bytes[28 + 18], 0x80);
	sframe_encoded_release(&s);
	assert_cause(sframe_encodable(&f, X86, 2).cause, SFRAME_SIGNAL);
}

/* A rule, and why no version, or only version 3, can express it. */
static void refused_rules(void **state)
{
	static const struct {
		const struct ustack_arch *arch;
		enum sframe_cause v3, v2;
		struct ustack_rule rule;
	} t[] = {
#define SP8 .cfa = USTACK_OP_SP, .cfa_off = 8
		{ X86, 0, 0, { SP8, AMD_RA } },
		{ X86, 0, 0, OUTERMOST },
		{ X86, SFRAME_BAD_RULE, 0, { .flags = USTACK_RULE_OUTERMOST, SP8 } },
		{ X86, SFRAME_BAD_RULE, 0, { AMD_RA } },
		{ X86, SFRAME_BAD_RULE, 0, { SP8 } },
		{ X86, SFRAME_BAD_RULE, 0, { .cfa = CFA_WORD, AMD_RA } },
		{ X86, SFRAME_BAD_RULE, 0, { .cfa = USTACK_OP_SP | 8, AMD_RA } },
		{ X86, SFRAME_BAD_RULE, 0, { .cfa = USTACK_OP_REG(7), AMD_RA } },
		{ X86, SFRAME_BAD_RULE, 0, { SP8, .ra = USTACK_OP_CFA_VALUE } },
		{ X86, SFRAME_BAD_RULE, 0, { SP8, AMD_RA, .fp_off = 8 } },
		{ X86, SFRAME_BAD_RULE, 0,
		  { SP8, AMD_RA, .flags = USTACK_RULE_MASK } },
		{ X86, SFRAME_BAD_RULE, 0, { SP8, AMD_RA, .flags = 1 << 5 } },
		{ X86, SFRAME_BAD_REGISTER, 0,
		  { .cfa = USTACK_OP_REG(31), AMD_RA } },
		{ X86, SFRAME_VALUE, 0,
		  { SP8, AMD_RA, .fp = USTACK_OP_CFA_VALUE } },
		{ X86, SFRAME_CFA_ADD, 0,
		  { .cfa = USTACK_OP_SP | USTACK_OP_DEREF, AMD_RA,
		    .flags = 1 << 5 } },
		{ X86, SFRAME_SIGNAL_ROWS, 0,
		  { SP8, AMD_RA, .flags = USTACK_RULE_SIGNAL } },
		{ X86, 0, SFRAME_FLEX_CFA, { .cfa = USTACK_OP_REG(10), AMD_RA } },
		{ X86, 0, SFRAME_FLEX_CFA,
		  { .cfa = USTACK_OP_FP | USTACK_OP_DEREF, AMD_RA } },
		{ X86, 0, SFRAME_FLEX_RA, { SP8, .ra = USTACK_OP_REG(2) } },
		{ X86, 0, SFRAME_FLEX_RA, { SP8, .ra = CFA_WORD, .ra_off = -16 } },
		{ X86, 0, SFRAME_FLEX_FP,
		  { SP8, AMD_RA, .fp = USTACK_OP_SP | USTACK_OP_DEREF } },
		{ A64, 0, 0, { SP8 } },
		{ A64, 0, 0, { SP8, AMD_RA } },
		{ A64, 0, SFRAME_FP_ALONE, { SP8, .fp = CFA_WORD } },
		{ A64, 0, SFRAME_FLEX_RA, { SP8, .ra = USTACK_OP_REG(9) } },
		{ A64, 0, SFRAME_FLEX_CFA, { .cfa = USTACK_OP_REG(19) } },
		{ A64, SFRAME_BAD_RULE, 0, { .cfa = USTACK_OP_REG(29) } },
	};
	struct sframe_row rows[2] = { 0 };
	const struct sframe_func f = func_of(8, rows, 2);
	struct sframe_verdict v;
	u32 i;

	rows[1].start = 4;
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		rows[0].rule = (struct ustack_rule){ SP8, AMD_RA };
		rows[1].rule = t[i].rule;
		v = sframe_encodable(&f, t[i].arch, 3);
		assert_cause(v.cause, t[i].v3);
		assert_int_equal(v.at, !!v.cause);
		v = sframe_encodable(&f, t[i].arch, 2);
		assert_cause(v.cause, t[i].v3 ? t[i].v3 : t[i].v2);
		assert_int_equal(v.at, !!v.cause);
	}
}

static void refused_shapes(void **state)
{
	struct sframe_row rows[3] = {
		{ 0, { SP8, AMD_RA } }, { 2, OUTERMOST }, { 4, { SP8, AMD_RA } },
	};
	const struct sframe_func good = func_of(8, rows, 3);
	struct sframe_func f = good;

#define assert_shape(arch, want) \
	assert_cause(sframe_encodable(&f, arch, 3).cause, want)
	assert_shape(X86, SFRAME_ENCODED);
	f.size = 0;
	assert_shape(X86, SFRAME_EMPTY);
	f = good;
	f.nr_rows = 0;
	assert_shape(X86, SFRAME_EMPTY);
	f = good;
	f.start = ~0ull - 7;
	assert_shape(X86, SFRAME_ENCODED);
	f.start++;
	assert_shape(X86, SFRAME_ADDRESS);
	f = good;
	f.start += 2;
	assert_shape(X86, SFRAME_ENCODED);
	assert_shape(A64, SFRAME_ADDRESS);
	f = good;
	f.size = 4;
	assert_shape(X86, SFRAME_ROW_ORDER);
	f = good;
	f.block = 4;
	assert_shape(X86, SFRAME_ROW_ORDER);
	f = good;
	rows[2].start = 2;
	assert_shape(X86, SFRAME_ROW_ORDER);
	assert_int_equal(sframe_encodable(&f, X86, 3).at, 2);
	rows[2].start = 4;
	rows[0].start = 1;
	assert_shape(X86, SFRAME_ROW_ORDER);
}

static void many_rows(void **state)
{
	const u32 n = 65536;
	struct sframe_row *rows = calloc(n, sizeof(*rows));
	struct sframe_func f = func_of(n, rows, n);
	struct sframe_encoded s;
	u32 i;

	assert_non_null(rows);
	for (i = 0; i < n; i++) {
		rows[i].start = i;
		rows[i].rule = (struct ustack_rule){
			.cfa = USTACK_OP_SP, .cfa_off = 8 + 8 * (s32)(i & 1), AMD_RA,
		};
	}
	assert_cause(sframe_encodable(&f, X86, 3).cause, SFRAME_MANY_ROWS);
	s = round_trip(&v2, &f);
	sframe_encoded_release(&s);
	f.nr_rows--;
	s = round_trip(&v3, &f);
	sframe_encoded_release(&s);
	free(rows);
}

static void overlaps(void **state)
{
	const struct sframe_row row = { 0, { SP8, AMD_RA } };
	struct sframe_verdict v[5];
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct sframe_func f[5];
	u32 i;

	for (i = 0; i < 5; i++)
		f[i] = func_of(16, &row, 1);
	f[0].start = 0x2010;	/* directly after f[2] */
	f[1].start = 0x200f;	/* reaches into f[2], so it is left out */
	f[3].start = 0x2010;	/* f[0] again */
	f[4].nr_rows = 0;	/* is not encoded, and does not affect the others */
	assert_int_equal(sframe_encode(&v3, f, 5, v, &s, NULL), 0);
	assert_int_equal(s.nr_funcs, 2);
	assert_int_equal(s.nr_refused, 3);
	assert_cause(v[0].cause, SFRAME_ENCODED);
	assert_cause(v[1].cause, SFRAME_OVERLAP);
	assert_int_equal(v[1].at, 2);
	assert_cause(v[2].cause, SFRAME_ENCODED);
	assert_cause(v[3].cause, SFRAME_OVERLAP);
	assert_int_equal(v[3].at, 0);
	assert_cause(v[4].cause, SFRAME_EMPTY);
	sframe_encoded_release(&s);
}

/* 32 bits in version 2: relative to the field, or to the section. */
static void start_range(void **state)
{
	static const struct {
		const struct sframe_format *fmt;
		u64 start;
		bool fits;
	} t[] = {
		{ &v2, SECTION_VADDR + 28 + 0x7fffffff, true },
		{ &v2, SECTION_VADDR + 28 + 0x80000000, false },
		{ &v2_old, SECTION_VADDR + 0x7fffffff, true },
		{ &v2_old, SECTION_VADDR + 0x80000000, false },
		{ &v2, SECTION_VADDR + 28 - 0x80000000ull, true },
		{ &v2, SECTION_VADDR + 28 - 0x80000001ull, false },
		{ &v3, SECTION_VADDR + 0x80000000000ull, true },
	};
	const struct sframe_row row = { 0, { SP8, AMD_RA } };
	struct sframe_func f = func_of(1, &row, 1);
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct sframe_verdict v;
	struct diag diag;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		f.start = t[i].start;
		assert_int_equal(sframe_encode(t[i].fmt, &f, 1, &v, &s, &diag),
				 t[i].fits ? 0 : -ENODATA);
		assert_cause(v.cause, t[i].fits ? 0 : SFRAME_START_RANGE);
		assert_int_equal(v.at, 0);
		if (!t[i].fits)
			assert_non_null(strstr(diag.text, "32 bits"));
		sframe_encoded_release(&s);
	}
}

static void refused_formats(void **state)
{
	const struct sframe_format v1 = { X86, 1, false, 0 };
	const struct sframe_format v3_old = { X86, 3, true, 0 };
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct diag diag;
	u32 i;

	assert_int_equal(sframe_encode(&v1, NULL, 0, NULL, &s, &diag), -EINVAL);
	assert_int_equal(sframe_encode(&v3_old, NULL, 0, NULL, &s, &diag), -EINVAL);
	assert_int_equal(sframe_encode(&v3, NULL, 0, NULL, &s, &diag), -ENODATA);
	assert_null(s.bytes);
	for (i = 0; i < SFRAME_NR_CAUSES; i++) {
		assert_non_null(sframe_cause_name(i));
		assert_non_null(sframe_cause_text(i));
	}
	assert_null(sframe_cause_name(i));
	assert_null(sframe_cause_text(i));
}

/* 64 MiB, and one row more, with the rows of one function many times. */
static void too_large(void **state)
{
	static struct sframe_row rows[65535];
	const u32 nr = 170;
	struct sframe_encoded s = SFRAME_ENCODED_INIT;
	struct sframe_func f[170];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		rows[i].start = i;
		rows[i].rule = (struct ustack_rule){ SP8, AMD_RA };
	}
	for (i = 0; i < nr; i++) {
		f[i] = func_of(65536, rows, 65535);
		f[i].start += (u64)i * 65536;
	}
	assert_int_equal(sframe_encode(&v3, f, 170, NULL, &s, NULL), 0);
	assert_true(s.len <= USTACK_MAX_SECTION);
	sframe_encoded_release(&s);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		rows[i].rule.cfa_off = 0x1000;
	assert_int_equal(sframe_encode(&v3, f, 170, NULL, &s, NULL), -EFBIG);
	assert_null(s.bytes);
}

static int compare_funcs(const void *a, const void *b)
{
	const struct sframe_func *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void random_set(const struct sframe_format *fmt, bool flex, u64 seed)
{
	struct sframe_verdict *v = calloc(1000, sizeof(*v));
	struct sframe_encoded s = SFRAME_ENCODED_INIT, sorted;
	struct random_funcs r;
	struct image im;
	u32 i, kept = 0;

	funcs_make(&r, fmt->arch, flex, seed, 1000, 0x2000);
	assert_int_equal(sframe_encode(fmt, r.funcs, r.nr, v, &s, NULL), 0);
	image_take(&im, fmt, &s);
	for (i = 0; i < r.nr; i++) {
		assert_cause(v[i].cause, sframe_encodable(&r.funcs[i], fmt->arch,
							  fmt->version).cause);
		if (!v[i].cause) {
			assert_func(&im, &r.funcs[i]);
			kept++;
		} else {
			assert_true(fmt->version == 2);
			assert_no_row(&im, r.funcs[i].start);
		}
	}
	assert_int_equal(kept, s.nr_funcs);
	assert_int_equal(r.nr - kept, s.nr_refused);
	/* the order in which they are given does not matter */
	qsort(r.funcs, r.nr, sizeof(*r.funcs), compare_funcs);
	sorted = encode(fmt, r.funcs, r.nr);
	assert_int_equal(sorted.len, s.len);
	assert_memory_equal(sorted.bytes, s.bytes, s.len);
	sframe_encoded_release(&sorted);
	sframe_encoded_release(&s);
	image_release(&im);
	funcs_release(&r);
	free(v);
}

static void random_functions(void **state)
{
	u32 i, seed;

	for (seed = 1; seed <= 4; seed++)
		for (i = 0; i < ARRAY_SIZE(formats); i++)
			random_set(formats[i], seed & 1, seed);
}

/* ustack's extension is used only on request, and only functions that need it have the type. */
static void extension(void **state)
{
	static const struct sframe_row add[] = {
		{ 0, { SP8, AMD_RA } },
		{ 4, { .cfa = USTACK_OP_SP | USTACK_OP_DEREF, .cfa_off = 40, AMD_RA,
		       .flags = 1 << USTACK_RULE_CFA_ADD_SHIFT } },
		{ 9, { .cfa = USTACK_OP_REG(10) | USTACK_OP_DEREF, .cfa_off = -300,
		       AMD_RA, .fp = CFA_WORD, .fp_off = -16,
		       .flags = 7 << USTACK_RULE_CFA_ADD_SHIFT } },
		{ 12, OUTERMOST },
		{ 14, { .cfa = USTACK_OP_FP, .cfa_off = 16, AMD_RA } },
	};
	static const struct sframe_row plain[] = { { 0, { SP8, AMD_RA } } };
	struct sframe_format fmt = v3, old = v2;
	struct sframe_func f = func_of(32, add, ARRAY_SIZE(add));
	struct sframe_encoded s;
	struct diag diag;

	fmt.extended = true;
	s = round_trip(&fmt, &f);
	/* info2 of the one function: header, index entry, rows and info before it */
	assert_int_equal(s.bytes[28 + 16 + 3], SFRAME_FDE_TYPE_USTACK);
	sframe_encoded_release(&s);
	assert_cause(sframe_encodable(&f, X86, 3).cause, SFRAME_CFA_ADD);
	f = func_of(32, plain, 1);
	s = round_trip(&fmt, &f);
	assert_int_equal(s.bytes[28 + 16 + 3], SFRAME_FDE_TYPE_DEFAULT);
	sframe_encoded_release(&s);
	old.extended = true;
	assert_int_equal(sframe_encode(&old, &f, 1, NULL, &s, &diag), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),
		cmocka_unit_test(flexible),
		cmocka_unit_test(arm_rows),
		cmocka_unit_test(word_widths),
		cmocka_unit_test(start_widths),
		cmocka_unit_test(blocks_and_signals),
		cmocka_unit_test(refused_rules),
		cmocka_unit_test(refused_shapes),
		cmocka_unit_test(many_rows),
		cmocka_unit_test(overlaps),
		cmocka_unit_test(start_range),
		cmocka_unit_test(refused_formats),
		cmocka_unit_test(too_large),
		cmocka_unit_test(extension),
		cmocka_unit_test(random_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
