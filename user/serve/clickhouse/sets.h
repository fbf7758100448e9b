/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sets of labels of a question's samples. Selectors are applied to them here, so that they
 * mean the same as for a local store. The server then gets a temporary table of the sets that
 * are selected, each with its class: the group or the set of the answer that it belongs to.
 * Private to user/serve/clickhouse.
 */
#ifndef USTACK_USER_CLICKHOUSE_SETS_H
#define USTACK_USER_CLICKHOUSE_SETS_H

#include "serve/clickhouse/fleet.h"
#include "serve/clickhouse/ids.h"

/* Most sets of labels, and most pairs of a sample's and a machine's set. */
#define SETS_MAX (4u << 20)
/* Name of the temporary table, see sets_external(). */
#define SETS_TABLE "sets"

struct sets_row;

/**
 * struct sets - sets of labels
 * @f: the question
 * @defs: profile that has the sets
 * @ids: the server's numbers of the sets
 * @of: number in @defs of each entry of @ids
 * @room: number of entries that @of has room for
 * @machines: labels of machines matter, too
 * @rows: rows of the temporary table
 * @nr: number of entries in @rows
 * @rows_room: number of entries that @rows has room for
 */
struct sets {
	const struct fleet *f;
	struct profile *defs;
	struct clickhouse_ids ids;
	uint32_t *of;
	size_t room;
	bool machines;
	struct sets_row *rows;
	uint32_t nr;
	size_t rows_room;
};

/**
 * sets_begin() - ask for the sets of labels of a question's samples
 * @s: to be released in any case
 * @f: the question
 * @label: a label that matters besides those of the selector; NULL if there is none
 *
 * Return: 0 or a negative errno.
 */
int sets_begin(struct sets *s, const struct fleet *f, const char *label);
void sets_release(struct sets *s);

/* Return: whether the answer depends on labels that are not columns. */
bool sets_are_needed(const struct fleet *f, const char *label);

/**
 * sets_classify() - select sets, and find the class of each selected one
 * @s: the sets
 * @class: called for each selected set of a sample and of its machine; writes the class, and
 *         returns 0 or a negative errno
 * @arg: argument of @class
 *
 * Return: 0 or a negative errno.
 */
int sets_classify(struct sets *s,
		  int (*class)(const struct sets *s, uint32_t labels, uint32_t machine, void *arg,
			       uint32_t *ret),
		  void *arg);

/* Return: the text of a label of the sample, or else of its machine; "" if neither has it. */
const char *sets_text(const struct sets *s, uint32_t labels, uint32_t machine, const char *key,
		      char buf[24]);

/* Return: the temporary table of selected sets and their classes. */
struct clickhouse_external sets_external(const struct sets *s);
/* Return: the columns of that table that identify a set, "labels" or "labels, machine". */
const char *sets_columns(const struct sets *s);
/* Append "(labels) GLOBAL IN (...) AND ", which selects rows whose sets are in the table. */
void sets_put_selected(const struct sets *s, struct sql *to);
/* End a subquery that has sets_columns(), and join the class of each of its rows. */
void sets_put_classes(const struct sets *s, struct sql *to);

#endif /* USTACK_USER_CLICKHOUSE_SETS_H */
