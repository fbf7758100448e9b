// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds a finished function to the part: once for each of its ranges, with the inlined
 * calls that lie in it, and their ranges.
 */
#include <errno.h>

#include "symbols/convert/from_dwarf_unit.h"
#include "util/array.h"
#include "util/poison.h"

/* Whether [start, end) is in one of the ranges [first, first + nr), which ascend. */
static bool contains(const struct range *r, size_t first, size_t nr, uint64_t start,
		     uint64_t end)
{
	size_t lo = first, hi = first + nr, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (r[mid].start <= start)
			lo = mid;
		else
			hi = mid;
	}
	return nr && r[lo].start <= start && end <= r[lo].end;
}

/*
 * Copies the ranges of @call that are in one of @in. Return: their number, or negative
 * errno.
 */
static int64_t copy_ranges(struct from_dwarf *t, const struct from_dwarf_call *call,
			   size_t in, size_t nr_in)
{
	const struct range *r = t->ranges.p + call->first_range;
	size_t i, first = t->nr_new_ranges;

	for (i = 0; i < call->nr_ranges; i++) {
		if (!contains(t->new_ranges, in, nr_in, r[i].start, r[i].end))
			continue;
		if (!array_has_room(t->new_ranges, t->nr_new_ranges, t->room_new_ranges))
			return -ENOMEM;
		t->new_ranges[t->nr_new_ranges++] = r[i];
	}
	return (int64_t)(t->nr_new_ranges - first);
}

/* The ranges of each open call; the next call may be inlined into one of them. */
struct callers {
	size_t first[GSYM_MAX_DEPTH + 1];
	size_t nr[GSYM_MAX_DEPTH + 1];
	unsigned int depth;	/* depth of the innermost call */
};

static int add_call(struct from_dwarf *t, const struct from_dwarf_call *call,
		    struct callers *s)
{
	size_t first = t->nr_new_ranges;
	unsigned int d = call->depth;
	int64_t n;

	/* its caller was left out */
	if (d > s->depth + 1)
		return 0;
	s->depth = d - 1;
	n = copy_ranges(t, call, s->first[d - 1], s->nr[d - 1]);
	if (n <= 0)
		return (int)n;
	s->first[d] = first;
	s->nr[d] = (size_t)n;
	s->depth = d;
	if (!array_has_room(t->new_calls, t->nr_new_calls, t->room_new_calls))
		return -ENOMEM;
	t->new_calls[t->nr_new_calls++] = (struct gsym_new_call){
		.nr_ranges = (uint32_t)n, .depth = d, .name = call->name,
		.call_file = call->file, .call_line = call->line,
	};
	return 0;
}

/*
 * Collects the calls in a range of the function. The range itself is the first of
 * @t->new_ranges.
 */
static int add_calls(struct from_dwarf *t, const struct from_dwarf_function *f,
		     struct range range)
{
	struct callers s = { .nr[0] = 1 };
	size_t i, at = 1;
	int err = 0;

	t->nr_new_calls = t->nr_new_ranges = 0;
	if (f->first_call == t->nr_calls)
		return 0;
	if (!array_has_room(t->new_ranges, t->nr_new_ranges, t->room_new_ranges))
		return -ENOMEM;
	t->new_ranges[t->nr_new_ranges++] = range;
	for (i = f->first_call; !err && i < t->nr_calls; i++)
		err = add_call(t, &t->calls[i], &s);
	/* the array has its final size: pointers into it stay valid */
	for (i = 0; i < t->nr_new_calls; i++) {
		t->new_calls[i].ranges = t->new_ranges + at;
		at += t->new_calls[i].nr_ranges;
	}
	return err;
}

static int add_range(struct from_dwarf *t, const struct from_dwarf_function *f,
		     struct range range, struct diag *diag)
{
	struct gsym_new_function new = {
		.range = range, .name = f->name, .order = t->order + f->off,
	};
	int err;

	err = add_calls(t, f, range);
	if (err)
		return diag_errno(diag, -err, t->main->path);
	err = from_dwarf_lines(t, range.start, range.end, f->off, diag);
	if (err)
		return err;
	new.lines = t->new_lines;
	new.nr_lines = t->nr_new_lines;
	new.calls = t->new_calls;
	new.nr_calls = t->nr_new_calls;
	err = from_dwarf_sites(t, f->first_site, range);
	if (err)
		return diag_errno(diag, -err, t->main->path);
	new.sites = t->new_sites;
	new.nr_sites = t->nr_new_sites;
	err = gsym_part_add(t->part, &new);
	if (err)
		return diag_errno(diag, -err, t->main->path);
	t->stats.functions++;
	t->stats.lines += new.nr_lines;
	t->stats.calls += new.nr_calls;
	t->stats.sites += new.nr_sites;
	return 0;
}

int from_dwarf_add(struct from_dwarf *t, struct diag *diag)
{
	const struct from_dwarf_function *f = &t->functions[t->nr_functions - 1];
	size_t nr_calls = t->nr_calls - f->first_call, had = t->stats.calls, i;
	int err = 0;

	for (i = 0; !err && i < f->nr_ranges; i++) {
		/* each range looks at every call and site */
		err = dwarf_spend(t->budget,
				  (int64_t)(t->ranges.nr - f->first_range +
					    t->nr_sites - f->first_site), diag);
		if (!err)
			err = add_range(t, f, t->ranges.p[f->first_range + i], diag);
	}
	if (nr_calls > t->stats.calls - had)
		t->stats.misplaced += nr_calls - (t->stats.calls - had);
	t->ranges.nr = f->first_range;
	t->nr_calls = f->first_call;
	t->nr_sites = f->first_site;
	t->nr_functions--;
	return err;
}
