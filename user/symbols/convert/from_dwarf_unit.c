// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks the entries of a unit. A function stays on a stack, with its inlined calls, until
 * all its children are read; then it is added.
 */
#include "symbols/convert/from_dwarf_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/dwarf/constants.h"
#include "formats/dwarf/die.h"
#include "util/array.h"
#include "util/poison.h"

int from_dwarf_init(struct from_dwarf *t, const struct dwarf_object *main,
		    struct dwarf_budget *budget, struct gsym_part *part)
{
	*t = (struct from_dwarf){ .part = part, .main = main, .budget = budget };
	t->known = calloc(FROM_DWARF_NAMES, sizeof(*t->known));
	if (!t->known || dwarf_names_init(&t->names, &t->cache, budget)) {
		free(t->known);
		return -ENOMEM;
	}
	return 0;
}

void from_dwarf_release(struct from_dwarf *t)
{
	dwarf_names_release(&t->names);
	dwarf_abbrev_cache_release(&t->cache);
	dwarf_lines_release(&t->lines);
	free(t->files);
	free(t->known);
	free(t->path);
	free(t->ranges.p);
	free(t->calls);
	free(t->sites);
	free(t->functions);
	free(t->levels);
	free(t->new_lines);
	free(t->new_calls);
	free(t->new_ranges);
	free(t->new_sites);
}

void from_dwarf_forget(struct from_dwarf *t, const struct dwarf_object *o)
{
	unsigned int i;

	dwarf_names_forget(&t->names, o);
	dwarf_abbrev_cache_forget(&t->cache, o);
	for (i = 0; i < FROM_DWARF_NAMES; i++)
		if (t->known[i].at.o == o)
			t->known[i].at.o = NULL;
}

/* Attributes of a function or an inlined call. */
struct attrs {
	bool has_low, has_high, has_ranges, has_origin;
	struct dwarf_value low, high, ranges;
	struct dwarf_ref origin;
	uint64_t call_file;
	uint64_t call_line;
};

static void take(struct from_dwarf *t, uint16_t name, const struct dwarf_value *v,
		 struct attrs *ret)
{
	switch (name) {
	case DW_AT_low_pc:
		ret->has_low = true;
		ret->low = *v;
		break;
	case DW_AT_high_pc:
		ret->has_high = true;
		ret->high = *v;
		break;
	case DW_AT_ranges:
		ret->has_ranges = true;
		ret->ranges = *v;
		break;
	case DW_AT_abstract_origin:
		ret->has_origin = dwarf_value_ref(t->u, v, &ret->origin);
		break;
	case DW_AT_call_file:
		ret->call_file = v->u;
		break;
	case DW_AT_call_line:
		ret->call_line = v->u;
		break;
	}
}

static void read_attrs(struct from_dwarf *t, struct cursor *c,
		       const struct dwarf_abbrev *a, struct attrs *ret)
{
	const struct dwarf_spec *s = t->u->abbrevs->specs + a->specs;
	const struct dwarf_spec *end = s + a->nr_specs;
	struct dwarf_value v;

	*ret = (struct attrs){ 0 };
	for (; s < end; s++) {
		dwarf_value_read(c, s, t->u->sizes, &v);
		take(t, s->name, &v, ret);
	}
}

/* Appends the ranges of an entry to @t->ranges. */
static int read_ranges(struct from_dwarf *t, const struct attrs *a, struct diag *diag)
{
	uint64_t low, high;
	int err;

	if (a->has_low && a->has_high) {
		if (!dwarf_value_address(t->u, &a->low, &low))
			return 0;
		if (!dwarf_value_address(t->u, &a->high, &high) &&
		    __builtin_add_overflow(low, a->high.u, &high))
			return 0;
		err = dwarf_ranges_add(&t->ranges, low, high);
		return err ? diag_errno(diag, ENOMEM, t->main->path) : 0;
	}
	if (!a->has_ranges)
		return 0;
	return dwarf_spend(t->budget,
			   dwarf_ranges_read(t->u, &a->ranges, &t->ranges, diag), diag);
}

/* Sorts the ranges from @first on and joins those that touch. */
static void sort_ranges(struct dwarf_ranges *r, size_t first)
{
	if (r->nr > first)
		r->nr = first + ranges_join(r->p + first, r->nr - first);
}

/* Drops the function's ranges that are not in text, and counts them. */
static void keep_live(struct from_dwarf *t, size_t first)
{
	size_t i, n = first;

	for (i = first; i < t->ranges.nr; i++)
		if (dwarf_object_has_text(t->main, t->ranges.p[i].start))
			t->ranges.p[n++] = t->ranges.p[i];
	t->stats.dead += t->ranges.nr - n;
	t->ranges.nr = n;
}

static int add_name(struct from_dwarf *t, struct dwarf_ref at, uint32_t *ret,
		    struct diag *diag)
{
	const char *name;
	size_t len;
	int err;

	err = dwarf_name(&t->names, at, dwarf_lang_qualifies(t->u->lang), &name, &len,
			 diag);
	if (err)
		return err;
	err = gsym_part_string(t->part, name, len, ret);
	return err ? diag_errno(diag, -err, t->main->path) : 0;
}

/* Adds a name, quoted as a POSIX regular expression. */
static int add_regex(struct from_dwarf *t, struct dwarf_ref at, uint32_t *ret,
		     struct diag *diag)
{
	const char *name, *s;
	char *buf, *p;
	size_t len;
	int err;

	err = dwarf_name(&t->names, at, dwarf_lang_qualifies(t->u->lang), &name, &len,
			 diag);
	if (err)
		return err;
	p = buf = malloc(2 * len + 1);
	if (!buf)
		return diag_errno(diag, ENOMEM, t->main->path);
	for (s = name; *s; s++) {
		if (strchr("\\^$.|?*+()[]{}", *s))
			*p++ = '\\';
		*p++ = *s;
	}
	err = gsym_part_string(t->part, buf, (size_t)(p - buf), ret);
	free(buf);
	return err ? diag_errno(diag, -err, t->main->path) : 0;
}

/* Names are cached: the same functions are inlined and called very often. */
int from_dwarf_name(struct from_dwarf *t, struct dwarf_ref at, bool regex, uint32_t *ret,
		    struct diag *diag)
{
	bool qualify = dwarf_lang_qualifies(t->u->lang);
	uint64_t key = at.off << 2 | (uint64_t)regex << 1 | qualify;
	struct from_dwarf_name *k;
	int err;

	k = &t->known[(key * 0x9e3779b97f4a7c15ull) >> 40 & (FROM_DWARF_NAMES - 1)];
	if (k->at.o != at.o || k->at.off != key) {
		k->at.o = NULL;
		err = regex ? add_regex(t, at, &k->string, diag) :
			      add_name(t, at, &k->string, diag);
		if (err)
			return err;
		k->at = (struct dwarf_ref){ at.o, key };
	}
	*ret = k->string;
	return 0;
}

/* Return: 1 if the function has code in this file; it is now on top of the stack. */
static int start_function(struct from_dwarf *t, uint64_t off, const struct attrs *a,
			  struct diag *diag)
{
	struct from_dwarf_function f = { .off = off, .first_range = t->ranges.nr };
	int err;

	err = read_ranges(t, a, diag);
	if (err)
		return err;
	keep_live(t, f.first_range);
	f.nr_ranges = t->ranges.nr - f.first_range;
	if (!f.nr_ranges)
		return 0;
	err = add_name(t, (struct dwarf_ref){ t->u->o, off }, &f.name, diag);
	if (err)
		return err;
	if (!f.name) {
		t->stats.nameless++;
		t->ranges.nr = f.first_range;
		return 0;
	}
	f.first_call = t->nr_calls;
	f.first_site = t->nr_sites;
	if (!array_has_room(t->functions, t->nr_functions, t->room_functions))
		return diag_errno(diag, ENOMEM, t->main->path);
	t->functions[t->nr_functions++] = f;
	return 1;
}

/* Return: 1 if the call has code; it belongs to the function on top of the stack. */
static int add_call(struct from_dwarf *t, const struct attrs *a, unsigned int depth,
		    struct diag *diag)
{
	struct from_dwarf_call c = { .depth = depth, .first_range = t->ranges.nr };
	int err;

	if (depth >= GSYM_MAX_DEPTH) {
		t->stats.misplaced++;
		return 0;
	}
	err = read_ranges(t, a, diag);
	if (err)
		return err;
	sort_ranges(&t->ranges, c.first_range);
	c.nr_ranges = t->ranges.nr - c.first_range;
	if (!c.nr_ranges)
		return 0;
	if (a->has_origin)
		err = from_dwarf_name(t, a->origin, false, &c.name, diag);
	if (!err)
		err = from_dwarf_file(t, a->call_file, &c.file, diag);
	if (err)
		return err;
	c.line = a->call_line > UINT32_MAX ? 0 : (uint32_t)a->call_line;
	if (!array_has_room(t->calls, t->nr_calls, t->room_calls))
		return diag_errno(diag, ENOMEM, t->main->path);
	t->calls[t->nr_calls++] = c;
	return 1;
}

static bool is_block(uint16_t tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

/* Handles an entry; @c is after its code. Sets the level for its children. */
static int enter(struct from_dwarf *t, struct cursor *c, uint64_t off,
		 const struct dwarf_abbrev *a, struct from_dwarf_level *level,
		 struct diag *diag)
{
	struct from_dwarf_level in = { 0 };
	struct attrs attrs;
	int r;

	if (t->nr_levels)
		in = t->levels[t->nr_levels - 1];
	*level = (struct from_dwarf_level){ 0 };
	if (a->tag == DW_TAG_subprogram && a->has_pc) {
		read_attrs(t, c, a, &attrs);
		r = c->bad ? 0 : start_function(t, off, &attrs, diag);
		level->function = level->code = r > 0;
		return r < 0 ? r : 0;
	}
	if (in.code && a->tag == DW_TAG_inlined_subroutine) {
		read_attrs(t, c, a, &attrs);
		r = c->bad ? 0 : add_call(t, &attrs, in.depth + 1u, diag);
		level->code = r > 0;
		level->depth = (uint16_t)(in.depth + 1);
		return r < 0 ? r : 0;
	}
	dwarf_skip_attrs(c, t->u->abbrevs, a);
	level->code = in.code && is_block(a->tag);
	level->depth = in.depth;
	return 0;
}

static int push(struct from_dwarf *t, const struct from_dwarf_level *level,
		uint64_t off, struct diag *diag)
{
	if (t->nr_levels >= DWARF_MAX_DEPTH)
		return dwarf_bad(t->u->o, DWARF_INFO, off, diag,
				 "entries are more than %u deep in one another",
				 DWARF_MAX_DEPTH);
	if (!array_has_room(t->levels, t->nr_levels, t->room_levels))
		return diag_errno(diag, ENOMEM, t->main->path);
	t->levels[t->nr_levels++] = *level;
	return 0;
}

/* Handles the next entry. Return: 1 if only padding is left. */
static int step(struct from_dwarf *t, struct cursor *c, struct diag *diag)
{
	uint64_t off = dwarf_unit_offset(t->u, c->p);
	const struct dwarf_abbrev *a = dwarf_die_code(c, t->u->abbrevs);
	struct from_dwarf_level level = { 0 };
	int err = 0;

	if (a && t->call_sites && from_dwarf_is_site(a->tag) && t->nr_levels &&
	    t->levels[t->nr_levels - 1].code)
		err = from_dwarf_site(t, *c, a, diag);
	if (err)
		return err;
	if (a && !dwarf_die_skip_tree(c, t->u, a)) {
		err = enter(t, c, off, a, &level, diag);
		if (!err && a->children && !c->bad)
			err = push(t, &level, off, diag);
		else if (!err && level.function)
			err = from_dwarf_add(t, diag);
	} else if (!a && !c->bad) {
		if (!t->nr_levels)
			return 1;
		if (t->levels[--t->nr_levels].function)
			err = from_dwarf_add(t, diag);
	}
	if (!err && c->bad)
		err = dwarf_bad(t->u->o, DWARF_INFO, off, diag,
				"damaged entry, or one without an abbreviation");
	return err;
}

/* Whether any entry can be a function: units with only types have none. */
static bool has_functions(const struct dwarf_abbrevs *t)
{
	size_t i;

	for (i = 0; i < t->nr_abbrevs; i++)
		if (t->abbrevs[i].tag == DW_TAG_subprogram && t->abbrevs[i].has_pc)
			return true;
	return false;
}

int from_dwarf_unit(struct from_dwarf *t, const struct dwarf_unit *u, uint64_t order,
		    struct diag *diag)
{
	struct cursor c;
	int err = 0;

	if (!has_functions(u->abbrevs))
		return 0;
	t->u = u;
	t->order = order;
	t->lines_read = false;
	t->nr_levels = t->nr_functions = t->nr_calls = t->nr_sites = 0;
	t->ranges.nr = 0;
	dwarf_names_enter(&t->names, u);
	c = dwarf_unit_at(u, u->die);
	while (!err && cursor_left(&c))
		err = step(t, &c, diag);
	/* functions whose children end with the unit */
	while (err >= 0 && t->nr_functions)
		err = from_dwarf_add(t, diag);
	return err < 0 ? err : 0;
}
