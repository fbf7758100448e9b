/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stride: as many steps as one table serves with plain rules, which is nearly
 * all of them, with pc and SP in registers. It knows no reasons: whatever is
 * not usual ends the stride in front of that frame, and ustack_lookup() and
 * ustack_step() find the frame as it was and say why.
 *
 * A template: reader and store are constants where it is instantiated, so that
 * no call is indirect. Sample-path code: NMI-safe where they are.
 */
#ifndef USTACK_CORE_STRIDE_H
#define USTACK_CORE_STRIDE_H

#include "lookup.h"
#include "step.h"

/**
 * struct ustack_window - where a table is in a process
 * @table: the table
 * @start: first address of a mapping
 * @len: bytes of the mapping
 * @rel: @start as link-time address, minus @table->base; may be negative
 */
struct ustack_window {
	const struct ustack_table *table;
	u64 start;
	u64 len;
	u64 rel;
};

/* The part of a window that the table covers: no pc needs a second test. */
static __always_inline void ustack_window_clip(struct ustack_window *w)
{
	u64 before = (s64)w->rel < 0 ? -w->rel : 0;

	if (before > w->len)
		before = w->len;
	w->start += before;
	w->len -= before;
	w->rel += before;
	if (w->rel >= w->table->range)
		w->len = 0;
	else if (w->len > w->table->range - w->rel)
		w->len = w->table->range - w->rel;
}

/**
 * ustack_stride() - step by plain rules within a window
 * @w: the window, clipped, with a table
 * @s: a frame; the last one stored on return
 * @mem: access to the process
 * @read: @mem->read_u64, as a constant
 * @store: takes each new frame's pc; false if there is no room, which ends the
 *         stride. It must have room for a bounded number only
 * @to: for @store
 *
 * Does what ustack_step() would do, with the same checks.
 *
 * Context: NMI-safe; as many rounds as @store has room.
 */
static __always_inline void
ustack_stride(const struct ustack_window *w, struct ustack_state *s,
	      struct ustack_mem *mem, ustack_read_u64 *read,
	      bool (*store)(void *to, u64 pc), void *to)
{
	const struct ustack_table *t = w->table;
	const struct ustack_rule *palette = ustack_table_palette(t), *rule;
	const u8 *map = ustack_table_map(t);
	u64 start = w->start, origin = start - w->rel;
	u64 key = ustack_state_key(s);
	u64 base, cfa, ra, at, sp = s->sp, fp_at = s->fp_at;
	u32 ops, rel;

	/* ustack_step() finds the next frame whose SP is known. */
	if (unlikely(s->sp_bound))
		return;
	while (likely(key - start < w->len)) {
		rel = (u32)(key - origin);
		rule = &palette[map[rel >> t->map_shift]];
		ops = ustack_rule_ops(rule);
		if (unlikely(!ustack_ops_are_plain(ops))) {
			rule = ustack_lookup_keys(t, rel);
			if (unlikely(!rule))
				break;
			ops = ustack_rule_ops(rule);
			if (unlikely(!ustack_ops_are_plain(ops)))
				break;
		}
		base = sp;
		if (unlikely(!(ops & USTACK_OPS_SP))) {
			base = s->fp;
			if (fp_at && !read(mem, fp_at, &base))
				break;
		}
		cfa = base + (s64)rule->cfa_off;
		if (unlikely(cfa <= sp || cfa & 7))
			break;
		if (unlikely(!read(mem, cfa + (s64)rule->ra_off, &ra)))
			break;
		if (unlikely(ustack_check_ra(mem, &ra) || !store(to, ra)))
			break;
		at = cfa + (s64)rule->fp_off;
		fp_at = ops & USTACK_OPS_FP_SAVED ? at : fp_at;
		sp = cfa;
		key = ra - 1;
	}
	if (sp == s->sp)
		return;
	s->pc = key + 1;
	s->sp = sp;
	s->fp_at = fp_at;
	s->exact = false;
	s->regs_in = USTACK_REGS_UNKNOWN;
}

#endif /* USTACK_CORE_STRIDE_H */
