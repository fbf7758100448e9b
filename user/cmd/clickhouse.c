// SPDX-License-Identifier: GPL-2.0-only
/* ustack clickhouse: prints or makes the tables of a fleet's ClickHouse database. */
#include "serve/clickhouse/create_tables.h"
#include "cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/database.h"

#include "util/poison.h"

struct opts {
	const char *to;
	struct database at;
	const char *database;
	const char *cluster;
	struct option_u64 ttl;
	bool zstd;
	bool quiet;
};

static const struct cmd_usage usage = {
	.command = "ustack clickhouse",
	.synopsis = "[--database NAME] [--cluster NAME] [OPTION...]\n"
		    "--to clickhouse://[USER@]HOST[:PORT]/DATABASE [...]",
	.about = "Prints the statements that create the tables of a fleet's windows, for\n"
		 "clickhouse-client --multiquery, or creates them. Existing tables are kept.",
};

static int print(const char *statement, void *arg)
{
	return printf("%s;\n\n", statement) < 0 ? -EIO : 0;
}

static struct clickhouse_schema schema(const struct opts *o)
{
	return (struct clickhouse_schema){
		.database = o->database,
		.cluster = o->cluster,
		.ttl_days = (uint32_t)o->ttl.value,
		.zstd = o->zstd,
	};
}

static int run(const struct opts *o)
{
	const struct clickhouse_schema how = schema(o);
	int err = clickhouse_schema(&how, print, NULL);
	struct diag diag;

	if (!err)
		return CMD_OK;
	diag_errno(&diag, -err, "standard output");
	return cmd_diag(&diag);
}

/* The tables are made in the database that --to names. */
static int take_database(struct opts *o)
{
	const char *name = o->at.place.database;

	if (o->database && strcmp(o->database, name))
		return cmd_bad_usage(&usage, "--database says '%s', and --to '%s'", o->database,
				     name);
	if (!clickhouse_is_name(name))
		return cmd_bad_usage(&usage, "--to: a database has letters, digits and '_', %u at most",
				     CLICKHOUSE_MAX_NAME);
	o->database = name;
	return CMD_RUN;
}

static int make(struct opts *o)
{
	struct clickhouse_created made;
	struct diag diag;
	struct clickhouse_schema how;
	int status;

	if (database_open(&o->at, o->to, NULL, &diag))
		return cmd_diag(&diag);
	status = take_database(o);
	if (status != CMD_RUN)
		return status;
	how = schema(o);
	if (clickhouse_create_tables(o->at.client, &how, &made, &diag))
		return cmd_diag(&diag);
	if (!o->quiet)
		fprintf(stderr, "ustack: %s has its %" PRIu32 " tables and %" PRIu32 " views\n",
			clickhouse_shown(o->at.client), made.tables, made.views);
	return CMD_OK;
}

static int check(const struct opts *o)
{
	if (o->database && !clickhouse_is_name(o->database))
		return cmd_bad_usage(&usage, "--database: letters, digits and '_', %u at most",
				     CLICKHOUSE_MAX_NAME);
	if (o->cluster && !clickhouse_is_name(o->cluster))
		return cmd_bad_usage(&usage, "--cluster: letters, digits and '_', %u at most",
				     CLICKHOUSE_MAX_NAME);
	if (o->ttl.set && (!o->ttl.value || o->ttl.value > CLICKHOUSE_MAX_TTL_DAYS))
		return cmd_bad_usage(&usage, "--ttl: 1 to %u days", CLICKHOUSE_MAX_TTL_DAYS);
	if (!o->to && (o->at.password_file || o->at.ca_file || o->quiet))
		return cmd_bad_usage(&usage, "--password-file, --ca-file and --quiet go with --to");
	return CMD_RUN;
}

int cmd_clickhouse(int argc, char **argv)
{
	struct opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "to", "PLACE", &o.to,
			      "make the tables there, in the database of PLACE"),
		DATABASE_OPTIONS(o.at),
		OPTION_STRING(0, "database", "NAME", &o.database,
			      "database of the tables; " CLICKHOUSE_DEFAULT_DATABASE " by default"),
		OPTION_STRING(0, "cluster", "NAME", &o.cluster,
			      "replicated and distributed tables on this cluster"),
		OPTION_U64(0, "ttl", "DAYS", &o.ttl, "the server deletes older rows (19.6)"),
		OPTION_FLAG(0, "zstd", &o.zstd, "pack columns with zstd (19.1)"),
		OPTION_FLAG('q', "quiet", &o.quiet, "report only failures"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	status = check(&o);
	if (status != CMD_RUN)
		return status;
	status = o.to ? make(&o) : run(&o);
	database_close(&o.at);
	return status;
}
