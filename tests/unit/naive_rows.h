/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rule at an offset of a function, directly by the definition: for the unit tests and the
 * fuzzers of compile.c.
 */
#ifndef USTACK_UNIT_NAIVE_ROWS_H
#define USTACK_UNIT_NAIVE_ROWS_H

#include "core.h"

static inline bool naive_is_slot(u8 op)
{
	return op == (USTACK_OP_CFA | USTACK_OP_DEREF);
}

/* Whether a rule has a register below SP, at offset @off from the CFA. */
static inline bool naive_is_below(const struct ustack_rule *r, u8 op, s32 off)
{
	return naive_is_slot(op) && r->cfa == USTACK_OP_SP && (s64)r->cfa_off + off < 0;
}

/**
 * naive_rule_at() - the last row that starts at or before an offset
 * @sec: verified section
 * @f: one of its functions
 * @off: offset in the function; in a pc-mask function, in the block
 * @ret: the rule of that row. A register below SP is kept if the last earlier rule that does
 *       not have it below SP has it in the same slot
 *
 *  Return: false if there is no such row.
 */
static inline bool naive_rule_at(const struct ustack_section *sec, const struct ustack_func *f,
				 u64 off, struct ustack_rule *ret)
{
	struct ustack_rule fp = { 0 }, ra = { 0 };
	struct ustack_row row, last = { 0 };
	struct ustack_cursor c;
	u32 i;

	ustack_rows_init(&c, sec->bytes, f);
	for (i = 0; i < f->nr_rows && !ustack_decode_row(&c, f, sec->arch, &row) &&
	     row.start <= off; i++) {
		if (i && row.start != last.start) {
			if (!naive_is_below(&last.rule, last.rule.fp, last.rule.fp_off))
				fp = last.rule;
			if (!naive_is_below(&last.rule, last.rule.ra, last.rule.ra_off))
				ra = last.rule;
		}
		last = row;
	}
	*ret = last.rule;
	if (!i || f->is_mask || f->is_signal)
		return i;
	if (naive_is_below(ret, ret->fp, ret->fp_off) && naive_is_slot(fp.fp) &&
	    fp.fp_off == ret->fp_off)
		ret->fp = USTACK_OP_NONE, ret->fp_off = 0;
	if (!sec->arch->ra_fixed && naive_is_below(ret, ret->ra, ret->ra_off) &&
	    naive_is_slot(ra.ra) && ra.ra_off == ret->ra_off)
		ret->ra = USTACK_OP_NONE, ret->ra_off = 0;
	return true;
}

#endif /* USTACK_UNIT_NAIVE_ROWS_H */
