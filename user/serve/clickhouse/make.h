/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the tables of schema.h on a server. */
#ifndef USTACK_USER_CLICKHOUSE_MAKE_H
#define USTACK_USER_CLICKHOUSE_MAKE_H

#include <stdint.h>

#include "serve/clickhouse/client.h"
#include "serve/clickhouse/schema.h"

/**
 * struct clickhouse_made - what is there now
 * @tables: made, or there before
 * @views: the same
 */
struct clickhouse_made {
	uint32_t tables;
	uint32_t views;
};

/**
 * clickhouse_make_tables() - one statement after the other
 * @c: the server; the database of its place is not looked at
 * @how: of all of them
 * @ret: also on failure
 * @diag: names the place, and what could not be made
 *
 * What is there stays as it is, also after a failure: doing it again makes what is left.
 *
 * Return: 0; -ENOMEM; as clickhouse_make().
 */
int clickhouse_make_tables(struct clickhouse *c, const struct clickhouse_schema *how,
			   struct clickhouse_made *ret, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_MAKE_H */
