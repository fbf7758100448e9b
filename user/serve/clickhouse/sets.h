/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of labels of a question's samples: for user/serve/clickhouse alone. They are looked at here,
 * where selectors mean what they mean of a local store, and the server is told which of them
 * count and for what: their class.
 */
#ifndef USTACK_USER_CLICKHOUSE_SETS_H
#define USTACK_USER_CLICKHOUSE_SETS_H

#include "serve/clickhouse/fleet.h"
#include "serve/clickhouse/ids.h"

/* Sets of labels; pairs of those of samples and of machines. */
#define SETS_MAX (4u << 20)
/* The table that the server is told: sets_external(). */
#define SETS_TABLE "sets"

struct sets_row;

/**
 * struct sets - sets of labels
 * @f: the question
 * @defs: they are in this profile
 * @ids: by the server's numbers
 * @of: number in @defs of each of @ids
 * @machines: labels of machines matter, too
 * @rows: what the server is told
 * @nr: of @rows
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
 * sets_begin() - find them
 * @s: to be released in any case
 * @f: the question
 * @label: that matters beside those of the selector; NULL is none
 *
 * Return: 0 or a negative errno.
 */
int sets_begin(struct sets *s, const struct fleet *f, const char *label);
void sets_release(struct sets *s);

/* Whether the answer depends on labels that are no columns. */
bool sets_are_needed(const struct fleet *f, const char *label);

/**
 * sets_classify() - which count, and for what
 * @s: the sets
 * @class: says of a set that is selected what its class is: 0 or a negative errno
 * @arg: for @class
 *
 * Return: 0 or a negative errno.
 */
int sets_classify(struct sets *s,
		  int (*class)(const struct sets *s, uint32_t labels, uint32_t machine, void *arg,
			       uint32_t *ret),
		  void *arg);

/* The text of a label, of the sample or else of its machine; "" without. */
const char *sets_text(const struct sets *s, uint32_t labels, uint32_t machine, const char *key,
		      char buf[24]);

/* What the server is told. */
struct clickhouse_external sets_external(const struct sets *s);
/* "labels" or "labels, machine", which the server knows them by. */
const char *sets_columns(const struct sets *s);
/* "(labels) GLOBAL IN (...) AND ": rows whose sets count, of a question with sets_external(). */
void sets_put_counting(const struct sets *s, struct sql *to);
/* Ends a subquery that has sets_columns(), and adds the class of each: of such a question. */
void sets_put_classes(const struct sets *s, struct sql *to);

#endif /* USTACK_USER_CLICKHOUSE_SETS_H */
