// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the x86-64 text that no table describes, has its states computed (synth_code_flow.h)
 * and adds functions with the rules that were proven. synth.c calls it last.
 */
#include "sframe/synth_code.h"

#include <errno.h>
#include <stdlib.h>

#include "sframe/elf_read.h"
#include "sframe/synth_code_data.h"
#include "sframe/synth_code_fate.h"
#include "sframe/synth_code_flow.h"
#include "sframe/synth_code_hints.h"
#include "sframe/synth_rows.h"
#include "util/cleanup.h"

/**
 * struct search - the analysis of a file's text that no table describes
 * @s: the file's functions
 * @fd: the file; borrowed
 * @known: ranges that tables describe, gaps included, ascending; malloc'd
 * @nr_known: number of @known
 * @text: areas between @known
 * @flow: states of the instructions in @text
 * @fates: whether called functions return
 * @data: tables of jumps
 * @bytes: bytes of all areas; malloc'd
 */
struct search {
	struct synth *s;
	int fd;
	struct ustack_range *known;
	size_t nr_known;
	struct code_text text;
	struct code_flow flow;
	struct code_fates fates;
	struct code_data data;
	u8 *bytes;
};

static int find_known(struct search *w)
{
	const struct synth *s = w->s;
	_cleanup_(cleanup_free) struct ustack_range *gaps = synth_sorted_gaps(s);
	const struct sframe_func *f = s->funcs;
	size_t gap = 0, i, nr = s->nr_funcs + s->nr_gaps;

	w->known = calloc(nr + 1, sizeof(*w->known));
	if (!w->known || !gaps)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (gap < s->nr_gaps &&
		    (f == s->funcs + s->nr_funcs || gaps[gap].start < f->start)) {
			w->known[i] = gaps[gap++];
			continue;
		}
		w->known[i] = (struct ustack_range){ f->start, f->start + f->size };
		f++;
	}
	w->nr_known = nr;
	return 0;
}

static int add_area(struct search *w, u64 start, u64 end)
{
	if (end <= start || end - start < CODE_MIN_AREA || w->text.size > CODE_MAX_TEXT)
		return 0;
	/* cut an area that is too large, but keep enough of it to exceed the limit */
	if (end - start > CODE_MAX_TEXT)
		end = start + CODE_MAX_TEXT + 1;
	return code_text_add(&w->text, start, (u32)(end - start), NULL);
}

/* Adds the areas between @known in one range of text. */
static int find_areas(struct search *w, const struct ustack_range *text)
{
	const struct ustack_range *r = w->known, *last = r + w->nr_known;
	u64 at = text->start;
	int err = 0;

	for (; r < last && r->start < text->end && !err; r++) {
		err = add_area(w, at, r->start);
		if (r->end > at)
			at = r->end;
	}
	return err ? err : add_area(w, at, text->end);
}

static bool read_areas(struct search *w)
{
	struct code_area *a;

	w->bytes = malloc(w->text.size);
	for (a = w->text.areas; w->bytes && a < w->text.areas + w->text.nr; a++) {
		a->bytes = w->bytes + a->first;
		if (!elf_read_code(w->fd, &w->s->elf, a->start, w->bytes + a->first,
				   a->size))
			return false;
	}
	return w->bytes;
}

/**
 * struct adder - joins adjacent ranges to functions
 * @s: receives the functions
 * @func: the function that grows at present, if @func.nr_rows
 */
struct adder {
	struct synth *s;
	struct sframe_func func;
};

static int add_func(struct adder *a)
{
	if (!a->func.nr_rows)
		return 0;
	a->s->code_bytes += a->func.size;
	return synth_add_func(a->s, &a->func);
}

static int add_range(void *arg, u64 start, u64 end, struct code_state state)
{
	struct adder *a = arg;
	struct ustack_rule rule;
	int err = 0;

	if (!code_state_rule(state, &rule))
		return 0;
	if (!a->func.nr_rows || a->func.start + a->func.size != start) {
		err = add_func(a);
		a->func = (struct sframe_func){ .start = start, .by_code = true };
	}
	if (!err)
		err = synth_add_row(a->s, &a->func, (u32)(start - a->func.start), &rule);
	a->func.size = (u32)(end - a->func.start);
	return err;
}

static int analyse(struct search *w)
{
	struct adder a = { .s = w->s };
	int err;

	err = code_flow_init(&w->flow, &w->text);
	w->flow.fate = code_fate;
	w->flow.arg = &w->fates;
	code_data_init(&w->data, w->s, w->fd);
	code_data_use(&w->data, &w->flow);
	err = err ? err : code_fates_init(&w->fates, w->s, w->fd);
	if (!err)
		err = synth_code_calls(w->s, w->fd, &w->flow);
	if (!err)
		err = synth_code_hints(w->s, w->fd, &w->flow);
	if (!err)
		err = code_flow_run(&w->flow);
	if (!err)
		err = code_flow_each(&w->flow, add_range, &a);
	if (!err)
		err = add_func(&a);
	return err ? err : synth_settle(w->s);
}

static void release(struct search *w)
{
	code_flow_release(&w->flow);
	code_fates_release(&w->fates);
	code_text_release(&w->text);
	free(w->known);
	free(w->bytes);
}

/* If an entry's addresses could not be read, it may be for any code. */
static bool is_unknown_gap(const struct synth_gap *g)
{
	return g->cause == SYNTH_BROKEN_CFI && !g->size;
}

static bool is_ours(const struct synth *s)
{
	size_t i;

	for (i = 0; i < s->nr_gaps; i++)
		if (is_unknown_gap(&s->gaps[i]))
			return false;
	return s->elf.arch == &ustack_arch_x86_64 && !s->rows->go && !s->rows->why_no_go;
}

static u64 hole(u64 start, u64 end)
{
	return end > start && end - start >= CODE_MIN_AREA ? end - start : 0;
}

static bool is_enough(u64 part, u64 all)
{
	return part >= CODE_MIN_TEXT || (part && part >= all / CODE_MIN_PART);
}

/* Sums up the text between functions, gaps included: most files have too little of it. */
static bool has_enough(const struct synth *s)
{
	const struct ustack_range *text = s->elf.text;
	const struct sframe_func *f, *last = s->funcs + s->nr_funcs;
	u64 at, sum = 0, all = 0;
	unsigned int i;

	for (i = 0; i < s->elf.nr_text; i++) {
		at = text[i].start;
		for (f = s->funcs; f < last && f->start < text[i].end; f++) {
			sum += hole(at, f->start);
			at = f->start + f->size > at ? f->start + f->size : at;
		}
		sum += hole(at, text[i].end);
		all += text[i].end - text[i].start;
	}
	return is_enough(sum, all);
}

int synth_read_code(struct synth *s, int fd)
{
	_cleanup_(release) struct search w = { .s = s, .fd = fd };
	unsigned int i;
	int err;

	if (!is_ours(s) || !has_enough(s))
		return 0;
	err = find_known(&w);
	for (i = 0; i < s->elf.nr_text && !err; i++)
		err = find_areas(&w, &s->elf.text[i]);
	if (err || !w.text.size || w.text.size > CODE_MAX_TEXT || !read_areas(&w))
		return err;
	return analyse(&w);
}
