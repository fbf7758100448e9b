// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes functions as an .sframe section of version 2 or 3. judge() decides whether
 * the version can express a function, choose() drops those that it cannot, and
 * put_section() writes the rest. synth_encode.c and user/darwin/convert.c call it.
 */
#include "sframe/encode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sframe_format.h"
#include "util/cleanup.h"

static const struct {
	const char *name;
	const char *text;
} causes[SFRAME_NR_CAUSES] = {
	[SFRAME_ENCODED] = { "ENCODED", "it was encoded" },
#define CAUSE_STRINGS(name, sentence) [SFRAME_##name] = { #name, sentence },
	SFRAME_CAUSES(CAUSE_STRINGS)
#undef CAUSE_STRINGS
};

const char *sframe_cause_name(unsigned int cause)
{
	return cause < SFRAME_NR_CAUSES ? causes[cause].name : NULL;
}

const char *sframe_cause_text(unsigned int cause)
{
	return cause < SFRAME_NR_CAUSES ? causes[cause].text : NULL;
}

#define CFA_WORD (USTACK_OP_CFA | USTACK_OP_DEREF)

/* @op must be SP, FP or a register, or the word in memory there. */
static enum sframe_cause check_place(u8 op, const struct ustack_arch *arch)
{
	unsigned int reg = USTACK_OP_REGNO(op);

	switch (USTACK_OP_BASE(op)) {
	case USTACK_OP_SP:
	case USTACK_OP_FP:
		return reg ? SFRAME_BAD_RULE : SFRAME_ENCODED;
	case USTACK_OP_BASE_REG:
		if (reg > arch->max_reg)
			return SFRAME_BAD_REGISTER;
		return reg == arch->sp_reg || reg == arch->fp_reg ?
			       SFRAME_BAD_RULE : SFRAME_ENCODED;
	default:
		return SFRAME_BAD_RULE;
	}
}

/* RA or FP may also be absent, or the word at an offset from the CFA. */
static enum sframe_cause check_saved(u8 op, s32 off,
				     const struct ustack_arch *arch)
{
	if (op == USTACK_OP_NONE)
		return off ? SFRAME_BAD_RULE : SFRAME_ENCODED;
	return op == CFA_WORD ? SFRAME_ENCODED : check_place(op, arch);
}

static bool is_outermost(const struct ustack_rule *r)
{
	return r->flags & USTACK_RULE_OUTERMOST;
}

/* Whether @r is a valid rule, as rule.h defines them. */
static enum sframe_cause check_rule(const struct ustack_rule *r,
				    const struct ustack_arch *arch)
{
	static const struct ustack_rule outermost = {
		.flags = USTACK_RULE_OUTERMOST,
	};
	u8 flags = r->flags & ((1u << USTACK_RULE_CFA_ADD_SHIFT) - 1);
	enum sframe_cause cause;

	/* nearly all rules are plain and need no further check */
	if (ustack_ops_are_plain(ustack_rule_ops(r)) &&
	    (r->fp || !r->fp_off))
		return SFRAME_ENCODED;
	if (is_outermost(r))
		return ustack_rule_equal(r, &outermost) ? SFRAME_ENCODED :
							  SFRAME_BAD_RULE;
	if (flags & ~USTACK_RULE_SIGNAL)
		return SFRAME_BAD_RULE;
	cause = check_place(r->cfa, arch);
	if (cause)
		return cause;
	if (USTACK_RULE_CFA_ADD(r->flags) && !(r->cfa & USTACK_OP_DEREF))
		return SFRAME_BAD_RULE;
	if (r->ra == USTACK_OP_NONE && arch->ra_fixed)
		return SFRAME_BAD_RULE;
	cause = check_saved(r->ra, r->ra_off, arch);
	if (cause)
		return cause;
	/* its control word would be 0, which means that there is no FP */
	if (r->fp == USTACK_OP_CFA_VALUE)
		return SFRAME_VALUE;
	cause = check_saved(r->fp, r->fp_off, arch);
	/* the last check, as the extension can express such a rule */
	if (!cause && USTACK_RULE_CFA_ADD(r->flags))
		cause = SFRAME_CFA_ADD;
	return cause;
}

/* Why a rule does not fit a DEFAULT row, the only kind that V2 has. */
static enum sframe_cause check_default(const struct ustack_rule *r,
				       const struct ustack_arch *arch)
{
	if (is_outermost(r))
		return SFRAME_ENCODED;
	if (r->cfa != USTACK_OP_SP && r->cfa != USTACK_OP_FP)
		return SFRAME_FLEX_CFA;
	if (r->ra != USTACK_OP_NONE && r->ra != CFA_WORD)
		return SFRAME_FLEX_RA;
	/* where RA has a word, libsframe takes 0 for "not saved" */
	if (r->ra && (arch->ra_fixed ? r->ra_off != arch->ra_fixed : !r->ra_off))
		return SFRAME_FLEX_RA;
	if (r->fp != USTACK_OP_NONE && r->fp != CFA_WORD)
		return SFRAME_FLEX_FP;
	if (r->fp != USTACK_OP_NONE && r->ra == USTACK_OP_NONE)
		return SFRAME_FP_ALONE;
	return SFRAME_ENCODED;
}

/* The data words of one row. */
struct words {
	u32 word[USTACK_MAX_ROW_WORDS];
	u8 n;
	u8 width;	/* code 0..2 of the widest: 1, 2, 4 bytes */
};

static void add_offset(struct words *w, s32 off)
{
	u8 width = (u8)((off != (s8)off) + (off != (s16)off));

	w->word[w->n++] = (u32)off;
	w->width = width > w->width ? width : w->width;
}

/* Readers zero-extend it. Registers are at most 31, so it never needs two bytes. */
static void add_control(struct words *w, u32 control)
{
	w->word[w->n++] = control;
}

/* "Flexible Frame Row Entry": bit 0 reg_p, bit 1 deref_p, bits from 3 on: register */
static void add_operand(struct words *w, u8 op, s32 off,
			const struct ustack_arch *arch)
{
	u32 deref = op & USTACK_OP_DEREF ? 2 : 0, reg;

	switch (USTACK_OP_BASE(op)) {
	case USTACK_OP_SP:
		reg = arch->sp_reg;
		break;
	case USTACK_OP_FP:
		reg = arch->fp_reg;
		break;
	case USTACK_OP_BASE_REG:
		reg = USTACK_OP_REGNO(op);
		break;
	default:
		add_control(w, deref);
		add_offset(w, off);
		return;
	}
	add_control(w, reg << 3 | deref | 1);
	add_offset(w, off);
}

static void flex_words(const struct ustack_rule *r, u8 type,
		       const struct ustack_arch *arch, struct words *w)
{
	bool implied = arch->ra_fixed ?
			       r->ra == CFA_WORD && r->ra_off == arch->ra_fixed :
			       r->ra == USTACK_OP_NONE;

	add_operand(w, r->cfa, r->cfa_off, arch);
	if (type == SFRAME_FDE_TYPE_USTACK)
		add_control(w, USTACK_RULE_CFA_ADD(r->flags));
	if (!implied)
		add_operand(w, r->ra, r->ra_off, arch);
	else if (r->fp != USTACK_OP_NONE)
		add_control(w, 0);
	if (r->fp != USTACK_OP_NONE)
		add_operand(w, r->fp, r->fp_off, arch);
}

static void default_words(const struct ustack_rule *r,
			  const struct ustack_arch *arch, struct words *w)
{
	add_offset(w, r->cfa_off);
	if (!arch->ra_fixed && r->ra != USTACK_OP_NONE)
		add_offset(w, r->ra_off);
	if (r->fp != USTACK_OP_NONE)
		add_offset(w, r->fp_off);
}

/* @type: SFRAME_FDE_TYPE_* of the function */
static void row_words(const struct ustack_rule *r, u8 type,
		      const struct ustack_arch *arch, struct words *w)
{
	w->n = 0;
	w->width = 0;
	if (is_outermost(r))
		return;
	if (type == SFRAME_FDE_TYPE_DEFAULT)
		default_words(r, arch, w);
	else
		flex_words(r, type, arch, w);
}

/* Results of judge() about one function. */
struct shape {
	u64 bytes;	/* length of its rows */
	u8 fre_type;
	u8 type;	/* SFRAME_FDE_TYPE_* */
};

/* By the function's size, not by its last row's start, as GNU as and ld do. */
static u8 fre_type(const struct sframe_func *f)
{
	if (f->size < 0x100)
		return 0;
	return f->size < 0x10000 ? 1 : 2;
}

static u64 rows_bytes(const struct sframe_func *f, const struct shape *s,
		      const struct ustack_arch *arch)
{
	u64 bytes = 0;
	struct words w;
	u32 i;

	for (i = 0; i < f->nr_rows; i++) {
		row_words(&f->rows[i].rule, s->type, arch, &w);
		bytes += (1u << s->fre_type) + 1 + ((u32)w.n << w.width);
	}
	return bytes;
}

static enum sframe_cause check_func(const struct sframe_func *f,
				    const struct ustack_arch *arch,
				    unsigned int version)
{
	u64 end;

	if (!f->size || !f->nr_rows)
		return SFRAME_EMPTY;
	/* the end itself may be one after the last address */
	if (__builtin_add_overflow(f->start, f->size - 1, &end) ||
	    f->start & (arch->insn_align - 1u))
		return SFRAME_ADDRESS;
	if (version == 3 && f->nr_rows > UINT16_MAX)
		return SFRAME_MANY_ROWS;
	if (version == 2 && f->signal)
		return SFRAME_SIGNAL;
	return SFRAME_ENCODED;
}

static enum sframe_cause check_row(const struct sframe_func *f, u32 i,
				   const struct ustack_arch *arch)
{
	u32 start = f->rows[i].start, limit = f->size;

	if (f->block && f->block < limit)
		limit = f->block;
	if (i ? start <= f->rows[i - 1].start : start)
		return SFRAME_ROW_ORDER;
	if (start >= limit)
		return SFRAME_ROW_ORDER;
	if (f->rows[i].rule.flags & USTACK_RULE_SIGNAL && !f->signal)
		return SFRAME_SIGNAL_ROWS;
	return check_rule(&f->rows[i].rule, arch);
}

static struct sframe_verdict judge(const struct sframe_format *fmt,
				   const struct sframe_func *f,
				   struct shape *ret)
{
	struct sframe_verdict v = { .cause = check_func(f, fmt->arch, fmt->version) };
	enum sframe_cause flex;
	u32 i;

	*ret = (struct shape){ .fre_type = fre_type(f) };
	for (i = 0; !v.cause && i < f->nr_rows; i++) {
		v.cause = check_row(f, i, fmt->arch);
		flex = check_default(&f->rows[i].rule, fmt->arch);
		if (flex && ret->type == SFRAME_FDE_TYPE_DEFAULT)
			ret->type = SFRAME_FDE_TYPE_FLEX;
		if (v.cause == SFRAME_CFA_ADD && fmt->extended) {
			v.cause = SFRAME_ENCODED;
			ret->type = SFRAME_FDE_TYPE_USTACK;
		}
		if (!v.cause && fmt->version == 2)
			v.cause = flex;
		v.at = v.cause ? i : 0;
	}
	return v;
}

struct sframe_verdict sframe_encodable(const struct sframe_func *func,
				       const struct ustack_arch *arch,
				       unsigned int version)
{
	const struct sframe_format fmt = { .arch = arch, .version = version };
	struct shape shape;

	return judge(&fmt, func, &shape);
}

/* A function that is to be written. */
struct entry {
	u64 start;
	u32 index;	/* in the caller's array */
	u32 bytes;	/* length of its rows */
	u8 fre_type;
	u8 type;	/* SFRAME_FDE_TYPE_* */
};

/* A section under construction. */
struct encoder {
	const struct sframe_format *fmt;
	const struct sframe_func *funcs;
	struct entry *entries;	/* the first @nr_funcs will be written */
	u32 nr_funcs;
	u32 nr_rows;
	u32 nr_refused;
	u32 fres_len;
	u32 first_refused;
	struct sframe_verdict why;	/* verdict on @first_refused */
};

static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static void sort_entries(struct encoder *e, u32 nr)
{
	bool sorted = true;
	u32 i;

	for (i = 0; i < nr; i++) {
		e->entries[i].start = e->funcs[i].start;
		e->entries[i].index = i;
		sorted &= !i || e->entries[i - 1].start <= e->entries[i].start;
	}
	if (!sorted)
		qsort(e->entries, nr, sizeof(*e->entries), by_start);
}

static u32 fde_len(const struct sframe_format *fmt)
{
	return fmt->version == 2 ? SFRAME_V2_FDE_LEN : SFRAME_V3_FDE_LEN;
}

/* Bytes for each function in the sub-section of rows, before its rows. */
static u32 attr_len(const struct sframe_format *fmt)
{
	return fmt->version == 2 ? 0 : SFRAME_V3_ATTR_LEN;
}

/* The value of the start field of entry @k, for a function at @start. */
static u64 start_field(const struct sframe_format *fmt, u32 k, u64 start)
{
	u64 anchor = fmt->vaddr;

	if (!fmt->section_anchor)
		anchor += SFRAME_HEADER_LEN + (u64)k * fde_len(fmt);
	return start - anchor;
}

/* Whether the function overlaps the one before it, or is out of the field's range. */
static struct sframe_verdict check_place_of(const struct encoder *e, u64 start)
{
	const struct sframe_func *last;
	u64 field;
	u32 other;

	if (e->nr_funcs) {
		other = e->entries[e->nr_funcs - 1].index;
		last = &e->funcs[other];
		if (start - last->start < last->size)
			return (struct sframe_verdict){ SFRAME_OVERLAP, other };
	}
	field = start_field(e->fmt, e->nr_funcs, start);
	if (e->fmt->version == 2 && field != (u64)(s64)(s32)field)
		return (struct sframe_verdict){ SFRAME_START_RANGE, 0 };
	return (struct sframe_verdict){ SFRAME_ENCODED, 0 };
}

static void refuse(struct encoder *e, u32 index, struct sframe_verdict why)
{
	if (!e->nr_refused++) {
		e->first_refused = index;
		e->why = why;
	}
}

/* Judges every function and moves those that can be encoded to the front. */
static int choose(struct encoder *e, u32 nr, struct sframe_verdict *verdicts)
{
	const struct sframe_format *fmt = e->fmt;
	u64 len = SFRAME_HEADER_LEN, fres = 0;
	struct sframe_verdict v;
	struct entry in;
	struct shape s;
	u32 i;

	for (i = 0; i < nr; i++) {
		in = e->entries[i];
		v = judge(fmt, &e->funcs[in.index], &s);
		if (!v.cause)
			v = check_place_of(e, in.start);
		if (verdicts)
			verdicts[in.index] = v;
		if (v.cause) {
			refuse(e, in.index, v);
			continue;
		}
		s.bytes = rows_bytes(&e->funcs[in.index], &s, fmt->arch);
		fres += attr_len(fmt) + s.bytes;
		len += fde_len(fmt) + attr_len(fmt) + s.bytes;
		if (len > USTACK_MAX_SECTION)
			return -EFBIG;
		in.bytes = (u32)s.bytes;
		in.fre_type = s.fre_type;
		in.type = s.type;
		e->entries[e->nr_funcs++] = in;
		e->nr_rows += e->funcs[in.index].nr_rows;
	}
	e->fres_len = (u32)fres;
	return 0;
}

/* Writes the @n low bytes of @v, in target order, which is ours (core_env.h). */
static u8 *put(u8 *p, u64 v, unsigned int n)
{
	memcpy(p, &v, n);
	return p + n;
}

/* Writes 1, 2 or 4 bytes, by width code. */
static inline u8 *put_width(u8 *p, u32 v, unsigned int width)
{
	switch (width) {
	case 0:
		return put(p, v, 1);
	case 1:
		return put(p, v, 2);
	default:
		return put(p, v, 4);
	}
}

static u8 *put_header(u8 *p, const struct encoder *e)
{
	const struct sframe_format *fmt = e->fmt;
	u8 flags = SFRAME_F_FDE_SORTED;

	if (!fmt->section_anchor)
		flags |= SFRAME_F_FDE_FUNC_START_PCREL;
	p = put(p, SFRAME_MAGIC, 2);
	p = put(p, fmt->version, 1);
	p = put(p, flags, 1);
	p = put(p, fmt->arch->sframe_abi, 1);
	p = put(p, 0, 1);	/* no fixed FP */
	p = put(p, (u8)fmt->arch->ra_fixed, 1);
	p = put(p, 0, 1);	/* no auxiliary header */
	p = put(p, e->nr_funcs, 4);
	p = put(p, e->nr_rows, 4);
	p = put(p, e->fres_len, 4);
	p = put(p, 0, 4);
	return put(p, (u64)e->nr_funcs * fde_len(fmt), 4);
}

/* "The SFrame FDE Info Word". Bit 5, the key that signs AArch64's return addresses,
 * stays clear, as does bit 7 of every row: unwinders here remove the signature by the
 * process's mask, whatever the key.
 */
static u8 fde_info(const struct sframe_func *f, const struct entry *in)
{
	return (u8)(in->fre_type | !!f->block << 4 | f->signal << 7);
}

static u8 *put_fde(u8 *p, const struct encoder *e, u32 k, u32 fres)
{
	const struct entry *in = &e->entries[k];
	const struct sframe_func *f = &e->funcs[in->index];
	u64 field = start_field(e->fmt, k, f->start);

	if (e->fmt->version == 3) {
		p = put(p, field, 8);
		p = put(p, f->size, 4);
		return put(p, fres, 4);
	}
	p = put(p, field, 4);
	p = put(p, f->size, 4);
	p = put(p, fres, 4);
	p = put(p, f->nr_rows, 4);
	p = put(p, fde_info(f, in), 1);
	p = put(p, f->block, 1);
	return put(p, 0, 2);
}

static u8 *put_attr(u8 *p, const struct sframe_func *f, const struct entry *in)
{
	p = put(p, f->nr_rows, 2);
	p = put(p, fde_info(f, in), 1);
	p = put(p, in->type, 1);
	return put(p, f->block, 1);
}

/* "The SFrame FRE Info Word". A flexible row has its base in a control word, so the bit for
 * it stays clear; a row without words has no bit set at all.
 */
static u8 fre_info(const struct ustack_rule *r, const struct entry *in,
		   const struct words *w)
{
	u8 base_sp = in->type == SFRAME_FDE_TYPE_DEFAULT &&
		     r->cfa == USTACK_OP_SP;

	return (u8)(base_sp | w->n << 1 | w->width << 5);
}

static u8 *put_rows(u8 *p, const struct sframe_func *f, const struct entry *in,
		    const struct ustack_arch *arch)
{
	struct words w;
	unsigned int k;
	u32 i;

	for (i = 0; i < f->nr_rows; i++) {
		row_words(&f->rows[i].rule, in->type, arch, &w);
		p = put_width(p, f->rows[i].start, in->fre_type);
		p = put(p, fre_info(&f->rows[i].rule, in, &w), 1);
		for (k = 0; k < w.n; k++)
			p = put_width(p, w.word[k], w.width);
	}
	return p;
}

static void put_section(u8 *p, const struct encoder *e)
{
	const struct sframe_func *f;
	u32 k, fres = 0;

	p = put_header(p, e);
	for (k = 0; k < e->nr_funcs; k++) {
		p = put_fde(p, e, k, fres);
		fres += attr_len(e->fmt) + e->entries[k].bytes;
	}
	for (k = 0; k < e->nr_funcs; k++) {
		f = &e->funcs[e->entries[k].index];
		if (e->fmt->version == 3)
			p = put_attr(p, f, &e->entries[k]);
		p = put_rows(p, f, &e->entries[k], e->fmt->arch);
	}
}

static int check_format(const struct sframe_format *fmt, struct diag *diag)
{
	if (!sframe_encode_version(fmt->version))
		return diag_set(diag, EINVAL, NULL,
				"version %u of SFrame cannot be written, only 2 and 3",
				fmt->version);
	if (fmt->version == 2 && fmt->extended)
		return diag_set(diag, EINVAL, NULL,
				"the extension exists in version 3 of SFrame only");
	if (fmt->version == 3 && fmt->section_anchor)
		return diag_set(diag, EINVAL, NULL,
				"in version 3 of SFrame, starts always count from their own field");
	return 0;
}

/* Reports why there is no section; @err is from choose(). */
static int explain(const struct encoder *e, int err, struct diag *diag)
{
	if (err)
		return diag_set(diag, -err, NULL,
				"the section would be longer than %u MiB",
				USTACK_MAX_SECTION >> 20);
	if (!e->nr_refused)
		return diag_set(diag, ENODATA, NULL, "there are no functions");
	return diag_set(diag, ENODATA, NULL,
			"no function can be encoded, the first is 0x%" PRIx64 ": %s",
			e->funcs[e->first_refused].start,
			sframe_cause_text(e->why.cause));
}

int sframe_encode(const struct sframe_format *fmt,
		  const struct sframe_func *funcs, u32 nr,
		  struct sframe_verdict *verdicts, struct sframe_encoded *ret,
		  struct diag *diag)
{
	_cleanup_(cleanup_free) struct entry *entries = NULL;
	struct encoder e = { .fmt = fmt, .funcs = funcs };
	u32 len;
	int err;

	err = check_format(fmt, diag);
	if (err)
		return err;
	entries = calloc(nr ? nr : 1, sizeof(*entries));
	if (!entries)
		return diag_errno(diag, ENOMEM, NULL);
	e.entries = entries;
	sort_entries(&e, nr);
	err = choose(&e, nr, verdicts);
	ret->nr_refused = e.nr_refused;
	if (err || !e.nr_funcs)
		return explain(&e, err, diag);
	len = SFRAME_HEADER_LEN + e.nr_funcs * fde_len(fmt) + e.fres_len;
	ret->bytes = malloc(len);
	if (!ret->bytes)
		return diag_errno(diag, ENOMEM, NULL);
	put_section(ret->bytes, &e);
	ret->len = len;
	ret->nr_funcs = e.nr_funcs;
	ret->nr_rows = e.nr_rows;
	return 0;
}

void sframe_encoded_release(struct sframe_encoded *s)
{
	free(s->bytes);
	*s = (struct sframe_encoded)SFRAME_ENCODED_INIT;
}
