/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The normalised rule: how to get from a frame to its caller's frame. Decoders
 * write rules, tables hold them, step obeys them; nothing else passes between
 * the format and the walk.
 */
#ifndef USTACK_CORE_RULE_H
#define USTACK_CORE_RULE_H

#include "core_env.h"

/*
 * An operand byte says where a value comes from. "off" is the operand's offset:
 *
 *   USTACK_OP_NONE                        no rule (see each user below)
 *   USTACK_OP_CFA_VALUE                   CFA + off
 *   USTACK_OP_CFA | USTACK_OP_DEREF       *(CFA + off)
 *   USTACK_OP_SP  [| USTACK_OP_DEREF]     SP + off    or *(SP + off)
 *   USTACK_OP_FP  [| USTACK_OP_DEREF]     FP + off    or *(FP + off)
 *   USTACK_OP_REG(n) [| USTACK_OP_DEREF]  register n + off or *(register n + off)
 *
 * Registers have DWARF numbers. SP and FP never appear as USTACK_OP_REG.
 */
#define USTACK_OP_NONE 0x00u
#define USTACK_OP_CFA 0x00u
#define USTACK_OP_SP 0x01u
#define USTACK_OP_FP 0x02u
#define USTACK_OP_REG(n) (0x03u | ((n) << 3))
#define USTACK_OP_DEREF 0x04u
#define USTACK_OP_CFA_VALUE 0x08u

#define USTACK_OP_BASE(op) ((op) & 0x03u)
#define USTACK_OP_REGNO(op) ((op) >> 3)
#define USTACK_OP_BASE_REG 0x03u

/* Flags of a rule */
#define USTACK_RULE_OUTERMOST 0x01u	/* there is no caller; nothing else is set */
#define USTACK_RULE_SIGNAL 0x02u	/* the caller was interrupted: its pc is exact */
#define USTACK_RULE_MASK 0x08u		/* table only: see table.h */
/*
 * Number of 8-byte words added to the CFA after its dereference: *(reg + off) +
 * 8 * n, n in 0..7. No SFrame version has this; it is our own extension.
 */
#define USTACK_RULE_CFA_ADD_SHIFT 5
#define USTACK_RULE_CFA_ADD(flags) ((flags) >> USTACK_RULE_CFA_ADD_SHIFT)

/**
 * struct ustack_rule - the meaning of one row
 * @cfa_off: offset of @cfa
 * @ra_off: offset of @ra
 * @fp_off: offset of @fp
 * @cfa: operand of the CFA, never NONE or based on the CFA.
 *       CFA = operand (+ 8 * USTACK_RULE_CFA_ADD)
 * @ra: operand of the return address; NONE means that it is still in the link
 *      register (AArch64 only; AMD64 rules always say *(CFA - 8) in full)
 * @fp: operand of the caller's FP; NONE means that FP is unchanged
 * @flags: USTACK_RULE_*
 *
 * The caller's SP is the CFA on both architectures.
 */
struct ustack_rule {
	s32 cfa_off;
	s32 ra_off;
	s32 fp_off;
	u8 cfa;
	u8 ra;
	u8 fp;
	u8 flags;
};

_Static_assert(sizeof(struct ustack_rule) == 16, "four rules a cache line");

/*
 * A plain rule is CFA = SP or FP + off, RA = *(CFA + off), FP unchanged or
 * *(CFA + off), no flag: 98 % of all rows. A single test checks cfa, ra, fp and
 * flags as one word.
 */
static __always_inline u32 ustack_rule_ops(const struct ustack_rule *rule)
{
	return ustack_le32(&rule->cfa);
}

#define USTACK_OPS_SP USTACK_OP_SP
#define USTACK_OPS_FP_SAVED (USTACK_OP_DEREF << 16)

static __always_inline bool ustack_ops_are_plain(u32 ops)
{
	return (ops & ~USTACK_OPS_FP_SAVED) - (USTACK_OP_DEREF << 8) - 1 <= 1;
}

/**
 * struct ustack_plain - a plain rule in one word, for strides
 * @cfa: positive: CFA = SP + @cfa; negative: CFA = FP - @cfa; 0: the rule is
 *       not plain or does not fit, and says nothing. A multiple of 8, so that
 *       an aligned SP stays aligned
 * @ra_off: RA = *(CFA + @ra_off)
 * @fp_off: the caller's FP is *(CFA + @fp_off); 0: it is unchanged
 */
struct ustack_plain {
	s32 cfa;
	s16 ra_off;
	s16 fp_off;
};

_Static_assert(sizeof(struct ustack_plain) == 8, "eight a cache line");

/*
 * Converts all plain rules, except those that save more than 32 KiB away from
 * the CFA.
 */
static inline struct ustack_plain ustack_rule_plain(const struct ustack_rule *r)
{
	u32 ops = ustack_rule_ops(r);

	if (!ustack_ops_are_plain(ops) || r->cfa_off <= 0 || r->cfa_off & 7 ||
	    r->ra_off != (s16)r->ra_off || r->fp_off != (s16)r->fp_off ||
	    !(ops & USTACK_OPS_FP_SAVED) != !r->fp_off)
		return (struct ustack_plain){ 0 };
	return (struct ustack_plain){
		.cfa = ops & USTACK_OPS_SP ? r->cfa_off : -r->cfa_off,
		.ra_off = (s16)r->ra_off,
		.fp_off = (s16)r->fp_off,
	};
}

/* Rules are compared and hashed as bytes: no padding, unused offsets are 0. */
static __always_inline bool ustack_rule_equal(const struct ustack_rule *a,
					      const struct ustack_rule *b)
{
	return !memcmp(a, b, sizeof(*a));
}

#endif /* USTACK_CORE_RULE_H */
