/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns the numbers of an answer's stacks into stacks of a profile: asks the database for stacks,
 * frames, binaries and names. Private to user/serve/clickhouse.
 */
#ifndef USTACK_USER_CLICKHOUSE_DICTIONARY_H
#define USTACK_USER_CLICKHOUSE_DICTIONARY_H

#include "serve/clickhouse/fleet.h"
#include "serve/clickhouse/ids.h"

/* Most frames in all stacks of an answer: 1 GB of numbers. */
#define DICTIONARY_MAX_FRAMES (1u << 28)

/**
 * dictionary_stacks() - get the stacks of an answer
 * @f: the question
 * @ids: numbers of the stacks
 * @into: gets the stacks, with locations, files and the names that the database has
 * @ret: gets the number in @into of each entry of @ids, 0 if the database lacks the stack; freed
 *       by the caller
 * @missing: gets the number of stacks that the database lacks
 *
 * Return: 0 or a negative errno.
 */
int dictionary_stacks(const struct fleet *f, const struct clickhouse_ids *ids,
		      struct profile *into, uint32_t **ret, uint32_t *missing);

#endif /* USTACK_USER_CLICKHOUSE_DICTIONARY_H */
