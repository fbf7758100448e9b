/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptions of the tables and views; schema.c makes SQL of them. Private to this folder. */
#ifndef USTACK_USER_CLICKHOUSE_TABLES_H
#define USTACK_USER_CLICKHOUSE_TABLES_H

/* @engine of a table that uses MergeTree itself. */
#define CLICKHOUSE_PLAIN "plain"
/* @partition of a table. */
#define CLICKHOUSE_DAILY "day"
#define CLICKHOUSE_WEEKLY "toMonday(day)"

struct clickhouse_column {
	const char *name;
	const char *type;
};

/**
 * struct clickhouse_table - a table
 * @name: name of the table
 * @engine: kind of MergeTree: %CLICKHOUSE_PLAIN, "Summing" or "Replacing"; "" is the engine Null,
 *          which stores nothing
 * @arguments: arguments of the engine
 * @partition: key of partitions; also the date from which rows are kept for the TTL
 * @order: sorting key
 * @shard: expression that selects a shard of a cluster
 * @columns: columns of the table, ends with a NULL name
 */
struct clickhouse_table {
	const char *name;
	const char *engine;
	const char *arguments;
	const char *partition;
	const char *order;
	const char *shard;
	const struct clickhouse_column *columns;
};

/**
 * struct clickhouse_view - a materialized view, which passes inserts of the first table to another
 * @target: name of the other table
 * @select: columns that it gets
 * @group: columns to group by; "" for no grouping
 */
struct clickhouse_view {
	const char *target;
	const char *select;
	const char *group;
};

/* The first table is the one that gets inserts of samples. Both lists end with a NULL name. */
extern const struct clickhouse_table clickhouse_tables[];
extern const struct clickhouse_view clickhouse_views[];

#endif /* USTACK_USER_CLICKHOUSE_TABLES_H */
