// SPDX-License-Identifier: GPL-2.0-only
/* Encodes the two parts of a record for store.c, in the format of Documentation/store.md. */
#include <stdlib.h>
#include <string.h>

#include "serve/store/record.h"
#include "util/sum.h"

#include "util/poison.h"

static void put_strings(const struct profile *p, uint32_t from, struct buffer *out)
{
	uint32_t i;

	buffer_uleb(out, p->nr_strings - from);
	for (i = from; i < p->nr_strings; i++)
		buffer_uleb(out, strlen(profile_text(p, i)));
	for (i = from; i < p->nr_strings; i++)
		buffer_put(out, profile_text(p, i), strlen(profile_text(p, i)));
}

static void put_mappings(const struct profile *p, uint32_t from, struct buffer *out)
{
	uint32_t i;

	buffer_uleb(out, p->nr_mappings - from);
	for (i = from; i < p->nr_mappings; i++) {
		const struct profile_mapping *m = &p->mappings[i];

		buffer_uleb(out, m->start);
		buffer_uleb(out, m->limit - m->start);
		buffer_uleb(out, m->offset);
		buffer_uleb(out, m->file);
		buffer_uleb(out, m->build_id);
	}
}

static void put_functions(const struct profile *p, uint32_t from, struct buffer *out)
{
	uint64_t name = 0, file = 0;
	uint32_t i;

	buffer_uleb(out, p->nr_functions - from);
	for (i = from; i < p->nr_functions; i++) {
		const struct profile_function *f = &p->functions[i];

		store_put_d(out, &name, f->name);
		store_put_s(out, (uint64_t)f->system_name - f->name);
		store_put_d(out, &file, f->file);
		buffer_uleb(out, f->start_line);
	}
}

static void put_lines(const struct profile *p, const struct profile_location *l,
		      uint64_t *function, struct buffer *out)
{
	uint32_t i;

	buffer_uleb(out, l->nr_lines);
	for (i = 0; i < l->nr_lines; i++) {
		store_put_d(out, function, p->lines[l->first_line + i].function);
		buffer_uleb(out, p->lines[l->first_line + i].line);
	}
}

static void put_locations(const struct profile *p, uint32_t from, const uint32_t *named,
			  uint32_t nr_named, struct buffer *out)
{
	uint64_t location = 0, mapping = 0, address = 0, function = 0;
	uint32_t i, nr = 0;

	for (i = 0; i < nr_named; i++)
		nr += named[i] < from;
	buffer_uleb(out, nr);
	for (i = 0; i < nr_named; i++) {
		if (named[i] >= from)
			continue;
		store_put_d(out, &location, named[i]);
		put_lines(p, &p->locations[named[i]], &function, out);
	}
	buffer_uleb(out, p->nr_locations - from);
	for (i = from; i < p->nr_locations; i++) {
		store_put_d(out, &mapping, p->locations[i].mapping);
		store_put_d(out, &address, p->locations[i].address);
		put_lines(p, &p->locations[i], &function, out);
	}
}

static void put_stacks(const struct profile *p, uint32_t from, struct buffer *out)
{
	uint64_t location = 0;
	uint32_t i;

	buffer_uleb(out, p->nr_stacks - from);
	for (i = from; i < p->nr_stacks; i++)
		buffer_uleb(out, p->stacks[i].parent ? i - p->stacks[i].parent : 0);
	for (i = from; i < p->nr_stacks; i++)
		store_put_d(out, &location, p->stacks[i].location);
}

static void put_labels(const struct profile *p, uint32_t from, struct buffer *out)
{
	uint32_t i, k;

	buffer_uleb(out, p->nr_labels - from);
	for (i = from; i < p->nr_labels; i++) {
		buffer_uleb(out, p->labels[i].nr);
		for (k = 0; k < p->labels[i].nr; k++) {
			const struct profile_label *l = &p->label[p->labels[i].first + k];

			buffer_uleb(out, l->key);
			buffer_uleb(out, l->str);
			if (l->str)
				continue;
			buffer_uleb(out, l->unit);
			store_put_s(out, (uint64_t)l->num);
		}
	}
}

void store_put_definitions(const struct profile *p, const struct store_marks *from,
			   const uint32_t *named, uint32_t nr_named, struct buffer *out)
{
	const struct store_marks now = store_marks(p);

	if (!nr_named && !memcmp(&now, from, sizeof(now)))
		return;
	put_strings(p, from->strings, out);
	put_mappings(p, from->mappings, out);
	put_functions(p, from->functions, out);
	put_locations(p, from->locations, named, nr_named, out);
	put_stacks(p, from->stacks, out);
	put_labels(p, from->labels, out);
}

void store_samples_release(struct store_samples *s)
{
	free(s->comments);
	free(s->samples);
	*s = (struct store_samples){ 0 };
}

static int by_labels(const void *x, const void *y)
{
	const struct profile_sample *a = x, *b = y;

	if (a->labels != b->labels)
		return a->labels < b->labels ? -1 : 1;
	return a->stack < b->stack ? -1 : a->stack > b->stack;
}

static void add(struct profile_sample *to, const struct profile_sample *s)
{
	uint32_t k;

	for (k = 0; k < PROFILE_MAX_VALUES; k++)
		to->value[k] = sum_i64(to->value[k], s->value[k]);
}

/*
 * Sorts samples by labels and stack, and joins those that have the same. Two stacks that differ in
 * the window may be one in the segment.
 */
static void sort(struct store_samples *s)
{
	uint32_t i, to = 0;

	if (!s->nr_samples)
		return;
	qsort(s->samples, s->nr_samples, sizeof(*s->samples), by_labels);
	for (i = 1; i < s->nr_samples; i++) {
		if (by_labels(&s->samples[to], &s->samples[i]))
			s->samples[++to] = s->samples[i];
		else
			add(&s->samples[to], &s->samples[i]);
	}
	s->nr_samples = to + 1;
}

static void put_groups(const struct store_samples *s, struct buffer *out)
{
	uint64_t labels = 0;
	uint32_t i, end, stack;

	for (i = 0; i < s->nr_samples; i = end) {
		for (end = i; end < s->nr_samples; end++)
			if (s->samples[end].labels != s->samples[i].labels)
				break;
		store_put_d(out, &labels, s->samples[i].labels);
		buffer_uleb(out, end - i);
		for (stack = 0; i < end; i++) {
			buffer_uleb(out, s->samples[i].stack - stack);
			stack = s->samples[i].stack;
		}
	}
}

/* The first value times the period: what most second values are. */
static uint64_t guess(const struct store_samples *s, uint32_t i)
{
	return (uint64_t)s->samples[i].value[0] * (uint64_t)s->period;
}

static void put_values(const struct store_samples *s, uint32_t type, struct buffer *out)
{
	size_t plain = 0, guessed = 0;
	uint32_t i;

	for (i = 0; type && i < s->nr_samples; i++) {
		uint64_t v = (uint64_t)s->samples[i].value[type];

		plain += uleb_len(store_zigzag(v));
		guessed += uleb_len(store_zigzag(v - guess(s, i)));
	}
	buffer_uleb(out, guessed < plain);
	for (i = 0; i < s->nr_samples; i++)
		store_put_s(out, (uint64_t)s->samples[i].value[type] -
					 (guessed < plain ? guess(s, i) : 0));
}

void store_put_samples(struct store_samples *s, struct buffer *out)
{
	uint64_t comment = 0;
	uint32_t i;

	sort(s);
	store_put_s(out, (uint64_t)s->period);
	buffer_uleb(out, s->period_type.type);
	buffer_uleb(out, s->period_type.unit);
	buffer_uleb(out, s->default_type);
	buffer_uleb(out, s->nr_value_types);
	for (i = 0; i < s->nr_value_types; i++) {
		buffer_uleb(out, s->value_types[i].type);
		buffer_uleb(out, s->value_types[i].unit);
	}
	buffer_uleb(out, s->nr_comments);
	for (i = 0; i < s->nr_comments; i++)
		store_put_d(out, &comment, s->comments[i]);
	buffer_uleb(out, s->nr_samples);
	put_groups(s, out);
	for (i = 0; i < s->nr_value_types; i++)
		put_values(s, i, out);
}
