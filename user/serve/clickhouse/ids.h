/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps the 64-bit numbers of a server's things to small numbers, from 1 on, which are indexes of
 * arrays.
 */
#ifndef USTACK_USER_CLICKHOUSE_IDS_H
#define USTACK_USER_CLICKHOUSE_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "util/intern.h"

/**
 * struct clickhouse_ids - a map from 64-bit numbers to small numbers
 * @id: the 64-bit number of each small number; entry 0 is not used
 * @nr: number of entries in @id, including entry 0
 */
struct clickhouse_ids {
	uint64_t *id;
	uint32_t nr;

	/* private */
	size_t room;
	struct intern index;
};

/* Begin an empty map. Return: 0 or -ENOMEM; @ids is to be released in either case. */
int clickhouse_ids_init(struct clickhouse_ids *ids);
void clickhouse_ids_release(struct clickhouse_ids *ids);

/* Return: the small number of @id, which is a new one if @id is new; 0 without memory. */
uint32_t clickhouse_ids_add(struct clickhouse_ids *ids, uint64_t id);
/* Return: the small number of @id, 0 if it has none. */
uint32_t clickhouse_ids_find(const struct clickhouse_ids *ids, uint64_t id);

#endif /* USTACK_USER_CLICKHOUSE_IDS_H */
