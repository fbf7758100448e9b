/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stride: as many steps as one table allows with plain rules, which is nearly
 * all of them, with pc and SP in registers. It knows no reasons: anything
 * unusual ends the stride before that frame. Then ustack_lookup() and
 * ustack_step() look at the frame again and give the reason.
 *
 * A template: reader and store are constants where it is instantiated, so that
 * no call is indirect. Sample-path code: NMI-safe if they are.
 */
#ifndef USTACK_CORE_STRIDE_H
#define USTACK_CORE_STRIDE_H

#include "lookup.h"
#include "step.h"

/**
 * struct ustack_window - the place of a table in a process
 * @table: the table
 * @start: first address of a mapping
 * @len: bytes of the mapping
 * @rel: @start as a link-time address, minus @table->base; may be negative
 */
struct ustack_window {
	ustack_ref table;
	u64 start;
	u64 len;
	u64 rel;
};

/*
 * Clips a window to the part that the table covers, beginning at a stretch of
 * its map: so no pc needs a second test. A mapping starts with a page, and a
 * map's stretches are smaller, except for sparse text.
 */
static __always_inline void ustack_window_clip(struct ustack_window *w)
{
	u64 before = (s64)w->rel < 0 ? -w->rel : 0;
	u32 range = ustack_ref_field(w->table, range);

	before += -(w->rel + before) & ((1ull << ustack_ref_field(w->table, map_shift)) - 1);
	if (before > w->len)
		before = w->len;
	w->start += before;
	w->len -= before;
	w->rel += before;
	if (w->rel >= range)
		w->len = 0;
	else if (w->len > range - w->rel)
		w->len = range - w->rel;
}

/**
 * ustack_stride() - step by plain rules within a window
 * @w: the window, clipped, with a table
 * @s: a frame; on return the last one stored
 * @mem: access to the process
 * @read: @mem->read_u64, as a constant
 * @store: takes each new frame's pc; false if there is no room, which ends the
 *         stride. It must have room only for a bounded number
 * @to: argument for @store
 *
 * Does the same as ustack_step(), with the same checks. Calls @read and @store,
 * and no other function that is not inlined.
 *
 * Context: NMI-safe; as many rounds as @store has room, in eBPF USTACK_STRIDE_ROUNDS.
 */
static __always_inline void
ustack_stride(const struct ustack_window *w, struct ustack_state *s,
	      struct ustack_mem *mem, ustack_read_u64 *read,
	      bool (*store)(void *to, u64 pc), void *to)
{
	ustack_ref t = w->table;
	u64 plains = ustack_ref_plains(t);
	u8 shift = ustack_ref_field(t, map_shift);
	u64 map = ustack_ref_field(t, map_off) + (w->rel >> shift);
	/* A return address is looked up minus one: see ustack_state_key(). */
	u64 start = w->start + 1, len = w->len;
	u64 pc = s->pc + s->exact, sp = s->sp, fp_at = s->fp_at;
	u64 ra_mask = mem->ra_mask, ra_len = mem->user_end - USTACK_MIN_CODE;
	ustack_plain_ref plain;
	u64 off, at, cfa, ra;
	u32 i, rel;

	/* ustack_step() finds the next frame with a known and aligned SP. */
	if (unlikely(s->sp_bound || sp & 7))
		return;
	for (i = 0; USTACK_BOUNDED(i, USTACK_STRIDE_ROUNDS); i++) {
		off = pc - start;
		if (unlikely(off >= len))
			break;
		off = ustack_nospec(off, len);
		plain = ustack_ref_plain(t, plains, ustack_ref_u8(t, map + (off >> shift)));
		if (unlikely(ustack_plain_field(plain, cfa) <= 0)) {
			if (!ustack_plain_field(plain, cfa)) {
				rel = (u32)(off + w->rel);
				plain = ustack_lookup_plain(t, plains, rel);
			}
			if (unlikely(!ustack_plain_field(plain, cfa)))
				break;
		}
		if (likely(ustack_plain_field(plain, cfa) > 0)) {
			cfa = sp + (u64)ustack_plain_field(plain, cfa);
		} else {
			cfa = s->fp;
			if (fp_at && !read(mem, fp_at, &cfa))
				break;
			cfa -= (s64)ustack_plain_field(plain, cfa);
			if (unlikely(cfa & 7))
				break;
		}
		if (unlikely(cfa <= sp))
			break;
		if (unlikely(!read(mem, cfa + (s64)ustack_plain_field(plain, ra_off),
				   &ra)))
			break;
		ra &= ra_mask;
		if (unlikely(ra - USTACK_MIN_CODE >= ra_len || !store(to, ra)))
			break;
		at = cfa + (s64)ustack_plain_field(plain, fp_off);
		fp_at = ustack_plain_field(plain, fp_off) ? at : fp_at;
		sp = cfa;
		pc = ra;
	}
	if (sp == s->sp)
		return;
	s->pc = pc;
	s->sp = sp;
	s->fp_at = fp_at;
	s->exact = false;
	s->regs_in = USTACK_REGS_UNKNOWN;
}

#endif /* USTACK_CORE_STRIDE_H */
