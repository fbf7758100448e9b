// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile in memory: strings, mappings, functions, stacks and samples. See
 * profile.h; labels.c, location.c and merge.c have the rest of it.
 */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "profile/index.h"

#include "util/sum.h"

#include "util/poison.h"

static void init_index(struct profile_index *x)
{
	x->limit = UINT32_MAX;
	intern_init(&x->mappings);
	intern_init(&x->functions);
	intern_init(&x->locations);
	intern_init(&x->variants);
	intern_init(&x->stacks);
	intern_init(&x->labels);
	intern_init(&x->samples);
}

/* Adds element 0, which means none, to each array that has one. */
static bool add_nothings(struct profile *p)
{
	if (!profile_room(p, mappings) || !profile_room(p, functions) ||
	    !profile_room(p, locations) || !profile_room(p, stacks) || !profile_room(p, labels))
		return false;
	p->mappings[p->nr_mappings++] = (struct profile_mapping){ 0 };
	p->functions[p->nr_functions++] = (struct profile_function){ 0 };
	p->locations[p->nr_locations++] = (struct profile_location){ 0 };
	p->stacks[p->nr_stacks++] = (struct profile_frame){ 0 };
	p->labels[p->nr_labels++] = (struct profile_labels){ 0 };
	return true;
}

struct profile *profile_new(void)
{
	struct profile *p = reallocarray(NULL, 1, sizeof(*p));
	struct profile_index *x = reallocarray(NULL, 1, sizeof(*x));

	if (!p || !x) {
		free(p);
		free(x);
		return NULL;
	}
	*p = (struct profile){ .index = x };
	*x = (struct profile_index){ 0 };
	init_index(x);
	if (strings_init(&x->strings) || !add_nothings(p)) {
		profile_free(p);
		return NULL;
	}
	p->nr_strings = x->strings.nr;
	return p;
}

void profile_free(struct profile *p)
{
	struct profile_index *x;

	if (!p)
		return;
	x = p->index;
	strings_release(&x->strings);
	intern_release(&x->mappings);
	intern_release(&x->functions);
	intern_release(&x->locations);
	intern_release(&x->variants);
	intern_release(&x->stacks);
	intern_release(&x->labels);
	intern_release(&x->samples);
	free(x);
	free(p->value_types);
	free(p->mappings);
	free(p->functions);
	free(p->locations);
	free(p->lines);
	free(p->stacks);
	free(p->label);
	free(p->labels);
	free(p->samples);
	free(p->comments);
	free(p);
}

int profile_error(const struct profile *p)
{
	return p->index->error;
}

uint32_t profile_string_bytes(struct profile *p, const char *s, size_t len)
{
	uint32_t ret;
	int err;

	if (p->index->error)
		return 0;
	err = strings_add(&p->index->strings, s, strnlen(s, len), &ret);
	if (err) {
		profile_fail(p, -err);
		return 0;
	}
	p->nr_strings = p->index->strings.nr;
	return ret;
}

uint32_t profile_string(struct profile *p, const char *s)
{
	return s ? profile_string_bytes(p, s, strlen(s)) : 0;
}

const char *profile_text(const struct profile *p, uint32_t string)
{
	return p->index->strings.entries[string].s;
}

uint32_t profile_value_type(struct profile *p, const char *type, const char *unit)
{
	struct profile_value_type v = { profile_string(p, type), profile_string(p, unit) };
	uint32_t i;

	if (p->index->error)
		return 0;
	for (i = 0; i < p->nr_value_types; i++)
		if (p->value_types[i].type == v.type && p->value_types[i].unit == v.unit)
			return i;
	if (i == PROFILE_MAX_VALUES) {
		profile_fail(p, E2BIG);
		return 0;
	}
	if (!profile_room(p, value_types))
		return 0;
	p->value_types[p->nr_value_types++] = v;
	return i;
}

void profile_add_time(struct profile *p, uint64_t time_ns, uint64_t duration_ns)
{
	if (time_ns && (!p->time_ns || time_ns < p->time_ns))
		p->time_ns = time_ns;
	if (__builtin_add_overflow(p->duration_ns, duration_ns, &p->duration_ns))
		p->duration_ns = UINT64_MAX;
}

void profile_comment(struct profile *p, const char *text)
{
	uint32_t s = profile_string(p, text);

	if (!p->index->error && profile_room(p, comments))
		p->comments[p->nr_comments++] = s;
}

void profile_rename_mapping(struct profile *p, uint32_t mapping, uint32_t file)
{
	p->mappings[mapping].file = file;
}

void profile_rename_source(struct profile *p, uint32_t function, uint32_t file)
{
	p->functions[function].file = file;
}

void profile_rename_label(struct profile *p, uint32_t label, uint32_t text)
{
	p->label[label].str = text;
}

uint32_t profile_mapping(struct profile *p, const struct profile_mapping *m)
{
	const uint64_t key[] = { m->start, m->limit, m->offset,
				 (uint64_t)m->file << 32 | m->build_id };
	struct profile_mapping new = *m;
	struct intern_probe at;
	uint64_t hash;
	uint32_t n;

	if (p->index->error)
		return 0;
	hash = intern_words(&p->index->mappings, key, 4);
	at = intern_probe(&p->index->mappings, hash);
	while ((n = intern_next(&p->index->mappings, &at))) {
		const struct profile_mapping *o = &p->mappings[n];

		if (o->start == m->start && o->limit == m->limit && o->offset == m->offset &&
		    o->file == m->file && o->build_id == m->build_id)
			return n;
	}
	if (!profile_room_indexed(p, mappings))
		return 0;
	p->mappings[p->nr_mappings] = new;
	intern_put(&p->index->mappings, hash, p->nr_mappings);
	return p->nr_mappings++;
}

uint32_t profile_function(struct profile *p, const struct profile_function *f)
{
	const uint64_t key[] = { (uint64_t)f->name << 32 | f->system_name,
				 (uint64_t)f->file << 32 | f->start_line };
	struct profile_function new = *f;
	struct intern_probe at;
	uint64_t hash;
	uint32_t n;

	if (p->index->error)
		return 0;
	hash = intern_words(&p->index->functions, key, 2);
	at = intern_probe(&p->index->functions, hash);
	while ((n = intern_next(&p->index->functions, &at))) {
		const struct profile_function *o = &p->functions[n];

		if (o->name == f->name && o->system_name == f->system_name &&
		    o->file == f->file && o->start_line == f->start_line)
			return n;
	}
	if (!profile_room_indexed(p, functions))
		return 0;
	p->functions[p->nr_functions] = new;
	intern_put(&p->index->functions, hash, p->nr_functions);
	return p->nr_functions++;
}

uint32_t profile_stack(struct profile *p, uint32_t parent, uint32_t location)
{
	const uint64_t key = (uint64_t)parent << 32 | location;
	struct intern_probe at;
	uint64_t hash;
	uint32_t n;

	if (p->index->error)
		return 0;
	hash = intern_words(&p->index->stacks, &key, 1);
	at = intern_probe(&p->index->stacks, hash);
	while ((n = intern_next(&p->index->stacks, &at)))
		if (p->stacks[n].parent == parent && p->stacks[n].location == location)
			return n;
	if (!profile_room_indexed(p, stacks))
		return 0;
	p->stacks[p->nr_stacks] = (struct profile_frame){ .parent = parent, .location = location,
							  .depth = p->stacks[parent].depth + 1 };
	intern_put(&p->index->stacks, hash, p->nr_stacks);
	return p->nr_stacks++;
}

/* Return: index of the sample plus 1; 0 without memory. */
static uint32_t find_sample(struct profile *p, uint32_t stack, uint32_t labels)
{
	const uint64_t key = (uint64_t)stack << 32 | labels;
	struct intern_probe at;
	uint64_t hash;
	uint32_t n;

	hash = intern_words(&p->index->samples, &key, 1);
	at = intern_probe(&p->index->samples, hash);
	while ((n = intern_next(&p->index->samples, &at)))
		if (p->samples[n - 1].stack == stack && p->samples[n - 1].labels == labels)
			return n;
	if (!profile_room_indexed(p, samples))
		return 0;
	p->samples[p->nr_samples] = (struct profile_sample){ .stack = stack, .labels = labels };
	intern_put(&p->index->samples, hash, ++p->nr_samples);
	return p->nr_samples;
}

void profile_add(struct profile *p, uint32_t stack, uint32_t labels, const int64_t *value)
{
	struct profile_sample *s;
	uint32_t n, i;

	if (p->index->error)
		return;
	n = find_sample(p, stack, labels);
	p->index->last_sample = n;
	if (!n)
		return;
	s = &p->samples[n - 1];
	for (i = 0; i < p->nr_value_types; i++)
		s->value[i] = sum_i64(s->value[i], value[i]);
}

void profile_forget_samples(struct profile *p)
{
	struct profile_index *x = p->index;

	intern_clear(&x->stacks);
	intern_clear(&x->labels);
	intern_clear(&x->samples);
	/* element 0 stays */
	p->nr_stacks = 1;
	p->nr_labels = 1;
	p->nr_label = 0;
	p->nr_samples = 0;
	x->last_sample = 0;
}
