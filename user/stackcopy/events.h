/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf's events, with a ring for each CPU: on all CPUs, or of threads and what they start.
 * Events of one CPU share its ring.
 */
#ifndef USTACK_USER_STACKCOPY_EVENTS_H
#define USTACK_USER_STACKCOPY_EVENTS_H

#include "perf/ring.h"
#include "sampler/cpus.h"
#include "sampler/event.h"
#include "sampler/sampler.h"
#include "util/diag.h"

/**
 * struct event_spec - an event
 * @name: own; of what it was replaced by
 * @event: parsed
 * @period: between samples, 0 if @frequency is kept
 * @frequency: a second
 */
struct event_spec {
	char *name;
	struct event event;
	uint64_t period;
	uint64_t frequency;
};

/**
 * struct event_fd - a descriptor
 * @id: that samples tell
 * @fd: perf's
 * @event: which it is of
 * @cpu: of it
 * @retired: another one has taken its place; samples of it may still wait
 */
struct event_fd {
	uint64_t id;
	int fd;
	uint32_t event;
	unsigned int cpu;
	bool retired;
};

/* A ring, and the descriptor that it is of. */
struct event_ring {
	struct perf_ring ring;
	int fd;
	unsigned int cpu;
};

/**
 * struct events - all of them
 * @options: borrowed while they are opened
 * @specs: by index in the options
 * @nr_specs: of them
 * @stack_bytes: of each sample
 * @type: sample_type of them all
 * @user_only: the kernel's part is not permitted
 * @machine: all of it, not threads or a cgroup
 * @cgroup: descriptor, -1 for none
 * @fds: sorted by id once all are open
 * @nr_fds: of them
 * @room: of @fds
 * @rings: one for each CPU
 * @nr_rings: of them
 * @ring_bytes: of each
 */
struct events {
	const struct sampler_options *options;
	struct event_spec *specs;
	uint32_t nr_specs;
	uint32_t stack_bytes;
	uint64_t type;
	bool user_only;
	bool machine;
	int cgroup;
	struct event_fd *fds;
	size_t nr_fds;
	size_t room;
	struct event_ring *rings;
	size_t nr_rings;
	uint64_t ring_bytes;
};

#define EVENTS_INIT { .cgroup = -1 }

/* Parses the options' events. Return: 0 or a negative errno. @e is released in any case. */
int events_parse(struct events *e, const struct sampler_options *options,
		 uint32_t stack_bytes, struct diag *diag);

/* Opens what was parsed, not running yet. Return: 0 or a negative errno. */
int events_open(struct events *e, struct diag *diag);

/**
 * events_set_rate() - put events of another rate in the place of those that are there
 * @e: open, of the machine
 * @index: of the event; it has a frequency or is a clock
 * @hz: samples a second and CPU
 * @running: events are enabled
 * @diag: may be NULL
 *
 * What the former ones have sampled has been drained when this is called the next time.
 *
 * Return: 0; -EOPNOTSUPP for threads and cgroups; -EINVAL; another negative errno.
 */
int events_set_rate(struct events *e, uint32_t index, uint64_t hz, bool running,
		    struct diag *diag);

void events_enable(struct events *e);
void events_disable(struct events *e);
void events_release(struct events *e);

/* Return: index of the event that a sample is of; @e->nr_specs if it is not known. */
uint32_t events_find(const struct events *e, uint64_t id);

#endif /* USTACK_USER_STACKCOPY_EVENTS_H */
