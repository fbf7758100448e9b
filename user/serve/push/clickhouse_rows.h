/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows as rows of a fleet's tables (Documentation/clickhouse.md), in RowBinary: for
 * user/serve/push alone.
 */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_ROWS_H
#define USTACK_USER_PUSH_CLICKHOUSE_ROWS_H

#include "serve/clickhouse/known.h"
#include "serve/push/peer.h"

/* What may come twice. */
enum clickhouse_kind {
	CLICKHOUSE_BINARIES,
	CLICKHOUSE_FRAMES,
	CLICKHOUSE_NAMES,
	CLICKHOUSE_STACKS,
	CLICKHOUSE_LABELS,
	CLICKHOUSE_MAPS,
	CLICKHOUSE_PROCESSES,
	CLICKHOUSE_WINDOWS,
	CLICKHOUSE_NR_KINDS,
};

/* Table and columns of each, as they stand behind INSERT INTO. */
extern const char *const clickhouse_inserts[CLICKHOUSE_NR_KINDS];
extern const char *const clickhouse_columns;

/**
 * struct clickhouse_part - a part of a window that is in a batch
 * @number: of it: its identity's
 * @at: the window
 * @time_ns: when it began
 * @first: sample, in the order in which they are sent
 * @end: the one behind its last
 * @there: a bit for each target that has it, of what the server says
 */
struct clickhouse_part {
	uint64_t number;
	struct store_position at;
	uint64_t time_ns;
	uint64_t first;
	uint64_t end;
	uint32_t there;
};

/**
 * struct clickhouse_batch - an insert in the making; its samples are in the push_body
 * @kinds: rows of what may come twice
 * @parts: in it
 * @day: of all of it, days since 1970
 * @host: of all of it
 * @told: the server has @kinds
 */
struct clickhouse_batch {
	struct buffer kinds[CLICKHOUSE_NR_KINDS];
	struct clickhouse_part *parts;
	uint32_t nr_parts;
	uint32_t parts_room;
	uint32_t day;
	char host[PUSH_LABEL_BYTES];
	bool told;
};

void clickhouse_batch_release(struct clickhouse_batch *b);

/* Return: bytes of @kinds. */
size_t clickhouse_batch_bytes(const struct clickhouse_batch *b);

/* Return: seconds since 1970 and day of a window, of those that the tables can have. */
uint32_t clickhouse_seconds(uint64_t time_ns);
uint32_t clickhouse_day(uint64_t time_ns);

/* Return: the number of an identity, never 0. */
uint64_t clickhouse_part_number(const char *identity);

/**
 * clickhouse_add() - rows of a part
 * @b: grows
 * @samples: rows for `incoming`; grows
 * @known: what the server has been told, and gets what @b tells it
 * @part: of the day of the others
 *
 * Return: 0 or -ENOMEM.
 */
int clickhouse_add(struct clickhouse_batch *b, struct buffer *samples,
		   struct clickhouse_known *known, const struct push_part *part);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_ROWS_H */
