/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random functions for the encoder's tests: every kind of rule; offsets, sizes and row
 * starts are often at the limit of a width or next to it. The same seed gives the same
 * functions on every machine.
 */
#ifndef USTACK_TESTS_ENCODE_FUNCS_H
#define USTACK_TESTS_ENCODE_FUNCS_H

#include <stdlib.h>

#include "sframe/func.h"

#define FUNCS_MAX_ROWS 12u

struct random_funcs {
	struct sframe_func *funcs;
	struct sframe_row *rows;	/* FUNCS_MAX_ROWS for each function */
	u32 nr;
	u64 state;
	const struct ustack_arch *arch;
	bool flex;	/* also rules that only version 3 can express, and signal frames */
};

/* A random number below @n: 64-bit linear step of "Numerical Recipes", high half. */
static inline u32 funcs_random(struct random_funcs *r, u32 n)
{
	r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)((r->state >> 32) * n >> 32);
}

static inline s32 funcs_offset(struct random_funcs *r)
{
	static const s32 border[] = {
		127, 128, -128, -129, 32767, 32768, -32768, -32769,
		INT32_MAX, INT32_MIN, 0, 255, 256, 65535, 65536,
	};

	switch (funcs_random(r, 8)) {
	case 0:
		return border[funcs_random(r, sizeof(border) / sizeof(*border))];
	case 1:
		return (s32)funcs_random(r, UINT32_MAX);
	default:
		return 8 * ((s32)funcs_random(r, 40) - 20);
	}
}

/* SP, FP, or any register; sometimes the word in memory there. */
static inline u8 funcs_place(struct random_funcs *r)
{
	u8 deref = funcs_random(r, 2) ? USTACK_OP_DEREF : 0, reg;

	switch (funcs_random(r, 3)) {
	case 0:
		return USTACK_OP_SP | deref;
	case 1:
		return USTACK_OP_FP | deref;
	default:
		do {
			reg = (u8)funcs_random(r, r->arch->max_reg + 1u);
		} while (reg == r->arch->sp_reg || reg == r->arch->fp_reg);
		return (u8)USTACK_OP_REG(reg) | deref;
	}
}

static inline void funcs_flex(struct random_funcs *r, struct ustack_rule *rule)
{
	if (!funcs_random(r, 3))
		rule->cfa = funcs_place(r);
	if (!funcs_random(r, 3)) {
		rule->ra = funcs_place(r);
		rule->ra_off = funcs_offset(r);
	} else if (!funcs_random(r, 3)) {
		rule->ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule->ra_off = funcs_offset(r);
	}
	if (!funcs_random(r, 3)) {
		rule->fp = funcs_place(r);
		rule->fp_off = funcs_offset(r);
	}
}

static inline struct ustack_rule funcs_rule(struct random_funcs *r, bool flex)
{
	struct ustack_rule rule = {
		.cfa = funcs_random(r, 2) ? USTACK_OP_SP : USTACK_OP_FP,
		.cfa_off = funcs_offset(r),
	};
	bool saved = funcs_random(r, 2);

	if (!funcs_random(r, 12))
		return (struct ustack_rule){ .flags = USTACK_RULE_OUTERMOST };
	if (r->arch->ra_fixed) {
		rule.ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule.ra_off = r->arch->ra_fixed;
	} else if (saved || !funcs_random(r, 4)) {
		rule.ra = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule.ra_off = funcs_offset(r);
	}
	if (saved) {
		rule.fp = USTACK_OP_CFA | USTACK_OP_DEREF;
		rule.fp_off = funcs_offset(r);
	}
	if (flex)
		funcs_flex(r, &rule);
	return rule;
}

static inline u32 funcs_size(struct random_funcs *r)
{
	static const u32 border[] = { 1, 254, 255, 256, 257, 65534, 65535, 65536,
				      65537, 0x30000 };

	if (!funcs_random(r, 8))
		return border[funcs_random(r, sizeof(border) / sizeof(*border))];
	return 1 + funcs_random(r, 600);
}

/* Makes rows at up to FUNCS_MAX_ROWS ascending places below @limit. Neighbours differ; the
 * last row is sometimes at the highest possible place.
 */
static inline u32 funcs_rows(struct random_funcs *r, struct sframe_row *rows,
			     u32 limit, bool flex)
{
	u32 n = 1 + funcs_random(r, FUNCS_MAX_ROWS), i = 0, at = 0;

	while (i < n && at < limit) {
		rows[i].start = at;
		do {
			rows[i].rule = funcs_rule(r, flex);
		} while (i && ustack_rule_equal(&rows[i].rule, &rows[i - 1].rule));
		i++;
		at += 1 + funcs_random(r, limit / n + 1);
		if (i + 1 == n && at < limit && !funcs_random(r, 4))
			at = limit - 1;
	}
	return i;
}

static inline void funcs_one(struct random_funcs *r, struct sframe_func *f,
			     struct sframe_row *rows, u64 start)
{
	bool flex = r->flex && !funcs_random(r, 3);

	*f = (struct sframe_func){
		.start = start,
		.size = funcs_size(r),
		.signal = r->flex && !funcs_random(r, 10),
		.rows = rows,
	};
	if (!funcs_random(r, 10))
		f->block = (u8)(1 + funcs_random(r, 255));
	f->nr_rows = funcs_rows(r, rows, f->block && f->block < f->size ?
						 f->block : f->size, flex);
	/* the core takes such a block for a linker bug */
	if (f->block && rows[0].rule.cfa == USTACK_OP_SP &&
	    rows[0].rule.cfa_off == 16)
		rows[0].rule.cfa_off = f->nr_rows > 1 &&
			rows[1].rule.cfa_off == 24 ? 32 : 24;
}

/* Makes @nr functions from @start on, aligned to 4, in random order. */
static inline void funcs_make(struct random_funcs *r,
			      const struct ustack_arch *arch, bool flex,
			      u64 seed, u32 nr, u64 start)
{
	struct sframe_func tmp;
	u32 i, k;

	*r = (struct random_funcs){
		.funcs = calloc(nr, sizeof(*r->funcs)),
		.rows = calloc((size_t)nr * FUNCS_MAX_ROWS, sizeof(*r->rows)),
		.nr = nr,
		.state = seed,
		.arch = arch,
		.flex = flex,
	};
	if (!r->funcs || !r->rows)
		abort();
	for (i = 0; i < nr; i++) {
		funcs_one(r, &r->funcs[i], r->rows + (size_t)i * FUNCS_MAX_ROWS,
			  start);
		start += r->funcs[i].size + (funcs_random(r, 2) ?
						     16 * funcs_random(r, 8) : 0);
		start = (start + 3) & ~3ull;
	}
	for (i = nr; i > 1; i--) {
		k = funcs_random(r, i);
		tmp = r->funcs[k];
		r->funcs[k] = r->funcs[i - 1];
		r->funcs[i - 1] = tmp;
	}
}

static inline void funcs_release(struct random_funcs *r)
{
	free(r->funcs);
	free(r->rows);
}

#endif /* USTACK_TESTS_ENCODE_FUNCS_H */
