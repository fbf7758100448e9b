// SPDX-License-Identifier: GPL-2.0-only
/*
 * A perf-PID.map of any bytes, read at once and in two pieces: both give the
 * same functions, and at every start and end of a function the newest one that
 * contains the address.
 */
#include <string.h>

#include "must.h"
#include "symbols/symstore/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct plain {
	uint64_t start;
	uint64_t end;
};

/*
 * Return: the newest function that contains @addr, searched from the last to
 * the first; -1 if there is none.
 */
static long newest(const struct plain *all, long nr, uint64_t addr)
{
	while (nr--)
		if (all[nr].start <= addr && addr < all[nr].end)
			return nr;
	return -1;
}

static void check_at(struct jit_codes *one, struct jit_codes *two, const struct plain *all,
		     long nr, uint64_t addr)
{
	const struct jit_code *a = jit_codes_find(one, addr), *b = jit_codes_find(two, addr);
	long want = newest(all, nr, addr);

	must(!a == (want < 0) && !a == !b);
	if (!a)
		return;
	must(a->start <= addr && addr < a->end);
	must(a->start >= all[want].start && a->end <= all[want].end);
	must(a->start == b->start && a->end == b->end);
	must(a->name < one->nr_names && !strcmp(one->names + a->name, two->names + b->name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_codes one = { 0 }, two = { 0 };
	const char *text = (const char *)data + 1;
	size_t cut = size ? data[0] * (size - 1) / 255 : 0;
	int64_t all, first;
	struct plain *plain;
	long nr, i;

	if (!size)
		return 0;
	all = perf_map_parse(&one, text, size - 1);
	must(all >= 0 && (size_t)all <= size - 1 && (!all || text[all - 1] == '\n'));
	first = perf_map_parse(&two, text, cut);
	must(first >= 0 && (size_t)first <= cut);
	must(first + perf_map_parse(&two, text + first, size - 1 - (size_t)first) == all);
	must(one.nr == two.nr);
	nr = one.nr;
	plain = calloc((size_t)nr + 1, sizeof(*plain));
	for (i = 0; i < nr; i++)
		plain[i] = (struct plain){ one.code[i].start, one.code[i].end };
	/* the first lookup sorts both maps */
	for (i = 0; i < nr; i++) {
		check_at(&one, &two, plain, nr, plain[i].start);
		check_at(&one, &two, plain, nr, plain[i].end);
		check_at(&one, &two, plain, nr, plain[i].end - 1);
	}
	free(plain);
	jit_codes_release(&one);
	jit_codes_release(&two);
	return 0;
}
