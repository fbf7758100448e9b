// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of labels of a profile: profile_labels() and profile_label_text() of
 * profile.h.
 */
#include <string.h>

#include "profile/index.h"

#include "util/poison.h"

/*
 * Sorts by key and keeps the order within a key; keeps at most
 * PROFILE_MAX_LABELS. By insertion.
 */
static uint32_t sort(struct profile_label *to, const struct profile_label *from, uint32_t nr)
{
	uint32_t i, at;

	if (nr > PROFILE_MAX_LABELS)
		nr = PROFILE_MAX_LABELS;
	for (i = 0; i < nr; i++) {
		for (at = i; at && to[at - 1].key > from[i].key; at--)
			to[at] = to[at - 1];
		to[at] = from[i];
		if (to[at].str) {
			to[at].unit = 0;
			to[at].num = 0;
		}
	}
	return nr;
}

static bool same(const struct profile_label *a, const struct profile_label *b, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (a[i].key != b[i].key || a[i].str != b[i].str || a[i].unit != b[i].unit ||
		    a[i].num != b[i].num)
			return false;
	return true;
}

static uint64_t hash_labels(const struct intern *t, const struct profile_label *l, uint32_t nr)
{
	uint64_t words[PROFILE_MAX_LABELS * 3];
	uint32_t i;

	for (i = 0; i < nr; i++) {
		words[3 * i] = (uint64_t)l[i].key << 32 | l[i].str;
		words[3 * i + 1] = l[i].unit;
		words[3 * i + 2] = (uint64_t)l[i].num;
	}
	return intern_words(t, words, 3ull * nr);
}

static uint32_t find(const struct profile *p, const struct profile_label *l, uint32_t nr,
		     uint64_t hash)
{
	struct intern_probe at = intern_probe(&p->index->labels, hash);
	uint32_t n;

	while ((n = intern_next(&p->index->labels, &at)))
		if (p->labels[n].nr == nr && same(p->label + p->labels[n].first, l, nr))
			return n;
	return 0;
}

uint32_t profile_labels(struct profile *p, const struct profile_label *label, uint32_t nr)
{
	struct profile_label set[PROFILE_MAX_LABELS];
	uint32_t n, i, first = p->nr_label;
	uint64_t hash;

	if (p->index->error || !nr)
		return 0;
	nr = sort(set, label, nr);
	hash = hash_labels(&p->index->labels, set, nr);
	n = find(p, set, nr, hash);
	if (n)
		return n;
	if (!profile_room_indexed(p, labels))
		return 0;
	for (i = 0; i < nr; i++) {
		if (!profile_room(p, label)) {
			p->nr_label = first;
			return 0;
		}
		p->label[p->nr_label++] = set[i];
	}
	p->labels[p->nr_labels] = (struct profile_labels){ .first = first, .nr = nr };
	intern_put(&p->index->labels, hash, p->nr_labels);
	return p->nr_labels++;
}

const char *profile_label_text(const struct profile *p, uint32_t labels, const char *key)
{
	const struct profile_labels *set = &p->labels[labels];
	uint32_t string = strings_find(&p->index->strings, key, strlen(key)), i;

	for (i = 0; string && i < set->nr; i++) {
		const struct profile_label *l = &p->label[set->first + i];

		if (l->key == string && l->str)
			return profile_text(p, l->str);
	}
	return NULL;
}
