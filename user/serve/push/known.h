/* SPDX-License-Identifier: GPL-2.0-only */
/* How many windows the store's segments have, as far as somebody has said. */
#ifndef USTACK_USER_PUSH_KNOWN_H
#define USTACK_USER_PUSH_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/store/store.h"

/* More than a store has; the oldest are forgotten. */
#define PUSH_MAX_KNOWN 4096u

/**
 * struct push_known - all zeros is nothing
 * @at: segments and windows of each, in ascending order; malloc()
 * @nr: of @at
 */
struct push_known {
	struct store_position *at;
	uint32_t nr;
};

void push_known_release(struct push_known *k);

/* There are windows up to @behind. Without memory nothing is known. */
void push_known_appended(struct push_known *k, const struct store_position *behind);

/**
 * push_known_between() - windows from one position up to another
 * @k: what is known
 * @from: first
 * @to: behind the last
 * @unknown: gets the number of segments between those of @from and @to, without them, of
 *           which nothing is known; a segment that was left out counts, too
 *
 * Return: windows of the segments that are known; of that of @to all up to it.
 */
uint64_t push_known_between(const struct push_known *k, const struct store_position *from,
			    const struct store_position *to, uint64_t *unknown);

/* Whether it is known how many windows a segment has. */
bool push_is_known(const struct push_known *k, uint64_t segment);

#endif /* USTACK_USER_PUSH_KNOWN_H */
