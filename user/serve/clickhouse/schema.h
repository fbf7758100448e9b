/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of a fleet's ClickHouse (Documentation/clickhouse.md), as statements of SQL that
 * servers from 18.16 on take.
 */
#ifndef USTACK_USER_CLICKHOUSE_SCHEMA_H
#define USTACK_USER_CLICKHOUSE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLICKHOUSE_DEFAULT_DATABASE "ustack"
#define CLICKHOUSE_MAX_NAME 64u
#define CLICKHOUSE_MAX_TTL_DAYS 36500u

/* What comes in goes to these at once, by materialized views: each has all of an insert or
 * nothing of it, see Documentation/clickhouse.md.
 */
#define CLICKHOUSE_NR_TARGETS 5u
extern const char *const clickhouse_targets[CLICKHOUSE_NR_TARGETS];

/**
 * struct clickhouse_schema - how the tables are to be
 * @database: name; NULL is %CLICKHOUSE_DEFAULT_DATABASE
 * @cluster: of ReplicatedMergeTree and Distributed tables; NULL for one server
 * @ttl_days: rows are removed by the server after so many; 0 is never. Needs 19.6
 * @zstd: columns are packed with zstd. Needs 19.1; older servers do it by their configuration
 */
struct clickhouse_schema {
	const char *database;
	const char *cluster;
	uint32_t ttl_days;
	bool zstd;
};

/* Return: whether it can be the name of a database or a cluster here: letters, digits and
 * '_', no digit first, CLICKHOUSE_MAX_NAME at most.
 */
bool clickhouse_is_name(const char *name);

/**
 * clickhouse_schema() - all statements, in the order in which they are to be made
 * @how: names are such, the days are CLICKHOUSE_MAX_TTL_DAYS at most
 * @take: gets each, without a semicolon; another result than 0 ends it
 * @arg: for @take
 *
 * Each makes something unless it is there.
 *
 * Return: 0; -ENOMEM; what @take returned.
 */
int clickhouse_schema(const struct clickhouse_schema *how,
		      int (*take)(const char *statement, void *arg), void *arg);

#endif /* USTACK_USER_CLICKHOUSE_SCHEMA_H */
