// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds rules from Go's table for code without CFI. If the table cannot be used and the file
 * has no CFI at all, its text becomes a gap with that reason.
 */
#include "sframe/synth_go.h"
#include "sframe/synth_rows.h"

/* The first @nr_cfi functions are from CFI, sorted. Where both exist, CFI wins. */
static bool has_cfi(const struct synth *s, size_t nr_cfi, const struct ustack_range *r)
{
	const struct sframe_func *f = synth_func_before(s, nr_cfi, r->end - 1);

	return f && r->start < f->start + f->size;
}

static int add_piece(struct synth *s, const struct go_piece *piece)
{
	struct cfi_fde range = {
		.start = piece->range.start, .end = piece->range.end,
	};
	struct sframe_func func = {
		.start = range.start,
		.size = (u32)(range.end - range.start),
		.signal = piece->signal,
	};
	int err = 0;
	u32 i;

	if (piece->cause)
		return synth_add_gap(s, &range, piece->cause);
	for (i = 0; i < piece->nr_rows && !err; i++) {
		struct ustack_rule rule = piece->rows[i].rule;

			/* as in rules from CFI and in the compiled table */
		if (piece->signal)
			rule.flags |= USTACK_RULE_SIGNAL;
		err = synth_add_row(s, &func, piece->rows[i].start, &rule);
	}
	return err ? err : synth_add_func(s, &func);
}

/* Adds all text as a gap if the table cannot be used and there are no functions. */
static int add_refused(struct synth *s)
{
	struct cfi_fde range = { .offset = 0 };
	unsigned int i;
	int err = 0;

	for (i = 0; i < s->elf.nr_text && !err && !s->nr_funcs; i++) {
		range.start = s->elf.text[i].start;
		range.end = s->elf.text[i].end;
		err = synth_add_gap(s, &range, SYNTH_GO_TABLE);
	}
	return err;
}

int synth_read_go(struct synth *s)
{
	size_t nr_cfi = s->nr_funcs;
	struct go_piece piece;
	int more, err = 0;

	if (s->rows->why_no_go)
		return add_refused(s);
	if (!s->rows->go)
		return 0;
	while (!err && (more = synth_go_next(s->rows->go, &piece))) {
		if (more < 0)
			return more;
		if (!has_cfi(s, nr_cfi, &piece.range))
			err = add_piece(s, &piece);
	}
	return err ? err : synth_settle(s);
}
