// SPDX-License-Identifier: GPL-2.0-only
#include "serve/clickhouse/make.h"

#include <errno.h>
#include <string.h>

#include "util/poison.h"

/* What every statement has in front of the name of what it makes. */
#define UNLESS " IF NOT EXISTS "

struct make {
	struct clickhouse *c;
	struct clickhouse_made *made;
	struct diag *diag;
};

/* Says what it is that could not be made, in front of why. */
static void say(struct diag *diag, int err, const char *statement)
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
	int err = clickhouse_make(m->c, statement, m->diag);

	if (err) {
		say(m->diag, err, statement);
		return err;
	}
	m->made->tables += !strncmp(statement, "CREATE TABLE ", strlen("CREATE TABLE "));
	m->made->views += !strncmp(statement, "CREATE MATERIALIZED VIEW ",
				   strlen("CREATE MATERIALIZED VIEW "));
	return 0;
}

int clickhouse_make_tables(struct clickhouse *c, const struct clickhouse_schema *how,
			   struct clickhouse_made *ret, struct diag *diag)
{
	struct make m = { .c = c, .made = ret, .diag = diag };
	int err;

	*ret = (struct clickhouse_made){ 0 };
	if (diag) {
		diag->file = NULL;
		diag->text[0] = '\0';
	}
	err = clickhouse_schema(how, make, &m);
	/* anything else was said by make() */
	if (err && diag && !diag->file)
		return diag_errno(diag, -err, clickhouse_shown(c));
	return err;
}
