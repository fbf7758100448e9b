// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the statements of schema.c on a server, counts tables and views, and names the one that
 * could not be created.
 */
#include "serve/clickhouse/create_tables.h"

#include <errno.h>
#include <string.h>

#include "util/poison.h"

/* Words before the name of the thing that a statement creates. */
#define UNLESS " IF NOT EXISTS "

/* Argument of make(): the server, the counts and the caller's diag. */
struct make {
	struct clickhouse *c;
	struct clickhouse_created *made;
	struct diag *diag;
};

/* Put the name of the thing that could not be created before the reason. */
static void add_name(struct diag *diag, int err, const char *statement)
{
	const char *name = strstr(statement, UNLESS);
	struct diag why;

	if (!diag || !name)
		return;
	why = *diag;
	name += strlen(UNLESS);
	diag_set(diag, -err, why.file, "%.*s: %s", (int)strcspn(name, " \n"), name, why.text);
}

static int make(const char *statement, void *arg)
{
	struct make *m = arg;
	int err = clickhouse_execute(m->c, statement, m->diag);

	if (err) {
		add_name(m->diag, err, statement);
		return err;
	}
	m->made->tables += !strncmp(statement, "CREATE TABLE ", strlen("CREATE TABLE "));
	m->made->views += !strncmp(statement, "CREATE MATERIALIZED VIEW ",
				   strlen("CREATE MATERIALIZED VIEW "));
	return 0;
}

int clickhouse_create_tables(struct clickhouse *c, const struct clickhouse_schema *how,
			     struct clickhouse_created *ret, struct diag *diag)
{
	struct make m = { .c = c, .made = ret, .diag = diag };
	int err;

	*ret = (struct clickhouse_created){ 0 };
	if (diag) {
		diag->file = NULL;
		diag->text[0] = '\0';
	}
	err = clickhouse_schema(how, make, &m);
	/* clickhouse_execute() has set the file for its own failures */
	if (err && diag && !diag->file)
		return diag_errno(diag, -err, clickhouse_shown(c));
	return err;
}
