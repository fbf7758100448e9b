/* SPDX-License-Identifier: GPL-2.0-only */
/* What query, symbolizer and clickhouse share: a fleet's database that somebody named. */
#ifndef USTACK_USER_CMD_DATABASE_H
#define USTACK_USER_CMD_DATABASE_H

#include "serve/clickhouse/client.h"
#include "cmd.h"

/**
 * struct database - options beside the place, and what came of both
 * @client: NULL until it is open
 */
struct database {
	const char *password_file;
	const char *ca_file;
	struct clickhouse_place place;
	struct clickhouse *client;
};

/* Of struct option_spec; @d: a struct database. */
#define DATABASE_OPTIONS(d)                                                                     \
	OPTION_STRING(0, "password-file", "FILE", &(d).password_file,                           \
		      "has the database's password"),                                           \
	OPTION_STRING(0, "ca-file", "FILE", &(d).ca_file, "certificates for clickhouses://")

/**
 * database_open() - make a client of a place; nothing is asked yet
 * @d: the options; to be released by database_close() in any case, not moved before
 * @place: clickhouse://...
 * @stop: see struct clickhouse_options
 * @diag: what is wrong
 *
 * Return: 0; as clickhouse_place_parse() and clickhouse_new().
 */
int database_open(struct database *d, const char *place, bool (*stop)(void *arg),
		  struct diag *diag);
void database_close(struct database *d);

#endif /* USTACK_USER_CMD_DATABASE_H */
