/* SPDX-License-Identifier: GPL-2.0-only */
/* Ranges of addresses: in order, joined, and found. */
#ifndef USTACK_USER_RANGE_H
#define USTACK_USER_RANGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* [start, end) */
struct range {
	uint64_t start;
	uint64_t end;
};

static inline int range_compare(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/**
 * ranges_join() - sort ranges, and make one of those that touch or overlap
 * @r: an empty one that touches no other stays, and has no address
 * @nr: number of @r
 *
 * Return: how many are left.
 */
static inline size_t ranges_join(struct range *r, size_t nr)
{
	size_t i, to = 0;

	if (!nr)
		return 0;
	qsort(r, nr, sizeof(*r), range_compare);
	for (i = 1; i < nr; i++) {
		if (r[i].start > r[to].end)
			r[++to] = r[i];
		else if (r[i].end > r[to].end)
			r[to].end = r[i].end;
	}
	return to + 1;
}

/**
 * ranges_behind() - the first range that ends behind an address
 * @r: ascending, apart
 * @nr: number of @r
 * @addr: any
 *
 * Return: its number; @nr if there is none.
 */
static inline size_t ranges_behind(const struct range *r, size_t nr, uint64_t addr)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (r[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/**
 * ranges_find() - the range that has an address
 * @r: ascending, apart
 * @nr: number of @r
 * @addr: any
 *
 * Return: it, or NULL.
 */
static inline const struct range *ranges_find(const struct range *r, size_t nr,
					      uint64_t addr)
{
	size_t i = ranges_behind(r, nr, addr);

	return i < nr && r[i].start <= addr ? &r[i] : NULL;
}

#endif /* USTACK_USER_RANGE_H */
