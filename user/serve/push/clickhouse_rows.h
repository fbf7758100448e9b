/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of windows as rows of a fleet's tables (Documentation/clickhouse.md), in RowBinary.
 * Private to user/serve/push.
 */
#ifndef USTACK_USER_PUSH_CLICKHOUSE_ROWS_H
#define USTACK_USER_PUSH_CLICKHOUSE_ROWS_H

#include "serve/clickhouse/number_set.h"
#include "serve/push/peer.h"

/* Kinds of rows that may be sent twice: the tables keep one of several equal rows. */
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

/* Table and columns of each kind, and of samples, as they follow INSERT INTO. */
extern const char *const clickhouse_inserts[CLICKHOUSE_NR_KINDS];
extern const char *const clickhouse_columns;

/**
 * struct clickhouse_part - a part of a window in a batch
 * @number: number of its identity
 * @at: position of the window
 * @time_ns: start of the window, since 1970
 * @first: place of its first sample, in the order in which samples are sent
 * @end: place after its last sample
 * @there: a bit for each table that has the part, as clickhouse_find() read it
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
 * struct clickhouse_batch - an insert that is being built; rows of samples are in the push_body
 * @kinds: rows of each kind that may be sent twice
 * @parts: the parts
 * @nr_parts: number of entries in @parts
 * @parts_room: number of entries that @parts has room for
 * @day: day of all windows in the batch, days since 1970
 * @host: host of all windows in the batch
 * @acknowledged: the server has acknowledged @kinds
 */
struct clickhouse_batch {
	struct buffer kinds[CLICKHOUSE_NR_KINDS];
	struct clickhouse_part *parts;
	uint32_t nr_parts;
	uint32_t parts_room;
	uint32_t day;
	char host[PUSH_LABEL_BYTES];
	bool acknowledged;
};

void clickhouse_batch_release(struct clickhouse_batch *b);

/* Return: number of bytes in all @kinds. */
size_t clickhouse_batch_bytes(const struct clickhouse_batch *b);

/* Return: a time as seconds or days since 1970, limited to what the tables can hold. */
uint32_t clickhouse_seconds(uint64_t time_ns);
uint32_t clickhouse_day(uint64_t time_ns);

/* Return: the number of an identity, never 0. */
uint64_t clickhouse_part_number(const char *identity);

/**
 * clickhouse_add() - append the rows of a part
 * @b: the batch that gets the part, and rows of things that are not in @sent
 * @samples: gets rows for the table `incoming`
 * @sent: things that the server has been sent; gets those that are added to @b
 * @part: the part; its window is of the same day and host as the others in @b
 *
 * Return: 0 or -ENOMEM.
 */
int clickhouse_add(struct clickhouse_batch *b, struct buffer *samples,
		   struct clickhouse_number_set *sent, const struct push_part *part);

#endif /* USTACK_USER_PUSH_CLICKHOUSE_ROWS_H */
