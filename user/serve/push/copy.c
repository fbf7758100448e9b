// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies samples from one profile to another: each string, mapping, function, location, stack and
 * set of labels is copied when it is first needed, and found by its number after that.
 */
#include "serve/push/copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/poison.h"

/*
 * Make room in the copy's @array for @nr elements; its old contents may be lost. A failure is kept
 * in @failed.
 */
#define room_for(c, array, nr, room)						\
({										\
	if ((nr) > (room)) {							\
		free((c)->array);						\
		(c)->array = reallocarray(NULL, (nr), sizeof(*(c)->array));	\
		(room) = (c)->array ? (nr) : 0;					\
		(c)->failed |= !(c)->array;					\
	}									\
	(nr) <= (room);								\
})

int push_copy_init(struct push_copy *c, struct profile *to, const struct profile *from,
		   const char *const *keep)
{
	size_t nr = (size_t)from->nr_strings + from->nr_mappings + from->nr_functions +
		    from->nr_locations + from->nr_stacks + from->nr_labels;

	*c = (struct push_copy){ .to = to, .from = from, .keep = keep };
	c->numbers = calloc(nr, sizeof(*c->numbers));
	if (!c->numbers)
		return -ENOMEM;
	c->strings = c->numbers;
	c->mappings = c->strings + from->nr_strings;
	c->functions = c->mappings + from->nr_mappings;
	c->locations = c->functions + from->nr_functions;
	c->stacks = c->locations + from->nr_locations;
	c->labels = c->stacks + from->nr_stacks;
	return 0;
}

void push_copy_release(struct push_copy *c)
{
	free(c->numbers);
	free(c->path);
	free(c->lines);
	*c = (struct push_copy){ 0 };
}

uint32_t push_copy_string(struct push_copy *c, uint32_t string)
{
	if (string && !c->strings[string])
		c->strings[string] = profile_string(c->to, profile_text(c->from, string));
	return c->strings[string];
}

void push_copy_head(struct push_copy *c)
{
	const struct profile *f = c->from;
	struct profile *to = c->to;
	uint32_t i;

	for (i = 0; i < f->nr_value_types; i++)
		profile_value_type(to, profile_text(f, f->value_types[i].type),
				   profile_text(f, f->value_types[i].unit));
	to->time_ns = f->time_ns;
	to->duration_ns = f->duration_ns;
	to->period = f->period;
	to->period_type.type = push_copy_string(c, f->period_type.type);
	to->period_type.unit = push_copy_string(c, f->period_type.unit);
	to->default_type = push_copy_string(c, f->default_type);
}

static uint32_t copy_mapping(struct push_copy *c, uint32_t mapping)
{
	struct profile_mapping m = c->from->mappings[mapping];

	if (!mapping || c->mappings[mapping])
		return c->mappings[mapping];
	m.file = push_copy_string(c, m.file);
	m.build_id = push_copy_string(c, m.build_id);
	return c->mappings[mapping] = profile_mapping(c->to, &m);
}

static uint32_t copy_function(struct push_copy *c, uint32_t function)
{
	struct profile_function f = c->from->functions[function];

	if (c->functions[function])
		return c->functions[function];
	f.name = push_copy_string(c, f.name);
	f.system_name = push_copy_string(c, f.system_name);
	f.file = push_copy_string(c, f.file);
	return c->functions[function] = profile_function(c->to, &f);
}

static uint32_t copy_location(struct push_copy *c, uint32_t location)
{
	const struct profile_location *l = &c->from->locations[location];
	uint32_t i;

	if (!location || c->locations[location] || !room_for(c, lines, l->nr_lines, c->lines_room))
		return c->locations[location];
	for (i = 0; i < l->nr_lines; i++) {
		c->lines[i] = c->from->lines[l->first_line + i];
		c->lines[i].function = copy_function(c, c->lines[i].function);
		if (!c->lines[i].function)
			return 0;
	}
	return c->locations[location] = profile_location_named(
		c->to, copy_mapping(c, l->mapping), l->address, c->lines, l->nr_lines);
}

uint32_t push_copy_stack(struct push_copy *c, uint32_t stack)
{
	const struct profile_frame *frames = c->from->stacks;
	uint32_t nr = 0, parent;

	if (!room_for(c, path, frames[stack].depth, c->room))
		return 0;
	for (; stack && !c->stacks[stack]; stack = frames[stack].parent)
		c->path[nr++] = stack;
	for (parent = c->stacks[stack]; nr; parent = c->stacks[stack]) {
		stack = c->path[--nr];
		c->stacks[stack] = profile_stack(c->to, parent,
						 copy_location(c, frames[stack].location));
	}
	return parent;
}

static bool is_kept(const struct push_copy *c, const char *key)
{
	const char *const *keep;

	for (keep = c->keep; keep && *keep; keep++)
		if (!strcmp(*keep, key))
			return true;
	return !c->keep;
}

uint32_t push_copy_labels(struct push_copy *c, uint32_t labels)
{
	const struct profile_labels *set = &c->from->labels[labels];
	struct profile_label copies[PROFILE_MAX_LABELS];
	uint32_t i, nr = 0;

	if (!labels || c->labels[labels])
		return c->labels[labels];
	for (i = 0; i < set->nr; i++) {
		struct profile_label l = c->from->label[set->first + i];

		if (!is_kept(c, profile_text(c->from, l.key)))
			continue;
		l.key = push_copy_string(c, l.key);
		l.str = push_copy_string(c, l.str);
		l.unit = push_copy_string(c, l.unit);
		copies[nr++] = l;
	}
	return c->labels[labels] = profile_labels(c->to, copies, nr);
}

int push_copied(const struct push_copy *c)
{
	return c->failed ? -ENOMEM : profile_error(c->to);
}
