// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes the numbers that things of a window have in a fleet's tables: SipHashes of their
 * contents, so equal things have equal numbers on every host. Documentation/clickhouse.md says
 * what each number is a hash of.
 */
#include "serve/push/clickhouse_numbers.h"

#include <errno.h>
#include <stdlib.h>

#include "serve/clickhouse/number_set.h"
#include "serve/clickhouse/siphash.h"

#include "util/poison.h"

/*
 * The kernel is at another address after each boot, and "[jit:1]" belongs to one process: neither
 * is shared.
 */
bool clickhouse_is_shared(const struct profile *w, uint32_t mapping)
{
	const struct profile_mapping *m = &w->mappings[mapping];

	return m->build_id && *profile_text(w, m->file) != '[';
}

static bool is_kernel(const struct profile *w, uint32_t mapping)
{
	return w->mappings[mapping].start >> 63;
}

static void put_word(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text) + 1);
}

static void put_names(struct buffer *b, const struct profile *w, const struct profile_location *l)
{
	uint32_t i;

	for (i = 0; i < l->nr_lines; i++) {
		const struct profile_line *line = &w->lines[l->first_line + i];
		const struct profile_function *f = &w->functions[line->function];

		put_word(b, profile_text(w, f->name));
		put_word(b, profile_text(w, f->system_name));
		put_word(b, profile_text(w, f->file));
		buffer_fixed(b, f->start_line, 4);
		buffer_fixed(b, line->line, 4);
	}
}

static uint64_t frame_number(struct clickhouse_numbers *n, struct clickhouse_number_set *places,
			     uint32_t location)
{
	const struct profile_location *l = &n->w->locations[location];
	const uint64_t binary = n->binaries[l->mapping];
	const bool shared = clickhouse_is_shared(n->w, l->mapping);

	buffer_clear(&n->scratch);
	buffer_fixed(&n->scratch, binary, 8);
	buffer_fixed(&n->scratch, shared || !l->nr_lines ? l->address : 0, 8);
	if (!shared || !clickhouse_number_set_add(places, siphash_two(binary, l->address)))
		put_names(&n->scratch, n->w, l);
	return siphash(n->scratch.at, n->scratch.len);
}

uint32_t clickhouse_labels(const struct profile *w, uint32_t labels,
			   uint32_t ret[PROFILE_MAX_LABELS])
{
	const struct profile_labels *set = &w->labels[labels];
	uint32_t i, at;

	for (i = 0; i < set->nr; i++) {
		const char *key = profile_text(w, w->label[set->first + i].key);

		for (at = i; at; at--) {
			if (strcmp(profile_text(w, w->label[ret[at - 1]].key), key) <= 0)
				break;
			ret[at] = ret[at - 1];
		}
		ret[at] = set->first + i;
	}
	return set->nr;
}

static uint64_t label_number(struct clickhouse_numbers *n, uint32_t labels)
{
	uint32_t at[PROFILE_MAX_LABELS], nr = clickhouse_labels(n->w, labels, at), i;

	buffer_clear(&n->scratch);
	for (i = 0; i < nr; i++) {
		const struct profile_label *l = &n->w->label[at[i]];

		put_word(&n->scratch, profile_text(n->w, l->key));
		put_word(&n->scratch, profile_text(n->w, l->str));
		buffer_fixed(&n->scratch, (uint64_t)l->num, 8);
		put_word(&n->scratch, profile_text(n->w, l->unit));
	}
	return siphash(n->scratch.at, n->scratch.len);
}

static uint64_t binary_number(const struct profile *w, uint32_t mapping)
{
	const struct profile_mapping *m = &w->mappings[mapping];
	const char *text = profile_text(w, m->build_id ? m->build_id : m->file);

	return siphash(text, strlen(text));
}

/* A stack's caller has a lower number in the window, so it is done first. */
static void number_stacks(struct clickhouse_numbers *n)
{
	const struct profile *w = n->w;
	uint32_t i;

	for (i = 1; i < w->nr_stacks; i++) {
		const struct profile_frame *f = &w->stacks[i];
		const uint32_t mapping = w->locations[f->location].mapping;
		const uint64_t binary = n->binaries[mapping];

		n->stacks[i] = siphash_two(n->stacks[f->parent], n->frames[f->location]);
		n->ended[i] = f->parent ? n->ended[f->parent] : binary;
		n->inner[i] = is_kernel(w, mapping) ? n->inner[f->parent] : binary;
	}
}

int clickhouse_numbers_init(struct clickhouse_numbers *n, const struct profile *w)
{
	struct clickhouse_number_set places = { 0 };
	uint32_t i;

	*n = (struct clickhouse_numbers){ .w = w };
	n->binaries = calloc((size_t)w->nr_mappings + w->nr_locations + w->nr_labels +
			     3 * (size_t)w->nr_stacks, sizeof(*n->binaries));
	if (!n->binaries)
		return -ENOMEM;
	n->frames = n->binaries + w->nr_mappings;
	n->labels = n->frames + w->nr_locations;
	n->stacks = n->labels + w->nr_labels;
	n->inner = n->stacks + w->nr_stacks;
	n->ended = n->inner + w->nr_stacks;
	for (i = 1; i < w->nr_mappings; i++)
		n->binaries[i] = binary_number(w, i);
	for (i = 1; i < w->nr_locations; i++)
		n->frames[i] = frame_number(n, &places, i);
	for (i = 1; i < w->nr_labels; i++)
		n->labels[i] = label_number(n, i);
	number_stacks(n);
	clickhouse_number_set_release(&places);
	return n->scratch.failed ? -ENOMEM : 0;
}

void clickhouse_numbers_release(struct clickhouse_numbers *n)
{
	free(n->binaries);
	buffer_release(&n->scratch);
}
