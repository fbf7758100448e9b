/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter by process for events of perf_event_open(2) that are of CPUs: the kernel drops
 * samples of other processes before it copies anything of them (bpf/filter.bpf.c).
 */
#ifndef USTACK_USER_SAMPLER_FILTER_H
#define USTACK_USER_SAMPLER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct filter;

/**
 * filter_new() - load the program, follow the processes
 * @pids: processes, all of their threads
 * @nr_pids: of them
 * @tids: threads
 * @nr_tids: of them
 * @children: what @pids fork from here on, and what that forks, passes, too
 * @ret: freed by filter_free()
 * @diag: may be NULL
 *
 * Needs what the sampler needs: root, or CAP_BPF, CAP_PERFMON and CAP_SYS_RESOURCE, and a
 * kernel that describes its types.
 *
 * Return: 0; -EOPNOTSUPP in a PID namespace, whose numbers are not those that the kernel's
 * programs see; another negative errno.
 */
int filter_new(const uint32_t *pids, size_t nr_pids, const uint32_t *tids, size_t nr_tids,
	       bool children, struct filter **ret, struct diag *diag);

/* NULL is fine. Events keep the program that they were given. */
void filter_free(struct filter *f);

/* Filters an event of a CPU, by its descriptor. Return: 0 or a negative errno. */
int filter_event(const struct filter *f, int fd);

/* Return: children that are not sampled, as there was no room for more. */
uint64_t filter_children_lost(const struct filter *f);

#endif /* USTACK_USER_SAMPLER_FILTER_H */
