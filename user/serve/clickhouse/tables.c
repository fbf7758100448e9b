// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables and views of a fleet's database. Documentation/clickhouse.md describes them. `day` is
 * the day of the window (UTC). Tables of things that are stored once (stacks, frames, ...) have
 * `day`, too: they store each thing once a week, so that an old week can be dropped as a whole.
 */
#include "serve/clickhouse/schema.h"
#include "serve/clickhouse/tables.h"

#include <stddef.h>

#include "util/poison.h"

#define BY_HOST "sipHash64(host)"
#define COLUMNS(...) (const struct clickhouse_column[]){ __VA_ARGS__, { NULL, NULL } }
#define HOUR "toDateTime(intDiv(toUInt32(time), 3600) * 3600, 'UTC') AS hour"
#define MINUTE "toDateTime(intDiv(toUInt32(time), 60) * 60, 'UTC') AS minute"
/* Merges remove a row whose sums are all 0. Without "marks" the mark of a part would be such. */
#define SUMS "sum(count) AS count, sum(cpu) AS cpu, sum(part != 0) AS marks"

const char *const clickhouse_targets[CLICKHOUSE_NR_TARGETS] = {
	"samples", "services_by_minute", "stacks_by_hour", "leaves_by_hour",
	"completeness_by_hour",
};

const struct clickhouse_table clickhouse_tables[] = {
	{ "incoming", "", "", "", "", BY_HOST,
	  COLUMNS({ "day", "Date" }, { "time", "DateTime('UTC')" }, { "host", "String" },
		  { "machine", "UInt64" }, { "service", "String" }, { "release", "String" },
		  { "outcome", "String" }, { "labels", "UInt64" }, { "stack", "UInt64" },
		  { "leaf", "UInt64" }, { "binary", "UInt64" }, { "ended", "UInt64" },
		  { "count", "Int64" }, { "cpu", "Int64" }, { "more", "Array(Int64)" },
		  { "part", "UInt64" }) },
	{ "samples", CLICKHOUSE_PLAIN, "", CLICKHOUSE_DAILY,
	  "host, intDiv(toUInt32(time), 3600), service, time, labels, stack", BY_HOST,
	  COLUMNS({ "day", "Date" }, { "time", "DateTime('UTC')" }, { "host", "String" },
		  { "machine", "UInt64" }, { "service", "String" }, { "release", "String" },
		  { "outcome", "String" }, { "labels", "UInt64" }, { "stack", "UInt64" },
		  { "count", "Int64" }, { "cpu", "Int64" }, { "more", "Array(Int64)" },
		  { "part", "UInt64" }) },
	{ "services_by_minute", "Summing", "(count, cpu, marks)", CLICKHOUSE_DAILY,
	  "service, release, minute, part", "toUInt32(minute)",
	  COLUMNS({ "day", "Date" }, { "minute", "DateTime('UTC')" }, { "service", "String" },
		  { "release", "String" }, { "part", "UInt64" }, { "count", "Int64" },
		  { "cpu", "Int64" }, { "marks", "UInt64" }) },
	{ "stacks_by_hour", "Summing", "(count, cpu, marks)", CLICKHOUSE_DAILY,
	  "service, stack, release, outcome, hour, part", "toUInt32(hour)",
	  COLUMNS({ "day", "Date" }, { "hour", "DateTime('UTC')" }, { "service", "String" },
		  { "release", "String" }, { "outcome", "String" }, { "stack", "UInt64" },
		  { "part", "UInt64" }, { "count", "Int64" }, { "cpu", "Int64" }, { "marks", "UInt64" }) },
	{ "leaves_by_hour", "Summing", "(count, cpu, marks)", CLICKHOUSE_DAILY,
	  "service, frame, release, hour, part", "toUInt32(hour)",
	  COLUMNS({ "day", "Date" }, { "hour", "DateTime('UTC')" }, { "service", "String" },
		  { "release", "String" }, { "frame", "UInt64" }, { "part", "UInt64" },
		  { "count", "Int64" }, { "cpu", "Int64" }, { "marks", "UInt64" }) },
	{ "completeness_by_hour", "Summing", "(count, cpu, marks)", CLICKHOUSE_DAILY,
	  "service, binary, ended, outcome, hour, part", "toUInt32(hour)",
	  COLUMNS({ "day", "Date" }, { "hour", "DateTime('UTC')" }, { "service", "String" },
		  { "binary", "UInt64" }, { "ended", "UInt64" }, { "outcome", "String" },
		  { "part", "UInt64" }, { "count", "Int64" }, { "cpu", "Int64" }, { "marks", "UInt64" }) },
	{ "windows", "Replacing", "", CLICKHOUSE_DAILY, "host, time_ns, segment, record", BY_HOST,
	  COLUMNS({ "day", "Date" }, { "host", "String" }, { "segment", "UInt64" },
		  { "record", "UInt64" }, { "time_ns", "UInt64" }, { "duration_ns", "UInt64" },
		  { "machine", "UInt64" }, { "types", "Array(String)" },
		  { "units", "Array(String)" }, { "default_type", "String" },
		  { "period", "Int64" }, { "period_type", "String" },
		  { "period_unit", "String" }, { "comments", "Array(String)" },
		  { "rows", "UInt32" }, { "count", "Int64" }, { "cpu", "Int64" }) },
	{ "stacks", "Replacing", "", CLICKHOUSE_WEEKLY, "id", "id",
	  COLUMNS({ "day", "Date" }, { "id", "UInt64" }, { "frames", "Array(UInt64)" }) },
	{ "frames", "Replacing", "", CLICKHOUSE_WEEKLY, "id", "id",
	  COLUMNS({ "day", "Date" }, { "id", "UInt64" }, { "binary", "UInt64" },
		  { "address", "UInt64" }) },
	{ "names", "Replacing", "rank", CLICKHOUSE_WEEKLY, "frame", "frame",
	  COLUMNS({ "day", "Date" }, { "frame", "UInt64" }, { "rank", "UInt8" },
		  { "functions", "Array(String)" }, { "systems", "Array(String)" },
		  { "files", "Array(String)" }, { "starts", "Array(UInt32)" },
		  { "lines", "Array(UInt32)" }) },
	{ "binaries", "Replacing", "", CLICKHOUSE_WEEKLY, "id", "id",
	  COLUMNS({ "day", "Date" }, { "id", "UInt64" }, { "build_id", "String" },
		  { "file", "String" }) },
	{ "missing", "Replacing", "time", CLICKHOUSE_WEEKLY, "binary", "binary",
	  COLUMNS({ "day", "Date" }, { "binary", "UInt64" }, { "time", "DateTime('UTC')" }) },
	{ "labels", "Replacing", "", CLICKHOUSE_WEEKLY, "id", "id",
	  COLUMNS({ "day", "Date" }, { "id", "UInt64" }, { "keys", "Array(String)" },
		  { "texts", "Array(String)" }, { "numbers", "Array(Int64)" },
		  { "units", "Array(String)" }) },
	{ "maps", "Replacing", "", CLICKHOUSE_WEEKLY, "id", "id",
	  COLUMNS({ "day", "Date" }, { "id", "UInt64" }, { "map", "String" }) },
	{ "processes", "Replacing", "", CLICKHOUSE_WEEKLY, "host, pid, map", BY_HOST,
	  COLUMNS({ "day", "Date" }, { "host", "String" }, { "pid", "UInt32" },
		  { "map", "UInt64" }, { "time", "DateTime('UTC')" }) },
	{ .name = NULL },
};

const struct clickhouse_view clickhouse_views[] = {
	{ "samples",
	  "day, time, host, machine, service, release, outcome, labels, stack, count, cpu, more, "
	  "part", "" },
	{ "services_by_minute", "day, " MINUTE ", service, release, part, " SUMS,
	  "day, minute, service, release, part" },
	{ "stacks_by_hour",
	  "day, " HOUR ", service, release, outcome, if(part = 0, stack, 0) AS stack, part, " SUMS,
	  "day, hour, service, release, outcome, stack, part" },
	{ "leaves_by_hour", "day, " HOUR ", service, release, leaf AS frame, part, " SUMS,
	  "day, hour, service, release, frame, part" },
	{ "completeness_by_hour", "day, " HOUR ", service, binary, ended, outcome, part, " SUMS,
	  "day, hour, service, binary, ended, outcome, part" },
	{ .target = NULL },
};
