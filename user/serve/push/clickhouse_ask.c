// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks a ClickHouse server which parts of an insert its tables have, by their marks, and which
 * settings it knows. Builds the SQL and reads the answers; clickhouse_send.c sends it.
 * Documentation/push.md, section "Exactly once", explains marks.
 */
#include "serve/push/clickhouse_ask.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/poison.h"

#define SECONDS_PER_HOUR 3600u

/* The settings that matter here. Every server has the first, so its answer shows a ClickHouse. */
const char clickhouse_ask_settings[] = "SELECT name FROM system.settings WHERE name IN "
	"('max_block_size', 'async_insert', 'insert_distributed_sync', "
	"'deduplicate_blocks_in_dependent_materialized_views') FORMAT TabSeparated";

__attribute__((__format__(__printf__, 2, 3)))
static void put_format(struct buffer *b, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	buffer_text(b, text);
}

/* Append `database`.`name` in SQL. */
static void put_name(struct buffer *b, const char *database, const char *name)
{
	put_format(b, "`%s`.`%s`", database, name);
}

/* Append a quoted text in SQL. */
static void put_quoted(struct buffer *b, const char *text)
{
	buffer_text(b, "'");
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buffer_text(b, "\\");
		buffer_put(b, text, 1);
	}
	buffer_text(b, "'");
}

/* Conditions on time: the windows' hours, which are in the sorting key, and their seconds. */
static void put_times(struct buffer *b, const struct clickhouse_batch *batch)
{
	uint32_t i;

	buffer_text(b, " AND intDiv(toUInt32(time), 3600) IN (");
	for (i = 0; i < batch->nr_parts; i++)
		put_format(b, "%s%u", i ? "," : "",
			   clickhouse_seconds(batch->parts[i].time_ns) / SECONDS_PER_HOUR);
	buffer_text(b, ") AND toUInt32(time) IN (");
	for (i = 0; i < batch->nr_parts; i++)
		put_format(b, "%s%u", i ? "," : "", clickhouse_seconds(batch->parts[i].time_ns));
	buffer_text(b, ")");
}

static void put_parts(struct buffer *b, const struct clickhouse_batch *batch)
{
	uint32_t i;

	buffer_text(b, " AND service = '' AND part IN (");
	for (i = 0; i < batch->nr_parts; i++)
		put_format(b, "%s%" PRIu64, i ? "," : "", batch->parts[i].number);
	buffer_text(b, ")");
}

void clickhouse_ask(const char *database, const struct clickhouse_batch *batch, struct buffer *ret)
{
	uint32_t i;

	for (i = 0; i < CLICKHOUSE_NR_TARGETS; i++) {
		put_format(ret, "%sSELECT DISTINCT toUInt8(%u) AS target, part, %s AS first, "
			   "%s AS end FROM ", i ? " UNION ALL " : "", i,
			   i ? "toUInt64(0)" : "stack", i ? "toUInt64(0)" : "labels");
		put_name(ret, database, clickhouse_targets[i]);
		put_format(ret, " WHERE day = toDate(%u)", batch->day);
		if (i) {
			put_parts(ret, batch);
			continue;
		}
		buffer_text(ret, " AND part != 0 AND host = ");
		put_quoted(ret, batch->host);
		put_times(ret, batch);
	}
	buffer_text(ret, " FORMAT TabSeparated");
}

/* Return: whether a number followed by @end is next; @text moves past both. */
static bool take_number(const char **text, char end, uint64_t *ret)
{
	char *after;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*ret = strtoull(*text, &after, 10);
	if (errno || *after != end)
		return false;
	*text = after + 1;
	return true;
}

/* A line of the answer: a table has the mark of a part. */
struct line {
	uint64_t target;
	uint64_t part;
	uint64_t first;
	uint64_t end;
};

static bool take_line(const char **text, struct line *l)
{
	return take_number(text, '\t', &l->target) && l->target < CLICKHOUSE_NR_TARGETS &&
	       take_number(text, '\t', &l->part) && take_number(text, '\t', &l->first) &&
	       take_number(text, '\n', &l->end);
}

/* Return: whether the line is of a part that begins where @p does and ends elsewhere. */
static bool is_other_cut(const struct clickhouse_part *p, const struct line *l, const char *host)
{
	char identity[PUSH_IDENTITY_BYTES];

	if (l->target || l->first != p->first || l->end <= l->first || l->end == p->end)
		return false;
	push_identity(host, &p->at, p->time_ns, l->first, l->end, identity);
	return clickhouse_part_number(identity) == l->part;
}

/*
 * Compare which tables have which parts. If not all parts are in the same tables, the insert has
 * to end after the first parts for which that is true: @until is that point.
 */
static enum clickhouse_finding judge(const struct clickhouse_batch *b, struct push_point *until)
{
	const struct clickhouse_part *p = b->parts;
	uint32_t i;

	for (i = 1; i < b->nr_parts; i++) {
		if (p[i].there == p->there)
			continue;
		*until = (struct push_point){ .window = p[i - 1].at, .sample = p[i - 1].end };
		return CLICKHOUSE_OTHER_CUT;
	}
	if (!p->there)
		return CLICKHOUSE_NOWHERE;
	return p->there == CLICKHOUSE_EVERYWHERE ? CLICKHOUSE_THERE : CLICKHOUSE_LACKING;
}

int clickhouse_find(const char *text, size_t len, const char *host, struct clickhouse_batch *b,
		    enum clickhouse_finding *ret, struct push_point *until)
{
	const char *end = text + len;
	struct clickhouse_part *p;
	struct push_point cut;
	bool has_cut = false;
	struct line l;

	for (p = b->parts; p < b->parts + b->nr_parts; p++)
		p->there = 0;
	while (text < end) {
		if (!take_line(&text, &l) || text > end)
			return -EBADMSG;
		for (p = b->parts; p < b->parts + b->nr_parts; p++) {
			if (l.part == p->number) {
				p->there |= 1u << l.target;
			} else if (is_other_cut(p, &l, host) &&
				   (!has_cut || p == b->parts)) {
				has_cut = true;
				cut = (struct push_point){ .window = p->at, .sample = l.end };
			}
		}
	}
	*ret = judge(b, until);
	/* parts that were found by their own number count first; the rest is asked for later */
	if (has_cut && *ret == CLICKHOUSE_NOWHERE) {
		*ret = CLICKHOUSE_OTHER_CUT;
		*until = cut;
	}
	return 0;
}

int clickhouse_settings(const char *text, char *ret, size_t room)
{
	static const struct {
		const char *name;
		const char *query;
	} settings[] = {
		{ "insert_distributed_sync\n", "&insert_distributed_sync=1" },
		{ "async_insert\n", "&async_insert=0" },
		{ "deduplicate_blocks_in_dependent_materialized_views\n",
		  "&deduplicate_blocks_in_dependent_materialized_views=1" },
	};
	bool is_one = false;
	size_t i, len;

	*ret = '\0';
	for (; *text; text += strcspn(text, "\n") + 1) {
		len = strcspn(text, "\n");
		if (text[len] != '\n')
			return -EBADMSG;
		is_one |= !strncmp(text, "max_block_size\n", len + 1);
		for (i = 0; i < sizeof(settings) / sizeof(*settings); i++)
			if (!strncmp(text, settings[i].name, len + 1) &&
			    !strstr(ret, settings[i].query))
				snprintf(ret + strlen(ret), room - strlen(ret), "%s",
					 settings[i].query);
	}
	return is_one ? 0 : -EBADMSG;
}
