/* SPDX-License-Identifier: GPL-2.0-only */
/* Groups of samples by the text of a label. Series and lists of values use them. */
#ifndef USTACK_USER_STORE_GROUPS_H
#define USTACK_USER_STORE_GROUPS_H

#include "serve/store/query_walk.h"
#include "util/strings.h"

/**
 * struct groups - one group for each text of a label
 * @label: the label's key; NULL puts all samples into one group, ""
 * @texts: the text of each group, by the group's number; group 0 is "", which samples without
 *         the label belong to as well
 * @of: for each label set of a segment: its group's number plus 1, 0 if not yet looked up
 * @sum: sum of each group
 * @room: number of entries that @sum has memory for
 */
struct groups {
	const char *label;
	struct strings texts;
	struct query_walk_memo of;
	int64_t *sum;
	size_t room;
};

/* Return: 0 or -ENOMEM. Call groups_release() in either case. */
int groups_init(struct groups *g, const char *label);
void groups_release(struct groups *g);

/* Gets the group of a text, or of a label set of @a's window; makes it if there is none. Return:
 * 0 or a negative errno.
 */
int groups_add(struct groups *g, const char *text, uint32_t *ret);
int groups_find(struct groups *g, struct query_walk *a, uint32_t labels, uint32_t *ret);

/* Adds to a group's sum, which stops at the largest number instead of overflowing. */
void groups_count(struct groups *g, uint32_t group, int64_t value);

/* Return: the numbers of all groups, sorted by sum with the largest first, or by text; freed by
 * the caller; NULL without memory.
 */
uint32_t *groups_order(const struct groups *g, bool by_sum);

/* Return: each group's place in the order by sum, 0 for the largest; freed by the caller; NULL
 * without memory.
 */
uint32_t *groups_ranks(const struct groups *g);

#endif /* USTACK_USER_STORE_GROUPS_H */
