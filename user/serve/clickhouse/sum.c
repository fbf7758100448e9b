// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up a fleet's samples to one profile (clickhouse_sum), from single samples or from the
 * server's sums by hour; and finds types of values (clickhouse_types).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/clickhouse/dictionary.h"
#include "serve/clickhouse/sets.h"
#include "util/array.h"

#include "util/poison.h"

/* Most rows of an answer; each becomes a sample of the profile. */
#define MAX_ROWS (8u << 20)

/**
 * struct row - a sample of the answer
 * @class: number of its set of labels in the profile
 * @stack: small number of its stack
 * @value: values, by their numbers in the profile
 */
struct row {
	uint32_t class;
	uint32_t stack;
	int64_t value[PROFILE_MAX_VALUES];
};

/**
 * struct sum - a sum that is being made
 * @f: the question
 * @into: profile that gets the sum
 * @kind: kind of windows whose samples are being asked for
 * @type: number in @into of each type of values of @kind
 * @sets: sets of labels, if @by_sets
 * @by_sets: the answer depends on sets of labels
 * @by_outcome: the only label that is kept is "stack", which is a column
 * @stacks: numbers of the stacks of @rows
 * @rows: rows of the answer
 * @nr_rows: number of entries in @rows
 * @rows_room: number of entries that @rows has room for
 */
struct sum {
	struct fleet f;
	struct profile *into;
	const struct fleet_kind *kind;
	uint32_t type[PROFILE_MAX_VALUES];
	struct sets sets;
	bool by_sets;
	bool by_outcome;
	struct clickhouse_ids stacks;
	struct row *rows;
	uint32_t nr_rows;
	size_t rows_room;
};

static bool is_kept(const char *const *keep, const char *key)
{
	for (; keep && *keep; keep++)
		if (!strcmp(*keep, key))
			return true;
	return !keep;
}

/* The class of a set is the set of those of its labels that are kept, in the answer's profile. */
static int keep_labels(const struct sets *sets, uint32_t labels, uint32_t machine, void *arg,
		       uint32_t *ret)
{
	const struct profile_labels *set = &sets->defs->labels[labels];
	struct profile_label kept[PROFILE_MAX_LABELS];
	const struct profile *p = sets->defs;
	struct sum *s = arg;
	uint32_t i, nr = 0;

	for (i = 0; i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (!is_kept(s->f.q->q.keep, profile_text(p, l->key)))
			continue;
		kept[nr++] = (struct profile_label){
			.key = profile_string(s->into, profile_text(p, l->key)),
			.str = profile_string(s->into, profile_text(p, l->str)),
			.unit = profile_string(s->into, profile_text(p, l->unit)),
			.num = l->num,
		};
	}
	*ret = profile_labels(s->into, kept, nr);
	return profile_error(s->into);
}

static uint32_t outcome_class(struct sum *s, const struct clickhouse_cell *text)
{
	const struct profile_label l = {
		.key = profile_string(s->into, PROFILE_LABEL_STACK),
		.str = profile_string_bytes(s->into, (const char *)text->bytes, text->len),
	};

	return l.str ? profile_labels(s->into, &l, 1) : 0;
}

static int take_row(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct clickhouse_cell more = cells[4], value;
	struct sum *s = arg;
	const struct profile *head = s->kind->head;
	char column[FLEET_VALUE];
	struct row *r;
	uint32_t i;

	if (cells[0].number >= s->into->nr_labels)
		return diag_set(diag, EBADMSG, NULL, "row %u has a class that was not asked for",
				s->nr_rows + 1);
	if (s->nr_rows == MAX_ROWS)
		return diag_set(diag, E2BIG, NULL, "more than %u stacks with labels: keep fewer "
				"labels, or ask for a shorter time or fewer hosts", MAX_ROWS);
	if (!array_has_room(s->rows, s->nr_rows, s->rows_room))
		return diag_errno(diag, ENOMEM, NULL);
	r = &s->rows[s->nr_rows++];
	*r = (struct row){ .class = (uint32_t)cells[0].number,
			   .stack = clickhouse_ids_add(&s->stacks, cells[1].number) };
	for (i = 0; i < head->nr_value_types; i++) {
		const char *name = fleet_value(s->kind, i, column);

		if (!strcmp(name, "count"))
			r->value[s->type[i]] = (int64_t)cells[2].number;
		else if (!strcmp(name, "cpu"))
			r->value[s->type[i]] = (int64_t)cells[3].number;
		else if (clickhouse_next(&more, CLICKHOUSE_INT64, &value))
			r->value[s->type[i]] = (int64_t)value.number;
	}
	if (s->by_outcome)
		r->class = outcome_class(s, &cells[5]);
	return r->stack ? 0 : diag_errno(diag, ENOMEM, NULL);
}

/*
 * Append the condition that a stack has a frame with one of the names. That is cheap: there are
 * few such frames, and each stack is stored once a week.
 */
static void put_functions(struct sql *rest, const struct sum *s)
{
	const char *const *name = s->f.q->functions;
	bool first = true;

	if (!name)
		return;
	sql_put(rest, " AND stack GLOBAL IN (SELECT id FROM stacks WHERE hasAny(frames, "
		      "(SELECT groupArray(frame) FROM names WHERE hasAny(functions, [");
	for (; *name; name++, first = false) {
		sql_put(rest, first ? "" : ", ");
		sql_text(rest, *name);
	}
	sql_put(rest, "])");
	fleet_put_weeks(rest, &s->f);
	sql_put(rest, "))");
	fleet_put_weeks(rest, &s->f);
	sql_put(rest, ")");
}

/*
 * Append the rest of the statement. Shards add up by stack and set of labels; if labels matter,
 * the server that is asked adds up their sums once more, by class.
 */
static void put_rest(struct sql *rest, const struct sum *s)
{
	const char *by = s->by_sets ? sets_columns(&s->sets) : "";

	sql_put(rest, s->by_sets ? "FROM (SELECT " : "FROM samples WHERE ");
	if (s->by_sets) {
		sql_put(rest, by);
		sql_put(rest, ", stack, sum(count) AS c, sum(cpu) AS t, sumForEach(more) AS m "
			      "FROM samples WHERE ");
		sets_put_selected(&s->sets, rest);
	}
	fleet_put_samples(rest, &s->f, s->kind);
	put_functions(rest, s);
	if (s->by_sets) {
		sql_put(rest, " GROUP BY ");
		sql_put(rest, by);
		sql_put(rest, ", stack");
		sets_put_classes(&s->sets, rest);
	}
	sql_put(rest, s->by_sets ? " GROUP BY class, stack" :
		      s->by_outcome ? " GROUP BY stack, outcome" : " GROUP BY stack");
}

/* Ask for rows, in a fixed order. */
static int ask(struct sum *s, const char *columns, struct sql *rest)
{
	static const enum clickhouse_type types[] = {
		CLICKHOUSE_UINT32, CLICKHOUSE_UINT64, CLICKHOUSE_INT64, CLICKHOUSE_INT64,
		CLICKHOUSE_ARRAY | CLICKHOUSE_INT64, CLICKHOUSE_STRING,
	};
	const struct clickhouse_external external = sets_external(&s->sets);
	const struct clickhouse_question how = { .types = types, .nr_types = 6, .take = take_row,
						 .arg = s, .table = s->by_sets ? &external : NULL };

	/* the order makes the answers to equal questions equal, byte for byte */
	sql_put(rest, " ORDER BY stack");
	sql_put(rest, s->by_sets ? ", class" : s->by_outcome ? ", outcome" : "");
	return fleet_select(&s->f, columns, rest, &how);
}

static int ask_rows(struct sum *s)
{
	const char *columns = s->by_sets ? "class, stack, sum(c), sum(t), sumForEach(m), ''" :
			      s->by_outcome ? "toUInt32(0), stack, sum(count), sum(cpu), sumForEach(more), "
					      "outcome" :
			      "toUInt32(0), stack, sum(count), sum(cpu), sumForEach(more), ''";
	struct sql rest;
	int err = sql_init(&rest);

	put_rest(&rest, s);
	err = err ? fleet_no_memory(&s->f) : ask(s, columns, &rest);
	sql_release(&rest);
	return err;
}

/* Sums by hour have two values; their only label that can be kept is "stack". */
static int ask_rounded(struct sum *s)
{
	struct sql rest;
	int err = sql_init(&rest);

	sql_put(&rest, "FROM stacks_by_hour WHERE ");
	fleet_put_rounded(&rest, &s->f, "hour");
	put_functions(&rest, s);
	sql_put(&rest, s->by_outcome ? " GROUP BY stack, outcome" : " GROUP BY stack");
	err = err ? fleet_no_memory(&s->f) :
		    ask(s, s->by_outcome ?
			"toUInt32(0), stack, sum(count), sum(cpu), emptyArrayInt64(), outcome" :
			"toUInt32(0), stack, sum(count), sum(cpu), emptyArrayInt64(), ''", &rest);
	sql_release(&rest);
	return err;
}

static int find_types(struct sum *s)
{
	const struct profile *head = s->kind->head;
	uint32_t i;

	for (i = 0; i < head->nr_value_types; i++)
		s->type[i] = profile_value_type(s->into,
						profile_text(head, head->value_types[i].type),
						profile_text(head, head->value_types[i].unit));
	return fleet_types_error(&s->f, s->into);
}

static int ask_kinds(struct sum *s)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < s->f.nr_kinds && !err; i++) {
		s->kind = &s->f.kinds[i];
		if (s->kind->alike != i)
			continue;
		err = find_types(s);
		err = err ? err : ask_rows(s);
	}
	return err;
}

static void add_rows(struct sum *s, const uint32_t *stacks)
{
	uint32_t i;

	for (i = 0; i < s->nr_rows; i++)
		profile_add(s->into, stacks[s->rows[i].stack], s->rows[i].class, s->rows[i].value);
}

static int finish_rows(struct sum *s)
{
	uint32_t *stacks = NULL, missing;
	int err = dictionary_stacks(&s->f, &s->stacks, s->into, &stacks, &missing);

	if (!err)
		add_rows(s, stacks);
	free(stacks);
	if (!err && missing) {
		s->f.coverage.bad += missing;
		diag_set(s->f.diag, ENODATA, NULL, "%u stacks of samples are not in the table of stacks",
			 missing);
	}
	if (!err && profile_error(s->into))
		err = diag_errno(s->f.diag, -profile_error(s->into), NULL);
	return err;
}

static void add_rounded_types(struct profile *p)
{
	profile_value_type(p, "samples", "count");
	profile_value_type(p, "cpu", "nanoseconds");
}

static int sum_rounded(struct sum *s)
{
	const struct fleet_kind kind = { .head = profile_new() };
	int err;

	if (!kind.head)
		return fleet_no_memory(&s->f);
	add_rounded_types(kind.head);
	s->kind = &kind;
	err = find_types(s);
	err = err ? err : ask_rounded(s);
	profile_free(kind.head);
	return err;
}

static int sum(struct sum *s)
{
	const char *const *keep = s->f.q->q.keep;
	int err = 0;

	s->by_outcome = keep && *keep && !keep[1] && !strcmp(*keep, PROFILE_LABEL_STACK) &&
			!sets_are_needed(&s->f, NULL);
	s->by_sets = !s->f.q->rounded && !s->by_outcome &&
		     (!keep || *keep || sets_are_needed(&s->f, NULL));
	if (s->by_sets) {
		err = sets_begin(&s->sets, &s->f, NULL);
		err = err ? err : sets_classify(&s->sets, keep_labels, s);
	}
	if (!err)
		err = s->f.q->rounded ? sum_rounded(s) : ask_kinds(s);
	return err ? err : finish_rows(s);
}

int clickhouse_sum(struct clickhouse *c, const struct clickhouse_query *query,
		   struct profile *into, struct store_coverage *ret, struct diag *diag)
{
	struct sum s = { .into = into };
	int err = fleet_begin(&s.f, c, query, diag);

	if (!err && clickhouse_ids_init(&s.stacks))
		err = fleet_no_memory(&s.f);
	if (!err)
		fleet_heads(&s.f, into);
	err = err || !s.f.nr_kinds ? err : sum(&s);
	if (s.by_sets)
		sets_release(&s.sets);
	clickhouse_ids_release(&s.stacks);
	free(s.rows);
	return fleet_finish(&s.f, err, ret);
}

/* Add the types of the earliest windows that have @type, or else of the earliest windows. */
static void add_types(const struct fleet *f, const char *type, struct profile *into)
{
	const struct profile *head;
	uint32_t i, k;

	for (i = 0; type && i < f->nr_kinds && fleet_find_value(&f->kinds[i], type) < 0; i++)
		;
	if (!f->nr_kinds)
		return;
	head = f->kinds[i < f->nr_kinds ? i : 0].head;
	for (k = 0; k < head->nr_value_types; k++)
		profile_value_type(into, profile_text(head, head->value_types[k].type),
				   profile_text(head, head->value_types[k].unit));
}

int clickhouse_types(struct clickhouse *c, const struct clickhouse_query *query,
		     const char *type, struct profile *into, struct store_coverage *ret,
		     struct diag *diag)
{
	struct fleet f;
	int err = fleet_begin(&f, c, query, diag);

	if (!err) {
		fleet_heads(&f, into);
		if (!query->rounded)
			add_types(&f, type, into);
		else if (f.nr_kinds)
			add_rounded_types(into);
	}
	if (!err)
		err = fleet_types_error(&f, into);
	return fleet_finish(&f, err, ret);
}
