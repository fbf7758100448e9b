/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A window for the store, of an interval of a recording: its labels are those that people
 * asked for, and services that have too many samples are thinned.
 *
 *	labels of a sample -> "__" in front, and what the cgroup's path says -> relabel.h
 *	  -> those with "__" go -> thin.h -> the window
 *
 * A set of labels is rewritten once; what was made of it is remembered across windows, as a
 * machine has the same ones for hours, within WINDOW_CACHE_BYTES.
 *
 * Labels of a window are texts, but for "pid" and "tid" of decimal digits, which stay
 * numbers: image maps and names are found by them.
 *
 * Context: one thread at a time for each struct window_rules, its relabel and its thin.
 */
#ifndef USTACK_USER_DAEMON_WINDOW_H
#define USTACK_USER_DAEMON_WINDOW_H

#include <stdint.h>

#include "serve/daemon/config.h"
#include "serve/daemon/pod_names.h"
#include "serve/daemon/thin.h"
#include "profile/profile.h"
#include "util/diag.h"

#define WINDOW_CACHE_BYTES (4u << 20)
/* In front of the machine's labels as an object of JSON, in a comment. */
#define WINDOW_LABELS "labels: "

struct window_rules;

/**
 * struct window_counts - of one window
 * @samples: different ones that came in, not values
 * @sets: different sets of labels
 * @cached: of @sets, those that were known from windows before
 * @dropped: of @samples, by relabelling
 * @dropped_value: sums of their values, by value type of what came in
 * @thinned: of @samples, those of which nothing was kept; of others there may be less
 * @labels_left_out: labels that had no room in their set
 * @match_failures: of regular expressions, see relabel_failures()
 */
struct window_counts {
	uint64_t samples;
	uint64_t sets;
	uint64_t cached;
	uint64_t dropped;
	int64_t dropped_value[PROFILE_MAX_VALUES];
	uint64_t thinned;
	uint64_t labels_left_out;
	uint64_t match_failures;
};

/**
 * window_rules_new() - what is to be done
 * @relabel: used until window_rules_free(), and by nobody else
 * @labels: of the machine; copied
 * @thin: used likewise; NULL: nothing is thinned
 * @pods: used likewise; NULL: pods have no names
 * @ret: released by window_rules_free()
 *
 * Return: 0 or -ENOMEM.
 */
int window_rules_new(struct relabel *relabel, const struct config_pairs *labels,
		     struct thin *thin, struct pod_names *pods, struct window_rules **ret);
void window_rules_free(struct window_rules *r);

/**
 * window_make() - an interval as a window
 * @in: the interval; its @duration_ns counts for thinning
 * @rules: remember
 * @seed: of thinning
 * @ret: has stacks, names and mappings of what is left in it, image maps of processes whose
 *       "pid" is left, other comments, and the machine's labels; released by profile_free()
 * @counts: may be NULL
 *
 * Of every value type: what came in is what is in @ret, and @counts->dropped_value, and the
 * difference that thinning makes, which is 0 in the mean.
 *
 * Return: 0; -ENOMEM; -E2BIG.
 */
int window_make(const struct profile *in, struct window_rules *rules, uint64_t seed,
		struct profile **ret, struct window_counts *counts);

#endif /* USTACK_USER_DAEMON_WINDOW_H */
