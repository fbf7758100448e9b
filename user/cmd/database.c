// SPDX-License-Identifier: GPL-2.0-only
/* A database of a fleet that was named in the command line: options in, a client out. */
#include "cmd/database.h"

#include "util/poison.h"

int database_open(struct database *d, const char *place, bool (*stop)(void *arg),
		  struct diag *diag)
{
	const struct clickhouse_options options = { .place = &d->place, .ca_file = d->ca_file,
						    .stop = stop };
	int err;

	diag->offset = DIAG_NO_OFFSET;
	err = clickhouse_place_parse(place, d->password_file, &d->place, diag);
	return err ? err : clickhouse_new(&options, &d->client, diag);
}

void database_close(struct database *d)
{
	clickhouse_free(d->client);
	clickhouse_place_release(&d->place);
}
