/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds an SQL statement for ClickHouse. Everything that is not a constant of this program is
 * added by sql_text(), sql_bytes(), sql_u64() or sql_number() only, which quote texts. So nothing
 * that a person or another program wrote can become SQL.
 */
#ifndef USTACK_USER_CLICKHOUSE_SQL_H
#define USTACK_USER_CLICKHOUSE_SQL_H

#include <stdint.h>
#include <stdio.h>

/**
 * struct sql - a statement
 * @text: the statement, after sql_end()
 * @len: length of @text
 */
struct sql {
	char *text;
	size_t len;

	/* private */
	FILE *out;
};

/* Begin an empty statement. Return: 0 or -ENOMEM; @s is to be released in either case. */
int sql_init(struct sql *s);
void sql_release(struct sql *s);

/* Append a constant of the source code. */
void sql_put(struct sql *s, const char *words);
/* Append a text as a quoted literal; it has @len bytes, or ends with a NUL. */
void sql_text(struct sql *s, const char *text);
void sql_bytes(struct sql *s, const void *bytes, size_t len);
void sql_u64(struct sql *s, uint64_t value);
/* Append a number between two constants. */
void sql_number(struct sql *s, const char *before, uint64_t value, const char *after);

/* Complete @s->text; nothing may be appended after this. Return: 0 or -ENOMEM. */
int sql_end(struct sql *s);

#endif /* USTACK_USER_CLICKHOUSE_SQL_H */
