// SPDX-License-Identifier: GPL-2.0-only
/*
 * A set of address ranges for cfi.c: it holds the ranges of .eh_frame, and is asked
 * whether an FDE of .debug_frame overlaps them.
 */
#include "sframe/cfi_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"

int cfi_ranges_add(struct cfi_ranges *r, u64 start, u64 end)
{
	if (!array_has_room(r->ranges, r->nr, r->room))
		return -ENOMEM;
	r->ranges[r->nr++] = (struct range){ start, end };
	r->sorted = false;
	return 0;
}

bool cfi_ranges_touch(struct cfi_ranges *r, u64 start, u64 end)
{
	size_t i;

	/* joined ranges do not overlap, so that one lookup is enough */
	if (!r->sorted)
		r->nr = ranges_join(r->ranges, r->nr);
	r->sorted = true;
	i = ranges_ending_after(r->ranges, r->nr, start);
	return i < r->nr && r->ranges[i].start < end;
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
