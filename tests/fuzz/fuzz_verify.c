// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as a section: the functions that verify keeps have all properties
 * that it promises.
 */
#include "fuzz.h"

static void check(const struct fuzz_section *f)
{
	const struct ustack_report *r = &f->sec.report;
	const struct ustack_func *fn;
	struct ustack_cursor c;
	struct ustack_row row;
	u32 i, k, last, rows = 0, no_info = 0;

	/* a later part that is broken counts as lost, but not as a function */
	must(f->sec.nr_funcs && f->sec.nr_funcs + r->lost <= r->functions + 1);
	must(!r->lost == !r->bad_reason);
	must(r->bad_off < f->sec.len);
	must(f->sec.base <= f->sec.funcs[0].start);
	must(f->sec.end - f->sec.base <= USTACK_MAX_TEXT_SPAN);
	for (i = 0; i < f->sec.nr_funcs; i++) {
		fn = &f->sec.funcs[i];
		must(fn->size && fn->start >= f->text.start);
		must(fn->start + fn->size <= f->text.end);
		must(fn->start + fn->size <= f->sec.end);
		must(!i || fn[-1].start <= fn->start);
		must(fn->start % f->sec.arch->insn_align == 0);
		must(!fn->is_mask || fn->block);
		ustack_rows_init(&c, f->sec.bytes, fn);
		for (k = last = 0; k < fn->nr_rows; k++) {
			must(!ustack_decode_row(&c, fn, f->sec.arch, &row));
			must(row.start >= last);
			last = row.start;
		}
		rows += fn->nr_rows;
		no_info += !fn->nr_rows;
	}
	must(rows == r->rows && no_info == r->no_info);
	must(rows <= f->sec.len / 2);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data, size };
	struct fuzz_section f;

	if (!fuzz_verify(&f, &in, NULL))
		check(&f);
	fuzz_release(&f);
	return 0;
}
