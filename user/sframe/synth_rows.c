// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gathers functions, rows and gaps in growing arrays, then sorts the functions and resolves
 * overlaps. All sources of rules (CFI, Go, code, vDSO) add through it.
 */
#include "sframe/synth_rows.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

int synth_add_gap(struct synth *s, const struct cfi_fde *fde,
		   enum synth_cause cause)
{
	if (!array_has_room(s->gaps, s->nr_gaps, s->rows->gaps_room))
		return -ENOMEM;
	s->gaps[s->nr_gaps++] = (struct synth_gap){
		.start = fde->start,
		.size = fde->end > fde->start ? fde->end - fde->start : 0,
		.fde = fde->offset,
		.cause = cause,
	};
	return 0;
}

int synth_add_row(struct synth *s, struct sframe_func *func, u32 start,
		   const struct ustack_rule *rule)
{
	struct synth_rows *r = s->rows;

	if (func->nr_rows && ustack_rule_equal(&r->row[r->nr - 1].rule, rule))
		return 0;
	if (!array_has_room(r->row, r->nr, r->room))
		return -ENOMEM;
	r->row[r->nr++] = (struct sframe_row){ .start = start, .rule = *rule };
	r->by_register |= USTACK_OP_BASE(rule->cfa) == USTACK_OP_BASE_REG;
	func->nr_rows++;
	return 0;
}

int synth_add_func(struct synth *s, const struct sframe_func *func)
{
	struct synth_rows *r = s->rows;
	size_t room = r->funcs_room;

	if (!array_has_room(s->funcs, s->nr_funcs, room) ||
	    !array_has_room(r->first, s->nr_funcs, r->funcs_room))
		return -ENOMEM;
	r->first[s->nr_funcs] = r->nr - func->nr_rows;
	s->funcs[s->nr_funcs++] = *func;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct sframe_func *f = a, *g = b;

	if (f->start != g->start)
		return f->start < g->start ? -1 : 1;
	/* if two have the same start, the one that was added first comes first */
	return f->rows < g->rows ? -1 : f->rows > g->rows;
}

/* Cuts @func at @end, and drops the rows after it. */
static void cut(struct sframe_func *func, u64 end)
{
	func->size = (u32)(end - func->start);
	while (!func->block && func->rows[func->nr_rows - 1].start >= func->size)
		func->nr_rows--;
}

int synth_settle(struct synth *s)
{
	struct cfi_fde twice = { .offset = 0 };
	struct sframe_func *f, *last;
	size_t i, kept = 0;
	int err = 0;

	for (i = 0; i < s->nr_funcs; i++)
		s->funcs[i].rows = s->rows->row + s->rows->first[i];
	if (s->nr_funcs)
		qsort(s->funcs, s->nr_funcs, sizeof(*s->funcs), by_start);
	for (i = 0; i < s->nr_funcs && !err; i++) {
		f = &s->funcs[i];
		last = kept ? &s->funcs[kept - 1] : NULL;
		if (last && f->start == last->start) {
			twice.start = f->start;
			twice.end = f->start + f->size;
			err = synth_add_gap(s, &twice, SYNTH_OVERLAP);
			continue;
		}
		if (last && f->start - last->start < last->size)
			cut(last, f->start);
		s->rows->first[kept] = (size_t)(f->rows - s->rows->row);
		s->funcs[kept++] = *f;
	}
	s->nr_funcs = kept;
	return err;
}

const struct sframe_func *synth_func_before(const struct synth *s, size_t nr, u64 pc)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->funcs[mid].start <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &s->funcs[lo - 1] : NULL;
}

void synth_count(struct synth *s)
{
	size_t i;

	s->cfi_bytes = 0;
	for (i = 0; i < s->nr_funcs; i++)
		s->cfi_bytes += s->funcs[i].size;
	for (i = 0; i < s->nr_gaps; i++)
		if (synth_cause_is_text(s->gaps[i].cause))
			s->cfi_bytes += s->gaps[i].size;
}
