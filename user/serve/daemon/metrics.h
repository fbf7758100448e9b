/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for Prometheus, in its text format 0.0.4. What counts is the owner's: who has
 * something to show registers a function that writes it when it is asked for.
 *
 *	static void collect(struct metrics_out *out, void *arg)
 *	{
 *		metrics_family(out, "ustack_samples_total", METRICS_COUNTER, "Samples taken.");
 *		metrics_value(out, 12, "event", "cpu", NULL);
 *	}
 *
 *	metrics_register(m, collect, NULL);
 *
 * Context: any thread, several at a time; functions that are registered run one at a time.
 */
#ifndef USTACK_USER_DAEMON_METRICS_H
#define USTACK_USER_DAEMON_METRICS_H

#include <stdint.h>
#include <stdio.h>

struct metrics;
struct metrics_out;

enum metrics_type {
	METRICS_COUNTER,
	METRICS_GAUGE,
	METRICS_HISTOGRAM,
};

/* Return: released by metrics_free(); NULL without memory. */
struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);

/**
 * metrics_register() - have a function called for every scrape
 * @m: the registry
 * @collect: writes families that nobody else writes; called without @m's owner knowing, in
 *           any thread, so that it must take the locks of what it reads
 * @arg: for @collect
 *
 * Return: 0 or -ENOMEM.
 */
int metrics_register(struct metrics *m, void (*collect)(struct metrics_out *out, void *arg),
		     void *arg);
/* After it nobody calls the functions that were registered with @arg. */
void metrics_unregister(struct metrics *m, void *arg);

/* All that there is; failures are found by @out's error flag. */
void metrics_write(struct metrics *m, FILE *out);

/**
 * metrics_family() - what the values that follow are
 * @out: as @collect got it
 * @name: "ustack_NOUN_UNIT"; counters end in "_total"
 * @type: of them
 * @help: a sentence; any bytes
 */
void metrics_family(struct metrics_out *out, const char *name, enum metrics_type type,
		    const char *help);

/* A value with labels: pairs of a name and any bytes, ended by NULL. */
__attribute__((__sentinel__))
void metrics_value(struct metrics_out *out, double value, ...);
/* The same of a whole number, which a double may not hold. */
__attribute__((__sentinel__))
void metrics_count(struct metrics_out *out, uint64_t value, ...);

#define METRICS_MAX_BOUNDS 16u

/**
 * struct metrics_histogram - how many were how large
 * @bounds: ascending, of seconds or what it is; the last bucket is without bound
 * @nr_bounds: METRICS_MAX_BOUNDS at most
 * @counts: of each bucket alone
 * @sum: of all, in millionths
 */
struct metrics_histogram {
	const double *bounds;
	unsigned int nr_bounds;
	uint64_t counts[METRICS_MAX_BOUNDS + 1];
	uint64_t sum;
};

/* Count one, by any thread. */
void metrics_observe(struct metrics_histogram *h, double value);
/* Write it, with labels as metrics_value() has them. */
__attribute__((__sentinel__))
void metrics_histogram(struct metrics_out *out, const struct metrics_histogram *h, ...);

/* To be registered: CPU, memory, descriptors of this process, by their standard names. */
void metrics_process(struct metrics_out *out, void *arg);

#endif /* USTACK_USER_DAEMON_METRICS_H */
