// SPDX-License-Identifier: GPL-2.0-only
/*
 * Questions that group samples by the text of a label: values over time (clickhouse_series) and
 * the number of samples (clickhouse_values).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/clickhouse/sets.h"
#include "serve/store/groups.h"
#include "util/array.h"
#include "util/cleanup.h"
#include "util/sum.h"

#include "util/poison.h"

/* Most points of an answer: a question for more has too short steps. */
#define MAX_POINTS (1u << 22)

/* The value of a group in a step; @rank is the place of the group in the answer. */
struct point {
	uint64_t step;
	int64_t value;
	uint32_t group;
	uint32_t rank;
};

/**
 * struct grouping - an answer that is being made
 * @f: the question
 * @label: label to group by; NULL for a single group
 * @column: column that has @label; NULL if it has none of its own
 * @keys: the question is for names of labels: the class of a set is its number in @sets.defs
 * @groups: texts of the groups; without @keys, the class of a set is the number of its group
 * @sets: sets of labels, if @by_sets
 * @by_sets: the answer depends on sets of labels
 * @points: points of a series
 * @nr: number of entries in @points
 * @room: number of entries that @points has room for
 */
struct grouping {
	struct fleet f;
	const char *label;
	const char *column;
	bool keys;
	struct groups groups;
	struct sets sets;
	bool by_sets;
	struct point *points;
	uint32_t nr;
	size_t room;
};

/* The class of a set, see sets_classify(). */
static int group_of(const struct sets *sets, uint32_t labels, uint32_t machine, void *arg,
		    uint32_t *ret)
{
	struct grouping *g = arg;
	char buf[24];

	*ret = g->keys ? labels : 0;
	if (!g->label || g->column)
		return 0;
	return groups_add(&g->groups, sets_text(sets, labels, machine, g->label, buf), ret);
}

/* Return: whether sums by hour and minute have what the answer is grouped by. */
static bool is_rounded(const struct grouping *g)
{
	return !g->keys && (!g->label || (g->column && strcmp(g->column, "host")));
}

/* Begin an answer. @keys: the question is for names of labels, not for texts of @label */
static int begin(struct grouping *g, struct clickhouse *c, const struct clickhouse_query *q,
		 const char *label, bool keys, struct diag *diag)
{
	int err = fleet_begin(&g->f, c, q, diag);

	g->label = label;
	g->column = label ? fleet_column(label) : NULL;
	g->keys = keys;
	if (groups_init(&g->groups, label))
		return fleet_no_memory(&g->f);
	if (err || !g->f.nr_kinds)
		return err;
	if (q->rounded)
		return is_rounded(g) ? 0 : fleet_not_rounded(&g->f);
	g->by_sets = keys || sets_are_needed(&g->f, label);
	if (g->by_sets)
		err = sets_begin(&g->sets, &g->f, label);
	if (!err && g->by_sets)
		err = sets_classify(&g->sets, group_of, g);
	return err;
}

static int finish(struct grouping *g, int err, struct store_coverage *ret)
{
	if (g->by_sets)
		sets_release(&g->sets);
	groups_release(&g->groups);
	free(g->points);
	return fleet_finish(&g->f, err, ret);
}

/* Find the group of a row, whose cells are the class, the text of the column and two values. */
static int row_group(struct grouping *g, const struct clickhouse_cell *cells, uint32_t *ret)
{
	char *text;
	int err;

	*ret = (uint32_t)cells[0].number;
	if (!g->column)
		return *ret < g->groups.texts.nr ? 0 : -EBADMSG;
	text = strndup((const char *)cells[1].bytes, cells[1].len);
	err = text ? groups_add(&g->groups, text, ret) : -ENOMEM;
	free(text);
	return err;
}

static int take_point(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct grouping *g = arg;
	int64_t value = (int64_t)cells[3].number;
	uint32_t group;
	int err = row_group(g, cells, &group);

	if (err)
		return diag_errno(diag, -err, NULL);
	if (g->nr == MAX_POINTS)
		return diag_set(diag, E2BIG, NULL, "more than %u values: longer steps are needed",
				MAX_POINTS);
	if (!array_has_room(g->points, g->nr, g->room))
		return diag_errno(diag, ENOMEM, NULL);
	g->points[g->nr++] = (struct point){ .step = cells[2].number, .group = group,
					     .value = value };
	groups_count(&g->groups, group, value);
	return 0;
}

/*
 * Append the columns to group by, with commas between them. @first: text before the first one;
 * @but_host: leave out the column host
 */
static void put_keys_after(struct sql *rest, const struct grouping *g, const char *first,
			   bool but_host)
{
	if (g->by_sets) {
		sql_put(rest, first);
		sql_put(rest, sets_columns(&g->sets));
		first = ", ";
	}
	if (g->column && !(but_host && !strcmp(g->column, "host"))) {
		sql_put(rest, first);
		sql_put(rest, g->column);
	}
}

static void put_keys(struct sql *rest, const struct grouping *g, bool but_host)
{
	put_keys_after(rest, g, ", ", but_host);
}

/* Append the samples that are selected, also by their sets of labels. */
static void put_source(struct sql *rest, const struct grouping *g, const struct fleet_kind *kind)
{
	sql_put(rest, " FROM samples WHERE ");
	if (g->by_sets)
		sets_put_selected(&g->sets, rest);
	fleet_put_samples(rest, &g->f, kind);
}

/*
 * The step of a sample is the one with the middle of its window, which the table windows tells.
 * So samples are added up by host and time first, and then joined with windows. If several windows
 * of a host begin in the same second, the earliest step is taken.
 */
static void put_series(struct sql *rest, const struct grouping *g, const struct fleet_kind *kind,
		       const char *value, uint64_t step_ns)
{
	sql_put(rest, "FROM ");
	if (g->by_sets) {
		sql_put(rest, "(SELECT step, sum(v) AS v");
		put_keys(rest, g, false);
		sql_put(rest, " FROM ");
	}
	sql_put(rest, "(SELECT host, time, sum(");
	sql_put(rest, value);
	sql_put(rest, ") AS v");
	put_keys(rest, g, true);
	put_source(rest, g, kind);
	sql_put(rest, " GROUP BY host, time");
	put_keys(rest, g, true);
	sql_put(rest, ") AS sums ALL INNER JOIN (SELECT host, "
		      "toDateTime(intDiv(time_ns, 1000000000), 'UTC') AS time, "
		      "min(intDiv(time_ns + intDiv(duration_ns, 2), ");
	sql_u64(rest, step_ns);
	sql_put(rest, ")) AS step FROM windows FINAL WHERE ");
	fleet_put_windows(rest, &g->f);
	sql_put(rest, " GROUP BY host, time) AS steps USING host, time");
	if (g->by_sets) {
		sql_put(rest, " GROUP BY step");
		put_keys(rest, g, false);
		sets_put_classes(&g->sets, rest);
	}
	sql_put(rest, " GROUP BY class, text, step");
}

static void put_rounded(struct sql *rest, const struct grouping *g, const char *table,
			const char *time)
{
	sql_put(rest, "FROM ");
	sql_put(rest, table);
	sql_put(rest, " WHERE ");
	fleet_put_rounded(rest, &g->f, time);
}

/* Return: whether the sums by minute have everything that is asked for; those by hour have more. */
static bool by_minute(const struct grouping *g, uint64_t step_ns)
{
	struct store_condition c;
	uint32_t i;

	if (step_ns % 60000000000 || (g->column && !strcmp(g->column, "outcome")))
		return false;
	for (i = 0; store_selector_condition(g->f.q->q.selector, i, &c); i++)
		if (!strcmp(fleet_column(c.key), "outcome"))
			return false;
	return true;
}

/* Append the first columns of an answer: class and text of the group; a constant if unused. */
static void put_group(struct sql *columns, const struct grouping *g, const char *more)
{
	sql_put(columns, g->by_sets ? "class, " : "toUInt32(0) AS class, ");
	sql_put(columns, g->column ? g->column : "''");
	sql_put(columns, " AS text, ");
	sql_put(columns, more);
}

/* Ask for rows of class, text, a number and a value; releases @columns and @rest. */
static int ask(struct grouping *g, struct sql *columns, struct sql *rest, clickhouse_row_fn *take)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT32, CLICKHOUSE_STRING,
						      CLICKHOUSE_UINT64, CLICKHOUSE_INT64 };
	const struct clickhouse_external external = sets_external(&g->sets);
	const struct clickhouse_question how = {
		.types = types, .nr_types = 4, .take = take, .arg = g,
		.table = g->by_sets ? &external : NULL,
	};
	int err = sql_end(columns);

	err = err ? fleet_no_memory(&g->f) : fleet_select(&g->f, columns->text, rest, &how);
	sql_release(columns);
	sql_release(rest);
	return err;
}

static int ask_series(struct grouping *g, const struct fleet_kind *kind, const char *value,
		      uint64_t step_ns)
{
	struct sql columns, rest;
	int err = sql_init(&columns);

	err = sql_init(&rest) ? -ENOMEM : err;
	put_group(&columns, g, "step, sum(v)");
	put_series(&rest, g, kind, value, step_ns);
	return ask(g, &columns, &rest, take_point) ? : err;
}

static int ask_rounded_series(struct grouping *g, const char *value, uint64_t step_ns)
{
	const bool minutes = by_minute(g, step_ns);
	const char *time = minutes ? "minute" : "hour";
	struct sql columns, rest;
	int err = sql_init(&columns);

	err = sql_init(&rest) ? -ENOMEM : err;
	put_group(&columns, g, "intDiv(toUInt64(toUInt32(");
	sql_put(&columns, time);
	sql_put(&columns, ")) * 1000000000, ");
	sql_u64(&columns, step_ns);
	sql_put(&columns, ") AS step, sum(");
	sql_put(&columns, value);
	sql_put(&columns, ")");
	put_rounded(&rest, g, minutes ? "services_by_minute" : "stacks_by_hour", time);
	sql_put(&rest, " GROUP BY class, text, step");
	return ask(g, &columns, &rest, take_point) ? : err;
}

static int ask_all_series(struct grouping *g, const char *type, uint64_t step_ns)
{
	char column[FLEET_VALUE];
	uint32_t i;
	int value, err = 0;

	if (g->f.q->rounded) {
		if (step_ns % (by_minute(g, step_ns) ? 60000000000 : 3600000000000))
			return diag_set(g->f.diag, EINVAL, NULL, "sums by service and release are "
					"of whole minutes, all others of whole hours");
		return ask_rounded_series(g, !strcmp(type, "samples") ? "count" : "cpu", step_ns);
	}
	for (i = 0; i < g->f.nr_kinds && !err; i++) {
		value = fleet_find_value(&g->f.kinds[i], type);
		if (g->f.kinds[i].alike == i && value >= 0)
			err = ask_series(g, &g->f.kinds[i],
					 fleet_value(&g->f.kinds[i], (uint32_t)value, column), step_ns);
	}
	return err;
}

static int by_rank(const void *x, const void *y)
{
	const struct point *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->step < b->step ? -1 : a->step > b->step;
}

/* Sort the points: the group with the largest sum first, and by time in a group. */
static int rank(struct grouping *g)
{
	_cleanup_(cleanup_free) uint32_t *ranks = groups_ranks(&g->groups);
	uint32_t i;

	if (!ranks)
		return fleet_no_memory(&g->f);
	for (i = 0; i < g->nr; i++)
		g->points[i].rank = ranks[g->points[i].group];
	if (g->nr)
		qsort(g->points, g->nr, sizeof(*g->points), by_rank);
	return 0;
}

/* Pass on the points. Each kind of windows may have a point for the same step: add them up. */
static int hand_out_points(struct grouping *g, uint64_t step_ns,
			   int (*take)(const struct store_point *point, void *arg), void *arg)
{
	struct point *p = g->points, *end = g->nr ? p + g->nr : p;
	int err = rank(g);

	while (!err && p < end) {
		struct store_point out = { .group = g->groups.texts.entries[p->group].s,
					   .at_ns = p->step * step_ns, .value = p->value };

		for (p++; p < end && p->rank == p[-1].rank && p->step == p[-1].step; p++)
			out.value = sum_i64(out.value, p->value);
		if (out.value)
			err = take(&out, arg);
	}
	return err;
}

int clickhouse_series(struct clickhouse *c, const struct clickhouse_query *query,
		      const char *label, const char *value_type, uint64_t step_ns,
		      int (*point)(const struct store_point *point, void *arg), void *arg,
		      struct store_coverage *ret, struct diag *diag)
{
	struct grouping g = { .nr = 0 };
	int err = begin(&g, c, query, label, false, diag);

	if (!err && g.f.nr_kinds)
		err = ask_all_series(&g, value_type, step_ns);
	if (!err)
		err = hand_out_points(&g, step_ns, point, arg);
	return finish(&g, err, ret);
}

static int count_text(struct grouping *g, const char *text, int64_t count)
{
	uint32_t group;
	int err = groups_add(&g->groups, text, &group);

	if (!err)
		groups_count(&g->groups, group, count);
	return err;
}

/* Count every key of a set once; equal keys follow each other. */
static int count_keys(struct grouping *g, uint32_t labels, int64_t count)
{
	const struct profile *p = g->sets.defs;
	const struct profile_labels *set = &p->labels[labels];
	uint32_t i;
	int err = 0;

	for (i = 0; i < set->nr && !err; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (!i || l[-1].key != l->key)
			err = count_text(g, profile_text(p, l->key), count);
	}
	return err;
}

static int take_count(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	int64_t count = (int64_t)cells[3].number;
	struct grouping *g = arg;
	uint32_t group;
	int err;

	if (g->keys) {
		err = cells[0].number < g->sets.defs->nr_labels ?
		      count_keys(g, (uint32_t)cells[0].number, count) : -EBADMSG;
	} else {
		err = row_group(g, cells, &group);
		if (!err)
			groups_count(&g->groups, group, count);
	}
	return err ? diag_errno(diag, -err, NULL) : 0;
}

/* Return: SQL for the number of samples: the values of type "samples", or else the rows. */
static const char *count_of(const struct fleet_kind *kind)
{
	char column[FLEET_VALUE];
	uint32_t i;

	for (i = 0; i < kind->head->nr_value_types; i++)
		if (!strcmp(fleet_value(kind, i, column), "count"))
			return "sum(greatest(count, 0))";
	return "toInt64(count())";
}

static int ask_values(struct grouping *g, const struct fleet_kind *kind)
{
	struct sql columns, rest;
	int err = sql_init(&columns);

	err = sql_init(&rest) ? -ENOMEM : err;
	put_group(&columns, g, "toUInt64(0), sum(n)");
	sql_put(&rest, "FROM (SELECT ");
	sql_put(&rest, count_of(kind));
	sql_put(&rest, " AS n");
	put_keys(&rest, g, false);
	put_source(&rest, g, kind);
	put_keys_after(&rest, g, " GROUP BY ", false);
	if (g->by_sets)
		sets_put_classes(&g->sets, &rest);
	else
		sql_put(&rest, ")");
	sql_put(&rest, " GROUP BY class, text");
	return ask(g, &columns, &rest, take_count) ? : err;
}

static int ask_rounded_values(struct grouping *g)
{
	const bool minutes = by_minute(g, 60000000000);
	struct sql columns, rest;
	int err = sql_init(&columns);

	err = sql_init(&rest) ? -ENOMEM : err;
	put_group(&columns, g, "toUInt64(0), sum(count)");
	put_rounded(&rest, g, minutes ? "services_by_minute" : "stacks_by_hour",
		    minutes ? "minute" : "hour");
	sql_put(&rest, " GROUP BY class, text");
	return ask(g, &columns, &rest, take_count) ? : err;
}

static int ask_all_values(struct grouping *g)
{
	uint32_t i;
	int err = 0;

	if (g->f.q->rounded)
		return ask_rounded_values(g);
	for (i = 0; i < g->f.nr_kinds && !err; i++)
		if (g->f.kinds[i].alike == i)
			err = ask_values(g, &g->f.kinds[i]);
	return err;
}

static int hand_out_values(const struct grouping *g,
			   int (*take)(const char *text, uint64_t samples, void *arg), void *arg)
{
	uint32_t *order = groups_order(&g->groups, false), i;
	int err = order ? 0 : fleet_no_memory(&g->f);

	/* the first text stands for samples without the label */
	for (i = 1; !err && i < g->groups.texts.nr; i++)
		if (g->groups.sum[order[i]] > 0)
			err = take(g->groups.texts.entries[order[i]].s,
				   (uint64_t)g->groups.sum[order[i]], arg);
	free(order);
	return err;
}

int clickhouse_values(struct clickhouse *c, const struct clickhouse_query *query,
		      const char *label, int (*take)(const char *text, uint64_t samples, void *arg),
		      void *arg, struct store_coverage *ret, struct diag *diag)
{
	struct grouping g = { .nr = 0 };
	int err = begin(&g, c, query, label, !label, diag);

	if (!err && g.f.nr_kinds)
		err = ask_all_values(&g);
	if (!err)
		err = hand_out_values(&g, take, arg);
	return finish(&g, err, ret);
}
