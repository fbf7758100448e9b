// SPDX-License-Identifier: GPL-2.0-only
/* Lists the windows of a fleet (clickhouse_windows), with sums of their selected samples. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/clickhouse/sets.h"

#include "util/poison.h"

/**
 * struct list - a list that is being made
 * @f: the question
 * @sets: sets of labels, if @by_sets
 * @by_sets: the answer depends on sets of labels
 * @take: called for each window
 * @arg: argument of @take
 */
struct list {
	struct fleet f;
	struct sets sets;
	bool by_sets;
	int (*take)(const struct clickhouse_window *w, void *arg);
	void *arg;
};

enum { HOST, TIME, DURATION, SEGMENT, RECORD, STACKS, SUM, HAS_SUM, NR_COLUMNS };

static int take_window(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	char *host = strndup((const char *)cells[HOST].bytes, cells[HOST].len);
	const struct clickhouse_window w = {
		.host = host, .time_ns = cells[TIME].number, .duration_ns = cells[DURATION].number,
		.segment = cells[SEGMENT].number, .record = cells[RECORD].number,
		.stacks = cells[STACKS].number, .sum = (int64_t)cells[SUM].number,
		.has_sum = cells[HAS_SUM].number,
	};
	struct list *l = arg;
	int err = host ? l->take(&w, l->arg) : -ENOMEM;

	free(host);
	return err ? diag_errno(diag, -err, NULL) : 0;
}

/* All selected sets have the same class, see sets_classify(). */
static int everything(const struct sets *sets, uint32_t labels, uint32_t machine, void *arg,
		      uint32_t *ret)
{
	*ret = 0;
	return 0;
}

/*
 * Append SQL for the sum of a window's values: its column depends on the window's kind; 0 if the
 * window has no such value. @whether: append whether it has one instead
 */
static void put_value(struct sql *s, const struct fleet *f, const char *value_type, bool whether)
{
	char column[FLEET_VALUE];
	uint32_t i;
	int value;

	/* the first branch is never taken: multiIf() needs one even if no kind has the type */
	sql_put(s, "multiIf(0, ");
	sql_put(s, whether ? "toUInt8(0)" : "toInt64(0)");
	for (i = 0; value_type && i < f->nr_kinds; i++) {
		value = fleet_find_value(&f->kinds[i], value_type);
		if (value < 0 || f->kinds[i].alike != i)
			continue;
		sql_put(s, ", ");
		sql_put(s, f->kinds[i].is);
		sql_put(s, ", ");
		sql_put(s, whether ? "toUInt8(1)" : fleet_value(&f->kinds[i], (uint32_t)value, column));
	}
	sql_put(s, whether ? ", toUInt8(0))" : ", toInt64(0))");
}

static void put_samples(struct sql *rest, const struct list *l)
{
	sql_put(rest, "(SELECT host, time, n, c AS count, t AS cpu, m AS more FROM (SELECT host, time, "
		      "count() AS n, sum(count) AS c, sum(cpu) AS t, sumForEach(more) AS m "
		      "FROM samples WHERE ");
	if (l->by_sets)
		sets_put_selected(&l->sets, rest);
	fleet_put_samples(rest, &l->f, NULL);
	sql_put(rest, " GROUP BY host, time)) AS sums");
}

/* Samples with the same host and time are of one window, so their values have the same types. */
static int ask_windows(struct list *l, const char *value_type)
{
	static const enum clickhouse_type types[NR_COLUMNS] = {
		[HOST] = CLICKHOUSE_STRING, [TIME] = CLICKHOUSE_UINT64,
		[DURATION] = CLICKHOUSE_UINT64, [SEGMENT] = CLICKHOUSE_UINT64,
		[RECORD] = CLICKHOUSE_UINT64, [STACKS] = CLICKHOUSE_UINT64,
		[SUM] = CLICKHOUSE_INT64, [HAS_SUM] = CLICKHOUSE_UINT8,
	};
	const struct clickhouse_external external = sets_external(&l->sets);
	const struct clickhouse_question how = {
		.types = types, .nr_types = NR_COLUMNS, .take = take_window, .arg = l,
		.table = l->by_sets ? &external : NULL,
	};
	struct sql columns, rest;
	int err = sql_init(&columns);

	err = sql_init(&rest) ? -ENOMEM : err;
	sql_put(&columns, "host, time_ns, duration_ns, segment, record, n, ");
	put_value(&columns, &l->f, value_type, false);
	sql_put(&columns, ", ");
	put_value(&columns, &l->f, value_type, true);
	sql_put(&rest, "FROM (SELECT host, toDateTime(intDiv(time_ns, 1000000000), 'UTC') AS time, "
		       "time_ns, duration_ns, segment, record, types, units FROM windows FINAL WHERE ");
	fleet_put_windows(&rest, &l->f);
	sql_put(&rest, ") AS those ANY LEFT JOIN ");
	put_samples(&rest, l);
	sql_put(&rest, " USING host, time ORDER BY time_ns, host, segment, record");
	err = err || sql_end(&columns) ? fleet_no_memory(&l->f) :
	      fleet_select(&l->f, columns.text, &rest, &how);
	sql_release(&columns);
	sql_release(&rest);
	return err;
}

int clickhouse_windows(struct clickhouse *c, const struct clickhouse_query *query,
		       const char *value_type,
		       int (*take)(const struct clickhouse_window *w, void *arg), void *arg,
		       struct store_coverage *ret, struct diag *diag)
{
	struct list l = { .take = take, .arg = arg };
	int err = fleet_begin(&l.f, c, query, diag);

	if (!err && query->rounded)
		err = fleet_not_rounded(&l.f);
	if (!err && l.f.nr_kinds && sets_are_needed(&l.f, NULL)) {
		l.by_sets = true;
		err = sets_begin(&l.sets, &l.f, NULL);
		err = err ? err : sets_classify(&l.sets, everything, NULL);
	}
	if (!err && l.f.nr_kinds)
		err = ask_windows(&l, value_type);
	if (l.by_sets)
		sets_release(&l.sets);
	return fleet_finish(&l.f, err, ret);
}
