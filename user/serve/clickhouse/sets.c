// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of labels: asks the database for the sets of the selected samples and machines, applies the
 * selector to them, and makes the temporary table of those that are selected (sets.h).
 */
#include "serve/clickhouse/sets.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/store/selector.h"
#include "util/array.h"

#include "util/poison.h"

/* A row of the temporary table, in RowBinary. */
struct sets_row {
	uint64_t labels;
	uint64_t machine;
	uint32_t class;
} __attribute__((__packed__));

void sets_release(struct sets *s)
{
	profile_free(s->defs);
	clickhouse_ids_release(&s->ids);
	free(s->of);
	free(s->rows);
}

bool sets_are_needed(const struct fleet *f, const char *label)
{
	struct store_condition c;
	uint32_t i;

	if (label && !fleet_column(label))
		return true;
	for (i = 0; store_selector_condition(f->q->q.selector, i, &c); i++)
		if (!fleet_column(c.key))
			return true;
	return false;
}

enum { ID, KEYS, TEXTS, NUMBERS, UNITS, NR_COLUMNS };

static const enum clickhouse_type set_types[NR_COLUMNS] = {
	[ID] = CLICKHOUSE_UINT64, [KEYS] = CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
	[TEXTS] = CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
	[NUMBERS] = CLICKHOUSE_ARRAY | CLICKHOUSE_INT64,
	[UNITS] = CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
};

/* Add a set to a profile. The shortest of its arrays decides how many labels it has. */
static uint32_t read_set(struct profile *p, const struct clickhouse_cell *cells)
{
	struct profile_label labels[PROFILE_MAX_LABELS];
	struct clickhouse_cell keys = cells[KEYS], texts = cells[TEXTS];
	struct clickhouse_cell numbers = cells[NUMBERS], units = cells[UNITS];
	struct clickhouse_cell key, text, number, unit;
	uint32_t nr = 0;

	while (nr < PROFILE_MAX_LABELS && clickhouse_next(&keys, CLICKHOUSE_STRING, &key) &&
	       clickhouse_next(&texts, CLICKHOUSE_STRING, &text) &&
	       clickhouse_next(&numbers, CLICKHOUSE_INT64, &number) &&
	       clickhouse_next(&units, CLICKHOUSE_STRING, &unit)) {
		labels[nr++] = (struct profile_label){
			.key = fleet_string(p, &key), .str = fleet_string(p, &text),
			.unit = fleet_string(p, &unit), .num = (int64_t)number.number,
		};
	}
	return profile_labels(p, labels, nr);
}

static int add_set(struct sets *s, uint64_t id, uint32_t labels)
{
	uint32_t n = clickhouse_ids_add(&s->ids, id);
	uint32_t *of = s->of;
	size_t room = s->room;

	if (!n)
		return -ENOMEM;
	if (n >= room) {
		room = room ? 2 * room : ARRAY_FIRST_ROOM;
		of = reallocarray(s->of, room, sizeof(*of));
		if (!of)
			return -ENOMEM;
		s->of = of;
		s->room = room;
	}
	s->of[n] = labels;
	return profile_error(s->defs);
}

static int take_set(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct sets *s = arg;
	int err;

	if (s->ids.nr > SETS_MAX)
		return diag_set(diag, E2BIG, NULL, "more than %u sets of labels: a shorter time, or "
				"fewer hosts, are needed", SETS_MAX);
	/* the empty set has number 0 in all tables; it needs no row */
	if (!cells[ID].number)
		return 0;
	err = add_set(s, cells[ID].number, read_set(s->defs, cells));
	return err ? diag_errno(diag, -err, NULL) : 0;
}

/* Ask for the sets that are in @column of the selected windows, or of the selected samples. */
static int ask_sets(struct sets *s, const char *column, bool windows)
{
	const struct clickhouse_question how = { .types = set_types, .nr_types = NR_COLUMNS,
						 .take = take_set, .arg = s };
	struct sql rest;
	int err = sql_init(&rest);

	sql_put(&rest, "FROM labels WHERE id GLOBAL IN (SELECT ");
	sql_put(&rest, column);
	sql_put(&rest, windows ? " FROM windows FINAL WHERE " : " FROM samples WHERE ");
	if (windows)
		fleet_put_windows(&rest, s->f);
	else
		fleet_put_samples(&rest, s->f, NULL);
	sql_put(&rest, ")");
	fleet_put_weeks(&rest, s->f);
	err = err ? fleet_no_memory(s->f) :
		    fleet_select(s->f, "id, keys, texts, numbers, units", &rest, &how);
	sql_release(&rest);
	return err;
}

/* Return: whether one of the sets has a label. Only machines' sets are there at this point. */
static bool has_key(const struct sets *s, const char *key)
{
	char buf[STORE_NUMBER_TEXT];
	uint32_t i;

	if (fleet_column(key))
		return false;
	for (i = 1; i < s->ids.nr; i++)
		if (store_labels_text(s->defs, s->of[i], key, buf))
			return true;
	return false;
}

/* Return: whether the answer depends on a label that machines have. */
static bool machines_matter(const struct sets *s, const char *label)
{
	struct store_condition c;
	uint32_t i;

	if (label && has_key(s, label))
		return true;
	for (i = 0; store_selector_condition(s->f->q->q.selector, i, &c); i++)
		if (has_key(s, c.key))
			return true;
	return false;
}

int sets_begin(struct sets *s, const struct fleet *f, const char *label)
{
	int err;

	*s = (struct sets){ .f = f, .defs = profile_new() };
	err = clickhouse_ids_init(&s->ids);
	if (err || !s->defs || add_set(s, 0, 0))
		return fleet_no_memory(f);
	if (sets_are_needed(f, label)) {
		err = ask_sets(s, "machine", true);
		if (err)
			return err;
		s->machines = machines_matter(s, label);
	}
	return ask_sets(s, "labels", false);
}

const char *sets_text(const struct sets *s, uint32_t labels, uint32_t machine, const char *key,
		      char buf[24])
{
	const char *text = store_labels_text(s->defs, labels, key, buf);

	if (!text && s->machines)
		text = store_labels_text(s->defs, machine, key, buf);
	return text ? text : "";
}

static bool is_selected(const struct sets *s, uint32_t labels, uint32_t machine)
{
	struct store_selector *selector = s->f->q->q.selector;
	char buf[STORE_NUMBER_TEXT];
	struct store_condition c;
	uint32_t i;

	for (i = 0; store_selector_condition(selector, i, &c); i++)
		if (!fleet_column(c.key) &&
		    !store_selector_holds(selector, i, sets_text(s, labels, machine, c.key, buf)))
			return false;
	return true;
}

/**
 * struct classify - arguments of sets_classify()
 * @s: the sets
 * @class: finds the class of a set
 * @arg: argument of @class
 */
struct classify {
	struct sets *s;
	int (*class)(const struct sets *s, uint32_t labels, uint32_t machine, void *arg,
		     uint32_t *ret);
	void *arg;
};

static int classify(const struct classify *c, uint64_t labels, uint64_t machine)
{
	struct sets *s = c->s;
	uint32_t l = clickhouse_ids_find(&s->ids, labels), class;
	uint32_t m = clickhouse_ids_find(&s->ids, machine);
	int err;

	/* a set whose row has not arrived yet counts as not selected */
	if (!l || !m || !is_selected(s, s->of[l], s->of[m]))
		return 0;
	err = c->class(s, s->of[l], s->of[m], c->arg, &class);
	if (err)
		return err;
	if (s->nr == SETS_MAX)
		return -E2BIG;
	if (!array_has_room(s->rows, s->nr, s->rows_room))
		return -ENOMEM;
	s->rows[s->nr++] = (struct sets_row){ htole64(labels), htole64(machine), htole32(class) };
	return 0;
}

/* Set the diag for a failure of classify(). Return: @err. */
static int report(const struct sets *s, int err)
{
	if (err == -E2BIG)
		return diag_set(s->f->diag, E2BIG, NULL, "more than %u sets of labels of samples and "
				"machines", SETS_MAX);
	return err ? diag_errno(s->f->diag, -err, NULL) : 0;
}

static int take_pair(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	const struct classify *c = arg;

	return report(c->s, classify(c, cells[0].number, cells[1].number));
}

static int ask_pairs(struct classify *c)
{
	static const enum clickhouse_type types[] = { CLICKHOUSE_UINT64, CLICKHOUSE_UINT64 };
	const struct clickhouse_question how = { .types = types, .nr_types = 2,
						 .take = take_pair, .arg = c };
	struct sql rest;
	int err = sql_init(&rest);

	sql_put(&rest, "FROM samples WHERE ");
	fleet_put_samples(&rest, c->s->f, NULL);
	sql_put(&rest, " GROUP BY labels, machine");
	err = err ? fleet_no_memory(c->s->f) :
		    fleet_select(c->s->f, "labels, machine", &rest, &how);
	sql_release(&rest);
	return err;
}

int sets_classify(struct sets *s,
		  int (*class)(const struct sets *s, uint32_t labels, uint32_t machine, void *arg,
			       uint32_t *ret),
		  void *arg)
{
	struct classify c = { .s = s, .class = class, .arg = arg };
	uint32_t i;
	int err = 0;

	s->nr = 0;
	if (s->machines)
		return ask_pairs(&c);
	for (i = 1; i < s->ids.nr && !err; i++)
		err = classify(&c, s->ids.id[i], 0);
	return report(s, err);
}

struct clickhouse_external sets_external(const struct sets *s)
{
	return (struct clickhouse_external){
		.name = SETS_TABLE, .structure = "labels UInt64, machine UInt64, class UInt32",
		.rows = s->rows, .len = s->nr * sizeof(*s->rows),
	};
}

const char *sets_columns(const struct sets *s)
{
	return s->machines ? "labels, machine" : "labels";
}

void sets_put_selected(const struct sets *s, struct sql *to)
{
	sql_put(to, "(");
	sql_put(to, sets_columns(s));
	sql_put(to, ") GLOBAL IN (SELECT ");
	sql_put(to, sets_columns(s));
	sql_put(to, " FROM " SETS_TABLE ") AND ");
}

/*
 * The join is ALL and not ANY: 19.14 refuses ANY INNER JOIN, and later servers keep only one
 * row of each side.
 */
void sets_put_classes(const struct sets *s, struct sql *to)
{
	sql_put(to, ") AS of_sets ALL INNER JOIN (SELECT DISTINCT ");
	sql_put(to, sets_columns(s));
	sql_put(to, ", class FROM " SETS_TABLE ") AS classes USING ");
	sql_put(to, sets_columns(s));
}
