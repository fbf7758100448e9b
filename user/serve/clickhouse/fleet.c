// SPDX-License-Identifier: GPL-2.0-only
/*
 * Things that all questions to a fleet's database share: the kinds of windows that are selected,
 * and SQL conditions on time and columns for each table. query.h has the questions.
 */
#include "serve/clickhouse/fleet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

#define SECOND 1000000000ull
#define DAY (86400 * SECOND)
#define HOUR (3600 * SECOND)
#define MIDDLE "(time_ns + intDiv(duration_ns, 2))"
/* The last values of a Date and of a DateTime: in 2149 and in 2106. */
#define LAST_DAY UINT16_MAX
#define LAST_SECOND UINT32_MAX

int fleet_no_memory(const struct fleet *f)
{
	return diag_errno(f->diag, ENOMEM, NULL);
}

int fleet_types_error(const struct fleet *f, const struct profile *p)
{
	int err = profile_error(p);

	if (err == -E2BIG)
		return diag_set(f->diag, E2BIG, NULL, "windows have more than %u types of values",
				PROFILE_MAX_VALUES);
	return err ? diag_errno(f->diag, -err, NULL) : 0;
}

int fleet_select(const struct fleet *f, const char *columns, struct sql *rest,
		 const struct clickhouse_question *how)
{
	return clickhouse_select_sql(f->c, columns, rest, how, f->diag);
}

/* Return: begin of the question's time, rounded to a whole hour if sums by hour are used. */
static uint64_t from_ns(const struct fleet *f)
{
	uint64_t ns = f->q->q.from_ns;

	return f->q->rounded ? ns - ns % HOUR : ns;
}

/* Return: end of the question's time, rounded up in the same way; 0 if it has no end. */
static uint64_t to_ns(const struct fleet *f)
{
	uint64_t ns = f->q->q.to_ns;

	return f->q->rounded && ns % HOUR ? ns - ns % HOUR + HOUR : ns;
}

/* toDate() takes a number above LAST_DAY for seconds, so it is limited. */
static void put_day(struct sql *s, const char *before, uint64_t day)
{
	sql_number(s, before, day < LAST_DAY ? day : LAST_DAY, ")");
}

/*
 * Append a condition on the days of windows whose middle is in the question's time: from @before
 * days earlier on. No window is longer than two days.
 */
static void put_days(struct sql *s, const struct fleet *f, uint64_t before)
{
	uint64_t first = from_ns(f) / DAY;

	put_day(s, "day >= toDate(", first > before ? first - before : 0);
	if (to_ns(f))
		put_day(s, " AND day <= toDate(", (to_ns(f) - 1) / DAY);
}

void fleet_put_weeks(struct sql *s, const struct fleet *f)
{
	sql_put(s, " AND ");
	put_days(s, f, 8);
}

void fleet_put_windows(struct sql *s, const struct fleet *f)
{
	const char *moment = f->q->rounded ? "time_ns" : MIDDLE;

	put_days(s, f, 1);
	if (from_ns(f)) {
		sql_put(s, " AND ");
		sql_put(s, moment);
		sql_number(s, " >= ", from_ns(f), "");
	}
	if (to_ns(f)) {
		sql_put(s, " AND ");
		sql_put(s, moment);
		sql_number(s, " < ", to_ns(f), "");
	}
	sql_put(s, f->hosts);
}

static void put_time(struct sql *s, const char *before, uint64_t seconds)
{
	sql_number(s, before, seconds < LAST_SECOND ? seconds : LAST_SECOND, ", 'UTC')");
}

/*
 * Append conditions on the time of samples. A window counts if its middle is in the question's
 * time, but a sample only has the second in which its window began. Where that does not decide,
 * the table windows does: the caller appends that condition after "OR".
 */
static void put_times(struct sql *s, const struct fleet *f)
{
	uint64_t from = from_ns(f), to = to_ns(f), half = f->longest_ns / 2 + 1;

	uint64_t first = (from > half ? from - half : 0) / SECOND;

	/* the hour is in the sorting key, and the server does not derive it from the time */
	if (from) {
		put_time(s, " AND time >= toDateTime(", first);
		sql_number(s, " AND intDiv(toUInt32(time), 3600) >= ", first / 3600, "");
	}
	if (to) {
		put_time(s, " AND time <= toDateTime(", (to - 1) / SECOND);
		sql_number(s, " AND intDiv(toUInt32(time), 3600) <= ", (to - 1) / SECOND / 3600, "");
	}
	sql_put(s, " AND ((1");
	if (from)
		put_time(s, " AND time >= toDateTime(", (from + SECOND - 1) / SECOND);
	if (to)
		put_time(s, " AND time < toDateTime(", (to > half ? to - half : 0) / SECOND);
	sql_put(s, ") OR ");
}

/* Append the condition that a sample's window is selected, and of @kind unless that is NULL. */
static void put_in_windows(struct sql *s, const struct fleet *f, const struct fleet_kind *kind)
{
	sql_put(s, "(host, time) GLOBAL IN (SELECT host, toDateTime(intDiv(time_ns, 1000000000), 'UTC') "
		   "FROM windows FINAL WHERE ");
	fleet_put_windows(s, f);
	if (kind) {
		sql_put(s, " AND ");
		sql_put(s, kind->is);
	}
	sql_put(s, ")");
}

void fleet_put_samples(struct sql *s, const struct fleet *f, const struct fleet_kind *kind)
{
	bool by_kind = kind && f->several, by_time = from_ns(f) || to_ns(f);

	sql_put(s, "part = 0 AND ");
	put_days(s, f, 1);
	sql_put(s, f->columns);
	if (by_time && !by_kind)
		put_times(s, f);
	else if (by_kind)
		sql_put(s, " AND ");
	if (by_time || by_kind)
		put_in_windows(s, f, by_kind ? kind : NULL);
	if (by_time && !by_kind)
		sql_put(s, ")");
}

const char *fleet_value(const struct fleet_kind *kind, uint32_t nr, char buf[FLEET_VALUE])
{
	const struct profile *p = kind->head;
	uint32_t i, more = 0;

	for (i = 0; i <= nr; i++) {
		const char *type = profile_text(p, p->value_types[i].type);
		const char *unit = profile_text(p, p->value_types[i].unit);
		bool is_count = !strcmp(type, "samples") && !strcmp(unit, "count");

		snprintf(buf, FLEET_VALUE, "more[%u]", more + 1);
		if (is_count)
			snprintf(buf, FLEET_VALUE, "count");
		else if (!strcmp(type, "cpu") && !strcmp(unit, "nanoseconds"))
			snprintf(buf, FLEET_VALUE, "cpu");
		else
			more++;
	}
	return buf;
}

uint32_t fleet_string(struct profile *p, const struct clickhouse_cell *c)
{
	return profile_string_bytes(p, (const char *)c->bytes, c->len);
}

static void put_texts(struct sql *s, struct clickhouse_cell array)
{
	struct clickhouse_cell e;
	bool first = true;

	sql_put(s, "[");
	for (; clickhouse_next(&array, CLICKHOUSE_STRING, &e); first = false) {
		sql_put(s, first ? "" : ", ");
		sql_bytes(s, e.bytes, e.len);
	}
	sql_put(s, "]");
}

/* Make the condition @is of struct fleet_kind. Return: 0 or -ENOMEM. */
static int make_is(const struct clickhouse_cell *types, const struct clickhouse_cell *units,
		   char **ret)
{
	struct sql s;
	int err = sql_init(&s);

	sql_put(&s, "types = ");
	put_texts(&s, *types);
	sql_put(&s, " AND units = ");
	put_texts(&s, *units);
	err = err ? err : sql_end(&s);
	*ret = s.text;
	s.text = NULL;
	sql_release(&s);
	return err;
}

/* Columns of the answer of ask_kinds(). */
enum {
	TYPES, UNITS, DEFAULT, PERIOD, PERIOD_TYPE, PERIOD_UNIT, COMMENTS, NR, FIRST, LAST, LENGTH,
	LONGEST, NR_COLUMNS,
};

static const enum clickhouse_type kind_types[NR_COLUMNS] = {
	[TYPES] = CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
	[UNITS] = CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
	[DEFAULT] = CLICKHOUSE_STRING, [PERIOD] = CLICKHOUSE_INT64,
	[PERIOD_TYPE] = CLICKHOUSE_STRING, [PERIOD_UNIT] = CLICKHOUSE_STRING,
	[COMMENTS] = CLICKHOUSE_ARRAY | CLICKHOUSE_STRING, [NR] = CLICKHOUSE_UINT64,
	[FIRST] = CLICKHOUSE_UINT64, [LAST] = CLICKHOUSE_UINT64, [LENGTH] = CLICKHOUSE_UINT64,
	[LONGEST] = CLICKHOUSE_UINT64,
};

/* Make the profile @head of struct fleet_kind from a row. */
static void fill_head(struct profile *p, const struct clickhouse_cell *cells)
{
	struct clickhouse_cell types = cells[TYPES], units = cells[UNITS];
	struct clickhouse_cell comments = cells[COMMENTS], type, unit, text;

	while (clickhouse_next(&types, CLICKHOUSE_STRING, &type) &&
	       clickhouse_next(&units, CLICKHOUSE_STRING, &unit))
		profile_value_type(p, profile_text(p, fleet_string(p, &type)),
				   profile_text(p, fleet_string(p, &unit)));
	while (clickhouse_next(&comments, CLICKHOUSE_STRING, &text))
		profile_comment(p, profile_text(p, fleet_string(p, &text)));
	p->default_type = fleet_string(p, &cells[DEFAULT]);
	p->period = (int64_t)cells[PERIOD].number;
	p->period_type.type = fleet_string(p, &cells[PERIOD_TYPE]);
	p->period_type.unit = fleet_string(p, &cells[PERIOD_UNIT]);
	p->time_ns = cells[FIRST].number;
	p->duration_ns = cells[LENGTH].number;
}

/* Add the windows of a kind to the coverage. */
static void cover(struct fleet *f, const struct clickhouse_cell *cells)
{
	struct store_coverage *c = &f->coverage;

	c->windows += cells[NR].number;
	c->recorded_ns += cells[LENGTH].number;
	if (!c->first_ns || cells[FIRST].number < c->first_ns)
		c->first_ns = cells[FIRST].number;
	if (cells[LAST].number > c->last_ns)
		c->last_ns = cells[LAST].number;
	if (cells[LONGEST].number > f->longest_ns)
		f->longest_ns = cells[LONGEST].number;
}

static int take_kind(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct fleet *f = arg;
	struct fleet_kind *k;
	int err;

	if (f->nr_kinds == FLEET_MAX_KINDS)
		return diag_set(diag, E2BIG, NULL, "more than %u kinds of windows: a shorter time, or "
				"fewer hosts, are needed", FLEET_MAX_KINDS);
	if (!array_has_room(f->kinds, f->nr_kinds, f->kinds_room))
		return diag_errno(diag, ENOMEM, NULL);
	k = &f->kinds[f->nr_kinds];
	*k = (struct fleet_kind){ .head = profile_new() };
	f->nr_kinds++;
	if (!k->head || make_is(&cells[TYPES], &cells[UNITS], &k->is))
		return diag_errno(diag, ENOMEM, NULL);
	fill_head(k->head, cells);
	err = fleet_types_error(f, k->head);
	if (err)
		return err;
	for (k->alike = 0; strcmp(f->kinds[k->alike].is, k->is); k->alike++)
		;
	f->several |= k->alike > 0;
	cover(f, cells);
	return 0;
}

static int ask_kinds(struct fleet *f)
{
	const struct clickhouse_question how = { .types = kind_types, .nr_types = NR_COLUMNS,
						 .take = take_kind, .arg = f };
	struct sql s;
	int err = sql_init(&s);

	sql_put(&s, "FROM windows FINAL WHERE ");
	fleet_put_windows(&s, f);
	sql_put(&s, " GROUP BY types, units, default_type, period, period_type, period_unit, comments "
		    "ORDER BY first, types, units, comments");
	err = err ? fleet_no_memory(f) :
		    fleet_select(f, "types, units, default_type, period, period_type, period_unit, "
				    "comments, count(), min(time_ns) AS first, max(time_ns + duration_ns), "
				    "sum(duration_ns), max(duration_ns)", &s, &how);
	sql_release(&s);
	return err;
}

void fleet_put_rounded(struct sql *s, const struct fleet *f, const char *time)
{
	sql_put(s, "part = 0 AND ");
	put_days(s, f, 0);
	sql_put(s, " AND ");
	sql_put(s, time);
	put_time(s, " >= toDateTime(", from_ns(f) / SECOND);
	if (to_ns(f)) {
		sql_put(s, " AND ");
		sql_put(s, time);
		put_time(s, " < toDateTime(", to_ns(f) / SECOND);
	}
	sql_put(s, f->columns);
}

void fleet_heads(const struct fleet *f, struct profile *into)
{
	uint32_t i;

	for (i = 0; i < f->nr_kinds; i++)
		profile_merge_head(into, f->kinds[i].head);
}

int fleet_find_value(const struct fleet_kind *kind, const char *type)
{
	const struct profile *p = kind->head;
	uint32_t i;

	for (i = 0; i < p->nr_value_types; i++)
		if (!strcmp(profile_text(p, p->value_types[i].type), type))
			return (int)i;
	return -1;
}

int fleet_not_rounded(const struct fleet *f)
{
	return diag_set(f->diag, EINVAL, NULL,
			"sums by hour and minute have only the labels service, release and stack");
}

/* Check that sums by hour and minute can answer the selector, if they are asked for. */
static int check_rounded(const struct fleet *f)
{
	struct store_condition c;
	uint32_t i;

	for (i = 0; f->q->rounded && store_selector_condition(f->q->q.selector, i, &c); i++)
		if (!fleet_column(c.key) || !strcmp(fleet_column(c.key), "host"))
			return fleet_not_rounded(f);
	return 0;
}

int fleet_begin(struct fleet *f, struct clickhouse *c, const struct clickhouse_query *q,
		struct diag *diag)
{
	int err;

	*f = (struct fleet){ .c = c, .q = q, .diag = diag };
	if (diag) {
		diag->file = NULL;
		diag->offset = DIAG_NO_OFFSET;
	}
	err = check_rounded(f);
	err = err ? err : fleet_columns(f);
	return err ? err : ask_kinds(f);
}

int fleet_finish(struct fleet *f, int err, struct store_coverage *ret)
{
	int given_up = store_selector_error(f->q->q.selector);
	uint32_t i;

	if (!err && given_up)
		err = given_up == -ENOMEM ? fleet_no_memory(f) :
		      diag_set(f->diag, -given_up, NULL,
			       "a regular expression takes too long for some label");
	if (f->diag && !f->diag->file)
		f->diag->file = clickhouse_shown(f->c);
	if (!err && ret)
		*ret = f->coverage;
	for (i = 0; i < f->nr_kinds; i++) {
		profile_free(f->kinds[i].head);
		free(f->kinds[i].is);
	}
	free(f->kinds);
	free(f->columns);
	free(f->hosts);
	return err;
}
