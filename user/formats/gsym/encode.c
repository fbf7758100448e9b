// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes functions in the file's format: line table, inlined calls, merged
 * functions and call sites (encode.h).
 */
#include "formats/gsym/encode.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/gsym/format.h"

#include "util/poison.h"

struct gsym_encoder *gsym_encoder_new(struct gsym_plan *plan, enum gsym_layout layout,
				      bool big_endian)
{
	struct gsym_encoder *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->plan = plan;
	e->layout = layout;
	e->out.big_endian = big_endian;
	return e;
}

void gsym_encoder_free(struct gsym_encoder *e)
{
	if (!e)
		return;
	buffer_release(&e->out);
	free(e->rows);
	free(e);
}

static void put_number(struct gsym_encoder *e, uint32_t number)
{
	buffer_fixed(&e->out, e->plan->strings[number].at,
			 e->layout == GSYM_LLVM_2 ? 8 : 4);
}

static void put_string(struct gsym_encoder *e, unsigned int part, uint32_t string)
{
	put_number(e, e->plan->string_map[part][string]);
}

/* Writes the name of a function, or what gsym_plan_rename() made of it. */
static void put_name(struct gsym_encoder *e, unsigned int part, uint32_t string)
{
	uint32_t number = e->plan->string_map[part][string];

	put_number(e, e->plan->names ? e->plan->names[number] : number);
}

/* Writes the head of an entry without its length. Return: offset at which its data begins. */
static size_t entry_begin(struct gsym_encoder *e, enum gsym_info_type type)
{
	buffer_fixed(&e->out, type, 4);
	buffer_fixed(&e->out, 0, 4);
	return e->out.len;
}

/* Writes the number of bytes since @begin into the length before @begin. */
static int entry_end(struct gsym_encoder *e, size_t begin)
{
	size_t end = e->out.len;

	if (e->out.failed)
		return -ENOMEM;
	if (end - begin > UINT32_MAX)
		return -EFBIG;
	e->out.len = begin - 4;
	buffer_fixed(&e->out, end - begin, 4);
	e->out.len = end;
	return 0;
}

static int take_rows(struct gsym_encoder *e, const struct gsym_kept *k,
		     const struct gsym_info_walk *w)
{
	const uint32_t *files = e->plan->file_map[k->part];
	struct gsym_row at = { k->start, 0, 0 }, *rows;
	const uint8_t *p = w->program;
	uint64_t i;

	if (w->rows > e->rows_room) {
		rows = reallocarray(e->rows, w->rows, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		e->rows = rows;
		e->rows_room = w->rows;
	}
	for (i = 0; i < w->rows; i++) {
		gsym_rows_next(&p, GSYM_PART_WINDOW, &at);
		e->rows[i] = (struct gsym_row){ at.addr, files[at.file], at.line };
	}
	return 0;
}

/* The prototype's reader supports no other window than the one that its writer uses. */
static struct gsym_window choose_window(struct gsym_encoder *e, const struct gsym_kept *k,
					size_t nr_rows)
{
	if (e->layout == GSYM_PROTOTYPE)
		return GSYM_PART_WINDOW;
	return gsym_rows_window(&e->steps, k->start, e->rows, nr_rows);
}

static int put_rows(struct gsym_encoder *e, struct gsym_kept *k,
		    const struct gsym_info_walk *w, bool measure)
{
	size_t begin;
	int err;

	if (!w->rows)
		return 0;
	err = take_rows(e, k, w);
	if (err)
		return err;
	if (measure)
		k->window = choose_window(e, k, w->rows);
	begin = entry_begin(e, GSYM_INFO_LINES);
	gsym_rows_encode(&e->out, k->window, k->start, e->rows, w->rows);
	return entry_end(e, begin);
}

/* Writes the nodes of the tree, callers first. The children of a node end with a 0. */
static void put_calls(struct gsym_encoder *e, const struct gsym_kept *k,
		      struct gsym_info_walk *w)
{
	const uint32_t *files = e->plan->file_map[k->part];
	struct gsym_kept_call call, next;
	uint64_t left;

	gsym_info_call(w, &next);
	for (left = w->calls; left; left--) {
		call = next;
		if (left > 1)
			gsym_info_call(w, &next);
		else
			next.depth = 0;
		buffer_uleb(&e->out, call.nr_ranges);
		buffer_put(&e->out, call.ranges, call.ranges_len);
		buffer_fixed(&e->out, next.depth > call.depth, 1);
		put_name(e, k->part, call.name);
		buffer_uleb(&e->out, files[call.file]);
		buffer_uleb(&e->out, call.line);
		for (; next.depth < call.depth; call.depth--)
			buffer_uleb(&e->out, 0);
	}
}

static int put_inlines(struct gsym_encoder *e, const struct gsym_kept *k,
		       const struct gsym_added *f, struct gsym_info_walk *w)
{
	size_t begin;

	if (!gsym_info_calls(w))
		return 0;
	begin = entry_begin(e, GSYM_INFO_INLINES);
	/* the root: the whole function, with children, called from nowhere */
	buffer_uleb(&e->out, 1);
	buffer_uleb(&e->out, 0);
	buffer_uleb(&e->out, f->end - f->start);
	buffer_fixed(&e->out, 1, 1);
	put_name(e, k->part, f->name);
	buffer_uleb(&e->out, 0);
	buffer_uleb(&e->out, 0);
	put_calls(e, k, w);
	return entry_end(e, begin);
}

static int put_sites(struct gsym_encoder *e, const struct gsym_kept *k,
		     struct gsym_info_walk *w)
{
	uint64_t left = gsym_info_sites(w);
	struct gsym_kept_site site;
	size_t begin;

	/* the prototype has no call sites */
	if (!left || e->layout == GSYM_PROTOTYPE)
		return 0;
	if (left > UINT32_MAX)
		return -EFBIG;
	begin = entry_begin(e, GSYM_INFO_SITES);
	buffer_fixed(&e->out, left, 4);
	while (left--) {
		gsym_info_site(w, &site);
		buffer_fixed(&e->out, site.offset, 8);
		buffer_fixed(&e->out, site.flags, 1);
		buffer_fixed(&e->out, site.nr_match, 4);
		while (site.nr_match--)
			put_string(e, k->part, (uint32_t)uleb_take(&site.match));
	}
	return entry_end(e, begin);
}

static int put_function(struct gsym_encoder *e, size_t i, bool measure);

static int put_merged(struct gsym_encoder *e, size_t i, bool measure)
{
	const struct gsym_plan *plan = e->plan;
	size_t end, begin, inner;
	int err = 0;

	for (end = i + 1; end < plan->nr_kept && plan->kept[end].merged; end++)
		;
	if (end == i + 1 || plan->kept[i].merged)
		return 0;
	if (end - i - 1 > UINT32_MAX)
		return -EFBIG;
	begin = entry_begin(e, GSYM_INFO_MERGED);
	buffer_fixed(&e->out, end - i - 1, 4);
	for (i++; !err && i < end; i++) {
		buffer_fixed(&e->out, 0, 4);
		inner = e->out.len;
		err = put_function(e, i, measure);
		if (!err)
			err = entry_end(e, inner);
	}
	return err ? err : entry_end(e, begin);
}

static int put_function(struct gsym_encoder *e, size_t i, bool measure)
{
	struct gsym_kept *k = &e->plan->kept[i];
	const struct gsym_added *f = gsym_kept_func(e->plan, k);
	uint64_t size = gsym_kept_end(e->plan, k) - k->start;
	struct gsym_info_walk w;
	int err;

	if (size > UINT32_MAX)
		return -EFBIG;
	buffer_fixed(&e->out, size, 4);
	put_name(e, k->part, f->name);
	gsym_info_start(&w, gsym_kept_part(e->plan, k), f);
	err = put_rows(e, k, &w, measure);
	if (!err)
		err = put_inlines(e, k, f, &w);
	if (!err)
		err = put_merged(e, i, measure);
	if (!err)
		err = put_sites(e, k, &w);
	if (err)
		return err;
	buffer_fixed(&e->out, GSYM_INFO_END, 4);
	buffer_fixed(&e->out, 0, 4);
	return e->out.failed ? -ENOMEM : 0;
}

int gsym_encode(struct gsym_encoder *e, size_t i, bool measure)
{
	return put_function(e, i, measure);
}
