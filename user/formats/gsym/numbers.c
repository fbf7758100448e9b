// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives numbers to files, by how often they are used, and to strings, by their first use.
 */
#include "formats/gsym/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* A file of a part, before the files of all parts are united. */
struct candidate {
	struct gsym_plan_file file;
	uint32_t dir;
	uint32_t base;
	uint32_t number;
	uint16_t part;
};

struct uses {
	uint64_t uses;
	uint64_t starts;
};

/* @uses: for each file of the part, by its number. */
static void count_uses(const struct gsym_part *part, const struct gsym_added *f,
		       struct uses *uses)
{
	struct gsym_row row = { f->start, 0, 0 };
	struct gsym_info_walk w;
	struct gsym_kept_call call;
	uint32_t file = 0;
	uint64_t i;

	gsym_info_start(&w, part, f);
	for (i = 0; i < w.rows; i++) {
		gsym_rows_next(&w.program, GSYM_PART_WINDOW, &row);
		if (!i)
			uses[row.file].starts++;
		if (!i || row.file != file)
			uses[row.file].uses++;
		file = row.file;
	}
	for (i = gsym_info_calls(&w); i; i--) {
		gsym_info_call(&w, &call);
		uses[call.file].uses++;
	}
}

static int by_name(const void *x, const void *y)
{
	const struct gsym_plan_file *a = x, *b = y;
	int order = strcmp(a->dir, b->dir);

	return order ? order : strcmp(a->base, b->base);
}

static int by_uses(const void *x, const void *y)
{
	const struct gsym_plan_file *a = x, *b = y;

	if (a->uses != b->uses)
		return a->uses > b->uses ? -1 : 1;
	return by_name(a, b);
}

/* Appends the files of a part that are used to @all. */
static int add_candidates(const struct gsym_plan *plan, uint16_t number,
			  const struct uses *uses, struct candidate **all, size_t *nr,
			  size_t *room)
{
	const struct gsym_part *part = plan->parts[number];
	uint32_t i;

	for (i = 1; i <= part->nr_files; i++) {
		const struct gsym_part_file *f = &part->files[i - 1];

		if (!uses[i].uses)
			continue;
		if (!array_has_room(*all, *nr, *room))
			return -ENOMEM;
		(*all)[(*nr)++] = (struct candidate){
			.file = {
				.dir = gsym_part_text(part, f->dir),
				.base = gsym_part_text(part, f->base),
				.uses = uses[i].uses,
				.starts = uses[i].starts,
			},
			.dir = f->dir,
			.base = f->base,
			.number = i,
			.part = number,
		};
	}
	return 0;
}

static void free_uses(struct uses **all, size_t nr)
{
	size_t i;

	for (i = 0; all && i < nr; i++)
		free(all[i]);
	free(all);
}

static struct uses **uses_new(const struct gsym_plan *plan)
{
	struct uses **all = calloc(plan->nr_parts + 1, sizeof(*all));
	size_t i;

	for (i = 0; all && i < plan->nr_parts; i++) {
		all[i] = calloc((size_t)plan->parts[i]->nr_files + 1, sizeof(**all));
		if (!all[i]) {
			free_uses(all, i);
			return NULL;
		}
	}
	for (i = 0; all && i < plan->nr_kept; i++)
		count_uses(gsym_kept_part(plan, &plan->kept[i]),
			   gsym_kept_func(plan, &plan->kept[i]),
			   all[plan->kept[i].part]);
	return all;
}

static int find_candidates(const struct gsym_plan *plan, struct candidate **ret,
			   size_t *ret_nr)
{
	struct uses **uses = uses_new(plan);
	size_t i, room = 0;
	int err = uses ? 0 : -ENOMEM;

	for (i = 0; !err && i < plan->nr_parts; i++)
		err = add_candidates(plan, (uint16_t)i, uses[i], ret, ret_nr, &room);
	free_uses(uses, plan->nr_parts);
	return err;
}

/* Makes one file of sorted candidates with the same name, and adds up their uses. */
static void unite(struct gsym_plan *plan, const struct candidate *all, size_t nr)
{
	struct gsym_plan_file *last = plan->files;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (last > plan->files && !by_name(last, &all[i].file)) {
			last->uses += all[i].file.uses;
			last->starts += all[i].file.starts;
			continue;
		}
		*++last = all[i].file;
	}
	plan->nr_files = (uint32_t)(last - plan->files);
}

/*
 * Sorts files by uses. But the file in which most line tables start is the
 * first one, as a table that starts in it needs no opcode for it.
 */
static void rank(struct gsym_plan *plan)
{
	struct gsym_plan_file *files = plan->files + 1, first;
	uint32_t i, best = 0;

	if (!plan->nr_files)
		return;
	qsort(files, plan->nr_files, sizeof(*files), by_uses);
	for (i = 1; i < plan->nr_files; i++)
		if (files[i].starts > files[best].starts)
			best = i;
	first = files[best];
	memmove(files + 1, files, best * sizeof(*files));
	files[0] = first;
}

struct by_name_entry {
	const struct gsym_plan_file *file;
	uint32_t number;
};

static int entry_by_name(const void *x, const void *y)
{
	const struct by_name_entry *a = x, *b = y;

	return by_name(a->file, b->file);
}

/*
 * Both candidates and files are gone through in the order of their names, so
 * that each candidate finds its number at once.
 */
static int map_files(struct gsym_plan *plan, const struct candidate *all, size_t nr)
{
	_cleanup_(cleanup_free) struct by_name_entry *names = NULL;
	size_t i, at = 0;

	names = calloc((size_t)plan->nr_files + 1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	for (i = 0; i < plan->nr_files; i++)
		names[i] = (struct by_name_entry){ &plan->files[i + 1], (uint32_t)i + 1 };
	qsort(names, plan->nr_files, sizeof(*names), entry_by_name);
	for (i = 0; i < nr; i++) {
		while (by_name(names[at].file, &all[i].file))
			at++;
		plan->file_map[all[i].part][all[i].number] = names[at].number;
	}
	return 0;
}

static int candidate_by_name(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	return by_name(&a->file, &b->file);
}

static int number_files(struct gsym_plan *plan)
{
	_cleanup_(cleanup_free) struct candidate *all = NULL;
	size_t nr = 0;
	int err;

	err = find_candidates(plan, &all, &nr);
	if (err)
		return err;
	if (nr)
		qsort(all, nr, sizeof(*all), candidate_by_name);
	plan->files = calloc(nr + 1, sizeof(*plan->files));
	if (!plan->files)
		return -ENOMEM;
	unite(plan, all, nr);
	rank(plan);
	return map_files(plan, all, nr);
}

int gsym_finder_init(struct gsym_finder *f, size_t nr)
{
	size_t slots = 64;

	while (slots < nr + nr / 2)
		slots *= 2;
	f->slots = calloc(slots, sizeof(*f->slots));
	f->mask = slots - 1;
	return f->slots ? 0 : -ENOMEM;
}

uint32_t *gsym_finder_slot(const struct gsym_finder *f, const struct gsym_plan *plan,
			   const char *s, uint32_t len)
{
	size_t i = gsym_hash(s, len) & f->mask;

	while (f->slots[i]) {
		const struct gsym_plan_string *old = &plan->strings[f->slots[i]];

		if (old->len == len && !memcmp(old->s, s, len))
			break;
		i = (i + 1) & f->mask;
	}
	return &f->slots[i];
}

int gsym_plan_add_string(struct gsym_plan *plan, const char *s, uint32_t len)
{
	if (plan->nr_strings == UINT32_MAX)
		return -EFBIG;
	if (!array_has_room(plan->strings, plan->nr_strings, plan->strings_room))
		return -ENOMEM;
	plan->strings[plan->nr_strings++] = (struct gsym_plan_string){ .s = s, .len = len };
	return 0;
}

/*
 * The finder is needed for strings of several parts: the strings of a single
 * part are all different.
 */
static int find_init(struct gsym_finder *f, const struct gsym_plan *plan)
{
	size_t i, nr = 0;

	*f = (struct gsym_finder){ 0 };
	if (plan->nr_parts == 1)
		return 0;
	for (i = 0; i < plan->nr_parts; i++)
		nr += plan->parts[i]->strings.nr;
	return gsym_finder_init(f, nr);
}

/* Gives a number to a string that is used for the first time in its part. */
static int number_string(struct gsym_plan *plan, struct gsym_finder *f, const char *s,
			 uint32_t *number)
{
	uint32_t len = (uint32_t)strlen(s), *slot = NULL;
	int err;

	if (f->slots) {
		slot = gsym_finder_slot(f, plan, s, len);
		*number = *slot;
		if (*slot)
			return 0;
	}
	err = gsym_plan_add_string(plan, s, len);
	if (err)
		return err;
	*number = plan->nr_strings - 1;
	if (slot)
		*slot = *number;
	return 0;
}

static int use_string(struct gsym_plan *plan, struct gsym_finder *f, unsigned int part,
		      uint32_t string, bool is_name)
{
	uint32_t *number = &plan->string_map[part][string];
	int err = 0;

	if (!string)
		return 0;
	if (!*number)
		err = number_string(plan, f, gsym_part_text(plan->parts[part], string), number);
	if (err)
		return err;
	if (is_name)
		plan->strings[*number].is_name = true;
	else
		plan->strings[*number].is_text = true;
	return 0;
}

static int use_sites(struct gsym_plan *plan, struct gsym_finder *f, unsigned int part,
		     struct gsym_info_walk *w)
{
	uint64_t sites = gsym_info_sites(w);
	struct gsym_kept_site site;
	int err = 0;

	while (!err && sites--) {
		gsym_info_site(w, &site);
		while (!err && site.nr_match--)
			err = use_string(plan, f, part, (uint32_t)uleb_take(&site.match),
					 false);
	}
	return err;
}

static int use_function(struct gsym_plan *plan, struct gsym_finder *f,
			const struct gsym_kept *k)
{
	const struct gsym_added *func = gsym_kept_func(plan, k);
	struct gsym_kept_call call;
	struct gsym_info_walk w;
	uint64_t calls;
	int err;

	gsym_info_start(&w, gsym_kept_part(plan, k), func);
	err = use_string(plan, f, k->part, func->name, true);
	for (calls = gsym_info_calls(&w); !err && calls; calls--) {
		gsym_info_call(&w, &call);
		err = use_string(plan, f, k->part, call.name, true);
	}
	return err ? err : use_sites(plan, f, k->part, &w);
}

/* The strings of files are put together, as every lookup needs them. */
static int use_files(struct gsym_plan *plan, struct gsym_finder *f)
{
	_cleanup_(cleanup_free) uint64_t *first = NULL;
	uint32_t i, number;
	size_t part;
	int err = 0;

	/* for each file the first part that has it, and its number there */
	first = calloc((size_t)plan->nr_files + 1, sizeof(*first));
	if (!first)
		return -ENOMEM;
	for (part = plan->nr_parts; part--;)
		for (i = 1; i <= plan->parts[part]->nr_files; i++)
			first[plan->file_map[part][i]] = (uint64_t)part << 32 | i;
	for (number = 1; !err && number <= plan->nr_files; number++) {
		const struct gsym_part_file *file;
		struct gsym_plan_file *ret = &plan->files[number];

		part = first[number] >> 32;
		file = &plan->parts[part]->files[(uint32_t)first[number] - 1];
		err = use_string(plan, f, (unsigned int)part, file->dir, false);
		if (!err)
			err = use_string(plan, f, (unsigned int)part, file->base, false);
		ret->dir_string = plan->string_map[part][file->dir];
		ret->base_string = plan->string_map[part][file->base];
	}
	return err;
}

static int number_strings(struct gsym_plan *plan)
{
	struct gsym_finder f;
	size_t i;
	int err;

	err = find_init(&f, plan);
	if (!err)
		err = gsym_plan_add_string(plan, "", 0);
	if (!err)
		err = use_files(plan, &f);
	for (i = 0; !err && i < plan->nr_kept; i++)
		err = use_function(plan, &f, &plan->kept[i]);
	free(f.slots);
	return err;
}

/* Return: a map of @nr numbers for each part, all 0. */
static uint32_t **map_new(const struct gsym_plan *plan, bool files)
{
	uint32_t **map = calloc(plan->nr_parts + 1, sizeof(*map));
	size_t i, nr;

	for (i = 0; map && i < plan->nr_parts; i++) {
		nr = files ? plan->parts[i]->nr_files : plan->parts[i]->strings.nr;
		map[i] = calloc(nr + 1, sizeof(**map));
		if (!map[i]) {
			while (i--)
				free(map[i]);
			free(map);
			return NULL;
		}
	}
	return map;
}

int gsym_plan_names(struct gsym_plan *plan)
{
	int err;

	plan->file_map = map_new(plan, true);
	plan->string_map = map_new(plan, false);
	if (!plan->file_map || !plan->string_map)
		return -ENOMEM;
	err = number_files(plan);
	if (!err)
		err = number_strings(plan);
	return err;
}
