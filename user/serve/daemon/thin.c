// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thins samples of services: remembers the rate of each service from window to window, and keeps a
 * random part of its samples. window.c calls it.
 */
#include "serve/daemon/thin.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/daemon/random.h"
#include "util/array.h"
#include "util/intern.h"

#include "util/poison.h"

#define HOUR_NS 3600e9
/* The share of a service changes only if it would become less than this part, or the reverse. */
#define STAYS 0.9
/* A service with fewer samples in an hour is forgotten. */
#define FORGET 1.0
/* At most so many services stay at the end of a window, to leave room for new ones. */
#define STAY_KNOWN (THIN_MAX_SERVICES / 4 * 3)

/**
 * struct service - a service that has a target
 * @name: name of the service
 * @target: how many of its samples are kept in an hour
 * @rate: samples in an hour, mean of the windows that have ended
 * @share: part of its samples that is kept in this window, 0 to 1
 * @seen: number of its samples in this window, before thinning
 */
struct service {
	char *name;
	double target;
	double rate;
	double share;
	double seen;
};

/**
 * struct thin - state of thinning
 * @label: key of the label that names the service
 * @by_default: target of services that are not in @target; 0 means no limit
 * @target: targets that the configuration has; entry 0 is not used
 * @nr_targets: number of entries in @target, with entry 0
 * @targets: numbers of @target by name
 * @service: services that have a target; entry 0 stands for a service without one
 * @nr: number of entries in @service, with entry 0
 * @room: number of entries that @service has memory for
 * @known: numbers of @service by name
 * @random: generator, seeded for each window
 * @duration_ns: length of the window
 * @counts: counts since thin_new()
 */
struct thin {
	char *label;
	uint64_t by_default;
	struct config_target *target;
	uint32_t nr_targets;
	struct intern targets;
	struct service *service;
	uint32_t nr;
	size_t room;
	struct intern known;
	struct random random;
	uint64_t duration_ns;
	struct thin_counts counts;
};

static uint64_t hash(const struct intern *t, const char *name)
{
	return intern_bytes(t, name, strlen(name));
}

static int copy_targets(struct thin *t, const struct config_thinning *config)
{
	struct config_target *to;
	size_t i;

	t->target = calloc(config->nr + 1, sizeof(*t->target));
	if (!t->target)
		return -ENOMEM;
	/* number 0 means that there is no target */
	for (i = 0, t->nr_targets = 1; i < config->nr; i++, t->nr_targets++) {
		to = &t->target[t->nr_targets];
		to->samples = config->target[i].samples;
		to->name = strdup(config->target[i].name);
		if (!to->name || !intern_room(&t->targets)) {
			free(to->name);
			return -ENOMEM;
		}
		intern_put(&t->targets, hash(&t->targets, to->name), t->nr_targets);
	}
	return 0;
}

int thin_new(const struct config_thinning *config, struct thin **ret)
{
	struct thin *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	intern_init(&t->targets);
	intern_init(&t->known);
	t->by_default = config->by_default;
	t->label = strdup(config->label);
	if (!t->label || copy_targets(t, config) ||
	    !array_has_room(t->service, t->nr, t->room)) {
		thin_free(t);
		return -ENOMEM;
	}
	t->service[t->nr++] = (struct service){ .share = 1 };
	random_seed(&t->random, 0);
	*ret = t;
	return 0;
}

void thin_free(struct thin *t)
{
	uint32_t i;

	if (!t)
		return;
	for (i = 1; i < t->nr_targets; i++)
		free(t->target[i].name);
	free(t->target);
	for (i = 1; i < t->nr; i++)
		free(t->service[i].name);
	free(t->service);
	intern_release(&t->targets);
	intern_release(&t->known);
	free(t->label);
	free(t);
}

const char *thin_label(const struct thin *t)
{
	return t->label;
}

void thin_begin(struct thin *t, uint64_t duration_ns, uint64_t seed)
{
	t->duration_ns = duration_ns ?: 1;
	random_seed(&t->random, seed);
}

static uint64_t target_of(const struct thin *t, const char *name)
{
	struct intern_probe p = intern_probe(&t->targets, hash(&t->targets, name));
	uint32_t n;

	while ((n = intern_next(&t->targets, &p)))
		if (!strcmp(t->target[n].name, name))
			return t->target[n].samples;
	return t->by_default;
}

static uint32_t find(const struct thin *t, const char *name, uint64_t h)
{
	struct intern_probe p = intern_probe(&t->known, h);
	uint32_t n;

	while ((n = intern_next(&t->known, &p)))
		if (!strcmp(t->service[n].name, name))
			return n;
	return 0;
}

uint32_t thin_service(struct thin *t, const char *name)
{
	uint64_t h = hash(&t->known, name), target;
	uint32_t n = find(t, name, h);
	char *copy;

	if (n)
		return n;
	target = target_of(t, name);
	if (!target)
		return 0;
	copy = t->nr <= THIN_MAX_SERVICES ? strdup(name) : NULL;
	if (!copy || !array_has_room(t->service, t->nr, t->room) || !intern_room(&t->known)) {
		free(copy);
		t->counts.unknown++;
		return 0;
	}
	t->service[t->nr] = (struct service){
		.name = copy, .target = (double)target, .share = 1,
	};
	intern_put(&t->known, h, t->nr);
	return t->nr++;
}

double thin_share(const struct thin *t, uint32_t service)
{
	return t->service[service].share;
}

bool thin_values(struct thin *t, uint32_t service, int64_t *value, uint32_t nr,
		 uint32_t samples)
{
	struct service *s = &t->service[service];
	int64_t n = samples < nr ? value[samples] : 0, kept;
	uint32_t i;

	if (!service || n <= 0)
		return true;
	s->seen += (double)n;
	t->counts.samples += (uint64_t)n;
	kept = random_binomial(&t->random, n, s->share);
	t->counts.kept += (uint64_t)kept;
	/* everything is kept; values may be too large for exact doubles */
	if (s->share >= 1)
		return true;
	for (i = 0; i < nr; i++)
		if (i != samples && value[i])
			value[i] = random_round(&t->random, (long double)value[i] * kept /
							    n / s->share);
	value[samples] = kept;
	return kept;
}

/*
 * Updates the mean rate, in which old windows fade by exp(-time / THIN_MEMORY_NS), and the share.
 */
static void learn(const struct thin *t, struct service *s)
{
	double time = (double)t->duration_ns;
	double part = -expm1(-time / THIN_MEMORY_NS), want;

	s->rate += part * (s->seen * HOUR_NS / time - s->rate);
	s->seen = 0;
	/* @want may exceed 1 here, so that a service with few samples gets back to 1 */
	want = s->rate > 0 ? s->target / s->rate : HUGE_VAL;
	if (want < s->share * STAYS || want > s->share / STAYS)
		s->share = want < 1 ? want : 1;
}

static int by_rate(const void *x, const void *y)
{
	const struct service *a = x, *b = y;

	return a->rate > b->rate ? -1 : a->rate < b->rate;
}

/* Rebuilds the index, because services have new numbers. */
static void index_again(struct thin *t)
{
	uint32_t i;

	if (t->known.slots)
		memset(t->known.slots, 0, (t->known.mask + 1) * sizeof(*t->known.slots));
	t->known.nr = 0;
	for (i = 1; i < t->nr; i++)
		intern_put(&t->known, hash(&t->known, t->service[i].name), i);
}

void thin_end(struct thin *t)
{
	uint32_t i, nr = t->nr;

	for (i = 1; i < t->nr; i++)
		learn(t, &t->service[i]);
	if (t->nr > STAY_KNOWN + 1) {
		qsort(t->service + 1, t->nr - 1, sizeof(*t->service), by_rate);
		while (nr > STAY_KNOWN + 1)
			free(t->service[--nr].name);
	}
	for (i = 1; i < nr;) {
		if (t->service[i].rate >= FORGET) {
			i++;
			continue;
		}
		free(t->service[i].name);
		t->service[i] = t->service[--nr];
	}
	if (nr != t->nr) {
		t->nr = nr;
		index_again(t);
	}
}

void thin_counts(const struct thin *t, struct thin_counts *ret)
{
	*ret = t->counts;
	ret->services = t->nr - 1;
}
