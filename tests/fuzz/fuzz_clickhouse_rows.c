// SPDX-License-Identifier: GPL-2.0-only
/*
 * An answer of a ClickHouse server, and its error texts. The first byte is the
 * size of the pieces in which it arrives, the second chooses its columns. The
 * rows must not depend on the size of the pieces.
 */
#include <stdbool.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "serve/clickhouse/rows.h"
#include "serve/clickhouse/server_error.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MARK 0x80808080u

static const enum clickhouse_type columns[][4] = {
	{ CLICKHOUSE_UINT8, CLICKHOUSE_STRING, CLICKHOUSE_UINT16, CLICKHOUSE_INT64 },
	{ CLICKHOUSE_ARRAY | CLICKHOUSE_UINT64, CLICKHOUSE_ARRAY | CLICKHOUSE_STRING,
	  CLICKHOUSE_UINT32, CLICKHOUSE_STRING },
	{ CLICKHOUSE_STRING, CLICKHOUSE_ARRAY | CLICKHOUSE_UINT8,
	  CLICKHOUSE_ARRAY | CLICKHOUSE_STRING, CLICKHOUSE_ARRAY | CLICKHOUSE_UINT32 },
};

/* All rows in a form that can be compared: lengths and numbers, 8 bytes each, and texts. */
struct seen {
	const enum clickhouse_type *types;
	uint8_t *at;
	size_t len;
	size_t room;
	unsigned int rows;
};

static void see(struct seen *s, const void *bytes, size_t len)
{
	while (s->room - s->len < len) {
		s->room = s->room ? 2 * s->room : 4096;
		s->at = realloc(s->at, s->room);
		must(s->at);
	}
	if (len)
		memcpy(s->at + s->len, bytes, len);
	s->len += len;
}

static void see_scalar(struct seen *s, enum clickhouse_type type, const struct clickhouse_cell *c)
{
	uint64_t n = type == CLICKHOUSE_STRING ? c->len : c->number;

	see(s, &n, sizeof(n));
	if (type == CLICKHOUSE_STRING)
		see(s, c->bytes, c->len);
}

static int take(const struct clickhouse_cell *cells, void *arg, struct diag *diag)
{
	struct clickhouse_cell array, e;
	struct seen *s = arg;
	unsigned int i;
	size_t nr;

	for (i = 0; i < 4; i++) {
		enum clickhouse_type type = s->types[i] & ~CLICKHOUSE_ARRAY;

		if (type == s->types[i]) {
			see_scalar(s, type, &cells[i]);
			continue;
		}
		array = cells[i];
		see(s, &array.nr, sizeof(array.nr));
		for (nr = 0; clickhouse_next(&array, type, &e); nr++)
			see_scalar(s, type, &e);
		must(nr == cells[i].nr && !array.len && !array.nr);
	}
	s->rows++;
	return 0;
}

static int read_all(struct seen *s, const uint8_t *data, size_t size, size_t step,
		    struct clickhouse_rows *r)
{
	size_t at, n;
	int err = 0;

	clickhouse_rows_init(r, s->types, 4, MARK, take, s);
	for (at = 0; at < size && !err; at += n) {
		n = size - at < step ? size - at : step;
		err = clickhouse_rows_add(r, data + at, n, NULL);
	}
	err = err ? err : clickhouse_rows_end(r, NULL);
	must(!err || err == -EBADMSG);
	must(r->nr == s->rows);
	must(memchr(r->words, '\0', sizeof(r->words)));
	clickhouse_rows_release(r);
	return err;
}

static void fuzz_words(const struct clickhouse_rows *r, long status)
{
	struct diag diag;
	const char *c;

	must(clickhouse_server_error(r->words, status, &diag) < 0);
	for (c = diag.text; *c; c++)
		must((unsigned char)*c >= ' ' && *c != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole = { 0 }, pieces = { 0 };
	struct clickhouse_rows r, s;
	int err;

	if (size < 2)
		return 0;
	whole.types = pieces.types = columns[data[1] % 3];
	err = read_all(&whole, data + 2, size - 2, size, &r);
	must(err == read_all(&pieces, data + 2, size - 2, 1u + data[0], &s));
	must(whole.rows == pieces.rows && whole.len == pieces.len);
	must(!whole.len || !memcmp(whole.at, pieces.at, whole.len));
	must(r.foreign == s.foreign && r.foreign_at == s.foreign_at);
	must(!strcmp(r.words, s.words));
	if (r.foreign)
		fuzz_words(&r, data[0] & 1 ? 500 : 200);
	free(whole.at);
	free(pieces.at);
	return 0;
}
