// SPDX-License-Identifier: GPL-2.0-only
/* Decides whether a chain reaches an entry (reach.h). */
#include "entry.h"
#include "excuse.h"
#include "reach.h"

static bool is_excused(const struct subject *x, unsigned int common)
{
	uint64_t vaddr;
	const struct file *f = subject_step(x, common, &vaddr);

	return f && excuse_find(f, vaddr);
}

static enum reach by_end(const struct subject *x, const uint64_t *pcs, unsigned int count)
{
	const struct unwound *u = x->truth;
	bool exact = count <= u->count ? u->exact[count - 1] : count == 1;

	switch (entry_at(x->space, pcs[count - 1] - !exact)) {
	case ENTRY_IS:
		return REACH_END;
	case ENTRY_UNDECIDED:
		return REACH_UNDECIDED;
	default:
		return REACH_NOT;
	}
}

enum reach reach_of(const struct subject *x, const uint64_t *pcs, unsigned int count,
		    bool left_copy, enum verdict *ret_verdict, unsigned int *ret_common)
{
	struct chain c = { .pcs = pcs, .count = count };
	enum verdict v = chain_compare(&c, x->truth, ret_common);

	if ((v == MISMATCH || v == PAST_END) && is_excused(x, *ret_common))
		v = EXCUSED;
	*ret_verdict = v;
	if (v == MISMATCH || v == PAST_END || !count)
		return REACH_NOT;
	/* if the whole stack is in the copy, an address outside of it cannot be a frame */
	if (left_copy && !(v == SHORT && x->truth->end == DW_OUTERMOST))
		return REACH_UNKNOWN;
	if (v == SHORT)
		return REACH_NOT;
	return v == WHOLE ? REACH_PROVEN : by_end(x, pcs, count);
}
