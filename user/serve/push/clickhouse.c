// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol of a fleet's ClickHouse: builds requests, and keeps the session with the server
 * between them. clickhouse_rows.c makes the rows; clickhouse_send.c sends them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "serve/push/bytes.h"
#include "serve/push/clickhouse_rows.h"
#include "serve/push/clickhouse_send.h"

#include "util/poison.h"

/* One insert must be one block of the server; a block has at least 1048449 rows. */
#define MAX_SAMPLES 100000u
/* The server is asked about all parts at once, and its answer must not be too long. */
#define MAX_PARTS 200u

static void close_session(struct push_body *body)
{
	struct clickhouse_session *s = body->session;

	if (s)
		clickhouse_number_set_release(&s->sent);
	free(s);
	body->session = NULL;
}

/* Without an acknowledgement the rows of this request may be missing: forget what was sent. */
static void release(struct push_body *body)
{
	struct clickhouse_batch *b = body->more;
	struct clickhouse_session *s = body->session;

	if (s && !b->acknowledged)
		clickhouse_number_set_release(&s->sent);
	clickhouse_batch_release(b);
	free(b);
	body->more = NULL;
}

static bool fits(const struct push_body *body, const struct profile *window,
		 const struct push_machine_labels *machine)
{
	const struct clickhouse_batch *b = body->more;

	return b->day == clickhouse_day(window->time_ns) &&
	       !strcmp(b->host, push_machine_label(machine, PUSH_HOST));
}

/* Weeks begin on Monday, as with toMonday(); the first day of 1970 was a Thursday. */
static uint32_t week_of(const struct push_part *part)
{
	return (clickhouse_day(part->window->time_ns) + 3) / 7;
}

static void forget_old(struct clickhouse_session *s, const struct push_part *part)
{
	const uint32_t week = week_of(part);

	if (week == s->week && s->sent.nr < CLICKHOUSE_MAX_NUMBERS)
		return;
	clickhouse_number_set_release(&s->sent);
	s->week = week;
}

static int add(struct push_body *body, const struct push_part *part, struct diag *diag)
{
	int err;

	if (!body->session)
		body->session = calloc(1, sizeof(struct clickhouse_session));
	if (!body->more)
		body->more = calloc(1, sizeof(struct clickhouse_batch));
	if (!body->session || !body->more)
		return diag_errno(diag, ENOMEM, NULL);
	forget_old(body->session, part);
	err = clickhouse_add(body->more, &body->bytes,
			     &((struct clickhouse_session *)body->session)->sent, part);
	if (err)
		return diag_errno(diag, -err, NULL);
	body->parts++;
	body->more_bytes = clickhouse_batch_bytes(body->more);
	return 0;
}

/*
 * The rows are compressed because that is smaller, and because the server notices if a gzip file
 * is cut; rows that are cut between two rows are still valid.
 */
static int finish(struct push_body *body, struct diag *diag)
{
	struct clickhouse_batch *b = body->more;
	int err = push_gzip(&body->bytes, diag), i;

	for (i = 0; i < CLICKHOUSE_NR_KINDS && !err; i++)
		if (b->kinds[i].len)
			err = push_gzip(&b->kinds[i], diag);
	body->gzip = true;
	snprintf(body->type, sizeof(body->type), "application/octet-stream");
	return err;
}

const struct push_peer push_clickhouse = {
	.path = "/",
	.ungrouped = true,
	.linger = true,
	.parts = MAX_PARTS,
	.samples = MAX_SAMPLES,
	.add = add,
	.finish = finish,
	.release = release,
	.fits = fits,
	.send = clickhouse_send,
	.close = close_session,
};
