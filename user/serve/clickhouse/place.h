/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A place: a database of a ClickHouse server, as people write it,
 * clickhouse://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE
 */
#ifndef USTACK_USER_CLICKHOUSE_PLACE_H
#define USTACK_USER_CLICKHOUSE_PLACE_H

#include <stdbool.h>

#include "util/diag.h"

/* Default ports of the HTTP interface, without and with TLS. */
#define CLICKHOUSE_PORT "8123"
#define CLICKHOUSE_TLS_PORT "8443"

/**
 * struct clickhouse_place - a database of a server; owns its texts; all NULL is an empty one
 * @endpoint: URL of the HTTP interface
 * @user: name of the user; NULL means the server's default
 * @password: password; NULL means none
 * @database: name of the database
 * @shown: the place without user and password, for messages
 */
struct clickhouse_place {
	char *endpoint;
	char *user;
	char *password;
	char *database;
	char *shown;
};

/* Return: whether a text begins with clickhouse:// or clickhouses://. */
bool clickhouse_is_place(const char *text);

/**
 * clickhouse_place_parse() - read a place, and find its password
 * @text: the place; clickhouses:// means TLS. User, password and database may have %XX
 * @password_file: file whose first line is the password. If it is NULL, the password is the one of
 *                 @text, else the environment's CLICKHOUSE_PASSWORD, else there is none
 * @ret: to be released in any case
 * @diag: gets the reason, without a secret; may be NULL
 *
 * Return: 0; -EINVAL, also for a password that would be sent without TLS to anything but the
 * loopback, and for two passwords; -ENOSYS without libcurl; -ENOMEM; an errno of reading the file.
 */
int clickhouse_place_parse(const char *text, const char *password_file,
			   struct clickhouse_place *ret, struct diag *diag);
void clickhouse_place_release(struct clickhouse_place *p);

#endif /* USTACK_USER_CLICKHOUSE_PLACE_H */
