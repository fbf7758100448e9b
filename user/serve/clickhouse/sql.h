/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A statement of ClickHouse in the making. What is no constant of this program comes in by
 * sql_text(), sql_name() and sql_u64() alone: nothing that a person or another program wrote
 * can end a text or begin a word.
 */
#ifndef USTACK_USER_CLICKHOUSE_SQL_H
#define USTACK_USER_CLICKHOUSE_SQL_H

#include <stdint.h>
#include <stdio.h>

/**
 * struct sql - a statement
 * @text: of it, after sql_end()
 * @len: of @text
 */
struct sql {
	char *text;
	size_t len;

	/* private */
	FILE *out;
};

/* Return: 0 or -ENOMEM; to be released in either case. */
int sql_init(struct sql *s);
void sql_release(struct sql *s);

/* A constant of the source. */
void sql_put(struct sql *s, const char *words);
/* A literal of a text, with its quotes; @len bytes, or up to a NUL. */
void sql_text(struct sql *s, const char *text);
void sql_bytes(struct sql *s, const void *bytes, size_t len);
/* An identifier, with its quotes. */
void sql_name(struct sql *s, const char *name);
void sql_u64(struct sql *s, uint64_t value);
/* A number between constants. */
void sql_number(struct sql *s, const char *before, uint64_t value, const char *behind);

/* Return: 0 or -ENOMEM; then @s->text is the statement. Nothing may be put behind it. */
int sql_end(struct sql *s);

#endif /* USTACK_USER_CLICKHOUSE_SQL_H */
