/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's events, with a ring for each CPU. Events of one CPU share its ring. They are
 *
 *	of CPUs			all of the machine is sampled
 *	of CPUs, with a filter	processes are: see capture/sampler/filter.h
 *	of threads, inherited	the same without the rights for a filter; and software events
 *				that are counted, page faults say, whose period is then exact
 *	of a cgroup
 */
#ifndef USTACK_USER_STACKCOPY_EVENTS_H
#define USTACK_USER_STACKCOPY_EVENTS_H

#include "host/perf/cpus.h"
#include "host/perf/ring.h"
#include "capture/sampler/event.h"
#include "capture/sampler/filter.h"
#include "capture/sampler/sampler.h"
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
 * @enabled: how long it had been on when that was last looked at, in nanoseconds
 * @retired: another one has taken its place; samples of it may still wait
 */
struct event_fd {
	uint64_t id;
	int fd;
	uint32_t event;
	unsigned int cpu;
	uint64_t enabled;
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
 * @options: borrowed; what it points to while they are opened, but for the note's context
 * @specs: by index in the options
 * @nr_specs: of them
 * @stack_bytes: of each sample
 * @type: sample_type of them all
 * @user_only: the kernel's part is not permitted
 * @machine: all of it, not threads or a cgroup
 * @filter: of events of CPUs, NULL if there is none
 * @inherited: a clock is sampled by inherited events: what runs for less than a period is not
 * @cgroup: descriptor, -1 for none
 * @cpus: that may be sampled, online or not
 * @fds: sorted by id once all are open
 * @nr_fds: of them
 * @room: of @fds
 * @rings: one for each CPU
 * @nr_rings: of them
 * @rings_room: for rings of all @cpus
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
	bool inherited;
	struct filter *filter;
	int cgroup;
	struct cpus *cpus;
	struct event_fd *fds;
	size_t nr_fds;
	size_t room;
	struct event_ring *rings;
	size_t nr_rings;
	size_t rings_room;
	uint64_t ring_bytes;
};

#define EVENTS_INIT { .cgroup = -1 }

/* Parses the options' events. @stack_bytes: to be copied, 0 for what rings have room for. Return: 0 or a negative errno. @e is released in any case. */
int events_parse(struct events *e, const struct sampler_options *options,
		 uint32_t stack_bytes, struct diag *diag);

/* Return: whether all events are of CPUs, so that their rings are for ever. */
bool events_of_cpus(const struct events *e);

/* Return: whether the event is of CPUs, not of threads or a cgroup. */
bool events_is_of_cpus(const struct events *e, const struct event_spec *s);

/* Opens what was parsed, not running yet. Return: 0 or a negative errno. */
int events_open(struct events *e, struct diag *diag);

/* Milliseconds after which a ring that nobody reads is full; 0 if that is not known, as
 * samples are not of clocks alone.
 */
uint64_t events_fill_ms(const struct events *e);

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

/**
 * events_look_for_cpus() - sample CPUs that have come online since
 * @e: enabled, just drained; only events of CPUs are looked for
 * @diag: may be NULL
 *
 * Context: rings may come: whoever reads them waits.
 *
 * Return: number of CPUs that are sampled now and were not; a negative errno: the others are
 * still sampled.
 */
int events_look_for_cpus(struct events *e, struct diag *diag);

void events_enable(struct events *e);
void events_disable(struct events *e);
void events_release(struct events *e);

/* For events_change.c: opens an event of a thread, or of all (-1), on a CPU, into @e->fds, not
 * sorted. Return: 1 if it is open; 0 if the thread or the CPU is gone; a negative errno.
 */
int events_open_one(struct events *e, uint32_t index, int tid, unsigned int cpu,
		    struct diag *diag);
/* CPUs that are sampled as far as they are online. Return: 0 or a negative errno. */
int events_cpus_now(const struct events *e, struct cpus *ret, struct diag *diag);
/* The ring of a CPU, NULL if there is none. */
struct event_ring *events_ring_of(const struct events *e, unsigned int cpu);
/* By id, as events_find() needs them. */
void events_sort(struct events *e);
/* Tells the options' note. */
__attribute__((__format__(__printf__, 2, 3)))
void events_note(const struct events *e, const char *fmt, ...);

/* Return: index of the event that a sample is of; @e->nr_specs if it is not known. */
uint32_t events_find(const struct events *e, uint64_t id);

#endif /* USTACK_USER_STACKCOPY_EVENTS_H */
