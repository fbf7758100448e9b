/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Questions to a ClickHouse server: which parts of an insert its tables have, after a failure that
 * does not tell, and which settings it knows. Private to user/serve/push.
 */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_ASK_H
#define USTACK_USER_PUSH_CLICKHOUSE_ASK_H

#include "serve/clickhouse/schema.h"
#include "serve/push/clickhouse_rows.h"
#include "serve/push/position.h"

/* @there of a part that all tables have. */
#define CLICKHOUSE_EVERYWHERE ((1u << CLICKHOUSE_NR_TARGETS) - 1)

enum clickhouse_finding {
	CLICKHOUSE_NOWHERE,	/* no table has a part of the insert */
	CLICKHOUSE_THERE,	/* each table has all of it */
	CLICKHOUSE_LACKING,	/* some tables have all of it, others nothing */
	CLICKHOUSE_OTHER_CUT,	/* the tables have parts that end elsewhere: end it at @until */
};

/* Append the question which parts of @b the tables have, for the body of a POST. */
void clickhouse_ask(const char *database, const struct clickhouse_batch *b, struct buffer *ret);

/**
 * clickhouse_find() - read the answer to clickhouse_ask()
 * @text: the answer: lines of table, part, first sample, end; ends with a NUL at @len
 * @len: number of bytes of @text
 * @host: name of the host in identities
 * @b: the insert; gets @there of each part
 * @ret: the result; written on success only
 * @until: with %CLICKHOUSE_OTHER_CUT, gets the point where the insert has to end
 *
 * Return: 0; -EBADMSG for anything but an answer to clickhouse_ask().
 */
int clickhouse_find(const char *text, size_t len, const char *host, struct clickhouse_batch *b,
		    enum clickhouse_finding *ret, struct push_point *until);

/* The question which settings the server knows, for the body of a POST. */
extern const char clickhouse_ask_settings[];

/**
 * clickhouse_settings() - choose the settings of inserts
 * @text: the answer to clickhouse_ask_settings: names of settings, one a line; ends with a NUL
 * @ret: gets parameters for the URL of inserts
 * @room: size of @ret in bytes
 *
 * Return: 0; -EBADMSG if no ClickHouse answers like this.
 */
int clickhouse_settings(const char *text, char *ret, size_t room);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_ASK_H */
