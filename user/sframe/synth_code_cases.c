// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the jumps through tables that were recognised (synth_code_switch.h): reads their targets,
 * checks each, and refuses what the states of all code contradict. synth_code_flow.c calls it.
 */
#include <errno.h>
#include <stdlib.h>

#include "sframe/synth_code_flow.h"
#include "util/array.h"

void code_switches_release(struct code_switches *s)
{
	free(s->found);
	free(s->targets);
	free(s->compares);
	free(s->bounds);
	code_edges_release(&s->edges);
}

static struct code_switch *find(const struct code_switches *s, u32 jump)
{
	size_t lo = 0, hi = s->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->found[mid].jump < jump)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->nr && s->found[lo].jump == jump ? &s->found[lo] : NULL;
}

const u32 *code_switch_targets(const struct code_flow *f, u32 jump, u32 *nr)
{
	const struct code_switch *s = find(&f->switches, jump);

	*nr = s && !s->refused ? s->nr : 0;
	return *nr ? f->switches.targets + s->first : NULL;
}

/* The address in entry @i. */
static u64 entry_of(const struct code_switch *s, const u8 *bytes, u32 i)
{
	if (s->bytes == 8)
		return ustack_le64(bytes + 8 * i);
	return s->table + (u64)(s64)(s32)ustack_le32(bytes + 4 * i);
}

/* Whether a function begins after the first and up to the last of two places; limited in all. */
static bool is_divided(struct code_flow *f, u32 a, u32 b)
{
	u32 at = a < b ? a : b, end = a < b ? b : a;

	if (f->switches.left < end - at)
		return true;
	f->switches.left -= end - at;
	while (at++ < end)
		if (f->flags[at] & (CODE_ENTRY_POINT | CODE_BOUNDARY))
			return true;
	return false;
}

/*
 * Whether all targets may be places in the jump's function. If the jump has the state of an entry, cases
 * may be taken for functions, and the other way round: it makes no difference.
 */
static bool is_possible(struct code_flow *f, const struct code_switch *s, const u32 *targets)
{
	const struct code_area *a = code_text_area(f->text, s->jump);
	u32 i, to, low = s->jump, high = s->jump;

	for (i = 0; i < s->nr; i++) {
		to = targets[i];
		if (to == s->otherwise || to == CODE_NOWHERE)
			continue;
		if (to - a->first >= a->size || code_flow_is_inside(f, to))
			return false;
		low = to < low ? to : low;
		high = to > high ? to : high;
	}
	return code_state_is_entry(f->state[s->jump]) || !is_divided(f, low, high);
}

/* Padding is the target of cases that the compiler knows to be impossible. */
static bool is_padding(const struct code_flow *f, u32 at)
{
	const struct code_area *a = code_text_area(f->text, at);

	return code_text_pads(a, at - a->first);
}

/* Adds the targets after all others, if none of them is impossible. */
static bool read_targets(struct code_flow *f, struct code_switch *s)
{
	struct code_switches *all = &f->switches;
	u8 bytes[8 * CODE_MAX_CASES];
	u32 i, to;

	if (!all->read || (s->bytes == 8 && !all->fixed) ||
	    all->nr_targets + s->nr > f->text->size / CODE_BYTES_PER_CASE ||
	    !all->read(all->arg, s->table, bytes, s->bytes * s->nr))
		return false;
	s->first = (u32)all->nr_targets;
	for (i = 0; i < s->nr; i++) {
		to = code_text_at(f->text, entry_of(s, bytes, i));
		if (to == CODE_NOWHERE || !array_has_room(all->targets, s->first + i, all->targets_room))
			return false;
		all->targets[s->first + i] = is_padding(f, to) ? CODE_NOWHERE : to;
	}
	if (!is_possible(f, s, all->targets + s->first))
		return false;
	all->nr_targets += s->nr;
	return true;
}

static int by_jump(const void *a, const void *b)
{
	const struct code_switch *x = a, *y = b;

	return (x->jump > y->jump) - (x->jump < y->jump);
}

/* Joins switches of one jump. Those that contradict each other are all refused. */
static void sort(struct code_switches *s)
{
	struct code_switch *last;
	size_t i, nr = 0;

	if (!s->nr)
		return;
	qsort(s->found, s->nr, sizeof(*s->found), by_jump);
	for (i = 1; i < s->nr; i++) {
		last = &s->found[nr];
		if (s->found[i].jump != last->jump)
			s->found[++nr] = s->found[i];
		else if (s->found[i].table != last->table || s->found[i].bytes != last->bytes ||
			 s->found[i].nr != last->nr)
			last->refused = true;
	}
	s->nr = nr + 1;
}

/* Return: 1 if it was added, 0 if it has no table, or -ENOMEM. */
static int add(struct code_flow *f, struct code_switch *new)
{
	struct code_switches *s = &f->switches;

	if (!array_has_room(s->bounds, s->nr_bounds, s->bounds_room))
		return -ENOMEM;
	s->bounds[s->nr_bounds++] = (struct code_bound){ new->branch, new->jump };
	if (!new->nr || !read_targets(f, new))
		return 0;
	if (!array_has_room(s->found, s->nr, s->room))
		return -ENOMEM;
	s->found[s->nr++] = *new;
	return 1;
}

int code_switches_find(struct code_flow *f)
{
	struct code_switches *s = &f->switches;
	struct code_switch new;
	int nr = 0, added = 0;

	s->edges.known = false;
	for (; s->nr_read < s->nr_compares && added >= 0; s->nr_read++) {
		if (!code_switch_read(f, s->compares[s->nr_read], &new))
			continue;
		added = add(f, &new);
		nr += added;
	}
	if (added < 0)
		return added;
	if (nr)
		sort(s);
	return nr;
}

/* Whether all targets have the state that the jump has. */
static bool is_agreed(struct code_flow *f, const struct code_switch *s)
{
	struct code_step jump;
	u32 i, to;

	if (!code_flow_step(f, s->jump, &jump))
		return false;
	if (jump.after.lost)
		return true;
	for (i = 0; i < s->nr; i++) {
		to = f->switches.targets[s->first + i];
		if (to == CODE_NOWHERE)
			continue;
		if (f->state[to].lost || !code_state_agree(f->state[to], jump.after))
			return false;
	}
	return true;
}

static int by_table(const void *a, const void *b)
{
	const struct code_switch *x = *(struct code_switch *const *)a;
	const struct code_switch *y = *(struct code_switch *const *)b;

	return (x->table > y->table) - (x->table < y->table);
}

/* Refuses tables in which another table begins. Return: how many. */
static u32 refuse_overlapping(struct code_switches *s)
{
	struct code_switch **sorted = malloc((s->nr + 1) * sizeof(*sorted)), *last = NULL;
	size_t i, nr = 0;
	u32 refused = 0;

	for (i = 0; i < s->nr && sorted; i++)
		if (!s->found[i].refused)
			sorted[nr++] = &s->found[i];
	if (nr)
		qsort(sorted, nr, sizeof(*sorted), by_table);
	for (i = 0; i < nr; i++) {
		if (last && sorted[i]->table != last->table &&
		    sorted[i]->table - last->table < (u64)last->bytes * last->nr) {
			last->refused = true;
			refused++;
		}
		last = sorted[i];
	}
	free(sorted);
	return refused;
}

/* Takes the target @to from the jump's cases. */
static void drop_target(struct code_switches *all, u32 jump, u32 to)
{
	const struct code_switch *s = find(all, jump);
	u32 i;

	for (i = 0; s && i < s->nr; i++)
		if (all->targets[s->first + i] == to)
			all->targets[s->first + i] = CODE_NOWHERE;
}

/* Return: how many branches are doubted that were not before. */
static u32 doubt_branches(struct code_flow *f)
{
	const struct code_bound *b;
	struct code_step s;
	u32 to, nr = 0;
	size_t i;

	for (i = 0; i < f->switches.nr_bounds; i++) {
		b = &f->switches.bounds[i];
		if (f->flags[b->branch] & CODE_DOUBTFUL || !code_flow_step(f, b->branch, &s))
			continue;
		to = code_step_target(f, &s);
		if (to == CODE_NOWHERE || !is_divided(f, b->jump, to))
			continue;
		f->flags[b->branch] |= CODE_DOUBTFUL;
		drop_target(&f->switches, b->jump, to);
		nr++;
	}
	return nr;
}

/* Whether the table's address is still the only one that may be in its register. */
static bool is_based(struct code_flow *f, const struct code_switch *s)
{
	struct code_switch again;

	return !s->early || (code_switch_read(f, s->compare, &again) && again.nr == s->nr &&
			     again.table == s->table && again.bytes == s->bytes);
}

u32 code_switches_check(struct code_flow *f)
{
	struct code_switches *s = &f->switches;
	u32 refused = refuse_overlapping(s);
	struct code_switch *i;
	size_t at;

	s->left = (u64)CODE_MAX_SPANS * f->text->size;
	s->edges.known = false;
	refused += doubt_branches(f);
	for (at = 0; at < s->nr; at++) {
		i = &s->found[at];
		if (i->refused || !(f->flags[i->jump] & CODE_VISITED))
			continue;
		i->refused = !(f->flags[i->compare] & CODE_VISITED) || !is_based(f, i) ||
			     !is_possible(f, i, s->targets + i->first) || !is_agreed(f, i);
		refused += i->refused;
	}
	return refused;
}
