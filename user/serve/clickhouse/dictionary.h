/* SPDX-License-Identifier: GPL-2.0-only */
/* From numbers of stacks to stacks of a profile: for user/serve/clickhouse alone. */
#ifndef USTACK_USER_CLICKHOUSE_DICTIONARY_H
#define USTACK_USER_CLICKHOUSE_DICTIONARY_H

#include "serve/clickhouse/fleet.h"
#include "serve/clickhouse/ids.h"

/* Frames of all stacks of an answer: 1 GB of numbers. */
#define DICTIONARY_MAX_FRAMES (1u << 28)

/**
 * dictionary_stacks() - the stacks of an answer
 * @f: the question
 * @ids: of the stacks
 * @into: gets stacks, locations, files and the names that the database has
 * @ret: number in @into of each of @ids, 0 for one that is not there; freed by the caller
 * @missing: of @ids how many are not there
 *
 * Return: 0 or a negative errno.
 */
int dictionary_stacks(const struct fleet *f, const struct clickhouse_ids *ids,
		      struct profile *into, uint32_t **ret, uint32_t *missing);

#endif /* USTACK_USER_CLICKHOUSE_DICTIONARY_H */
