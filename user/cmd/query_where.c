// SPDX-License-Identifier: GPL-2.0-only
/* Asks the store of this machine or a fleet's database, for ustack query. */
#include "cmd/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/export.h"

#include "util/poison.h"

int query_open(struct query_opts *o, struct diag *diag)
{
	int err;

	if (!clickhouse_is_place(o->dir))
		return 0;
	err = database_open(&o->database, o->dir, NULL, diag);
	if (o->database.client)
		o->dir = o->database.place.shown;
	return err;
}

void query_close(struct query_opts *o)
{
	database_close(&o->database);
	free(o->keep_words);
	free(o->symbol_words);
}

/*
 * Chooses labels by the output's format: a profile for another program keeps all labels; a text
 * for people needs few.
 */
static void keep_by_form(struct query_opts *o)
{
	const char *as = o->format ? o->format : o->output ? "pprof" : "text";
	enum export_format format = EXPORT_NR;
	bool known = export_format_find(as, &format);

	o->q.keep = o->kept;
	o->kept[0] = known && !o->rounded ? PROFILE_LABEL_COMMAND : PROFILE_LABEL_STACK;
	if (!o->rounded && known && (format == EXPORT_PPROF || export_format_has_times(format)))
		o->q.keep = NULL;
}

/* Splits a list at its commas. Return: false for too many words, or without memory. */
static bool split(const char *list, char **copy, const char **words)
{
	char *word, *at = NULL;
	size_t nr = 0;

	*copy = strdup(list);
	if (!*copy)
		return false;
	for (word = strtok_r(*copy, ",", &at); word; word = strtok_r(NULL, ",", &at)) {
		if (nr == QUERY_MAX_WORDS)
			return false;
		words[nr++] = word;
	}
	return true;
}

bool query_words(struct query_opts *o)
{
	if (o->symbol && !split(o->symbol, &o->symbol_words, o->symbols))
		return false;
	if (!o->keep) {
		if (clickhouse_is_place(o->dir))
			keep_by_form(o);
		return true;
	}
	o->q.keep = o->kept;
	return split(o->keep, &o->keep_words, o->kept);
}

static struct clickhouse_query query_of(const struct query_opts *o)
{
	return (struct clickhouse_query){ .q = o->q, .rounded = o->rounded,
					  .functions = o->symbol ? o->symbols : NULL };
}

int query_ask_sum(const struct query_opts *o, struct profile *into, struct store_coverage *c,
		  struct diag *diag)
{
	const struct clickhouse_query q = query_of(o);

	if (o->database.client)
		return clickhouse_sum(o->database.client, &q, into, c, diag);
	return store_sum(o->dir, &o->q, into, c, diag);
}

int query_ask_series(const struct query_opts *o, const char *value_type,
		     int (*point)(const struct store_point *point, void *arg), void *arg,
		     struct store_coverage *c, struct diag *diag)
{
	const char *label = o->series[0] ? o->series : NULL;
	const struct clickhouse_query q = query_of(o);

	if (o->database.client)
		return clickhouse_series(o->database.client, &q, label, value_type, o->step_ns,
					 point, arg, c, diag);
	return store_series(o->dir, &o->q, label, value_type, o->step_ns, point, arg, c, diag);
}

int query_ask_values(const struct query_opts *o,
		     int (*take)(const char *text, uint64_t samples, void *arg), void *arg,
		     struct store_coverage *c, struct diag *diag)
{
	const char *label = o->labels ? NULL : o->values;
	const struct clickhouse_query q = query_of(o);

	if (o->database.client)
		return clickhouse_values(o->database.client, &q, label, take, arg, c, diag);
	return store_values(o->dir, &o->q, label, take, arg, c, diag);
}

int query_ask_types(const struct query_opts *o, struct profile *into, struct diag *diag)
{
	const struct clickhouse_query q = query_of(o);

	return clickhouse_types(o->database.client, &q, o->value, into, NULL, diag);
}

int query_ask_windows(const struct query_opts *o, const char *value_type,
		      int (*take)(const struct clickhouse_window *w, void *arg), void *arg,
		      struct store_coverage *c, struct diag *diag)
{
	const struct clickhouse_query q = query_of(o);

	return clickhouse_windows(o->database.client, &q, value_type, take, arg, c, diag);
}
