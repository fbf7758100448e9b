/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fleet's database that was named in the command line: options and client for query,
 * symbolizer and clickhouse.
 */
#ifndef USTACK_USER_CMD_DATABASE_H
#define USTACK_USER_CMD_DATABASE_H

#include "serve/clickhouse/client.h"
#include "cmd.h"

/**
 * struct database - options of a database, and the client made from them
 * @client: connection to the database; NULL until database_open()
 */
struct database {
	const char *password_file;
	const char *ca_file;
	struct clickhouse_place place;
	struct clickhouse *client;
};

/* Entries for an array of struct option_spec; @d: a struct database. */
#define DATABASE_OPTIONS(d)                                                                     \
	OPTION_STRING(0, "password-file", "FILE", &(d).password_file,                           \
		      "file with the password of the database"),                                \
	OPTION_STRING(0, "ca-file", "FILE", &(d).ca_file, "certificates for clickhouses://")

/**
 * database_open() - make a client for a database; it does not connect yet
 * @d: the options. The caller must not move it and must call database_close(), even on failure
 * @place: clickhouse://...
 * @stop: see struct clickhouse_options
 * @diag: set on failure: the reason
 *
 * Return: 0, or the error of clickhouse_place_parse() or clickhouse_new().
 */
int database_open(struct database *d, const char *place, bool (*stop)(void *arg),
		  struct diag *diag);
void database_close(struct database *d);

#endif /* USTACK_USER_CMD_DATABASE_H */
