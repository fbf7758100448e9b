// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses RowBinary as it arrives. A row that is not complete yet is kept with a note of how many
 * bytes it needs at least, so that a large row is not parsed again for each piece.
 */
#include "serve/clickhouse/rows.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/leb.h"

#include "util/poison.h"

/**
 * struct row_cursor - the reader's place in a row that may not be complete
 * @begin: begin of the row
 * @at: the reader's place
 * @left: number of bytes from @at on
 * @need: number of bytes from @begin on that the reader needs before it can go on
 * @bad: the bytes cannot be a row
 */
struct row_cursor {
	const uint8_t *begin;
	const uint8_t *at;
	size_t left;
	size_t need;
	bool bad;
};

/* Return: whether @len more bytes are there; otherwise sets @need or @bad. */
static bool has(struct row_cursor *c, uint64_t len)
{
	size_t before = (size_t)(c->at - c->begin);

	if (len <= c->left)
		return true;
	if (len > CLICKHOUSE_ROW_BYTES || before + len > CLICKHOUSE_ROW_BYTES)
		c->bad = true;
	else
		c->need = before + (size_t)len;
	return false;
}

static void pass(struct row_cursor *c, size_t len)
{
	c->at += len;
	c->left -= len;
}

/* Take a length, which is in LEB128. */
static bool take_length(struct row_cursor *c, uint64_t *ret)
{
	size_t most = c->left < LEB_MAX ? c->left : LEB_MAX;
	size_t n = uleb_read(c->at, c->at + most, ret);

	if (n)
		pass(c, n);
	else if (most == LEB_MAX)
		c->bad = true;
	else
		has(c, most + 1);
	return n;
}

/* Return: number of bytes of a number; 0 for a text. */
static unsigned int width(enum clickhouse_type type)
{
	static const uint8_t of[] = { 1, 2, 4, 8, 8, 0 };

	return of[type];
}

static bool take_scalar(struct row_cursor *c, enum clickhouse_type type, struct clickhouse_cell *ret)
{
	uint64_t len = width(type), raw = 0;

	*ret = (struct clickhouse_cell){ 0 };
	if (!len && !take_length(c, &len))
		return false;
	if (!has(c, len))
		return false;
	if (type == CLICKHOUSE_STRING) {
		ret->bytes = c->at;
		ret->len = (size_t)len;
	} else {
		memcpy(&raw, c->at, (size_t)len);
		ret->number = le64toh(raw);
	}
	pass(c, (size_t)len);
	return true;
}

static bool take_array(struct row_cursor *c, enum clickhouse_type type, struct clickhouse_cell *ret)
{
	struct clickhouse_cell element;
	uint64_t nr, i;

	if (!take_length(c, &nr))
		return false;
	*ret = (struct clickhouse_cell){ .bytes = c->at, .nr = (size_t)nr };
	/* each element has at least one byte */
	if (!has(c, nr > CLICKHOUSE_ROW_BYTES ? nr : nr * (width(type) ? width(type) : 1)))
		return false;
	for (i = 0; i < nr; i++)
		if (!take_scalar(c, type, &element))
			return false;
	ret->len = (size_t)(c->at - ret->bytes);
	return true;
}

bool clickhouse_next(struct clickhouse_cell *array, enum clickhouse_type type,
		     struct clickhouse_cell *ret)
{
	struct row_cursor c = { .begin = array->bytes, .at = array->bytes, .left = array->len };

	if (!array->nr || !take_scalar(&c, type, ret))
		return false;
	array->bytes = c.at;
	array->len = c.left;
	array->nr--;
	return true;
}

void clickhouse_rows_init(struct clickhouse_rows *r, const enum clickhouse_type *types,
			  unsigned int nr, uint32_t mark, clickhouse_row_fn *take, void *arg)
{
	*r = (struct clickhouse_rows){
		.types = types, .nr_types = nr, .mark = mark, .take = take, .arg = arg,
	};
}

void clickhouse_rows_release(struct clickhouse_rows *r)
{
	free(r->bytes);
	r->bytes = NULL;
}

/* Keep a piece of an error message, as far as there is room. */
static void keep_words(struct clickhouse_rows *r, const uint8_t *bytes, size_t len)
{
	size_t room = CLICKHOUSE_WORDS - 1 - r->nr_words;

	if (!r->foreign)
		r->foreign_at = r->nr_bytes - len;
	r->foreign = true;
	len = len < room ? len : room;
	memcpy(r->words + r->nr_words, bytes, len);
	r->nr_words += len;
	r->words[r->nr_words] = '\0';
}

/* Keep bytes of a row that is not complete. Return: whether there was memory. */
static bool keep(struct clickhouse_rows *r, const uint8_t *bytes, size_t len)
{
	size_t room = r->room ? r->room : 4096;
	uint8_t *more;

	while (room < r->len + len)
		room *= 2;
	more = room > r->room ? realloc(r->bytes, room) : r->bytes;
	if (!more)
		return false;
	r->bytes = more;
	r->room = room;
	memcpy(r->bytes + r->len, bytes, len);
	r->len += len;
	return true;
}

static bool has_mark(const struct clickhouse_rows *r, struct row_cursor *c)
{
	struct clickhouse_cell cell;

	return take_scalar(c, CLICKHOUSE_UINT32, &cell) && cell.number == r->mark;
}

/* Take the cells of a row after its mark. Return: whether the row is complete. */
static bool take_cells(const struct clickhouse_rows *r, struct row_cursor *c,
		       struct clickhouse_cell *cells)
{
	unsigned int i;

	for (i = 0; i < r->nr_types; i++) {
		enum clickhouse_type element = r->types[i] & ~CLICKHOUSE_ARRAY;

		if (!(r->types[i] & CLICKHOUSE_ARRAY ? take_array(c, element, &cells[i]) :
						       take_scalar(c, element, &cells[i])))
			return false;
	}
	return true;
}

static int hand_out(struct clickhouse_rows *r, const struct clickhouse_cell *cells,
		    struct diag *diag)
{
	if (r->max_rows && r->nr == r->max_rows)
		return diag_set(diag, E2BIG, NULL, "the answer has more than %llu rows",
				(unsigned long long)r->max_rows);
	r->nr++;
	return r->take(cells, r->arg, diag);
}

/* Take all complete rows of @bytes; @used gets the number of their bytes. */
static int take_rows(struct clickhouse_rows *r, const uint8_t *bytes, size_t len, size_t *used,
		     struct diag *diag)
{
	struct clickhouse_cell cells[CLICKHOUSE_MAX_COLUMNS];
	int err;

	for (*used = 0, r->need = 1; *used < len;) {
		const uint8_t *begin = bytes + *used;
		struct row_cursor c = { .begin = begin, .at = begin, .left = len - *used };

		if (!has(&c, sizeof(r->mark))) {
			r->need = c.need;
			return 0;
		}
		if (!has_mark(r, &c)) {
			keep_words(r, begin, len - *used);
			*used = len;
			return 0;
		}
		if (!take_cells(r, &c, cells)) {
			r->need = c.need;
			if (!c.bad)
				return 0;
			diag_set(diag, EBADMSG, NULL, "row %llu of the answer is longer than %u bytes",
				 (unsigned long long)r->nr + 1, CLICKHOUSE_ROW_BYTES);
			if (diag)
				diag->offset = r->nr_bytes - (len - *used);
			return -EBADMSG;
		}
		err = hand_out(r, cells, diag);
		if (err)
			return err;
		*used += (size_t)(c.at - begin);
	}
	return 0;
}

/* Append @bytes to the bytes that were kept, and take the complete rows of all of them. */
static int take_kept(struct clickhouse_rows *r, const uint8_t *bytes, size_t len,
		     struct diag *diag)
{
	size_t used = 0;
	int err;

	if (!keep(r, bytes, len))
		return diag_errno(diag, ENOMEM, NULL);
	if (r->len < r->need)
		return 0;
	err = take_rows(r, r->bytes, r->len, &used, diag);
	if (err)
		return err;
	memmove(r->bytes, r->bytes + used, r->len - used);
	r->len -= used;
	return 0;
}

int clickhouse_rows_add(struct clickhouse_rows *r, const void *bytes, size_t len,
			struct diag *diag)
{
	const uint8_t *at = bytes;
	size_t used = 0;
	int err = 0;

	r->nr_bytes += len;
	if (r->max_bytes && r->nr_bytes > r->max_bytes)
		return diag_set(diag, E2BIG, NULL, "the answer has more than %llu bytes",
				(unsigned long long)r->max_bytes);
	if (!len)
		return 0;
	if (r->foreign) {
		keep_words(r, at, len);
		return 0;
	}
	if (r->len)
		return take_kept(r, at, len, diag);
	err = take_rows(r, at, len, &used, diag);
	if (!err && used < len && !keep(r, at + used, len - used))
		err = diag_errno(diag, ENOMEM, NULL);
	return err;
}

int clickhouse_rows_end(struct clickhouse_rows *r, struct diag *diag)
{
	/* an answer that is shorter than a mark is an error message, not a row that was cut */
	if (r->len && !r->foreign && r->len < sizeof(r->mark) && !r->nr)
		keep_words(r, r->bytes, r->len);
	if (r->foreign)
		diag_set(diag, EBADMSG, NULL, "the bytes after row %llu of the answer are not a row",
			 (unsigned long long)r->nr);
	else if (r->len)
		diag_set(diag, EBADMSG, NULL, "the answer ends within its row %llu",
			 (unsigned long long)r->nr + 1);
	else
		return 0;
	if (diag)
		diag->offset = r->foreign ? r->foreign_at : r->nr_bytes - r->len;
	return -EBADMSG;
}
