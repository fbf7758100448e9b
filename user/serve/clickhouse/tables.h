/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tables are: for user/serve/clickhouse alone. */
#ifndef USTACK_USER_CLICKHOUSE_TABLES_H
#define USTACK_USER_CLICKHOUSE_TABLES_H

/* An engine of its own: MergeTree itself. */
#define CLICKHOUSE_PLAIN "plain"
#define CLICKHOUSE_DAILY "day"
#define CLICKHOUSE_WEEKLY "toMonday(day)"

struct clickhouse_column {
	const char *name;
	const char *type;
};

/**
 * struct clickhouse_table - one table
 * @name: of it
 * @engine: %CLICKHOUSE_PLAIN, "Summing", "Replacing"; "" keeps nothing
 * @arguments: of the engine
 * @partition: key of partitions, which is also the date of what is in them
 * @order: sorting key
 * @shard: expression that chooses a shard
 * @columns: ends with a NULL name
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
 * struct clickhouse_view - what of the first table goes to another
 * @target: name of that
 * @select: columns
 * @group: by what; "" is not at all
 */
struct clickhouse_view {
	const char *target;
	const char *select;
	const char *group;
};

/* The first is what inserts of samples go to. Both end with a NULL name. */
extern const struct clickhouse_table clickhouse_tables[];
extern const struct clickhouse_view clickhouse_views[];

#endif /* USTACK_USER_CLICKHOUSE_TABLES_H */
