// SPDX-License-Identifier: GPL-2.0-only
/* Cuts functions in pieces if some of their text gets another rule, or none (synth_saved.h). */
#include <errno.h>
#include <stdlib.h>

#include "sframe/synth_saved.h"

/* Positions at which the next function, row and gap are written; there is room. */
struct cutter {
	struct sframe_func *func;
	struct sframe_row *row;
	struct synth_gap *gap;
};

/* Writes the part [@start, @end) of @f as a function. */
static void put_piece(struct cutter *c, const struct sframe_func *f, u64 start,
		      u64 end)
{
	u32 from = (u32)(start - f->start), to = (u32)(end - f->start), i;
	struct sframe_func piece = *f;

	if (from == to)
		return;
	piece.start = start;
	piece.size = to - from;
	piece.nr_rows = 0;
	piece.rows = c->row;
	for (i = 0; i < f->nr_rows && f->rows[i].start < to; i++) {
		if (i + 1 < f->nr_rows && f->rows[i + 1].start <= from)
			continue;
		*c->row = f->rows[i];
		c->row->start -= c->row->start < from ? c->row->start : from;
		c->row++;
		piece.nr_rows++;
	}
	*c->func++ = piece;
}

static void put_edit(struct cutter *c, const struct saved_edit *e)
{
	if (e->unsaved)
		*c->gap++ = (struct synth_gap){
			.start = e->start,
			.size = e->end - e->start,
			.cause = SYNTH_UNSAVED,
		};
	*c->row = (struct sframe_row){ .rule = e->rule };
	*c->func++ = (struct sframe_func){
		.start = e->start,
		.size = (u32)(e->end - e->start),
		.nr_rows = 1,
		.rows = c->row++,
	};
}

/* Return: the first edit after the function. */
static const struct saved_edit *cut(struct cutter *c, const struct sframe_func *f,
				    const struct saved_edit *e,
				    const struct saved_edit *end)
{
	u64 at = f->start;

	for (; e < end && e->start - f->start < f->size; e++) {
		put_piece(c, f, at, e->start);
		put_edit(c, e);
		at = e->end;
	}
	put_piece(c, f, at, f->start + f->size);
	return e;
}

/* Number of rows of the functions that are cut, plus three for each cut. */
static size_t count_rows(const struct synth *s, const struct synth_saved *saved)
{
	size_t nr = 3 * saved->nr, i, k = 0, before;

	for (i = 0; i < s->nr_funcs; i++) {
		for (before = k; k < saved->nr && saved->edits[k].start -
				 s->funcs[i].start < s->funcs[i].size; k++)
			;
		nr += k > before ? s->funcs[i].nr_rows : 0;
	}
	return nr;
}

int saved_apply(struct synth *s, struct synth_saved *saved)
{
	const struct saved_edit *e = saved->edits, *end;
	struct sframe_func *funcs;
	struct synth_gap *gaps;
	struct cutter c;
	size_t i;

	if (!saved->nr)
		return 0;
	end = e + saved->nr;
	gaps = reallocarray(s->gaps, s->nr_gaps + saved->nr, sizeof(*gaps));
	if (!gaps)
		return -ENOMEM;
	s->gaps = gaps;
	funcs = calloc(s->nr_funcs + 2 * saved->nr, sizeof(*funcs));
	saved->rows = calloc(count_rows(s, saved), sizeof(*saved->rows));
	if (!funcs || !saved->rows) {
		free(funcs);
		return -ENOMEM;
	}
	c = (struct cutter){ funcs, saved->rows, gaps + s->nr_gaps };
	for (i = 0; i < s->nr_funcs; i++) {
		if (e < end && e->start - s->funcs[i].start < s->funcs[i].size)
			e = cut(&c, &s->funcs[i], e, end);
		else
			*c.func++ = s->funcs[i];
	}
	free(s->funcs);
	s->funcs = funcs;
	s->nr_funcs = (size_t)(c.func - funcs);
	s->nr_gaps = (size_t)(c.gap - gaps);
	saved->nr = 0;
	return 0;
}

void saved_release(struct synth_saved *saved)
{
	free(saved->edits);
	free(saved->rows);
	*saved = (struct synth_saved){ .edits = NULL };
}
