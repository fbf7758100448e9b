/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Thinning: of a service that has more samples in an hour than its target, a random part is
 * kept.
 *
 *	thin_new(&cfg->sampling.samples_per_hour, &t);
 *	thin_begin(t, duration_ns, seed);				each window
 *	service = thin_service(t, "nginx.service");
 *	if (thin_values(t, service, value, nr, samples))
 *		... keep it ...
 *	thin_end(t);
 *
 * Of a stack that was sampled n times, k of a binomial distribution are kept with
 * probability p: its "samples" are then k, which are real ones, and its other values (CPU
 * time) are value * k / n / p, rounded at random. So sums of these are what they would have
 * been, in the mean, for every function, service and time; their variance grows with 1 / p.
 * What has no other values (events of which every one is counted) is fewer then.
 *
 * p is target / rate, where the rate is a mean over preceding windows that forgets with
 * THIN_MEMORY_NS and begins at 0: a service is not thinned before it has had a quarter of
 * what it may have in an hour. p stays as it is until it would differ by more than 1 / 10,
 * so that what is kept stays comparable from window to window; an hour has up to a ninth
 * more or less than the target, and the first one of a service that has a hundred times its
 * target less than three times the target. Only windows that have ended count: were p made of
 * what it is used on, sums would not be right in the mean.
 *
 * Context: one thread at a time for each struct thin.
 */
#ifndef USTACK_USER_DAEMON_THIN_H
#define USTACK_USER_DAEMON_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/daemon/config.h"

#define THIN_MEMORY_NS (15 * 60 * 1000000000ull)
/* Services with a target that are known at a time: those with the highest rates. */
#define THIN_MAX_SERVICES 4096u

struct thin;

/**
 * struct thin_counts - since thin_new()
 * @samples: of services with a target
 * @kept: of these
 * @services: known now
 * @unknown: times that there was no room for a service, which then was not thinned
 */
struct thin_counts {
	uint64_t samples;
	uint64_t kept;
	uint64_t services;
	uint64_t unknown;
};

/* @config: copied. Return: 0 or -ENOMEM; @ret is released by thin_free(). */
int thin_new(const struct config_thinning *config, struct thin **ret);
void thin_free(struct thin *t);

/* The label whose value is the service; borrowed. */
const char *thin_label(const struct thin *t);

/**
 * thin_begin() - a window begins
 * @t: the state
 * @duration_ns: of the window; 0 is as if it had a nanosecond
 * @seed: of what is kept: the same window with the same seed gives the same
 */
void thin_begin(struct thin *t, uint64_t duration_ns, uint64_t seed);

/* Return: valid until thin_end(); 0 if it has no target. */
uint32_t thin_service(struct thin *t, const char *name);

/* The part of a service that is kept now: 0 to 1. */
double thin_share(const struct thin *t, uint32_t service);

/**
 * thin_values() - keep some of a sample
 * @t: the state
 * @service: thin_service()
 * @value: @nr of them; changed
 * @nr: any
 * @samples: which of them is the number of samples. A sample that says none is kept whole
 *
 * Return: false if nothing is left.
 */
bool thin_values(struct thin *t, uint32_t service, int64_t *value, uint32_t nr,
		 uint32_t samples);

/* The window has ended: rates and parts of the next one are known. */
void thin_end(struct thin *t);

void thin_counts(const struct thin *t, struct thin_counts *ret);

#endif /* USTACK_USER_DAEMON_THIN_H */
