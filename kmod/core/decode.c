// SPDX-License-Identifier: GPL-2.0-only
/* SFrame syntax: header, function entry, frame row of V1, V2 and V3. */
#include "decode.h"

#include "arch.h"
#include "bounds.h"
#include "sframe_format.h"

/* "SFrame Flags". Return: the bits that a version defines. */
static u8 known_flags(u8 version)
{
	switch (version) {
	case 1:
		return SFRAME_F_FDE_SORTED | SFRAME_F_FRAME_POINTER;
	case 2:
		return SFRAME_F_FDE_SORTED | SFRAME_F_FRAME_POINTER |
		       SFRAME_F_FDE_FUNC_START_PCREL;
	default:
		return SFRAME_F_FDE_SORTED | SFRAME_F_FDE_FUNC_START_PCREL;
	}
}

static u8 fde_len(u8 version)
{
	if (version == 1)
		return SFRAME_V1_FDE_LEN;
	return version == 2 ? SFRAME_V2_FDE_LEN : SFRAME_V3_FDE_LEN;
}

static enum ustack_reason check_preamble(u16 magic, u8 version, u8 flags)
{
	if (magic == SFRAME_MAGIC_SWAPPED)
		return USTACK_FOREIGN_ENDIAN;
	if (magic != SFRAME_MAGIC)
		return USTACK_BAD_MAGIC;
	if (version < 1 || version > 3)
		return USTACK_BAD_VERSION;
	if (flags & ~known_flags(version))
		return USTACK_BAD_FLAGS;
	/* No specification says what a V3 start without this bit means. */
	if (version == 3 && !(flags & SFRAME_F_FDE_FUNC_START_PCREL))
		return USTACK_NOT_PCREL;
	return USTACK_OK;
}

enum ustack_reason ustack_decode_part(const u8 *bytes, u32 off, u32 len,
				      const struct ustack_arch *arch,
				      struct ustack_part *ret)
{
	struct ustack_part part = { .off = off };
	u32 fdeoff, freoff, fre_len;
	enum ustack_reason reason;
	struct ustack_cursor c;
	s8 fp_fixed;
	u64 start;
	u16 magic;
	u8 abi, aux;

	ustack_cursor_init(&c, bytes, off, len);
	magic = ustack_cursor_u16(&c);
	part.version = ustack_cursor_u8(&c);
	part.flags = ustack_cursor_u8(&c);
	abi = ustack_cursor_u8(&c);
	fp_fixed = (s8)ustack_cursor_u8(&c);
	part.ra_fixed = (s8)ustack_cursor_u8(&c);
	aux = ustack_cursor_u8(&c);
	part.nr_fdes = ustack_cursor_u32(&c);
	part.nr_fres = ustack_cursor_u32(&c);
	fre_len = ustack_cursor_u32(&c);
	fdeoff = ustack_cursor_u32(&c);
	freoff = ustack_cursor_u32(&c);
	if (c.failed)
		return USTACK_TRUNCATED;
	reason = check_preamble(magic, part.version, part.flags);
	if (reason)
		return reason;
	if (abi != arch->sframe_abi)
		return USTACK_WRONG_ARCH;
	/* No producer fixes FP; a fixed RA is the architecture's or none. */
	if (fp_fixed || part.ra_fixed != arch->ra_fixed)
		return USTACK_BAD_HEADER;

	part.fde_len = fde_len(part.version);
	start = (u64)off + SFRAME_HEADER_LEN + aux;
	if (start + freoff + fre_len > len)
		return USTACK_TRUNCATED;
	if (fdeoff + (u64)part.nr_fdes * part.fde_len > freoff)
		return USTACK_BAD_HEADER;
	part.fdes = (u32)start + fdeoff;
	part.fres = (u32)start + freoff;
	part.end = part.fres + fre_len;
	*ret = part;
	return USTACK_OK;
}

/*
 * V3 keeps everything but place and size in an attribute in front of the rows.
 */
static enum ustack_reason decode_attr(const u8 *bytes, u32 attr,
				      struct ustack_func *func)
{
	struct ustack_cursor c;
	u8 info, info2, type;

	ustack_cursor_init(&c, bytes, attr, func->rows_end);
	func->nr_rows = ustack_cursor_u16(&c);
	info = ustack_cursor_u8(&c);
	info2 = ustack_cursor_u8(&c);
	func->block = ustack_cursor_u8(&c);
	if (c.failed)
		return USTACK_TRUNCATED;
	type = SFRAME_FDE_TYPE(info2);
	if (type > SFRAME_FDE_TYPE_FLEX && type != SFRAME_FDE_TYPE_USTACK)
		return USTACK_BAD_FDE;
	func->fre_type = SFRAME_FDE_FRE_TYPE(info);
	func->is_mask = SFRAME_FDE_PC_MASK(info);
	func->is_flex = type != SFRAME_FDE_TYPE_DEFAULT;
	func->is_added = type == SFRAME_FDE_TYPE_USTACK;
	func->is_signal = SFRAME_FDE_SIGNAL(info);
	func->rows = c.pos;
	return USTACK_OK;
}

static void decode_v1_v2(struct ustack_cursor *c, u8 version,
			 struct ustack_func *func)
{
	u8 info;

	func->nr_rows = ustack_cursor_u32(c);
	info = ustack_cursor_u8(c);
	func->fre_type = SFRAME_FDE_FRE_TYPE(info);
	func->is_mask = SFRAME_FDE_PC_MASK(info);
	func->block = version == 1 ? 16 : ustack_cursor_u8(c);
}

enum ustack_reason ustack_decode_func(const u8 *bytes,
				      const struct ustack_part *part, u32 index,
				      u64 vaddr, enum ustack_anchor anchor,
				      struct ustack_func *ret)
{
	u32 field = part->fdes + index * part->fde_len;
	enum ustack_reason reason = USTACK_OK;
	struct ustack_func func = {
		.field = field,
		.rows_end = part->end,
		.version = part->version,
	};
	struct ustack_cursor c;
	u64 start;
	u32 off;

	ustack_cursor_init(&c, bytes, field, field + part->fde_len);
	if (part->version == 3)
		start = ustack_cursor_u64(&c);
	else
		start = (u64)(s64)(s32)ustack_cursor_u32(&c);
	func.start = vaddr + start;
	if (anchor == USTACK_ANCHOR_FIELD)
		func.start += field;
	func.size = ustack_cursor_u32(&c);
	off = ustack_cursor_u32(&c);
	if (off > part->end - part->fres)
		return USTACK_TRUNCATED;
	if (part->version == 3) {
		reason = decode_attr(bytes, part->fres + off, &func);
	} else {
		func.rows = part->fres + off;
		decode_v1_v2(&c, part->version, &func);
	}
	if (reason)
		return reason;
	if (func.fre_type > 2 || (func.is_mask && !func.block))
		return USTACK_BAD_FDE;
	if (!func.is_mask)
		func.block = 0;
	*ret = func;
	return USTACK_OK;
}

/* The data words of one row, read but not yet decoded. */
struct words {
	u32 raw[USTACK_MAX_ROW_WORDS];
	unsigned int n;
	unsigned int size;	/* code 0..2 */
};

static s32 word_signed(const struct words *w, unsigned int i)
{
	if (w->size == 0)
		return (s8)w->raw[i];
	if (w->size == 1)
		return (s16)w->raw[i];
	return (s32)w->raw[i];
}

/* AMD64: CFA offset, then FP offset if FP is saved. */
static enum ustack_reason default_amd64(const struct words *w,
					const struct ustack_arch *arch,
					struct ustack_rule *rule)
{
	if (w->n > 2)
		return USTACK_BAD_FRE;
	rule->ra = USTACK_OP_CFA | USTACK_OP_DEREF;
	rule->ra_off = arch->ra_fixed;
	if (w->n == 2) {
		rule->fp = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->fp_off = word_signed(w, 1);
	}
	return USTACK_OK;
}

/*
 * AArch64: CFA offset, then RA offset if it is saved, then FP offset if that is
 * saved, too. (The specification knows one or three words; assemblers write two
 * for functions that save only the link register.)
 */
static enum ustack_reason default_aarch64(const struct words *w,
					  struct ustack_rule *rule)
{
	if (w->n > 3)
		return USTACK_BAD_FRE;
	if (w->n > 1) {
		rule->ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->ra_off = word_signed(w, 1);
	}
	if (w->n > 2) {
		rule->fp = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->fp_off = word_signed(w, 2);
	}
	return USTACK_OK;
}

static enum ustack_reason decode_default(const struct words *w, u8 info,
					 const struct ustack_arch *arch,
					 struct ustack_rule *rule)
{
	rule->cfa = SFRAME_FRE_BASE_SP(info) ? USTACK_OP_SP : USTACK_OP_FP;
	rule->cfa_off = word_signed(w, 0);
	if (arch->ra_fixed)
		return default_amd64(w, arch, rule);
	return default_aarch64(w, rule);
}

/*
 * Decodes one operand of a flexible row: control and offset, or a single 0 for
 * no rule.
 */
static enum ustack_reason flex_operand(const struct words *w, unsigned int *i,
				       const struct ustack_arch *arch, u8 *op,
				       s32 *off)
{
	u32 ctl, reg;

	*op = USTACK_OP_NONE;
	*off = 0;
	if (*i == w->n)
		return USTACK_OK;
	ctl = w->raw[(*i)++];
	if (!ctl)
		return USTACK_OK;
	if (*i == w->n)
		return USTACK_BAD_OPERAND;
	*off = word_signed(w, (*i)++);
	if (SFRAME_FLEX_REG_P(ctl)) {
		reg = SFRAME_FLEX_REG(ctl);
		if (reg > arch->max_reg)
			return USTACK_BAD_OPERAND;
		if (reg == arch->sp_reg)
			*op = USTACK_OP_SP;
		else if (reg == arch->fp_reg)
			*op = USTACK_OP_FP;
		else
			*op = (u8)USTACK_OP_REG(reg);
	} else if (!SFRAME_FLEX_DEREF_P(ctl)) {
		*op = USTACK_OP_CFA_VALUE;
	}
	if (SFRAME_FLEX_DEREF_P(ctl))
		*op |= USTACK_OP_DEREF;
	return USTACK_OK;
}

/*
 * Our extension: a number of words that is added to a CFA loaded from memory.
 */
static enum ustack_reason cfa_add(const struct words *w, unsigned int *i,
				  struct ustack_rule *rule)
{
	u32 add;

	if (*i == w->n)
		return USTACK_BAD_OPERAND;
	add = w->raw[(*i)++];
	if (add > SFRAME_USTACK_MAX_ADD ||
	    (add && !(rule->cfa & USTACK_OP_DEREF)))
		return USTACK_BAD_OPERAND;
	rule->flags |= (u8)(add << USTACK_RULE_CFA_ADD_SHIFT);
	return USTACK_OK;
}

static enum ustack_reason decode_flex(const struct words *w, bool added,
				      const struct ustack_arch *arch,
				      struct ustack_rule *rule)
{
	enum ustack_reason reason;
	unsigned int i = 0;

	reason = flex_operand(w, &i, arch, &rule->cfa, &rule->cfa_off);
	if (!reason && added)
		reason = cfa_add(w, &i, rule);
	if (!reason)
		reason = flex_operand(w, &i, arch, &rule->ra, &rule->ra_off);
	if (!reason)
		reason = flex_operand(w, &i, arch, &rule->fp, &rule->fp_off);
	if (reason)
		return reason;
	if (i != w->n)
		return USTACK_BAD_OPERAND;
	/* A CFA needs a register; CFA + off as RA would be a stack address. */
	if (USTACK_OP_BASE(rule->cfa) == USTACK_OP_CFA ||
	    rule->ra == USTACK_OP_CFA_VALUE)
		return USTACK_BAD_OPERAND;
	if (rule->ra == USTACK_OP_NONE && arch->ra_fixed) {
		rule->ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->ra_off = arch->ra_fixed;
	}
	return USTACK_OK;
}

enum ustack_reason ustack_decode_row(struct ustack_cursor *c,
				     const struct ustack_func *func,
				     const struct ustack_arch *arch,
				     struct ustack_row *ret)
{
	enum ustack_reason reason = USTACK_OK;
	struct ustack_row row = { 0 };
	struct words w;
	unsigned int i;
	u8 info;

	row.start = ustack_cursor_uint(c, func->fre_type);
	info = ustack_cursor_u8(c);
	w.n = SFRAME_FRE_WORDS(info);
	w.size = SFRAME_FRE_WORD_SIZE(info);
	if (w.size > 2 || w.n > USTACK_MAX_ROW_WORDS - !func->is_added)
		return USTACK_BAD_FRE;
	for (i = 0; i < w.n; i++)
		w.raw[i] = ustack_cursor_uint(c, w.size);
	if (c->failed)
		return USTACK_TRUNCATED;

	if (!w.n) {
		/*
		 * V3, V2 erratum 2: a row without words and bits has an
		 * undefined RA.
		 */
		if (info)
			return USTACK_BAD_FRE;
		row.rule.flags = USTACK_RULE_OUTERMOST;
	} else if (func->is_flex) {
		reason = decode_flex(&w, func->is_added, arch, &row.rule);
	} else {
		reason = decode_default(&w, info, arch, &row.rule);
	}
	if (reason)
		return reason;
	if (func->is_signal && w.n)
		row.rule.flags |= USTACK_RULE_SIGNAL;
	*ret = row;
	return USTACK_OK;
}
