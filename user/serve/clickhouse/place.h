/* SPDX-License-Identifier: GPL-2.0-only */
/* Which database of which server: clickhouse://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE */
#ifndef USTACK_USER_CLICKHOUSE_PLACE_H
#define USTACK_USER_CLICKHOUSE_PLACE_H

#include <stdbool.h>

#include "util/diag.h"

/* Of its HTTP interface, without and with TLS. */
#define CLICKHOUSE_PORT "8123"
#define CLICKHOUSE_TLS_PORT "8443"

/**
 * struct clickhouse_place - all NULL is none
 * @endpoint: URL of the HTTP interface
 * @user: NULL is the server's default
 * @password: NULL is none
 * @database: name
 * @shown: the place without a password, for messages
 */
struct clickhouse_place {
	char *endpoint;
	char *user;
	char *password;
	char *database;
	char *shown;
};

/* Whether a text is meant to be one: it begins with clickhouse:// or clickhouses://. */
bool clickhouse_is_place(const char *text);

/**
 * clickhouse_place_parse() - from text
 * @text: clickhouses:// is TLS. User, password and database may have %XX
 * @password_file: its first line is the password; NULL: that of @text, else that of the
 *                 environment's CLICKHOUSE_PASSWORD, else none
 * @ret: to be released in any case
 * @diag: may be NULL; has no secret in it
 *
 * Return: 0; -EINVAL, also for a password without TLS to anything but the loopback, and for
 * two passwords; -ENOSYS without libcurl; -ENOMEM; of reading the file.
 */
int clickhouse_place_parse(const char *text, const char *password_file,
			   struct clickhouse_place *ret, struct diag *diag);
void clickhouse_place_release(struct clickhouse_place *p);

#endif /* USTACK_USER_CLICKHOUSE_PLACE_H */
