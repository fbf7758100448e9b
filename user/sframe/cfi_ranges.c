// SPDX-License-Identifier: GPL-2.0
#include "sframe/cfi_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

int cfi_ranges_add(struct cfi_ranges *r, u64 start, u64 end)
{
	if (!array_has_room(r->ranges, r->nr, r->room))
		return -ENOMEM;
	r->ranges[r->nr++] = (struct cfi_range){ start, end };
	r->sorted = false;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct cfi_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Overlapping ranges become one, so that one of them answers for all. */
static void sort(struct cfi_ranges *r)
{
	struct cfi_range *to = r->ranges;
	size_t i;

	r->sorted = true;
	if (!r->nr)
		return;
	qsort(r->ranges, r->nr, sizeof(*r->ranges), by_start);
	for (i = 1; i < r->nr; i++) {
		if (r->ranges[i].start > to->end)
			*++to = r->ranges[i];
		else if (r->ranges[i].end > to->end)
			to->end = r->ranges[i].end;
	}
	r->nr = (size_t)(to - r->ranges) + 1;
}

bool cfi_ranges_touch(struct cfi_ranges *r, u64 start, u64 end)
{
	size_t low = 0, high, mid;

	if (!r->sorted)
		sort(r);
	/* the first range that ends behind @start */
	for (high = r->nr; low < high;) {
		mid = low + (high - low) / 2;
		if (r->ranges[mid].end > start)
			high = mid;
		else
			low = mid + 1;
	}
	return low < r->nr && r->ranges[low].start < end;
}

void cfi_ranges_clear(struct cfi_ranges *r)
{
	r->nr = 0;
	r->sorted = false;
}

void cfi_ranges_release(struct cfi_ranges *r)
{
	free(r->ranges);
	*r = (struct cfi_ranges){ .ranges = NULL };
}
