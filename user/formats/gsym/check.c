// SPDX-License-Identifier: MIT
/*
 * Checks a whole function, for callers who want to know that nothing in it was
 * skipped. A lookup skips entries of unknown types, as other readers do: if the
 * word that says "line table" is damaged, a lookup returns no line, and finds
 * nothing wrong with what it has read.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "formats/gsym/read.h"

/* Most bytes of a name in a message, so that the reason fits after it. */
#define MOST_OF_NAME 100

/**
 * struct checker - state of the check of one function
 * @g: the file
 * @f: the function
 * @path: path of the file, for messages
 * @seen: types of entries found so far, as bits
 * @diag: may be NULL
 */
struct checker {
	const struct gsym *g;
	const struct gsym_function *f;
	const char *path;
	unsigned int seen;
	struct diag *diag;
};

/* Reports damage at @p. Return: -EBADMSG. */
__attribute__((__format__(__printf__, 3, 4)))
static int bad(const struct checker *c, const uint8_t *p, const char *fmt, ...)
{
	char what[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	diag_set(c->diag, EBADMSG, c->path, "%.*s: %s", MOST_OF_NAME, c->f->name, what);
	if (c->diag)
		c->diag->offset = c->g->info.section + (uint64_t)(p - c->g->bytes);
	return -EBADMSG;
}

/* Return: the end of the opcodes of a line table; NULL if they do not end. */
static const uint8_t *end_of_lines(const struct gsym_entry *e)
{
	const uint8_t *p = e->data;
	uint64_t number;
	int64_t delta;

	if (!gsym_sleb(&p, e->end, &delta) || !gsym_sleb(&p, e->end, &delta) ||
	    !gsym_uleb(&p, e->end, &number))
		return NULL;
	while (p < e->end) {
		switch (*p++) {
		case GSYM_LINE_END:
			return p;
		case GSYM_LINE_LINE:
			if (!gsym_sleb(&p, e->end, &delta))
				return NULL;
			break;
		case GSYM_LINE_FILE:
		case GSYM_LINE_PC:
			if (!gsym_uleb(&p, e->end, &number))
				return NULL;
			break;
		}
	}
	return NULL;
}

static int check_lines(const struct checker *c, const struct gsym_entry *e)
{
	const uint8_t *end = end_of_lines(e);
	struct gsym_lines it;
	struct gsym_line row;
	int more = gsym_lines_init(&it, c->g, c->f);

	while (!more && (more = gsym_lines_next(&it, &row)) > 0)
		more = 0;
	if (more || !end)
		return bad(c, e->data, "damaged line table");
	return end == e->end ? 0 : bad(c, end, "bytes follow the line table's end");
}

static int check_calls(const struct checker *c, const struct gsym_entry *e)
{
	const uint8_t *end = gsym_inlined_end(c->g, e->data, e->end);
	struct gsym_calls it;
	struct gsym_call call;
	int more = gsym_calls_init(&it, c->g, c->f);
	uint32_t nr = 0;

	for (; !more && (more = gsym_calls_next(&it, &call)) > 0; nr++)
		more = 0;
	if (more || !end || !nr)
		return bad(c, e->data, "damaged inlined calls");
	return end == e->end ? 0 : bad(c, end, "bytes follow the end of inlined calls");
}

static int check_entries(struct checker *c, bool top);

static int check_merged(const struct checker *c, const struct gsym_entry *e)
{
	struct gsym_function other;
	struct gsym_merged it;
	struct checker inner = *c;
	int more = gsym_merged_init(&it, c->g, c->f), err;

	while (!more && (more = gsym_merged_next(&it, &other)) > 0) {
		inner.f = &other;
		inner.seen = 0;
		err = check_entries(&inner, false);
		if (err)
			return err;
		more = 0;
	}
	if (more)
		return bad(c, e->data, "damaged list of merged functions");
	return it.p == e->end ? 0 : bad(c, it.p, "bytes follow the merged functions");
}

static int check_sites(const struct checker *c, const struct gsym_entry *e)
{
	struct gsym_sites it;
	struct gsym_site s;
	int more = gsym_sites_init(&it, c->g, c->f);
	uint32_t i;

	while (!more && (more = gsym_sites_next(&it, &s)) > 0) {
		more = 0;
		for (i = 0; i < s.nr_match; i++)
			if (!gsym_site_match(c->g, &s, i))
				return bad(c, e->data, "a call site refers to a string outside of the file");
	}
	if (more)
		return bad(c, e->data, "damaged call sites");
	return it.p == e->end ? 0 : bad(c, it.p, "bytes follow the call sites");
}

/* Checks the entry of @type whose head is at @p. */
static int check_entry(struct checker *c, const uint8_t *p, uint32_t type,
		       const struct gsym_entry *e, bool top)
{
	if (type > GSYM_INFO_SITES)
		return bad(c, p, "an entry of the unknown type 0x%" PRIx32
			   ": the file is damaged, or newer than this program", type);
	if (c->seen & 1u << type)
		return bad(c, p, "a second entry of type %" PRIu32, type);
	c->seen |= 1u << type;
	/* readers treat an empty entry as missing */
	if (e->data == e->end)
		return 0;
	switch (type) {
	case GSYM_INFO_LINES:
		return check_lines(c, e);
	case GSYM_INFO_INLINES:
		return check_calls(c, e);
	case GSYM_INFO_SITES:
		return check_sites(c, e);
	}
	/* merged functions cannot be nested */
	return top ? check_merged(c, e) : bad(c, p, "functions merged into a merged one");
}

/* Checks the last entry. Some writers of the prototype's layout leave out its length. */
static int check_end(const struct checker *c, const uint8_t *p)
{
	if (c->g->info.layout == GSYM_PROTOTYPE)
		return 0;
	if (c->f->end - p < 8)
		return bad(c, p, "the last entry is cut off");
	return gsym_get32(c->g->swap, p + 4) ? bad(c, p, "the last entry has bytes") : 0;
}

static int check_entries(struct checker *c, bool top)
{
	const uint8_t *p = c->f->info, *at;
	struct gsym_entry e;
	int64_t type;
	int err;

	for (;;) {
		at = p;
		type = gsym_entry_next(c->g, &p, c->f->end, &e);
		if (type < 0)
			return bad(c, at, "an entry is cut off");
		if (type == GSYM_INFO_END)
			return check_end(c, at);
		err = check_entry(c, at, (uint32_t)type, &e, top);
		if (err)
			return err;
	}
}

int gsym_function_check(const struct gsym *g, const struct gsym_function *f, const char *path,
			struct diag *diag)
{
	struct checker c = { .g = g, .f = f, .path = path, .diag = diag };

	return check_entries(&c, true);
}
