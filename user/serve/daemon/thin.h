/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Thinning: if a service has more samples in an hour than its target, only a random part of them is
 * kept.
 *
 *	thin_new(&cfg->sampling.samples_per_hour, &t);
 *	thin_begin(t, duration_ns, seed);				each window
 *	service = thin_service(t, "nginx.service");
 *	if (thin_values(t, service, value, nr, samples))
 *		... keep it ...
 *	thin_end(t);
 *
 * Each sample is kept with probability p. So of a stack that was sampled n times, a binomially
 * distributed number k stays. Its value "samples" becomes k, the number of samples that were kept.
 * Its other values (CPU time) become value * k / n / p, rounded at random. Sums of these have the
 * same mean as without thinning, for every function, service and time; their variance grows with
 * 1 / p. Events that have no other value than their number become fewer.
 *
 * p is target / rate. The rate is a mean over the windows before, in which old ones fade with
 * THIN_MEMORY_NS. It begins at 0, so a service is not thinned before it has had a quarter of its
 * target. p changes only if it would differ by more than 1 / 10, so that windows stay comparable.
 * Therefore an hour has up to a ninth more or less samples than the target. The first hour of a
 * service with a hundred times its target has less than three times the target. Only windows that
 * have ended count: if p depended on the window that it is applied to, the mean of sums would be
 * wrong.
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
/* How many services with a target are remembered: those with the highest rates. */
#define THIN_MAX_SERVICES 4096u

struct thin;

/**
 * struct thin_counts - counts since thin_new()
 * @samples: number of samples of services with a target
 * @kept: how many of these were kept
 * @services: number of services that are remembered now
 * @unknown: how often there was no room for a service, which then was not thinned
 */
struct thin_counts {
	uint64_t samples;
	uint64_t kept;
	uint64_t services;
	uint64_t unknown;
};

/* @config is copied, @ret is released by thin_free(). Return: 0 or -ENOMEM. */
int thin_new(const struct config_thinning *config, struct thin **ret);
void thin_free(struct thin *t);

/* Return: key of the label whose value is the service; borrowed. */
const char *thin_label(const struct thin *t);

/**
 * thin_begin() - begin a window
 * @t: the state
 * @duration_ns: length of the window; 0 counts as one nanosecond
 * @seed: seed of random numbers: the same window with the same seed gives the same result
 */
void thin_begin(struct thin *t, uint64_t duration_ns, uint64_t seed);

/* Return: number of a service, valid until thin_end(); 0 if it has no target. */
uint32_t thin_service(struct thin *t, const char *name);

/* Return: the part of a service's samples that is kept now, 0 to 1. */
double thin_share(const struct thin *t, uint32_t service);

/**
 * thin_values() - thin the values of one stack
 * @t: the state
 * @service: number from thin_service()
 * @value: values of the stack; changed
 * @nr: number of entries in @value
 * @samples: index of the value that is the number of samples. If there is none, nothing changes
 *
 * Return: false if nothing is left.
 */
bool thin_values(struct thin *t, uint32_t service, int64_t *value, uint32_t nr,
		 uint32_t samples);

/* Ends a window, and computes rates and shares for the next one. */
void thin_end(struct thin *t);

void thin_counts(const struct thin *t, struct thin_counts *ret);

#endif /* USTACK_USER_DAEMON_THIN_H */
