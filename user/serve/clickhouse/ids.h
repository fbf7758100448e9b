/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of a server's things, 64 bits each, and small ones for them, from 1 on. */
#ifndef USTACK_USER_CLICKHOUSE_IDS_H
#define USTACK_USER_CLICKHOUSE_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "util/intern.h"

/**
 * struct clickhouse_ids - to be read by anyone
 * @id: by small number; the first is 0 and counts for nothing
 * @nr: of them, that one included
 */
struct clickhouse_ids {
	uint64_t *id;
	uint32_t nr;

	/* private */
	size_t room;
	struct intern index;
};

/* Return: 0 or -ENOMEM; to be released in either case. */
int clickhouse_ids_init(struct clickhouse_ids *ids);
void clickhouse_ids_release(struct clickhouse_ids *ids);

/* Return: the small number of @id, the one that it has or a new one; 0 without memory. */
uint32_t clickhouse_ids_add(struct clickhouse_ids *ids, uint64_t id);
/* Return: the one that it has, or 0. */
uint32_t clickhouse_ids_find(const struct clickhouse_ids *ids, uint64_t id);

#endif /* USTACK_USER_CLICKHOUSE_IDS_H */
