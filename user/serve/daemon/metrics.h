/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics in Prometheus' text format 0.0.4. Counters stay with the code that counts. It registers a
 * function, which writes them at each scrape.
 *
 *	static void collect(struct metrics_out *out, void *arg)
 *	{
 *		metrics_family(out, "ustack_samples_total", METRICS_COUNTER, "Samples taken.");
 *		metrics_value(out, 12, "event", "cpu", NULL);
 *	}
 *
 *	metrics_register(m, collect, NULL);
 *
 * Context: any thread, several at a time; registered functions run one at a time.
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

/* Return: a registry, released by metrics_free(); NULL without memory. */
struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);

/**
 * metrics_register() - register a function that is called at every scrape
 * @m: the registry
 * @collect: writes families that no other function writes. It may be called in any thread at any
 *           time, so it must take the locks of what it reads
 * @arg: argument of @collect
 *
 * Return: 0 or -ENOMEM.
 */
int metrics_register(struct metrics *m, void (*collect)(struct metrics_out *out, void *arg),
		     void *arg);
/* Removes the functions that were registered with @arg. None of them runs after it returns. */
void metrics_unregister(struct metrics *m, void *arg);

/* Writes all metrics; failures set @out's error flag. */
void metrics_write(struct metrics *m, FILE *out);

/**
 * metrics_family() - begin a family: the values that follow belong to it
 * @out: output that @collect got
 * @name: name such as "ustack_NOUN_UNIT"; counters end in "_total"
 * @type: type of the values
 * @help: a sentence about them; any bytes
 */
void metrics_family(struct metrics_out *out, const char *name, enum metrics_type type,
		    const char *help);

/* Writes a value with labels: pairs of a name and a text of any bytes, ended by NULL. */
__attribute__((__sentinel__))
void metrics_value(struct metrics_out *out, double value, ...);
/* Does the same for an integer, which may be too large for a double. */
__attribute__((__sentinel__))
void metrics_count(struct metrics_out *out, uint64_t value, ...);

#define METRICS_MAX_BOUNDS 16u

/**
 * struct metrics_histogram - a histogram
 * @bounds: upper bounds of the buckets, ascending, in seconds or another unit; one more bucket has
 *          no bound
 * @nr_bounds: number of entries in @bounds, at most METRICS_MAX_BOUNDS
 * @counts: number of values in each bucket, without those in lower ones
 * @sum: sum of all values, in millionths
 */
struct metrics_histogram {
	const double *bounds;
	unsigned int nr_bounds;
	uint64_t counts[METRICS_MAX_BOUNDS + 1];
	uint64_t sum;
};

/* Counts a value; any thread may call it. */
void metrics_observe(struct metrics_histogram *h, double value);
/* Writes a histogram; labels are given as to metrics_value(). */
__attribute__((__sentinel__))
void metrics_histogram(struct metrics_out *out, const struct metrics_histogram *h, ...);

/* Writes CPU time, memory and descriptors of this process under their standard names. For
 * metrics_register(); @arg is not used.
 */
void metrics_process(struct metrics_out *out, void *arg);

#endif /* USTACK_USER_DAEMON_METRICS_H */
