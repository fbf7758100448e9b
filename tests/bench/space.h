/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces the kernel's space: the mappings of one process in ascending order; a lookup tries
 * the last hit first.
 */
#ifndef BENCH_SPACE_H
#define BENCH_SPACE_H

#include "core.h"

/**
 * struct bench_map - executable mapping
 * @start: first address
 * @len: length in bytes
 * @window: the part that the image's table covers; empty without a table
 */
struct bench_map {
	u64 start;
	u64 len;
	struct ustack_window window;
};

struct bench_space {
	struct bench_map maps[64];
	unsigned int nr;
	u64 stack_lo;
	u64 stack_hi;
};

extern struct bench_space bench_space;

static inline const struct bench_map *
bench_space_search(const struct bench_space *space, u64 pc)
{
	unsigned int lo = 0, hi = space->nr, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (pc - space->maps[mid].start < space->maps[mid].len)
			return &space->maps[mid];
		if (pc < space->maps[mid].start)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* @last is the mapping found before, or NULL. */
static inline const struct bench_map *
bench_space_find(const struct bench_space *space, const struct bench_map *last,
		 u64 pc)
{
	if (likely(last && pc - last->start < last->len))
		return last;
	return bench_space_search(space, pc);
}

#endif /* BENCH_SPACE_H */
