// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers of a ClickHouse server to a push target: which settings it knows, and
 * how much of an insert its tables have. The first byte chooses between the
 * two.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/push/clickhouse_ask.h"
#include "must.h"

#define NR_PARTS 3u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_settings(const char *text)
{
	char query[256];

	memset(query, 'x', sizeof(query));
	if (!clickhouse_settings(text, query, sizeof(query)))
		must(strstr(text, "max_block_size\n"));
	must(memchr(query, '\0', sizeof(query)));
	must(!*query || *query == '&');
	must(!query[strspn(query, "abcdefghijklmnopqrstuvwxyz_01=&")]);
}

/*
 * The point at which the insert ends must lie in one of the batch's windows,
 * and after that window's beginning.
 */
static void check(const struct clickhouse_batch *b, enum clickhouse_finding finding,
		  const struct push_point *until)
{
	uint32_t i, of = NR_PARTS;

	must(finding <= CLICKHOUSE_OTHER_CUT);
	for (i = 0; i < NR_PARTS; i++) {
		must(b->parts[i].there <= CLICKHOUSE_EVERYWHERE);
		if (finding == CLICKHOUSE_THERE)
			must(b->parts[i].there == CLICKHOUSE_EVERYWHERE);
		if (finding == CLICKHOUSE_LACKING)
			must(b->parts[i].there == b->parts->there && b->parts->there);
		if (b->parts[i].at.record == until->window.record)
			of = i;
	}
	if (finding == CLICKHOUSE_OTHER_CUT)
		must(of < NR_PARTS && until->sample > b->parts[of].first);
}

static void fuzz_answer(const char *text, size_t len)
{
	struct clickhouse_part parts[NR_PARTS];
	struct clickhouse_batch b = { .parts = parts, .nr_parts = NR_PARTS };
	enum clickhouse_finding finding = CLICKHOUSE_NOWHERE;
	struct push_point until = { .window = { 0, UINT64_MAX } };
	uint32_t i;
	int err;

	for (i = 0; i < NR_PARTS; i++)
		parts[i] = (struct clickhouse_part){ .number = i + 1, .at = { 7, i }, .end = 10 };
	err = clickhouse_find(text, len, "h", &b, &finding, &until);
	must(!err || err == -EBADMSG);
	if (!err)
		check(&b, finding, &until);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = calloc(1, size);
	memcpy(text, data + 1, size - 1);
	if (data[0] & 1)
		fuzz_settings(text);
	else
		fuzz_answer(text, size - 1);
	free(text);
	return 0;
}
