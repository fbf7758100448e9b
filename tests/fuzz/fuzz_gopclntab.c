// SPDX-License-Identifier: GPL-2.0-only
/*
 * Go's table of functions with any bytes, and any code. Functions ascend, a
 * walk over all their values takes no more steps than there are bytes of text,
 * and the resulting functions lie in that text, with their rows in order.
 *
 * The input: a byte of flags, two bytes for the table's length, the table, the
 * code.
 */
#include "fuzz.h"

#include "sframe/synth_go.h"

#define AARCH64 1u

/* Return: @len bytes in an allocation of that size. */
static u8 *copy(const u8 *bytes, size_t len)
{
	u8 *p = malloc(len);

	if (len)
		memcpy(p, bytes, len);
	return p;
}

/* Return: number of bytes of text. */
static u64 check_table(const struct gopcln *t)
{
	u64 text = gopcln_end(t) - gopcln_first(t), steps = 0, last = gopcln_first(t);
	struct gopcln_func f;
	struct gopcln_sp sp;
	u32 i;

	for (i = 0; i < t->nr_funcs; i++) {
		bool good = gopcln_func(t, i, &f);

		must(f.start == last && f.start <= f.end);
		last = f.end;
		if (!good)
			continue;
		must(f.name_max && f.name_max <= t->len);
		(void)gopcln_name_is(&f, "runtime.goexit");
		for (gopcln_sp_init(t, &f, &sp); gopcln_sp_next(&sp); steps++)
			must(sp.start < sp.end && sp.end <= f.end - f.start);
	}
	must(last == gopcln_end(t) && steps <= text);
	return text;
}

static void check_piece(const struct go_file *f, const struct go_piece *p, u64 last)
{
	u64 size = p->range.end - p->range.start;
	u32 i;

	must(p->range.start >= last && p->range.start < p->range.end &&
	     p->range.end <= f->text.end);
	must(!p->cause == !!p->nr_rows);
	for (i = 0; i < p->nr_rows; i++) {
		const struct sframe_row *r = &p->rows[i];

		must(r->start < size && (i ? r->start > r[-1].start : !r->start));
		must(r->rule.flags == USTACK_RULE_OUTERMOST ||
		     r->rule.cfa == USTACK_OP_SP || r->rule.cfa == USTACK_OP_FP);
		must(r->rule.cfa_off >= 0);
	}
}

static void check_pieces(struct go_file *f, const struct ustack_elf *elf)
{
	u64 last = f->text.start;
	struct go_piece piece;
	struct synth_go *g;
	int more;

	must(!synth_go_take(f, elf, &g));
	while ((more = synth_go_next(g, &piece)) > 0) {
		check_piece(f, &piece, last);
		last = piece.range.end;
	}
	must(!more);
	synth_go_free(g);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	u8 flags = (u8)take(&in, 1);
	size_t len = take(&in, 2);
	struct ustack_elf elf = {
		.arch = flags & AARCH64 ? &ustack_arch_aarch64 : &ustack_arch_x86_64,
	};
	struct go_file f = { .bias = 0 };
	u64 text;

	if (len > in.left)
		len = in.left;
	f.table_bytes = copy(in.p, len);
	in.p += len;
	in.left -= len;
	if (!gopcln_open(&f.table, f.table_bytes, len, flags & AARCH64 ? 4 : 1)) {
		text = check_table(&f.table);
		if (text <= in.left) {
			f.code = f.code_bytes = copy(in.p, text);
			f.text.start = gopcln_first(&f.table);
			f.text.end = f.text.start + text;
			check_pieces(&f, &elf);
			return 0;
		}
	}
	go_file_release(&f);
	return 0;
}
