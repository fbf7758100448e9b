// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides which functions go into the file and where symbols without size end (plan.h).
 */
#include "formats/gsym/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "util/poison.h"

/* Return: the end of the text range that contains @addr. */
static uint64_t text_end(const struct gsym_write_options *o, uint64_t addr)
{
	const struct range *r = ranges_find(o->text, o->nr_text, addr);

	return r ? r->end : UINT64_MAX;
}

static int collect(struct gsym_plan *plan, const struct gsym_write_options *o,
		   struct gsym_write_stats *stats)
{
	size_t part, i, all = 0;

	for (part = 0; part < plan->nr_parts; part++) {
		if (plan->parts[part]->nr_funcs > UINT32_MAX)
			return -EFBIG;
		all += plan->parts[part]->nr_funcs;
	}
	plan->kept = malloc((all + !all) * sizeof(*plan->kept));
	if (!plan->kept)
		return -ENOMEM;
	for (part = 0; part < plan->nr_parts; part++) {
		for (i = 0; i < plan->parts[part]->nr_funcs; i++) {
			uint64_t start = plan->parts[part]->funcs[i].start;

			if (start < o->base || (o->nr_text && !ranges_find(o->text, o->nr_text, start))) {
				stats->outside++;
				continue;
			}
			plan->kept[plan->nr_kept++] = (struct gsym_kept){
				.start = start,
				.func = (uint32_t)i,
				.part = (uint16_t)part & (GSYM_MAX_PARTS - 1),
			};
		}
	}
	return 0;
}

static int by_range(const void *x, const void *y, void *arg)
{
	const struct gsym_kept *a = x, *b = y;
	const struct gsym_added *f, *g;
	struct gsym_plan *plan = arg;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	f = gsym_kept_func(plan, a);
	g = gsym_kept_func(plan, b);
	if (f->end != g->end)
		return f->end < g->end ? -1 : 1;
	return gsym_better(gsym_kept_part(plan, a), f, gsym_kept_part(plan, b), g);
}

/* Return: index of the first function after @i that has another range. */
static size_t next_range(const struct gsym_plan *plan, size_t i)
{
	const struct gsym_added *f = gsym_kept_func(plan, &plan->kept[i]), *g;

	for (i++; i < plan->nr_kept; i++) {
		g = gsym_kept_func(plan, &plan->kept[i]);
		if (g->start != f->start || g->end != f->end)
			break;
	}
	return i;
}

static int by_content(const void *x, const void *y, void *arg)
{
	const struct gsym_kept *a = x, *b = y;
	struct gsym_plan *plan = arg;

	return gsym_compare(gsym_kept_part(plan, a), gsym_kept_func(plan, a),
			    gsym_kept_part(plan, b), gsym_kept_func(plan, b));
}

/*
 * Keeps functions of one range, from @i to before @end, at @to: the best one
 * and, with @merge, the others that say something else. Return: number of
 * functions kept.
 */
static size_t keep(struct gsym_plan *plan, size_t to, size_t i, size_t end, bool merge,
		   struct gsym_write_stats *stats)
{
	struct gsym_kept *kept = plan->kept;
	size_t n = to;

	kept[n++] = kept[i++];
	if (!merge) {
		stats->duplicates += end - i;
		return 1;
	}
	qsort_r(kept + i, end - i, sizeof(*kept), by_content, plan);
	for (; i < end; i++) {
		if (!by_content(&kept[to], &kept[i], plan) ||
		    !by_content(&kept[n - 1], &kept[i], plan)) {
			stats->duplicates++;
			continue;
		}
		kept[n] = kept[i];
		kept[n++].merged = 1;
		stats->merged++;
	}
	return n - to;
}

/*
 * Leaves out what another function describes better: a symbol without size if
 * another function has its address, and all but the best function of a range.
 */
static void choose(struct gsym_plan *plan, bool merge, struct gsym_write_stats *stats)
{
	size_t i, end, to = 0;
	uint64_t reach = 0;

	for (i = 0; i < plan->nr_kept; i = end) {
		const struct gsym_added *f = gsym_kept_func(plan, &plan->kept[i]);

		end = next_range(plan, i);
		if (f->start == f->end &&
		    (reach > f->start ||
		     (end < plan->nr_kept && plan->kept[end].start == f->start))) {
			stats->duplicates += end - i;
			continue;
		}
		if (reach > f->start)
			stats->overlaps++;
		if (reach < f->end)
			reach = f->end;
		to += keep(plan, to, i, end, merge, stats);
		plan->nr_functions++;
	}
	plan->nr_kept = to;
}

/*
 * Ends functions without size at @addr. The functions from @i to before @end
 * all start at the same address.
 */
static void end_at(struct gsym_plan *plan, size_t i, size_t end, uint64_t addr)
{
	struct gsym_added *f;

	for (; i < end; i++) {
		f = &plan->parts[plan->kept[i].part]->funcs[plan->kept[i].func];
		if (f->start == f->end)
			f->end = addr;
	}
}

/* Ends symbols without size at the next of @o->starts, see there. */
static void end_at_starts(struct gsym_plan *plan, const struct gsym_write_options *o)
{
	uint64_t start, next;
	size_t i, end, s = 0;

	for (i = 0; i < plan->nr_kept && s < o->nr_starts; i = end) {
		start = plan->kept[i].start;
		for (end = i + 1; end < plan->nr_kept && plan->kept[end].start == start;)
			end++;
		next = end < plan->nr_kept ? plan->kept[end].start : UINT64_MAX;
		while (s < o->nr_starts && o->starts[s] <= start)
			s++;
		if (s < o->nr_starts && o->starts[s] < next && o->starts[s] <= text_end(o, start))
			end_at(plan, i, end, o->starts[s]);
	}
}

/*
 * Ends the last symbol, if it has no size, with its text: otherwise all
 * addresses after it would belong to it.
 */
static void end_last(struct gsym_plan *plan, const struct gsym_write_options *o)
{
	const struct gsym_added *f;

	if (!plan->nr_kept || !o->nr_text)
		return;
	f = gsym_kept_func(plan, &plan->kept[plan->nr_kept - 1]);
	if (f->start == f->end)
		plan->last_end = ranges_find(o->text, o->nr_text, f->start)->end;
}

int gsym_plan_init(struct gsym_plan *plan, struct gsym_part *const *parts,
		   size_t nr_parts, const struct gsym_write_options *o,
		   struct gsym_write_stats *stats)
{
	struct gsym_kept *kept;
	size_t part;
	int err;

	*plan = (struct gsym_plan){ .parts = parts, .nr_parts = nr_parts };
	for (part = 0; part < nr_parts; part++)
		gsym_part_seal(parts[part]);
	err = collect(plan, o, stats);
	if (err)
		return err;
	qsort_r(plan->kept, plan->nr_kept, sizeof(*plan->kept), by_range, plan);
	choose(plan, o->merge, stats);
	end_at_starts(plan, o);
	end_last(plan, o);
	kept = realloc(plan->kept, (plan->nr_kept + 1) * sizeof(*plan->kept));
	if (kept)
		plan->kept = kept;
	return 0;
}

static void free_map(uint32_t **map, size_t nr)
{
	size_t i;

	for (i = 0; map && i < nr; i++)
		free(map[i]);
	free(map);
}

void gsym_plan_release(struct gsym_plan *plan)
{
	free(plan->kept);
	free_map(plan->file_map, plan->nr_parts);
	free(plan->files);
	free_map(plan->string_map, plan->nr_parts);
	free(plan->strings);
	free(plan->names);
	while (plan->nr_renamed)
		free(plan->renamed[--plan->nr_renamed]);
	free(plan->renamed);
	*plan = (struct gsym_plan){ 0 };
}
