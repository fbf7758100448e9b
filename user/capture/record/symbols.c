// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sorted array of kernel functions that come and go. See symbols.h;
 * resolve_kernel.c uses it.
 */
#include "capture/record/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

/* Return: index of the first function that ends after an address. */
static size_t behind(const struct record_symbols *s, uint64_t addr)
{
	size_t lo = 0, hi = s->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->symbol[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void record_symbols_remove(struct record_symbols *s, uint64_t start, uint64_t len)
{
	size_t from = behind(s, start), to = from;

	while (to < s->nr && s->symbol[to].start < start + len)
		free(s->symbol[to++].name);
	memmove(s->symbol + from, s->symbol + to, (s->nr - to) * sizeof(*s->symbol));
	s->nr -= to - from;
}

int record_symbols_add(struct record_symbols *s, uint64_t start, uint64_t len, const char *name)
{
	struct record_symbol new = { start, start + len, NULL };
	size_t at;

	if (!len || new.end < start)
		return 0;
	record_symbols_remove(s, start, len);
	if (!array_has_room(s->symbol, s->nr, s->room))
		return -ENOMEM;
	new.name = strdup(name);
	if (!new.name)
		return -ENOMEM;
	at = behind(s, start);
	memmove(s->symbol + at + 1, s->symbol + at, (s->nr - at) * sizeof(*s->symbol));
	s->symbol[at] = new;
	s->nr++;
	return 0;
}

const struct record_symbol *record_symbols_find(const struct record_symbols *s, uint64_t addr)
{
	size_t at = behind(s, addr);

	return at < s->nr && s->symbol[at].start <= addr ? &s->symbol[at] : NULL;
}

void record_symbols_release(struct record_symbols *s)
{
	while (s->nr)
		free(s->symbol[--s->nr].name);
	free(s->symbol);
	*s = (struct record_symbols){ 0 };
}
