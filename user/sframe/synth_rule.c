// SPDX-License-Identifier: GPL-2.0-only
/* Translates one row of CFI into a rule of the core. synth.c and user/darwin/convert.c call it. */
#include "sframe/synth_rule.h"

#include "sframe/cfi_expr.h"

/* An operand of a rule; @add is for a CFA only. */
struct value {
	u8 op;
	s64 off;
	s64 add;
};

static bool reg_op(const struct ustack_arch *arch, u16 reg, u8 *ret)
{
	if (reg > arch->max_reg)
		return false;
	if (reg == arch->sp_reg)
		*ret = USTACK_OP_SP;
	else if (reg == arch->fp_reg)
		*ret = USTACK_OP_FP;
	else
		*ret = (u8)USTACK_OP_REG(reg);
	return true;
}

/* @saved: the expression gives the value's address, not the value. */
static bool read_expr(const struct ustack_arch *arch, const struct cfi_rule *r,
		      bool has_cfa, bool saved, struct value *ret)
{
	struct cfi_expr e = cfi_expr_read(r->expr, r->expr_len, has_cfa);
	struct value v = { .op = USTACK_OP_CFA };

	if (e.kind != CFI_EXPR_REG && e.kind != CFI_EXPR_CFA)
		return false;
	if (e.kind == CFI_EXPR_REG && !reg_op(arch, e.reg, &v.op))
		return false;
	if (saved && e.deref)
		return false;	/* the saved word's address is itself in memory */
	v.off = e.off;
	v.add = e.add;
	if (saved || e.deref)
		v.op |= USTACK_OP_DEREF;
	else if (e.kind == CFI_EXPR_CFA)
		v.op = USTACK_OP_CFA_VALUE;
	/* without a read the two offsets are added */
	if (!e.deref) {
		v.off += e.add;
		v.add = 0;
	}
	*ret = v;
	return true;
}

/* Reads the rule of RA, FP or SP; false if there is none, or it has another form. */
static bool read_value(const struct ustack_arch *arch, const struct cfi_rule *r,
		       struct value *ret)
{
	*ret = (struct value){ .off = r->off };
	switch (r->how) {
	case CFI_OFFSET:
		ret->op = USTACK_OP_CFA | USTACK_OP_DEREF;
		return true;
	case CFI_VAL_OFFSET:
		ret->op = USTACK_OP_CFA_VALUE;
		return true;
	case CFI_REGISTER:
		return reg_op(arch, r->reg, &ret->op);
	case CFI_EXPR:
	case CFI_VAL_EXPR:
		return read_expr(arch, r, true, r->how == CFI_EXPR, ret) &&
		       !ret->add;
	}
	return false;
}

static enum synth_cause read_cfa(const struct ustack_arch *arch,
				 const struct cfi_rule *r, struct value *ret)
{
	*ret = (struct value){ .off = r->off };
	switch (r->how) {
	case CFI_REGISTER:
		return reg_op(arch, r->reg, &ret->op) ? SYNTH_NONE :
							SYNTH_CFA_REGISTER;
	case CFI_VAL_EXPR:
		return read_expr(arch, r, false, false, ret) ?
			       SYNTH_NONE : SYNTH_CFA_EXPRESSION;
	}
	return SYNTH_CFA_UNDEFINED;
}

static bool fits(s64 off, s32 *ret)
{
	*ret = (s32)off;
	return *ret == off;
}

static enum synth_cause set_cfa(const struct value *cfa, struct ustack_rule *rule)
{
	rule->cfa = cfa->op;
	if (!fits(cfa->off, &rule->cfa_off))
		return SYNTH_OFFSET;
	if (cfa->add < 0 || cfa->add > 56 || cfa->add & 7)
		return SYNTH_CFA_EXPRESSION;
	rule->flags |= (u8)(cfa->add / 8 << USTACK_RULE_CFA_ADD_SHIFT);
	return SYNTH_NONE;
}

static enum synth_cause set_ra(const struct ustack_arch *arch,
			       const struct cfi_rule *r, struct ustack_rule *rule)
{
	struct value ra;

	/* it is in the link register, if the architecture has one */
	if (r->how == CFI_SAME)
		return arch->ra_fixed ? SYNTH_RA_RULE : SYNTH_NONE;
	if (!read_value(arch, r, &ra))
		return SYNTH_RA_EXPRESSION;
	if (ra.op == USTACK_OP_CFA_VALUE)
		return SYNTH_RA_RULE;
	rule->ra = ra.op;
	return fits(ra.off, &rule->ra_off) ? SYNTH_NONE : SYNTH_OFFSET;
}

static enum synth_cause set_fp(const struct ustack_arch *arch,
			       const struct cfi_rule *r, struct ustack_rule *rule)
{
	struct value fp;

	if (r->how == CFI_SAME || r->how == CFI_UNDEFINED)
		return SYNTH_NONE;
	if (!read_value(arch, r, &fp))
		return SYNTH_FP_EXPRESSION;
	/* FP + 0 means that FP is unchanged */
	if (fp.op == USTACK_OP_FP && !fp.off)
		return SYNTH_NONE;
	rule->fp = fp.op;
	return fits(fp.off, &rule->fp_off) ? SYNTH_NONE : SYNTH_OFFSET;
}

/* The core's rules take the CFA for SP, so the row must say the same in some form. */
static bool sp_is_cfa(const struct ustack_arch *arch, const struct cfi_rule *r,
		      const struct value *cfa)
{
	struct value sp;

	if (!read_value(arch, r, &sp))
		return false;
	if (sp.op == USTACK_OP_CFA_VALUE)
		return !sp.off;
	return sp.op == cfa->op && sp.off == cfa->off && !cfa->add;
}

enum synth_cause synth_rule(const struct ustack_arch *arch,
			    const struct cfi_row *row, bool signal,
			    struct ustack_rule *ret)
{
	struct ustack_rule rule = { .flags = signal ? USTACK_RULE_SIGNAL : 0 };
	enum synth_cause cause;
	struct value cfa;

	if (row->ra.how == CFI_UNDEFINED) {
		*ret = (struct ustack_rule){ .flags = USTACK_RULE_OUTERMOST };
		return SYNTH_NONE;
	}
	cause = read_cfa(arch, &row->cfa, &cfa);
	if (!cause)
		cause = set_cfa(&cfa, &rule);
	if (!cause)
		cause = set_ra(arch, &row->ra, &rule);
	if (!cause)
		cause = set_fp(arch, &row->fp, &rule);
	if (!cause && !sp_is_cfa(arch, &row->sp, &cfa))
		cause = SYNTH_SP_RULE;
	if (!cause)
		*ret = rule;
	return cause;
}

u8 synth_plt_row(const struct cfi_row *row)
{
	struct cfi_expr e;

	if (row->cfa.how != CFI_VAL_EXPR)
		return 0;
	e = cfi_expr_read(row->cfa.expr, row->cfa.expr_len, false);
	return e.kind == CFI_EXPR_PLT ? e.plt : 0;
}
