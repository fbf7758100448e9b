/* SPDX-License-Identifier: GPL-2.0-only */
/* What of an insert a server has, in doubt: for user/serve/push alone. */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_ASK_H
#define USTACK_USER_PUSH_CLICKHOUSE_ASK_H

#include "serve/clickhouse/schema.h"
#include "serve/push/clickhouse_rows.h"
#include "serve/push/position.h"

/* All of them, as bits of @there. */
#define CLICKHOUSE_EVERYWHERE ((1u << CLICKHOUSE_NR_TARGETS) - 1)

enum clickhouse_finding {
	CLICKHOUSE_NOWHERE,	/* no target has anything of the insert */
	CLICKHOUSE_THERE,	/* each has all of it */
	CLICKHOUSE_LACKING,	/* some have all of it, others nothing */
	CLICKHOUSE_OTHER_CUT,	/* it is to end where @until says */
};

/* The question, for the body of a POST. */
void clickhouse_ask(const char *database, const struct clickhouse_batch *b, struct buffer *ret);

/**
 * clickhouse_find() - what the answer says
 * @text: lines of target, part, first sample, end; ends with a NUL at @len
 * @len: any
 * @host: of identities
 * @b: its parts' @there are set
 * @ret: on success only
 * @until: where the insert is to end, with %CLICKHOUSE_OTHER_CUT
 *
 * Return: 0; -EBADMSG for anything but an answer to clickhouse_ask().
 */
int clickhouse_find(const char *text, size_t len, const char *host, struct clickhouse_batch *b,
		    enum clickhouse_finding *ret, struct push_point *until);

/* For the body of a POST, too. */
extern const char clickhouse_ask_settings[];

/**
 * clickhouse_settings() - what inserts ask a server for
 * @text: lines of names of settings that it has; ends with a NUL
 * @ret: for a URL
 * @room: of @ret
 *
 * Return: 0; -EBADMSG for what no ClickHouse says.
 */
int clickhouse_settings(const char *text, char *ret, size_t room);

/* A name or text in SQL. */
void clickhouse_put_name(struct buffer *b, const char *database, const char *name);
void clickhouse_put_quoted(struct buffer *b, const char *text);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_ASK_H */
