// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes a function into tables for the cache (expand.h).
 */
#include "formats/gsym/expand.h"

#include <stdlib.h>

#include "util/array.h"

#include "util/poison.h"

/*
 * Limits for the steps that insert spans. Calls ascend with few exceptions, so
 * spans are usually inserted near the end.
 */
#define WORK_PER_BYTE 64u
#define WORK_ANYWAY 4096u

void gsym_expanded_release(struct gsym_expanded *e)
{
	free(e->lines);
	free(e->calls);
	free(e->nodes);
	*e = (struct gsym_expanded){ 0 };
}

static int add_line(struct gsym_expanded *e, uint64_t offset, const struct gsym_line *row)
{
	if (offset > UINT32_MAX)
		return -EBADMSG;
	/* if several rows have the same address, the last one counts */
	if (!e->nr_lines || e->lines[e->nr_lines - 1].start != offset) {
		if (!array_has_room(e->lines, e->nr_lines, e->room_lines))
			return -ENOMEM;
		e->nr_lines++;
	}
	e->lines[e->nr_lines - 1] = (struct gsym_line_span){
		(uint32_t)offset, row->file_index, row->line,
	};
	return 0;
}

static int expand_lines(const struct gsym *g, const struct gsym_function *f,
			struct gsym_expanded *e)
{
	struct gsym_lines it;
	struct gsym_line row;
	int more, err;

	err = gsym_lines_init(&it, g, f);
	while (!err && (more = gsym_lines_next(&it, &row))) {
		if (more < 0)
			return more;
		err = add_line(e, row.addr - f->start, &row);
	}
	return err;
}

static bool insert(struct gsym_expanded *e, size_t i, uint32_t start, uint32_t node)
{
	if (!array_has_room(e->calls, e->nr_calls, e->room_calls))
		return false;
	memmove(e->calls + i + 1, e->calls + i, (e->nr_calls - i) * sizeof(*e->calls));
	e->calls[i] = (struct gsym_call_span){ start, node };
	e->work += e->nr_calls++ - i;
	return true;
}

/* Return: index of the span that contains @start. */
static size_t find_span(const struct gsym_expanded *e, uint32_t start)
{
	size_t low = 0, high = e->nr_calls, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (e->calls[middle].start <= start)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * Gives @node those parts of [start, end) that its caller has. If an earlier
 * call of the same caller has a part already, it keeps it, as a search stops at
 * the first call with the address.
 */
static int paint(struct gsym_expanded *e, uint32_t start, uint32_t end, uint32_t node)
{
	uint32_t parent = e->nodes[node].parent;
	uint64_t behind;
	size_t i;

	for (i = find_span(e, start); i < e->nr_calls && e->calls[i].start < end; i++) {
		e->work++;
		if (e->calls[i].node != parent)
			continue;
		behind = i + 1 < e->nr_calls ? e->calls[i + 1].start : UINT64_MAX;
		if (e->calls[i].start >= start)
			e->calls[i].node = node;
		else if (!insert(e, ++i, start, node))
			return -ENOMEM;
		if (end < behind && !insert(e, ++i, end, parent))
			return -ENOMEM;
	}
	return 0;
}

static int add_node(struct gsym_expanded *e, const struct gsym_function *f,
		    const struct gsym_call *c, uint32_t parent)
{
	uint64_t start = c->start - f->start;

	if (start > UINT32_MAX || e->nr_nodes == GSYM_NO_NODE)
		return -EBADMSG;
	if (!array_has_room(e->nodes, e->nr_nodes, e->room_nodes))
		return -ENOMEM;
	e->nodes[e->nr_nodes++] = (struct gsym_call_node){
		.name = c->name, .parent = parent, .start = (uint32_t)start,
		.file = c->call_file_index, .line = c->call_line,
	};
	return 0;
}

static int paint_ranges(struct gsym_expanded *e, const struct gsym_function *f,
			const struct gsym_call *c, uint64_t most)
{
	struct gsym_ranges it;
	uint64_t start, end;
	int err = 0;

	gsym_ranges_init(&it, c);
	while (!err && gsym_ranges_next(&it, &start, &end)) {
		if (start == end)
			continue;
		start -= f->start;
		end -= f->start;
		if (start > end || end > UINT32_MAX)
			return -EBADMSG;
		err = e->work > most ? -E2BIG :
		      paint(e, (uint32_t)start, (uint32_t)end, (uint32_t)e->nr_nodes - 1);
	}
	return err;
}

static int expand_calls(const struct gsym *g, const struct gsym_function *f,
			struct gsym_expanded *e)
{
	/* the present node at each depth */
	uint32_t path[GSYM_MAX_DEPTH + 1];
	struct gsym_calls it;
	struct gsym_call c;
	uint64_t most;
	int more, err;

	err = gsym_calls_init(&it, g, f);
	if (err)
		return err;
	most = WORK_ANYWAY + WORK_PER_BYTE * (uint64_t)(it.end - it.p);
	if (!insert(e, 0, 0, GSYM_NO_NODE))
		return -ENOMEM;
	while (!err && (more = gsym_calls_next(&it, &c))) {
		if (more < 0)
			return more;
		err = add_node(e, f, &c, c.depth ? path[c.depth - 1] : GSYM_NO_NODE);
		path[c.depth] = (uint32_t)e->nr_nodes - 1;
		if (!err)
			err = paint_ranges(e, f, &c, most);
	}
	return err;
}

int gsym_expand(const struct gsym *g, const struct gsym_function *f,
		struct gsym_expanded *ret)
{
	int err;

	ret->nr_lines = ret->nr_calls = ret->nr_nodes = 0;
	ret->work = 0;
	err = expand_lines(g, f, ret);
	/* a lookup uses calls only where there is a line */
	return err || !ret->nr_lines ? err : expand_calls(g, f, ret);
}
