// SPDX-License-Identifier: GPL-2.0-only
/*
 * A jitdump file of any bytes, read at once and in two pieces, as it grows:
 * both give the same functions and rows, or the same refusal.
 */
#include <string.h>

#include "must.h"
#include "symbols/symstore/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_at(struct jit_codes *one, struct jit_codes *two, uint64_t addr)
{
	const struct jit_code *a = jit_codes_find(one, addr), *b = jit_codes_find(two, addr);
	const struct jit_line *x, *y;

	must(!a == !b);
	if (!a)
		return;
	must(a->start <= addr && addr < a->end && a->name < one->nr_names);
	must(a->start == b->start && a->end == b->end &&
	     !strcmp(one->names + a->name, two->names + b->name));
	must(a->lines == JIT_NO_LINES || a->lines + a->nr_lines <= one->nr_lines);
	x = jit_codes_line_at(one, a, addr);
	y = jit_codes_line_at(two, b, addr);
	must(!x == !y);
	if (!x)
		return;
	must(x->addr <= addr && x->file < one->nr_names && x->line == y->line);
	must(!strcmp(one->names + x->file, two->names + y->file));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_codes one = { 0 }, two = { 0 };
	struct jitdump a = { 0 }, b = { 0 };
	int64_t all, first, rest = 0;
	uint64_t *at;
	size_t cut, nr, i;

	if (!size)
		return 0;
	cut = data[0] * (size - 1) / 255;
	all = jitdump_parse(&a, &one, data + 1, size - 1);
	must(all <= (int64_t)size - 1);
	first = jitdump_parse(&b, &two, data + 1, cut);
	must(first <= (int64_t)cut);
	if (first >= 0)
		rest = jitdump_parse(&b, &two, data + 1 + first, size - 1 - (size_t)first);
	if (all >= 0)
		must(first >= 0 && first + rest == all);
	else
		must(first == all || rest == all);
	/* parsing looks up functions that were moved, so the tables may be sorted in part */
	nr = all >= 0 ? one.nr : 0;
	at = calloc(2 * nr + 1, sizeof(*at));
	for (i = 0; i < nr; i++) {
		at[2 * i] = one.code[i].start;
		at[2 * i + 1] = one.code[i].end - 1;
	}
	for (i = 0; i < 2 * nr; i++)
		check_at(&one, &two, at[i]);
	free(at);
	jit_codes_release(&one);
	jit_codes_release(&two);
	return 0;
}
