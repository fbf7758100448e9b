/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the rows of an answer in ClickHouse's format RowBinary. The answer may arrive in pieces
 * of any size.
 *
 *	clickhouse_rows_init(&r, types, nr, mark, take, arg);
 *	clickhouse_rows_add(&r, bytes, len, &diag);		for each piece
 *	clickhouse_rows_end(&r, &diag);
 *	clickhouse_rows_release(&r);
 *
 * RowBinary has neither names of columns nor an end mark, and a server that fails in the middle
 * writes an error message after the last row. So every row begins with a mark, a UInt32 that the
 * question has as its first column. Bytes that do not begin with the mark are an error message.
 */
#ifndef USTACK_USER_CLICKHOUSE_ROWS_H
#define USTACK_USER_CLICKHOUSE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* Most columns of a question, and most bytes of a row of its answer. */
#define CLICKHOUSE_MAX_COLUMNS 32u
#define CLICKHOUSE_ROW_BYTES (16u << 20)
/* Bytes of a server's error message that are kept, with a NUL. */
#define CLICKHOUSE_WORDS 4096u

enum clickhouse_type {
	CLICKHOUSE_UINT8,
	CLICKHOUSE_UINT16,
	CLICKHOUSE_UINT32,
	CLICKHOUSE_UINT64,
	CLICKHOUSE_INT64,
	CLICKHOUSE_STRING,
	/* an array; the other bits are the type of its elements */
	CLICKHOUSE_ARRAY = 16,
};

/**
 * struct clickhouse_cell - a value of a row
 * @number: value of a number; an Int64 is in two's complement
 * @bytes: bytes of a text, not terminated by a NUL, or of the remaining elements of an array;
 *         valid while the row is being taken
 * @len: number of bytes of @bytes
 * @nr: number of remaining elements of an array
 */
struct clickhouse_cell {
	uint64_t number;
	const uint8_t *bytes;
	size_t len;
	size_t nr;
};

/* Take the next element of an array with elements of @type. Return: whether there was one. */
bool clickhouse_next(struct clickhouse_cell *array, enum clickhouse_type type,
		     struct clickhouse_cell *ret);

/* Takes a row without its mark. Return: 0, or a negative errno with the reason in @diag. */
typedef int clickhouse_row_fn(const struct clickhouse_cell *cells, void *arg, struct diag *diag);

/**
 * struct clickhouse_rows - an answer that is being received
 * @max_rows: most rows; 0 means no limit
 * @max_bytes: most bytes; 0 means no limit
 * @nr: number of rows so far
 * @nr_bytes: number of bytes so far
 * @foreign: bytes came that are not rows: an error message of the server or of a proxy
 * @foreign_at: offset of the error message in the answer
 * @words: begin of the error message, with a NUL
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
 * clickhouse_rows_init() - begin an answer
 * @r: to be released in any case
 * @types: types of the columns after the mark; borrowed
 * @nr: number of entries in @types, at most CLICKHOUSE_MAX_COLUMNS
 * @mark: mark at the begin of every row
 * @take: called for each row
 * @arg: argument of @take
 */
void clickhouse_rows_init(struct clickhouse_rows *r, const enum clickhouse_type *types,
			  unsigned int nr, uint32_t mark, clickhouse_row_fn *take, void *arg);
void clickhouse_rows_release(struct clickhouse_rows *r);

/**
 * clickhouse_rows_add() - read a piece of the answer
 * @r: the answer
 * @bytes: the piece, @len bytes
 * @len: number of bytes of @bytes
 * @diag: gets the offset in the answer, and the reason; may be NULL
 *
 * Return: 0; -EBADMSG; -E2BIG for more rows or bytes than allowed; -ENOMEM; the result of @take.
 * Nothing may be added after a failure.
 */
int clickhouse_rows_add(struct clickhouse_rows *r, const void *bytes, size_t len,
			struct diag *diag);

/* End the answer. Return: 0; -EBADMSG if it ends within a row, or with an error (@foreign). */
int clickhouse_rows_end(struct clickhouse_rows *r, struct diag *diag);

#endif /* USTACK_USER_CLICKHOUSE_ROWS_H */
