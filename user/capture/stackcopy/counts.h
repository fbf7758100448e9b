/* SPDX-License-Identifier: GPL-2.0-only */
/* Equal stacks of one drain, counted. */
#ifndef USTACK_USER_STACKCOPY_COUNTS_H
#define USTACK_USER_STACKCOPY_COUNTS_H

#include "capture/sampler/sampler.h"

/**
 * struct counts - all of them; all zero is empty
 * @entries: in the order in which they were met
 * @nr: of them
 * @room: of @entries
 * @places: open addressing: index in @entries plus 1, 0 is free
 * @nr_places: a power of two, or 0
 */
struct counts {
	struct counts_entry **entries;
	size_t nr;
	size_t room;
	uint32_t *places;
	size_t nr_places;
};

/* Adds @c, whose @count and @sum are added to those of an equal one. Return: 0 or -ENOMEM. */
int counts_add(struct counts *all, const struct sampler_count *c);

/* Hands them out. Return: 0, or what @take returned, which ends it. */
int counts_hand_out(const struct counts *all, sampler_take take, void *context);

/* Empties it. */
void counts_release(struct counts *all);

#endif /* USTACK_USER_STACKCOPY_COUNTS_H */
