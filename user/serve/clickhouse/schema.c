// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the SQL statements that create the database, its tables and its views, from the
 * descriptions in tables.c: for a single server, or for a cluster with Replicated and Distributed
 * tables.
 */
#include "serve/clickhouse/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/clickhouse/tables.h"

#include "util/poison.h"

/*
 * Number of inserts whose hashes a replica remembers, to recognize a repeated one. The default of
 * 100 is used up in a second.
 */
#define REMEMBERED "replicated_deduplication_window = 10000"

/* Arguments of clickhouse_schema(), with the name of the database. */
struct schema {
	const struct clickhouse_schema *how;
	const char *database;
	int (*take)(const char *statement, void *arg);
	void *arg;
};

static void put_name(FILE *out, const struct schema *s, const char *name, const char *suffix)
{
	fprintf(out, "`%s`.`%s%s`", s->database, name, suffix);
	if (s->how->cluster)
		fprintf(out, " ON CLUSTER `%s`", s->how->cluster);
}

/* Times ascend, so their differences take less space. */
static void put_codec(FILE *out, const struct schema *s, const char *type)
{
	if (!s->how->zstd)
		return;
	if (!strncmp(type, "Date", strlen("Date")))
		fputs(" CODEC(Delta, ZSTD(1))", out);
	else
		fputs(" CODEC(ZSTD(1))", out);
}

static void put_columns(FILE *out, const struct schema *s, const struct clickhouse_table *t)
{
	const struct clickhouse_column *c;

	fputs("\n(", out);
	for (c = t->columns; c->name; c++) {
		fprintf(out, "%s\n\t`%s` %s", c == t->columns ? "" : ",", c->name, c->type);
		if (*t->engine)
			put_codec(out, s, c->type);
	}
	fputs("\n)", out);
}

static void put_ttl(FILE *out, const struct schema *s, const struct clickhouse_table *t)
{
	const bool weekly = !strcmp(t->partition, CLICKHOUSE_WEEKLY);

	if (s->how->ttl_days)
		fprintf(out, "\nTTL %s + INTERVAL %u DAY", t->partition,
			s->how->ttl_days + (weekly ? 7 : 0));
}

/* Append the engine, one of the MergeTree family, with its keys, TTL and settings. */
static void put_engine(FILE *out, const struct schema *s, const struct clickhouse_table *t)
{
	const char *family = strcmp(t->engine, CLICKHOUSE_PLAIN) ? t->engine : "";

	if (s->how->cluster)
		fprintf(out, "\nENGINE = Replicated%sMergeTree('/clickhouse/tables/{shard}/%s/%s', "
			"'{replica}'%s%s)", family, s->database, t->name, *t->arguments ? ", " : "",
			t->arguments);
	else
		fprintf(out, "\nENGINE = %sMergeTree(%s)", family, t->arguments);
	fprintf(out, "\nPARTITION BY %s\nORDER BY (%s)", t->partition, t->order);
	put_ttl(out, s, t);
	fprintf(out, "\nSETTINGS index_granularity = 8192%s", s->how->cluster ? ", " REMEMBERED : "");
}

static void put_table(FILE *out, const struct schema *s, const struct clickhouse_table *t)
{
	fputs("CREATE TABLE IF NOT EXISTS ", out);
	put_name(out, s, t->name, s->how->cluster ? "_local" : "");
	put_columns(out, s, t);
	if (*t->engine)
		put_engine(out, s, t);
	else
		fputs("\nENGINE = Null", out);
}

/* Append the Distributed table of a cluster, which reads and writes all shards. */
static void put_distributed(FILE *out, const struct schema *s, const struct clickhouse_table *t)
{
	fputs("CREATE TABLE IF NOT EXISTS ", out);
	put_name(out, s, t->name, "");
	fprintf(out, " AS `%s`.`%s_local`\nENGINE = Distributed('%s', '%s', '%s_local', %s)",
		s->database, t->name, s->how->cluster, s->database, t->name, t->shard);
}

static void put_view(FILE *out, const struct schema *s, const struct clickhouse_view *v,
		     const char *prefix, const char *from)
{
	const char *local = s->how->cluster ? "_local" : "";

	fputs("CREATE MATERIALIZED VIEW IF NOT EXISTS ", out);
	put_name(out, s, prefix, v->target);
	fprintf(out, " TO `%s`.`%s%s` AS\nSELECT %s\nFROM `%s`.`%s%s`%s%s", s->database, v->target,
		local, v->select, s->database, from, local, *v->group ? "\nGROUP BY " : "",
		v->group);
}

/* Pass a statement on, and free it. Return: as clickhouse_schema(). */
static int pass_on(const struct schema *s, FILE *out, char **text)
{
	int err = fclose(out) ? -ENOMEM : 0;

	if (!err)
		err = s->take(*text, s->arg);
	free(*text);
	*text = NULL;
	return err;
}

/* Make one statement, which @put writes to "out", and pass it on. */
#define statement(s, put)							\
({										\
	char *text_ = NULL;							\
	size_t len_;								\
	FILE *out = open_memstream(&text_, &len_);				\
										\
	if (out)								\
		put;								\
	out ? pass_on((s), out, &text_) : -ENOMEM;				\
})

/* A table; on a cluster, one on each server and a Distributed table for all of them. */
static int make_table(const struct schema *s, const struct clickhouse_table *t)
{
	int err = statement(s, put_table(out, s, t));

	if (!err && s->how->cluster)
		err = statement(s, put_distributed(out, s, t));
	return err;
}

static bool is_windows(const struct clickhouse_table *t)
{
	return !strcmp(t->name, "windows");
}

static int make_tables(const struct schema *s)
{
	const struct clickhouse_table *t;
	int err = 0;

	for (t = clickhouse_tables; t->name && !err; t++)
		if (!is_windows(t))
			err = make_table(s, t);
	return err;
}

/*
 * The table windows is created last. A host inserts a window's row before its samples; while this
 * table does not exist, that fails, and no samples are sent of which some views are missing.
 */
static int make_windows(const struct schema *s)
{
	const struct clickhouse_table *t = clickhouse_tables;

	while (!is_windows(t))
		t++;
	return make_table(s, t);
}

/*
 * For each target a view of `incoming`, and a table `incoming_TARGET` with a view of its own: an
 * insert that one target lacks is sent again to that target only.
 */
static int make_views(const struct schema *s)
{
	const struct clickhouse_table *incoming = clickhouse_tables;
	const struct clickhouse_view *v;
	struct clickhouse_table alone;
	char from[2 * CLICKHOUSE_MAX_NAME];
	int err = 0;

	for (v = clickhouse_views; v->target && !err; v++) {
		snprintf(from, sizeof(from), "%s_%s", incoming->name, v->target);
		alone = *incoming;
		alone.name = from;
		err = statement(s, put_view(out, s, v, "to_", incoming->name));
		if (!err)
			err = make_table(s, &alone);
		if (!err)
			err = statement(s, put_view(out, s, v, "again_", from));
	}
	return err;
}

static void put_database(FILE *out, const struct schema *s)
{
	fprintf(out, "CREATE DATABASE IF NOT EXISTS `%s`", s->database);
	if (s->how->cluster)
		fprintf(out, " ON CLUSTER `%s`", s->how->cluster);
}

int clickhouse_schema(const struct clickhouse_schema *how,
		      int (*take)(const char *statement, void *arg), void *arg)
{
	const struct schema s = {
		.how = how,
		.database = how->database ? how->database : CLICKHOUSE_DEFAULT_DATABASE,
		.take = take,
		.arg = arg,
	};
	int err = statement(&s, put_database(out, &s));

	return err ?: make_tables(&s) ?: make_views(&s) ?: make_windows(&s);
}
