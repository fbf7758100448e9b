/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of addresses: sorting, joining and finding them.
 */
#ifndef USTACK_USER_RANGE_H
#define USTACK_USER_RANGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The addresses from @start to before @end. */
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
 * ranges_join() - sort ranges, and join those that touch or overlap
 * @r: the ranges; an empty range that touches no other one stays
 * @nr: number of ranges in @r
 *
 * Return: number of ranges left in @r.
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
 * ranges_ending_after() - find the first range that ends after an address
 * @r: ascending ranges that do not overlap
 * @nr: number of ranges in @r
 * @addr: any address
 *
 * Return: index of the range; @nr if there is none.
 */
static inline size_t ranges_ending_after(const struct range *r, size_t nr, uint64_t addr)
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
 * ranges_find() - find the range that contains an address
 * @r: ascending ranges that do not overlap
 * @nr: number of ranges in @r
 * @addr: any address
 *
 * Return: the range, or NULL.
 */
static inline const struct range *ranges_find(const struct range *r, size_t nr,
					      uint64_t addr)
{
	size_t i = ranges_ending_after(r, nr, addr);

	return i < nr && r[i].start <= addr ? &r[i] : NULL;
}

#endif /* USTACK_USER_RANGE_H */
