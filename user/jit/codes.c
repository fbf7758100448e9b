// SPDX-License-Identifier: GPL-2.0
#include "jit/codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/poison.h"

void jit_codes_release(struct jit_codes *c)
{
	free(c->code);
	free(c->lines);
	free(c->names);
	*c = (struct jit_codes){ .code = NULL };
}

int jit_codes_name(struct jit_codes *c, const char *name, size_t len, uint32_t *ret)
{
	if (len + 1 > JIT_MAX_NAMES - c->nr_names)
		return -E2BIG;
	if (c->nr_names + len + 1 > c->names_room) {
		size_t room = 2 * c->names_room + len + 4096;
		char *names = realloc(c->names, room);

		if (!names)
			return -ENOMEM;
		c->names = names;
		c->names_room = room;
	}
	memcpy(c->names + c->nr_names, name, len);
	c->names[c->nr_names + len] = '\0';
	*ret = (uint32_t)c->nr_names;
	c->nr_names += len + 1;
	return 0;
}

int jit_codes_add(struct jit_codes *c, const struct jit_code *code)
{
	if (code->start >= code->end)
		return 0;
	if (c->nr == JIT_MAX_CODES)
		return -E2BIG;
	if (!array_has_room(c->code, c->nr, c->room))
		return -ENOMEM;
	c->code[c->nr] = *code;
	c->code[c->nr++].order = c->order++;
	c->sorted = false;
	return 0;
}

int jit_codes_line(struct jit_codes *c, const struct jit_line *line)
{
	if (c->nr_lines == JIT_MAX_CODES)
		return -E2BIG;
	if (!array_has_room(c->lines, c->nr_lines, c->lines_room))
		return -ENOMEM;
	c->lines[c->nr_lines++] = *line;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct jit_code *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* the newest first */
	return x->order > y->order ? -1 : 1;
}

/* Whoever came later has the memory; what is left of an earlier one is its beginning or
 * its end, whichever it has first.
 */
static void sort(struct jit_codes *c)
{
	uint32_t i, nr = 0;

	if (c->nr)
		qsort(c->code, c->nr, sizeof(*c->code), by_start);
	for (i = 0; i < c->nr; i++) {
		struct jit_code code = c->code[i], *last = nr ? &c->code[nr - 1] : NULL;

		if (last && code.start < last->end && code.order > last->order)
			last->end = code.start;
		else if (last && code.start < last->end)
			code.start = last->end;
		if (code.start < code.end)
			c->code[nr++] = code;
	}
	c->nr = nr;
	c->sorted = true;
}

const struct jit_code *jit_codes_find(struct jit_codes *c, uint64_t addr)
{
	uint32_t low = 0, high;

	if (!c->sorted)
		sort(c);
	high = c->nr;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (c->code[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < c->nr && c->code[low].start <= addr ? &c->code[low] : NULL;
}

const struct jit_line *jit_codes_line_at(const struct jit_codes *c,
					 const struct jit_code *code, uint64_t addr)
{
	const struct jit_line *best = NULL;
	uint32_t i;

	if (code->lines == JIT_NO_LINES)
		return NULL;
	/* few rows, in no order that can be relied on */
	for (i = 0; i < code->nr_lines; i++) {
		const struct jit_line *l = &c->lines[code->lines + i];

		if (l->addr <= addr && (!best || l->addr >= best->addr))
			best = l;
	}
	return best;
}
