/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many windows the segments of the store have, as far as they were reported. With it a target
 * counts the windows that it lags, and those that the store removed before they were sent.
 *
 * Context: the caller holds the lock of struct push_common.
 */
#ifndef USTACK_USER_PUSH_SEGMENTS_H
#define USTACK_USER_PUSH_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/store/store.h"

/* More segments than a store has. If there are more, the oldest ones are forgotten. */
#define PUSH_MAX_SEGMENTS 4096u

/**
 * struct push_segments - segments and their numbers of windows; all zeros is an empty list
 * @at: each known segment, with its number of windows in @record; in ascending order, allocated
 *      by the first push_segments_appended()
 * @nr: number of entries in @at
 */
struct push_segments {
	struct store_position *at;
	uint32_t nr;
};

void push_segments_release(struct push_segments *k);

/* The store has windows up to @end now. Without memory the list stays empty. */
void push_segments_appended(struct push_segments *k, const struct store_position *end);

/**
 * push_segments_between() - count the windows between two positions
 * @k: the known segments
 * @from: position of the first window
 * @to: position after the last window
 * @unknown: gets the number of unknown segments strictly between those of @from and @to; a number
 *           that the store never used counts as a segment, too
 *
 * Return: number of windows between @from and @to in known segments. The windows before @to in
 * its own segment always count.
 */
uint64_t push_segments_between(const struct push_segments *k, const struct store_position *from,
			       const struct store_position *to, uint64_t *unknown);

/* Return: whether the number of windows of a segment is known. */
bool push_segments_has(const struct push_segments *k, uint64_t segment);

#endif /* USTACK_USER_PUSH_SEGMENTS_H */
