// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules of the BEAM in a process's memory. A module begins with a header, which ends with the
 * addresses of its functions in ascending order. Everything may be forged: counts are limited,
 * and a function lies within its module.
 */
#include "symbols/lang/beam_module.h"

#include <stdlib.h>

static bool print(const struct lang_memory *m, struct lang_beam_print *p)
{
	u64 at, last, bytes, n;

	if (!lang_memory_read(m, p->start, p->header, sizeof(p->header)) ||
	    !lang_memory_read(m, p->header[BEAM_HEADER_MD5], p->md5, sizeof(p->md5)))
		return false;
	at = p->header[BEAM_HEADER_LINES];
	if (!at)
		return true;
	if (p->header[BEAM_HEADER_FUNCTIONS] > BEAM_LINES_MOST ||
	    !lang_memory_read(m, at, p->lines, sizeof(p->lines)) ||
	    !lang_memory_read(m, at + 8 * (BEAM_LINES_FIRST + p->header[BEAM_HEADER_FUNCTIONS]),
			      &last, sizeof(last)))
		return false;
	bytes = lang_beam_line_bytes(p, last);
	n = bytes < BEAM_LINE_BYTES ? bytes : BEAM_LINE_BYTES;
	at = p->lines[BEAM_LINES_TABLE];
	if (n && !lang_memory_read(m, at, p->head, n))
		return false;
	return bytes <= BEAM_LINE_BYTES ||
	       lang_memory_read(m, at + bytes - BEAM_LINE_BYTES, p->tail, BEAM_LINE_BYTES);
}

/* Finds the range of code that contains @pc. Return: enum beam_state. */
static enum beam_state search(const struct lang_memory *m, u64 modules, u64 nr, u64 pc,
			      struct range *ret)
{
	u64 low = 0, high = nr, mid, range[2];

	while (low < high) {
		mid = (low + high) / 2;
		if (!lang_memory_read(m, modules + sizeof(range) * mid, range, sizeof(range)))
			return BEAM_UNREADABLE;
		if (pc < range[0]) {
			high = mid;
		} else if (pc >= range[1]) {
			low = mid + 1;
		} else {
			*ret = (struct range){ range[0], range[1] };
			return BEAM_FOUND;
		}
	}
	return BEAM_STALE;
}

enum beam_state beam_module_find(const struct lang_memory *m, const struct lang_beam *d, u64 pc,
				 struct lang_beam_print *ret)
{
	enum beam_state state;
	struct range range;
	u64 list[2];
	u32 index;

	if (!lang_memory_read(m, d->index, &index, sizeof(index)))
		return BEAM_UNREADABLE;
	if (index >= BEAM_CODE_INDEXES)
		return BEAM_STALE;
	if (!lang_memory_read(m, d->ranges + index * BEAM_RANGES_BYTES, list, sizeof(list)))
		return BEAM_UNREADABLE;
	if (list[1] > BEAM_MODULES_MOST)
		return BEAM_STALE;
	state = search(m, list[0], list[1], pc, &range);
	if (state != BEAM_FOUND)
		return state;
	*ret = (struct lang_beam_print){ .start = range.start, .end = range.end };
	return print(m, ret) ? BEAM_FOUND : BEAM_UNREADABLE;
}

static bool is_ordered(const struct beam_module *mod)
{
	u32 i;

	for (i = 0; i < mod->nr; i++)
		if (mod->function[i + 1] - mod->function[i] < BEAM_FUNCTION_HEAD ||
		    mod->function[i + 1] < mod->function[i])
			return false;
	return mod->function[0] > mod->start && mod->function[mod->nr] <= mod->end;
}

bool beam_module_read(const struct lang_memory *m, const struct lang_beam_print *p,
		      struct beam_module *ret)
{
	u64 nr = p->header[BEAM_HEADER_FUNCTIONS];

	if (!nr || nr > BEAM_FUNCTIONS_MOST)
		return false;
	ret->function = malloc((nr + 1) * sizeof(*ret->function));
	if (!ret->function ||
	    !lang_memory_read(m, p->start + sizeof(p->header), ret->function,
			      (nr + 1) * sizeof(*ret->function)))
		return false;
	ret->start = p->start;
	ret->end = p->end;
	ret->lines = p->header[BEAM_HEADER_LINES];
	ret->nr = (u32)nr;
	return is_ordered(ret);
}

void beam_module_release(struct beam_module *mod)
{
	free(mod->function);
}

u32 beam_module_function(const struct beam_module *mod, u64 pc)
{
	u32 low = 0, high = mod->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (pc < mod->function[mid])
			high = mid;
		else if (pc >= mod->function[mid + 1])
			low = mid + 1;
		else
			return mid;
	}
	return mod->nr;
}
