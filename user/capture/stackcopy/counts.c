// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hash table of samples with equal keys and stacks, emptied at the end of
 * each drain. See counts.h; stackcopy.c uses it.
 */
#include "capture/stackcopy/counts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#include "util/poison.h"

struct counts_entry {
	uint64_t hash;
	struct sampler_count count;
	uint64_t pcs[];
};

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
	return sum ^ sum >> 29;
}

static uint64_t hash_of(const struct sampler_count *c)
{
	uint64_t comm[SAMPLER_COMM / sizeof(uint64_t)], sum;
	size_t i;

	memcpy(comm, c->comm, sizeof(comm));
	sum = mix(mix(comm[0], comm[1]), c->tgid | (uint64_t)c->tid << 32);
	sum = mix(mix(mix(mix(sum, c->epoch), c->cgroup), c->time), c->event | (uint64_t)c->why << 32);
	for (i = 0; i < c->nr_user; i++)
		sum = mix(sum, c->user[i]);
	for (i = 0; i < c->nr_kernel; i++)
		sum = mix(sum, c->kernel[i]);
	return sum;
}

static bool same_pcs(const uint64_t *a, const uint64_t *b, size_t nr)
{
	return !nr || !memcmp(a, b, nr * sizeof(*a));
}

static bool same(const struct sampler_count *a, const struct sampler_count *b)
{
	return a->tgid == b->tgid && a->tid == b->tid && a->epoch == b->epoch &&
	       a->cgroup == b->cgroup && a->time == b->time && a->event == b->event && a->why == b->why &&
	       a->user_cut == b->user_cut && a->kernel_cut == b->kernel_cut &&
	       a->nr_user == b->nr_user && a->nr_kernel == b->nr_kernel &&
	       !memcmp(a->comm, b->comm, sizeof(a->comm)) &&
	       same_pcs(a->user, b->user, a->nr_user) &&
	       same_pcs(a->kernel, b->kernel, a->nr_kernel);
}

/*
 * Return: the place of an entry equal to @c, or the free place where it
 * belongs.
 */
static uint32_t *place(const struct counts *all, uint64_t hash, const struct sampler_count *c)
{
	size_t i = hash & (all->nr_places - 1);

	for (;; i = (i + 1) & (all->nr_places - 1)) {
		const struct counts_entry *e;

		if (!all->places[i])
			return &all->places[i];
		e = all->entries[all->places[i] - 1];
		if (c && e->hash == hash && same(&e->count, c))
			return &all->places[i];
	}
}

static int grow(struct counts *all)
{
	size_t nr = all->nr_places ? 2 * all->nr_places : 1024, i;
	uint32_t *places = calloc(nr, sizeof(*places));

	if (!places)
		return -ENOMEM;
	free(all->places);
	all->places = places;
	all->nr_places = nr;
	for (i = 0; i < all->nr; i++)
		*place(all, all->entries[i]->hash, NULL) = (uint32_t)(i + 1);
	return 0;
}

static struct counts_entry *entry_new(const struct sampler_count *c, uint64_t hash)
{
	struct counts_entry *e =
		malloc(sizeof(*e) + (c->nr_user + c->nr_kernel) * sizeof(uint64_t));

	if (!e)
		return NULL;
	e->hash = hash;
	e->count = *c;
	e->count.user = e->pcs;
	e->count.kernel = e->pcs + c->nr_user;
	if (c->nr_user)
		memcpy(e->pcs, c->user, c->nr_user * sizeof(uint64_t));
	if (c->nr_kernel)
		memcpy(e->pcs + c->nr_user, c->kernel, c->nr_kernel * sizeof(uint64_t));
	return e;
}

int counts_add(struct counts *all, const struct sampler_count *c)
{
	uint64_t hash = hash_of(c);
	struct counts_entry *e;
	uint32_t *at;

	if (4 * (all->nr + 1) > 3 * all->nr_places && grow(all))
		return -ENOMEM;
	at = place(all, hash, c);
	if (*at) {
		e = all->entries[*at - 1];
		e->count.count += c->count;
		e->count.sum += c->sum;
		return 0;
	}
	if (!array_has_room(all->entries, all->nr, all->room))
		return -ENOMEM;
	e = entry_new(c, hash);
	if (!e)
		return -ENOMEM;
	all->entries[all->nr++] = e;
	*at = (uint32_t)all->nr;
	return 0;
}

int counts_hand_out(const struct counts *all, sampler_take take, void *context)
{
	size_t i;
	int err = 0;

	for (i = 0; i < all->nr && !err; i++)
		err = take(context, &all->entries[i]->count);
	return err;
}

void counts_release(struct counts *all)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		free(all->entries[i]);
	free(all->entries);
	free(all->places);
	*all = (struct counts){ 0 };
}
