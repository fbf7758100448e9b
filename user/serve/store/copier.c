// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies single stacks, label sets and strings from one profile into another, with everything that
 * they refer to. Numbers that were copied before are looked up, not copied again.
 */
#include "serve/store/copier.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

void copier_begin(struct copier *k, const struct profile *from, struct profile *to)
{
	k->from = from;
	k->to = to;
	k->round++;
	k->error = 0;
}

void copier_release(struct copier *k)
{
	free(k->strings.of);
	free(k->mappings.of);
	free(k->functions.of);
	free(k->locations.of);
	free(k->stacks.of);
	free(k->labels.of);
	free(k->lines);
	free(k->path);
	free(k->named);
	*k = (struct copier){ 0 };
}

int copier_error(const struct copier *k)
{
	return k->error ? k->error : k->to ? profile_error(k->to) : 0;
}

/* Whether @number has been copied in this round; 0, which stands for nothing, always has. */
static bool was_copied(const struct copier *k, const struct copier_memo *m, uint32_t number,
		       uint32_t *ret)
{
	*ret = 0;
	if (!number)
		return true;
	if (number >= m->room || m->of[number] >> 32 != k->round)
		return false;
	*ret = (uint32_t)m->of[number];
	return true;
}

/* Remembers that @number was copied to number @to. Return: @to, or 0 without memory. */
static uint32_t remember(struct copier *k, struct copier_memo *m, uint32_t number, uint32_t to)
{
	size_t room = m->room ? m->room : ARRAY_FIRST_ROOM;
	uint64_t *of;

	if (number >= m->room) {
		while (room <= number)
			room *= 2;
		of = reallocarray(m->of, room, sizeof(*of));
		if (!of) {
			k->error = -ENOMEM;
			return 0;
		}
		memset(of + m->room, 0, (room - m->room) * sizeof(*of));
		m->of = of;
		m->room = room;
	}
	m->of[number] = (uint64_t)k->round << 32 | to;
	return to;
}

uint32_t copier_string(struct copier *k, uint32_t string)
{
	uint32_t n;

	if (was_copied(k, &k->strings, string, &n))
		return n;
	return remember(k, &k->strings, string,
			profile_string(k->to, profile_text(k->from, string)));
}

static uint32_t copier_mapping(struct copier *k, uint32_t mapping)
{
	struct profile_mapping m;
	uint32_t n;

	if (was_copied(k, &k->mappings, mapping, &n))
		return n;
	m = k->from->mappings[mapping];
	m.file = copier_string(k, m.file);
	m.build_id = copier_string(k, m.build_id);
	return remember(k, &k->mappings, mapping, profile_mapping(k->to, &m));
}

static uint32_t copier_function(struct copier *k, uint32_t function)
{
	struct profile_function f;
	uint32_t n;

	if (was_copied(k, &k->functions, function, &n))
		return n;
	f = k->from->functions[function];
	f.name = copier_string(k, f.name);
	f.system_name = copier_string(k, f.system_name);
	f.file = copier_string(k, f.file);
	return remember(k, &k->functions, function, profile_function(k->to, &f));
}

/* Copies the lines of a location to @k->lines. Return: false if there is no memory. */
static bool copier_lines(struct copier *k, const struct profile_location *l)
{
	struct profile_line *lines;
	uint32_t i;

	if (l->nr_lines > k->lines_room) {
		lines = reallocarray(k->lines, l->nr_lines, sizeof(*lines));
		if (!lines) {
			k->error = -ENOMEM;
			return false;
		}
		k->lines = lines;
		k->lines_room = l->nr_lines;
	}
	for (i = 0; i < l->nr_lines; i++) {
		k->lines[i] = k->from->lines[l->first_line + i];
		k->lines[i].function = copier_function(k, k->lines[i].function);
	}
	return true;
}

/* Whether @k->to already has this address, and no lines for it. */
static bool is_nameless(struct copier *k, uint32_t mapping, uint64_t address, uint32_t *ret)
{
	uint32_t before = k->to->nr_locations;

	/* address 0 means unknown: it is a location of its own for each of its lines */
	if (!address)
		return false;
	*ret = profile_location(k->to, mapping, address);
	return *ret && *ret < before && !k->to->locations[*ret].nr_lines;
}

static uint32_t copier_location(struct copier *k, uint32_t location)
{
	const struct profile_location *l = &k->from->locations[location];
	uint32_t n, mapping, nameless;

	if (was_copied(k, &k->locations, location, &n))
		return n;
	mapping = copier_mapping(k, l->mapping);
	if (!copier_lines(k, l))
		return 0;
	if (l->nr_lines && is_nameless(k, mapping, l->address, &nameless)) {
		if (!array_has_room(k->named, k->nr_named, k->named_room)) {
			k->error = -ENOMEM;
			return 0;
		}
		k->named[k->nr_named++] = nameless;
	}
	return remember(k, &k->locations, location,
			profile_location_named(k->to, mapping, l->address, k->lines,
					       l->nr_lines));
}

uint32_t copier_stack(struct copier *k, uint32_t stack)
{
	uint32_t n, at, depth = 0;

	for (at = stack; !was_copied(k, &k->stacks, at, &n); at = k->from->stacks[at].parent) {
		if (!array_has_room(k->path, depth, k->path_room)) {
			k->error = -ENOMEM;
			return 0;
		}
		k->path[depth++] = at;
	}
	while (depth) {
		at = k->path[--depth];
		n = remember(k, &k->stacks, at,
			     profile_stack(k->to, n,
					   copier_location(k, k->from->stacks[at].location)));
	}
	return n;
}

static bool is_kept(const struct copier *k, uint32_t key)
{
	const char *text = profile_text(k->from, key);
	const char *const *keep;

	for (keep = k->keep; keep && *keep; keep++)
		if (!strcmp(*keep, text))
			return true;
	return !k->keep;
}

uint32_t copier_labels(struct copier *k, uint32_t labels)
{
	struct profile_label set[PROFILE_MAX_LABELS];
	const struct profile_labels *l = &k->from->labels[labels];
	uint32_t n, i, nr = 0;

	if (was_copied(k, &k->labels, labels, &n))
		return n;
	for (i = 0; i < l->nr; i++) {
		const struct profile_label *label = &k->from->label[l->first + i];

		if (!is_kept(k, label->key))
			continue;
		set[nr] = *label;
		set[nr].key = copier_string(k, label->key);
		set[nr].str = copier_string(k, label->str);
		set[nr++].unit = copier_string(k, label->unit);
	}
	return remember(k, &k->labels, labels, profile_labels(k->to, set, nr));
}
