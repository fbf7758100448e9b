/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples by the text of a label: what series and lists of values share. */
#ifndef USTACK_USER_STORE_GROUPS_H
#define USTACK_USER_STORE_GROUPS_H

#include "serve/store/ask.h"
#include "util/strings.h"

/**
 * struct groups - texts of a label
 * @label: its key; NULL makes one group of all, ""
 * @texts: numbers of groups; 0 is "", of samples that have no such label, too
 * @of: of a set of labels: group and 1, 0 if it is not known
 * @sum: of each group
 * @room: of @sum
 */
struct groups {
	const char *label;
	struct strings texts;
	struct ask_memo of;
	int64_t *sum;
	size_t room;
};

/* Return: 0 or -ENOMEM; to be released in either case. */
int groups_init(struct groups *g, const char *label);
void groups_release(struct groups *g);

/* The group of a text, or of a set of labels of the window. Return: 0 or a negative errno. */
int groups_add(struct groups *g, const char *text, uint32_t *ret);
int groups_find(struct groups *g, struct ask *a, uint32_t labels, uint32_t *ret);

/* Adds to a group's sum, which stays at the largest number. */
void groups_count(struct groups *g, uint32_t group, int64_t value);

/* Return: numbers of groups, those with the largest sums first or by text; freed by the
 * caller; NULL without memory.
 */
uint32_t *groups_order(const struct groups *g, bool by_sum);

/* Return: for each group how many have larger sums; freed by the caller; NULL without memory. */
uint32_t *groups_ranks(const struct groups *g);

#endif /* USTACK_USER_STORE_GROUPS_H */
