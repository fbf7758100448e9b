/* SPDX-License-Identifier: GPL-2.0-only */
/* Creates the tables of schema.h on a server. Called by the command `ustack clickhouse`. */
#ifndef USTACK_USER_CLICKHOUSE_CREATE_TABLES_H
#define USTACK_USER_CLICKHOUSE_CREATE_TABLES_H

#include <stdint.h>

#include "serve/clickhouse/client.h"
#include "serve/clickhouse/schema.h"

/**
 * struct clickhouse_created - what exists now, created here or before
 * @tables: number of tables
 * @views: number of materialized views
 */
struct clickhouse_created {
	uint32_t tables;
	uint32_t views;
};

/**
 * clickhouse_create_tables() - create all tables and views that do not exist yet
 * @c: the server; the database in its URL is not used
 * @how: how to create them
 * @ret: gets what exists now, also on failure
 * @diag: names the server, and what could not be created
 *
 * Tables that exist are not changed. After a failure the tables that were created stay, and
 * another call creates the rest.
 *
 * Return: 0; -ENOMEM; as clickhouse_execute().
 */
int clickhouse_create_tables(struct clickhouse *c, const struct clickhouse_schema *how,
			     struct clickhouse_created *ret, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_CREATE_TABLES_H */
