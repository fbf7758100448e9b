/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a window for the store from an interval of a recording. Its labels are those that the
 * configuration asks for, and services with too many samples are thinned.
 *
 *	labels of a sample get "__" in front -> labels from the cgroup's path are added
 *	  -> relabel.h -> labels with "__" are removed -> thin.h -> the window
 *
 * A set of labels is rewritten once. The result is cached across windows in WINDOW_CACHE_BYTES,
 * because a machine has the same sets for hours.
 *
 * Labels of a window are texts, except that "pid" and "tid" stay numbers if they have only decimal
 * digits, because image maps and names are found by them.
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
/* Prefix of the comment with the machine's labels, which are an object of JSON. */
#define WINDOW_LABELS "labels: "

struct window_rules;

/**
 * struct window_counts - counts of one window
 * @samples: number of entries in the interval's list of samples, whatever their values
 * @sets: number of different sets of labels
 * @cached: how many of @sets were found in the cache
 * @dropped: how many of @samples relabelling dropped
 * @dropped_value: sums of the values of these, by value type of the interval
 * @thinned: how many of @samples were removed by thinning; others may have smaller values
 * @labels_left_out: number of labels that had no room in their set
 * @match_failures: number of failed matches, see relabel_failures()
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
 * window_rules_new() - make the rules for windows
 * @relabel: relabelling rules; used until window_rules_free(), and by nobody else meanwhile
 * @labels: labels of the machine; copied
 * @thin: state of thinning, used like @relabel; NULL: nothing is thinned
 * @pods: finds names of pods, used like @relabel; NULL: pods have no names
 * @ret: the rules, released by window_rules_free()
 *
 * Return: 0 or -ENOMEM.
 */
int window_rules_new(struct relabel *relabel, const struct config_pairs *labels,
		     struct thin *thin, struct pod_names *pods, struct window_rules **ret);
void window_rules_free(struct window_rules *r);

/**
 * window_make() - make a window from an interval
 * @in: the interval; thinning uses its @duration_ns
 * @rules: the rules; they remember results for later windows
 * @seed: seed of thinning
 * @ret: the window: samples that are left with their stacks, names and mappings, image maps of
 *       processes whose "pid" is left, other comments, and the machine's labels; released by
 *       profile_free()
 * @counts: gets counts; may be NULL
 *
 * For every value type, the sum of @in is the sum of @ret, plus @counts->dropped_value, plus a
 * difference by thinning whose mean is 0.
 *
 * Return: 0; -ENOMEM; -E2BIG.
 */
int window_make(const struct profile *in, struct window_rules *rules, uint64_t seed,
		struct profile **ret, struct window_counts *counts);

#endif /* USTACK_USER_DAEMON_WINDOW_H */
