// SPDX-License-Identifier: GPL-2.0
/* ustack clickhouse: the tables of a fleet's ClickHouse. */
#include "clickhouse/schema.h"
#include "cmd.h"

#include <errno.h>
#include <stdio.h>

#include "util/poison.h"

struct opts {
	const char *database;
	const char *cluster;
	struct option_u64 ttl;
	bool zstd;
};

static int print(const char *statement, void *arg)
{
	return printf("%s;\n\n", statement) < 0 ? -EIO : 0;
}

static int run(const struct opts *o)
{
	const struct clickhouse_schema how = {
		.database = o->database,
		.cluster = o->cluster,
		.ttl_days = (uint32_t)o->ttl.value,
		.zstd = o->zstd,
	};
	int err = clickhouse_schema(&how, print, NULL);
	struct diag diag;

	if (!err)
		return CMD_OK;
	diag_errno(&diag, -err, "standard output");
	return cmd_diag(&diag);
}

int cmd_clickhouse(int argc, char **argv)
{
	const struct cmd_usage usage = {
		.command = "ustack clickhouse",
		.synopsis = "[--database NAME] [--cluster NAME] [OPTION...]",
		.about = "Prints the tables that windows of a fleet are kept in, for\n"
			 "clickhouse-client --multiquery.",
	};
	struct opts o = { 0 };
	const struct option_spec specs[] = {
		OPTION_STRING(0, "database", "NAME", &o.database,
			      "where they are; " CLICKHOUSE_DEFAULT_DATABASE " by default"),
		OPTION_STRING(0, "cluster", "NAME", &o.cluster,
			      "replicated and distributed ones, on this cluster"),
		OPTION_U64(0, "ttl", "DAYS", &o.ttl, "the server removes what is older (19.6)"),
		OPTION_FLAG(0, "zstd", &o.zstd, "pack columns with zstd (19.1)"),
		OPTION_END,
	};
	int status = cmd_parse(&usage, specs, &argc, &argv);

	if (status != CMD_RUN)
		return status;
	if (argc)
		return cmd_bad_usage(&usage, "'%s': takes no operands", argv[0]);
	if (o.database && !clickhouse_is_name(o.database))
		return cmd_bad_usage(&usage, "--database: letters, digits and '_', %u at most",
				     CLICKHOUSE_MAX_NAME);
	if (o.cluster && !clickhouse_is_name(o.cluster))
		return cmd_bad_usage(&usage, "--cluster: letters, digits and '_', %u at most",
				     CLICKHOUSE_MAX_NAME);
	if (o.ttl.set && (!o.ttl.value || o.ttl.value > CLICKHOUSE_MAX_TTL_DAYS))
		return cmd_bad_usage(&usage, "--ttl: 1 to %u days", CLICKHOUSE_MAX_TTL_DAYS);
	return run(&o);
}
