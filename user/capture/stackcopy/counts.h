/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts samples that are equal, stacks included, during one drain. */
#ifndef USTACK_USER_STACKCOPY_COUNTS_H
#define USTACK_USER_STACKCOPY_COUNTS_H

#include "capture/sampler/sampler.h"

/**
 * struct counts - the counts; all zero is empty
 * @entries: in the order in which they were first met
 * @nr: number of entries in @entries
 * @room: entries that @entries has memory for
 * @places: hash table with open addressing: index in @entries plus 1, 0 is free
 * @nr_places: size of @places: a power of two, or 0
 */
struct counts {
	struct counts_entry **entries;
	size_t nr;
	size_t room;
	uint32_t *places;
	size_t nr_places;
};

/*
 * Adds @c: its @count and @sum go to an equal entry if there is one. Return: 0
 * or -ENOMEM.
 */
int counts_add(struct counts *all, const struct sampler_count *c);

/*
 * Hands out all entries. Return: 0, or what @take returned; a negative errno
 * ends it.
 */
int counts_hand_out(const struct counts *all, sampler_take take, void *context);

/* Removes all entries and frees the memory. */
void counts_release(struct counts *all);

#endif /* USTACK_USER_STACKCOPY_COUNTS_H */
