// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions of one process's generated code, see jit_codes.h. They are collected in the
 * order in which the process reports them, and sorted when one is looked up.
 */
#include "symbols/symstore/jit_codes.h"

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
	if (c->nr >= JIT_MAX_CODES)
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
	/* for the same start, the newest comes first */
	return x->order > y->order ? -1 : 1;
}

/* The functions that contain the current address, as a heap with the newest first. */
struct heap {
	struct jit_code *code;
	uint32_t nr;
};

static void heap_push(struct heap *h, const struct jit_code *code)
{
	uint32_t at = h->nr++;

	for (; at && h->code[(at - 1) / 2].order < code->order; at = (at - 1) / 2)
		h->code[at] = h->code[(at - 1) / 2];
	h->code[at] = *code;
}

static void heap_pop(struct heap *h)
{
	struct jit_code last = h->code[--h->nr];
	uint32_t at = 0, child;

	while ((child = 2 * at + 1) < h->nr) {
		if (child + 1 < h->nr && h->code[child + 1].order > h->code[child].order)
			child++;
		if (h->code[child].order <= last.order)
			break;
		h->code[at] = h->code[child];
		at = child;
	}
	h->code[at] = last;
}

/* Gives [@start, @end) to @code. There is room for it, see sort(). */
static void put(struct jit_code *out, uint32_t *nr, const struct jit_code *code,
		uint64_t start, uint64_t end)
{
	struct jit_code *last = *nr ? &out[*nr - 1] : NULL;

	if (last && last->order == code->order && last->end == start) {
		last->end = end;
		return;
	}
	out[*nr] = *code;
	out[*nr].start = start;
	out[(*nr)++].end = end;
}

/* Walks over all addresses at which a function starts or ends. */
static uint32_t sweep(const struct jit_code *in, uint32_t nr_in, struct heap *h,
		      struct jit_code *out)
{
	uint64_t at = 0, next;
	uint32_t i = 0, nr = 0;

	while (i < nr_in || h->nr) {
		if (!h->nr)
			at = in[i].start;
		while (i < nr_in && in[i].start <= at)
			heap_push(h, &in[i++]);
		while (h->nr && h->code[0].end <= at)
			heap_pop(h);
		if (!h->nr)
			continue;
		next = h->code[0].end;
		if (i < nr_in && in[i].start < next)
			next = in[i].start;
		put(out, &nr, &h->code[0], at, next);
		at = next;
	}
	return nr;
}

/*
 * Sorts functions and removes overlaps: a newer function owns its whole range, older ones
 * keep the rest of theirs. Return: false if out of memory; then nothing has changed.
 */
static bool sort(struct jit_codes *c)
{
	/* two for each: its start, and where it continues after a newer one */
	size_t room = 2 * (size_t)c->nr + 1;
	struct jit_code *out = malloc(room * sizeof(*out));
	struct heap h = { .code = malloc(((size_t)c->nr + 1) * sizeof(*h.code)) };
	bool done = out && h.code;

	if (done) {
		if (c->nr)
			qsort(c->code, c->nr, sizeof(*c->code), by_start);
		c->nr = sweep(c->code, c->nr, &h, out);
		free(c->code);
		c->code = out;
		c->room = (uint32_t)room;
		c->sorted = true;
	} else {
		free(out);
	}
	free(h.code);
	return done;
}

const struct jit_code *jit_codes_find(struct jit_codes *c, uint64_t addr)
{
	uint32_t low = 0, high;

	if (!c->nr || (!c->sorted && !sort(c)))
		return NULL;
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
	/* a function has few rows, and their order is not reliable */
	for (i = 0; i < code->nr_lines; i++) {
		const struct jit_line *l = &c->lines[code->lines + i];

		if (l->addr <= addr && (!best || l->addr >= best->addr))
			best = l;
	}
	return best;
}
