/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of address ranges, first filled and then asked: the code that CFI covers. */
#ifndef USTACK_USER_SFRAME_CFI_RANGES_H
#define USTACK_USER_SFRAME_CFI_RANGES_H

#include "core.h"
#include "util/range.h"

/**
 * struct cfi_ranges - a set
 * @ranges: array of @room entries; sorted and disjoint if @sorted
 * @nr: number of entries in use
 * @room: number of allocated entries
 * @sorted: @ranges has been joined since the last cfi_ranges_add()
 */
struct cfi_ranges {
	struct range *ranges;
	size_t nr;
	size_t room;
	bool sorted;
};

/* Returns 0 or -ENOMEM. */
int cfi_ranges_add(struct cfi_ranges *r, u64 start, u64 end);
/* Whether any byte of [@start, @end) is in the set. */
bool cfi_ranges_touch(struct cfi_ranges *r, u64 start, u64 end);
void cfi_ranges_clear(struct cfi_ranges *r);
void cfi_ranges_release(struct cfi_ranges *r);

#endif /* USTACK_USER_SFRAME_CFI_RANGES_H */
