// SPDX-License-Identifier: GPL-2.0-only
/*
 * The labels that are columns of the table samples, and the SQL conditions that a selector sets
 * for them. For a regular expression it asks for all texts of the column and lists those that
 * match.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/clickhouse/fleet.h"
#include "profile/profile.h"

#include "util/poison.h"

/* The labels that are columns. @distinct: a smaller table that has all texts of the column */
static const struct column {
	const char *label;
	const char *name;
	const char *distinct;
} columns[] = {
	{ "host", "host", "windows" },
	{ "service", "service", "services_by_minute" },
	{ "release", "release", "services_by_minute" },
	{ PROFILE_LABEL_STACK, "outcome", "completeness_by_hour" },
};

static const struct column *find(const char *label)
{
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (!strcmp(columns[i].label, label))
			return &columns[i];
	return NULL;
}

const char *fleet_column(const char *label)
{
	const struct column *c = find(label);

	return c ? c->name : NULL;
}

/**
 * struct texts - texts of a column that match a regular expression
 * @f: the question
 * @condition: number of the condition in the selector
 * @s: gets the texts as a list in SQL
 * @nr: number of texts in the list
 */
struct texts {
	const struct fleet *f;
	uint32_t condition;
	struct sql *s;
	uint32_t nr;
};

static int take_text(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct texts *t = arg;
	char *text;
	bool holds;

	/* a NUL ends the text, as it ends labels */
	text = strndup((const char *)cells->bytes, cells->len);
	if (!text)
		return diag_errno(diag, ENOMEM, NULL);
	holds = store_selector_holds(t->f->q->q.selector, t->condition, text);
	free(text);
	if (!holds)
		return 0;
	if (t->nr == FLEET_MAX_TEXTS)
		return diag_set(diag, E2BIG, NULL, "an expression matches more than %u texts",
				FLEET_MAX_TEXTS);
	sql_put(t->s, t->nr++ ? ", " : "");
	sql_bytes(t->s, cells->bytes, cells->len);
	return 0;
}

/* Append "host IN ('a', 'b')": the texts of the column that match a regular expression. */
static int put_texts(struct fleet *f, const struct column *c, uint32_t condition, struct sql *s)
{
	static const enum clickhouse_type type = CLICKHOUSE_STRING;
	struct texts t = { .f = f, .condition = condition, .s = s };
	const struct clickhouse_question how = { .types = &type, .nr_types = 1, .take = take_text,
						 .arg = &t };
	struct sql rest;
	int err = sql_init(&rest);

	sql_put(s, c->name);
	sql_put(s, " IN (");
	sql_put(&rest, "FROM ");
	sql_put(&rest, c->distinct);
	/* texts of more days than the question's do no harm */
	sql_put(&rest, " WHERE 1");
	fleet_put_weeks(&rest, f);
	sql_put(&rest, " GROUP BY ");
	sql_put(&rest, c->name);
	err = err ? fleet_no_memory(f) : fleet_select(f, c->name, &rest, &how);
	sql_release(&rest);
	/* an empty list is not allowed in SQL: if no text matches, the condition is false */
	sql_put(s, t.nr ? ")" : "'') AND 0");
	return err;
}

static int put_condition(struct fleet *f, const struct column *c, uint32_t nr,
			 const struct store_condition *what, struct sql *s)
{
	sql_put(s, " AND ");
	if (what->how == STORE_MATCH || what->how == STORE_NOT_MATCH)
		return put_texts(f, c, nr, s);
	sql_put(s, c->name);
	sql_put(s, what->how == STORE_EQUAL ? " = " : " != ");
	sql_text(s, what->value);
	return 0;
}

static int put_all(struct fleet *f, bool hosts, char **ret)
{
	struct store_condition what;
	struct sql s;
	uint32_t i;
	int err = sql_init(&s);

	if (err)
		return fleet_no_memory(f);
	for (i = 0; !err && store_selector_condition(f->q->q.selector, i, &what); i++) {
		const struct column *c = find(what.key);

		if (c && (!hosts || c == columns))
			err = put_condition(f, c, i, &what, &s);
	}
	if (!err && sql_end(&s))
		err = fleet_no_memory(f);
	if (!err) {
		*ret = s.text;
		s.text = NULL;
	}
	sql_release(&s);
	return err;
}

int fleet_columns(struct fleet *f)
{
	int err = put_all(f, true, &f->hosts);

	return err ? err : put_all(f, false, &f->columns);
}
