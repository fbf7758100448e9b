/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of an answer in ClickHouse's format RowBinary, as they come: any piece of it at a
 * time.
 *
 *	clickhouse_rows_init(&r, types, nr, mark, take, arg);
 *	clickhouse_rows_add(&r, bytes, len, &diag);		as often as something comes
 *	clickhouse_rows_end(&r, &diag);
 *	clickhouse_rows_release(&r);
 *
 * RowBinary has neither names nor an end, and a server that fails in the middle writes its
 * words behind the last row. So every row begins with a mark, an UInt32 that the question has
 * as its first column: what does not begin with it is no row.
 */
#ifndef USTACK_USER_CLICKHOUSE_ROWS_H
#define USTACK_USER_CLICKHOUSE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* Columns of a question, and bytes of one row of its answer. */
#define CLICKHOUSE_MAX_COLUMNS 32u
#define CLICKHOUSE_ROW_BYTES (16u << 20)
/* What is kept of the words of a server. */
#define CLICKHOUSE_WORDS 4096u

enum clickhouse_type {
	CLICKHOUSE_UINT8,
	CLICKHOUSE_UINT16,
	CLICKHOUSE_UINT32,
	CLICKHOUSE_UINT64,
	CLICKHOUSE_INT64,
	CLICKHOUSE_STRING,
	/* an array of what stands in the other bits */
	CLICKHOUSE_ARRAY = 16,
};

/**
 * struct clickhouse_cell - a value; bytes are the row's, valid during the call
 * @number: of a number; an Int64 as its two's complement
 * @bytes: of a text, without a NUL behind it, or of what is left of an array
 * @len: of @bytes
 * @nr: elements that are left of an array
 */
struct clickhouse_cell {
	uint64_t number;
	const uint8_t *bytes;
	size_t len;
	size_t nr;
};

/* The next element of an array whose elements are of @type. Return: whether there was one. */
bool clickhouse_next(struct clickhouse_cell *array, enum clickhouse_type type,
		     struct clickhouse_cell *ret);

/* Takes a row, the mark left out. Return: 0, or a negative errno that it has said to @diag. */
typedef int clickhouse_row_fn(const struct clickhouse_cell *cells, void *arg, struct diag *diag);

/**
 * struct clickhouse_rows - an answer on its way
 * @max_rows: what is refused is one more; 0 is no limit
 * @max_bytes: the same of bytes
 * @nr: rows by now
 * @nr_bytes: bytes by now
 * @foreign: what came is no row: words, of the server or of whatever is in between
 * @foreign_at: offset of these in the answer
 * @words: the first of them, with a NUL
 */
struct clickhouse_rows {
	uint64_t max_rows;
	uint64_t max_bytes;
	uint64_t nr;
	uint64_t nr_bytes;
	bool foreign;
	uint64_t foreign_at;
	char words[CLICKHOUSE_WORDS];

	/* private */
	const enum clickhouse_type *types;
	unsigned int nr_types;
	uint32_t mark;
	clickhouse_row_fn *take;
	void *arg;
	uint8_t *bytes;
	size_t len;
	size_t room;
	size_t need;
	size_t nr_words;
};

/**
 * clickhouse_rows_init() - begin
 * @r: to be released in any case
 * @types: of the columns behind the mark; borrowed
 * @nr: at most CLICKHOUSE_MAX_COLUMNS
 * @mark: what every row begins with
 * @take: gets the rows
 * @arg: for @take
 */
void clickhouse_rows_init(struct clickhouse_rows *r, const enum clickhouse_type *types,
			  unsigned int nr, uint32_t mark, clickhouse_row_fn *take, void *arg);
void clickhouse_rows_release(struct clickhouse_rows *r);

/**
 * clickhouse_rows_add() - some bytes of the answer
 * @r: the answer
 * @bytes: @len of them
 * @len: any
 * @diag: offset in the answer, and the reason; may be NULL
 *
 * Return: 0; -EBADMSG; -E2BIG for more rows or bytes than are allowed; -ENOMEM; what @take
 * returned. Nothing may be added after a failure.
 */
int clickhouse_rows_add(struct clickhouse_rows *r, const void *bytes, size_t len,
			struct diag *diag);

/* The answer ends here. Return: 0; -EBADMSG within a row, or if it is not one: @r->foreign. */
int clickhouse_rows_end(struct clickhouse_rows *r, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_ROWS_H */
