/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter by process for perf_event_open(2) events of CPUs. The kernel drops
 * samples of other processes before it copies anything of them
 * (bpf/filter.bpf.c).
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
 * @pids: processes; all of their threads pass
 * @nr_pids: number of entries in @pids
 * @tids: threads that pass
 * @nr_tids: number of entries in @tids
 * @children: processes that @pids fork from now on pass too, and their children
 * @ret: freed by filter_free()
 * @diag: may be NULL
 *
 * Needs the same as the sampler: root, or CAP_BPF, CAP_PERFMON and
 * CAP_SYS_RESOURCE, and a kernel with BTF.
 *
 * Return: 0; -EOPNOTSUPP in a PID namespace, because BPF programs see other
 * process numbers than the namespace has; another negative errno.
 */
int filter_new(const uint32_t *pids, size_t nr_pids, const uint32_t *tids, size_t nr_tids,
	       bool children, struct filter **ret, struct diag *diag);

/* @f may be NULL. Events that have the program keep it. */
void filter_free(struct filter *f);

/*
 * Filters an event of a CPU. @fd: descriptor of the event. Return: 0 or a
 * negative errno.
 */
int filter_event(const struct filter *f, int fd);

/* Return: number of children that are not sampled because the map was full. */
uint64_t filter_children_lost(const struct filter *f);

#endif /* USTACK_USER_SAMPLER_FILTER_H */
