// SPDX-License-Identifier: GPL-2.0-only
/* Builds SQL statements in memory, and quotes texts and names. sql_end() reports a failure. */
#include "serve/clickhouse/sql.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

int sql_init(struct sql *s)
{
	*s = (struct sql){ 0 };
	s->out = open_memstream(&s->text, &s->len);
	return s->out ? 0 : -ENOMEM;
}

void sql_release(struct sql *s)
{
	if (s->out)
		fclose(s->out);
	free(s->text);
	*s = (struct sql){ 0 };
}

int sql_end(struct sql *s)
{
	FILE *out = s->out;
	int bad;

	if (!out)
		return -ENOMEM;
	bad = ferror(out);
	s->out = NULL;
	return fclose(out) || bad ? -ENOMEM : 0;
}

void sql_put(struct sql *s, const char *words)
{
	if (s->out)
		fputs(words, s->out);
}

/*
 * In a quoted literal, ClickHouse takes every byte as it is, also bytes that are not UTF-8. Only
 * the quote, the backslash and NUL have to be escaped.
 */
void sql_bytes(struct sql *s, const void *bytes, size_t len)
{
	const char *text = bytes;
	size_t i;

	if (!s->out)
		return;
	putc('\'', s->out);
	for (i = 0; i < len; i++) {
		if (!text[i]) {
			fputs("\\0", s->out);
			continue;
		}
		if (text[i] == '\'' || text[i] == '\\')
			putc('\\', s->out);
		putc(text[i], s->out);
	}
	putc('\'', s->out);
}

void sql_text(struct sql *s, const char *text)
{
	sql_bytes(s, text, strlen(text));
}

void sql_u64(struct sql *s, uint64_t value)
{
	if (s->out)
		fprintf(s->out, "%" PRIu64, value);
}

void sql_number(struct sql *s, const char *before, uint64_t value, const char *after)
{
	sql_put(s, before);
	sql_u64(s, value);
	sql_put(s, after);
}
