// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merges a profile into another: profile_merge() and so on of profile.h. Each
 * number of the one is mapped to a number of the other.
 */
#include <stdlib.h>

#include "profile/index.h"
#include "util/cleanup.h"

#include "util/poison.h"

/**
 * struct merge - maps numbers of @from to numbers of @to
 * @to: gets everything
 * @from: the other profile
 * @samples: used in place of those of @from; their labels are numbers of @to,
 *	and neither labels nor comments of @from are added; NULL if there are
 *	none
 * @nr_samples: number of entries in @samples, or of samples in @from
 * @lines: lines of the location that is being added
 * @lines_room: entries that @lines has memory for
 * @num: values are multiplied by this
 * @den: and divided by this
 * @used: for each entry in @numbers, whether it is needed; NULL if all are
 * @numbers: memory of all arrays below
 */
struct merge {
	struct profile *to;
	const struct profile *from;
	const struct profile_sample *samples;
	uint32_t nr_samples;
	struct profile_line *lines;
	uint32_t lines_room;
	uint32_t num;
	uint32_t den;
	uint8_t *used;
	uint32_t *numbers;
	uint32_t *strings;
	uint32_t *mappings;
	uint32_t *functions;
	uint32_t *locations;
	uint32_t *stacks;
	uint32_t *labels;
	uint32_t value_types[PROFILE_MAX_VALUES];
};

/*
 * @from may be the same as @to, whose array of samples moves when some are
 * added.
 */
static const struct profile_sample *sample_of(const struct merge *m, uint32_t i)
{
	return m->samples ? &m->samples[i] : &m->from->samples[i];
}

static size_t nr_numbers(const struct profile *f)
{
	return (size_t)f->nr_strings + f->nr_mappings + f->nr_functions + f->nr_locations +
	       f->nr_stacks + f->nr_labels;
}

static bool init(struct merge *m)
{
	const struct profile *f = m->from;
	size_t nr = nr_numbers(f);

	m->numbers = reallocarray(NULL, nr, sizeof(*m->numbers));
	if (!m->numbers)
		return false;
	m->strings = m->numbers;
	m->mappings = m->strings + f->nr_strings;
	m->functions = m->mappings + f->nr_mappings;
	m->locations = m->functions + f->nr_functions;
	m->stacks = m->locations + f->nr_locations;
	m->labels = m->stacks + f->nr_stacks;
	/* number 0 stays 0; the others are set in ascending order */
	m->mappings[0] = 0;
	m->functions[0] = 0;
	m->locations[0] = 0;
	m->stacks[0] = 0;
	m->labels[0] = 0;
	return true;
}

/*
 * Sets the number of an element that no sample needs to 0. Return: whether it
 * did.
 */
static bool is_left_out(const struct merge *m, uint32_t *number)
{
	if (!m->used || m->used[number - m->numbers])
		return false;
	*number = 0;
	return true;
}

static int64_t scaled(const struct merge *m, int64_t value)
{
	__int128 v;

	if (m->num == m->den)
		return value;
	v = (__int128)value * m->num / m->den;
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

static bool is_something(const struct merge *m, const struct profile_sample *s)
{
	uint32_t k;

	for (k = 0; k < m->from->nr_value_types; k++)
		if (scaled(m, s->value[k]))
			return true;
	return false;
}

static void use(struct merge *m, const uint32_t *number)
{
	m->used[number - m->numbers] = 1;
}

static void use_location(struct merge *m, uint32_t location)
{
	const struct profile_location *l = &m->from->locations[location];
	const struct profile_mapping *map = &m->from->mappings[l->mapping];
	uint32_t i;

	if (m->used[&m->locations[location] - m->numbers])
		return;
	use(m, &m->locations[location]);
	use(m, &m->mappings[l->mapping]);
	use(m, &m->strings[map->file]);
	use(m, &m->strings[map->build_id]);
	for (i = 0; i < l->nr_lines; i++) {
		uint32_t number = m->from->lines[l->first_line + i].function;
		const struct profile_function *f = &m->from->functions[number];

		use(m, &m->functions[number]);
		use(m, &m->strings[f->name]);
		use(m, &m->strings[f->system_name]);
		use(m, &m->strings[f->file]);
	}
}

static void use_labels(struct merge *m, uint32_t labels)
{
	const struct profile_labels *l = &m->from->labels[labels];
	uint32_t i;

	use(m, &m->labels[labels]);
	for (i = 0; i < l->nr; i++) {
		use(m, &m->strings[m->from->label[l->first + i].key]);
		use(m, &m->strings[m->from->label[l->first + i].str]);
		use(m, &m->strings[m->from->label[l->first + i].unit]);
	}
}

/* Marks all that samples need which are not 0 after scaling. */
static bool find_used(struct merge *m)
{
	const struct profile *f = m->from;
	uint32_t i, stack;

	m->used = calloc(nr_numbers(f), 1);
	if (!m->used)
		return false;
	for (i = 0; i < m->nr_samples; i++) {
		const struct profile_sample *s = sample_of(m, i);

		if (!is_something(m, s))
			continue;
		if (!m->samples)
			use_labels(m, s->labels);
		for (stack = s->stack; stack && !m->used[&m->stacks[stack] - m->numbers];
		     stack = f->stacks[stack].parent) {
			use(m, &m->stacks[stack]);
			use_location(m, f->stacks[stack].location);
		}
	}
	return true;
}

static void merge_strings(struct merge *m)
{
	const struct strings *s = &m->from->index->strings;
	uint32_t i;

	for (i = 0; i < m->from->nr_strings; i++)
		if (!is_left_out(m, &m->strings[i]))
			m->strings[i] = profile_string_bytes(m->to, s->entries[i].s,
							     s->entries[i].len);
}

static void merge_value_types(struct merge *m)
{
	const struct profile *f = m->from;
	uint32_t i;

	for (i = 0; i < f->nr_value_types; i++)
		m->value_types[i] = profile_value_type(m->to,
						       profile_text(f, f->value_types[i].type),
						       profile_text(f, f->value_types[i].unit));
}

static void merge_mappings(struct merge *m)
{
	uint32_t i;

	for (i = 1; i < m->from->nr_mappings; i++) {
		struct profile_mapping map = m->from->mappings[i];

		if (is_left_out(m, &m->mappings[i]))
			continue;
		map.file = m->strings[map.file];
		map.build_id = m->strings[map.build_id];
		m->mappings[i] = profile_mapping(m->to, &map);
	}
}

static void merge_functions(struct merge *m)
{
	uint32_t i;

	for (i = 1; i < m->from->nr_functions; i++) {
		struct profile_function f = m->from->functions[i];

		if (is_left_out(m, &m->functions[i]))
			continue;
		f.name = m->strings[f.name];
		f.system_name = m->strings[f.system_name];
		f.file = m->strings[f.file];
		m->functions[i] = profile_function(m->to, &f);
	}
}

/*
 * Maps the lines of a location to numbers of @to. Return: false without memory.
 */
static bool map_lines(struct merge *m, const struct profile_location *l)
{
	uint32_t i;

	if (l->nr_lines > m->lines_room) {
		struct profile_line *lines = reallocarray(m->lines, l->nr_lines, sizeof(*lines));

		if (!lines)
			return profile_fail(m->to, ENOMEM);
		m->lines = lines;
		m->lines_room = l->nr_lines;
	}
	for (i = 0; i < l->nr_lines; i++) {
		m->lines[i] = m->from->lines[l->first_line + i];
		m->lines[i].function = m->functions[m->lines[i].function];
	}
	return true;
}

static void merge_locations(struct merge *m)
{
	uint32_t i, nr = m->from->nr_locations;

	for (i = 1; i < nr; i++) {
		struct profile_location l = m->from->locations[i];

		if (is_left_out(m, &m->locations[i]))
			continue;
		m->locations[i] = 0;
		if (map_lines(m, &l))
			m->locations[i] = profile_location_named(m->to, m->mappings[l.mapping],
								 l.address, m->lines, l.nr_lines);
	}
}

static void merge_stacks(struct merge *m)
{
	uint32_t i;

	for (i = 1; i < m->from->nr_stacks; i++) {
		struct profile_frame f = m->from->stacks[i];

		if (is_left_out(m, &m->stacks[i]))
			continue;
		m->stacks[i] = profile_stack(m->to, m->stacks[f.parent], m->locations[f.location]);
	}
}

static void merge_labels(struct merge *m)
{
	struct profile_label set[PROFILE_MAX_LABELS];
	uint32_t i, k;

	for (i = 1; i < m->from->nr_labels; i++) {
		const struct profile_labels *l = &m->from->labels[i];

		if (is_left_out(m, &m->labels[i]))
			continue;
		for (k = 0; k < l->nr; k++) {
			set[k] = m->from->label[l->first + k];
			set[k].key = m->strings[set[k].key];
			set[k].str = m->strings[set[k].str];
			set[k].unit = m->strings[set[k].unit];
		}
		m->labels[i] = profile_labels(m->to, set, l->nr);
	}
}

static void merge_samples(struct merge *m)
{
	uint32_t i, k, nr = m->nr_samples;

	for (i = 0; i < nr; i++) {
		struct profile_sample s = *sample_of(m, i);
		int64_t value[PROFILE_MAX_VALUES] = { 0 };

		for (k = 0; k < m->from->nr_value_types; k++)
			value[m->value_types[k]] = scaled(m, s.value[k]);
		if (!m->used || is_something(m, &s))
			profile_add(m->to, m->stacks[s.stack],
				    m->samples ? s.labels : m->labels[s.labels], value);
	}
}

/* Adds comments that @p does not have. */
static void merge_comments(struct profile *p, const struct profile *from)
{
	uint32_t i, k, nr = from->nr_comments;

	for (i = 0; i < nr; i++) {
		uint32_t s = profile_string(p, profile_text(from, from->comments[i]));

		for (k = 0; k < p->nr_comments && p->comments[k] != s; k++)
			;
		if (k == p->nr_comments)
			profile_comment(p, profile_text(p, s));
	}
}

/*
 * Takes the earliest begin and the sum of durations; other fields only if @p
 * lacks them.
 */
static void merge_head(struct profile *p, const struct profile *from)
{
	profile_add_time(p, from->time_ns, from->duration_ns);
	if (!p->period && !p->period_type.type) {
		p->period = from->period;
		p->period_type.type = profile_string(p, profile_text(from, from->period_type.type));
		p->period_type.unit = profile_string(p, profile_text(from, from->period_type.unit));
	}
	if (!p->default_type)
		p->default_type = profile_string(p, profile_text(from, from->default_type));
}

void profile_merge_head(struct profile *p, const struct profile *from)
{
	merge_comments(p, from);
	merge_head(p, from);
}

static void merge(struct merge *m)
{
	_cleanup_(cleanup_free) uint32_t *numbers = NULL;
	_cleanup_(cleanup_free) uint8_t *used = NULL;
	const struct profile *from = m->from;
	struct profile *p = m->to;

	if (p->index->error)
		return;
	if (from->index->error) {
		profile_fail(p, -from->index->error);
		return;
	}
	if (!init(m) || ((m->num < m->den || m->samples) && !find_used(m))) {
		free(m->numbers);
		profile_fail(p, ENOMEM);
		return;
	}
	numbers = m->numbers;
	used = m->used;
	merge_strings(m);
	merge_value_types(m);
	merge_mappings(m);
	merge_functions(m);
	merge_locations(m);
	merge_stacks(m);
	if (!m->samples)
		merge_labels(m);
	merge_samples(m);
	if (!m->samples)
		merge_comments(p, from);
	if (!p->index->error)
		merge_head(p, from);
	free(m->lines);
}

void profile_merge(struct profile *p, const struct profile *from)
{
	profile_merge_scaled(p, from, 1, 1);
}

void profile_merge_scaled(struct profile *p, const struct profile *from, uint32_t num,
			  uint32_t den)
{
	merge(&(struct merge){
		.to = p, .from = from, .nr_samples = from->nr_samples, .num = num, .den = den,
	});
}

void profile_merge_samples(struct profile *p, const struct profile *from,
			   const struct profile_sample *samples, uint32_t nr)
{
	merge(&(struct merge){
		.to = p, .from = from, .samples = samples, .nr_samples = nr, .num = 1, .den = 1,
	});
}
