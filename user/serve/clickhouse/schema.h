/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of a fleet's ClickHouse (Documentation/clickhouse.md), as SQL statements for servers
 * from 18.16 on; and the names that push has to share with them.
 */
#ifndef USTACK_USER_CLICKHOUSE_SCHEMA_H
#define USTACK_USER_CLICKHOUSE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLICKHOUSE_DEFAULT_DATABASE "ustack"
#define CLICKHOUSE_MAX_NAME 64u
#define CLICKHOUSE_MAX_TTL_DAYS 36500u

/*
 * Materialized views pass an insert on to these tables at once. Each of them gets all of an insert
 * or nothing of it, see Documentation/push.md.
 */
#define CLICKHOUSE_NR_TARGETS 5u
extern const char *const clickhouse_targets[CLICKHOUSE_NR_TARGETS];

/**
 * struct clickhouse_schema - how to create the tables
 * @database: name of the database; NULL means %CLICKHOUSE_DEFAULT_DATABASE
 * @cluster: name of the cluster, for ReplicatedMergeTree and Distributed tables; NULL for a single
 *           server
 * @ttl_days: days after which the server removes rows; 0 means never. Needs ClickHouse 19.6
 * @zstd: compress columns with zstd. Needs ClickHouse 19.1; older servers can be configured to
 */
struct clickhouse_schema {
	const char *database;
	const char *cluster;
	uint32_t ttl_days;
	bool zstd;
};

/*
 * Return: whether @name can be the name of a database or a cluster: 1 to CLICKHOUSE_MAX_NAME
 * letters, digits and '_', of which the first is not a digit.
 */
bool clickhouse_is_name(const char *name);

/**
 * clickhouse_schema() - make all statements, in the order in which they have to run
 * @how: how to create the tables: the names must satisfy clickhouse_is_name(), and @ttl_days is
 *       CLICKHOUSE_MAX_TTL_DAYS at most
 * @take: called with each statement, without a semicolon; a result other than 0 ends the list
 * @arg: argument of @take
 *
 * Each statement creates something if it does not exist yet.
 *
 * Return: 0; -ENOMEM; the result of @take.
 */
int clickhouse_schema(const struct clickhouse_schema *how,
		      int (*take)(const char *statement, void *arg), void *arg);

#endif /* USTACK_USER_CLICKHOUSE_SCHEMA_H */
