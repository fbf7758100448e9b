/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf events, with a ring for each CPU. All events of a CPU share its ring.
 * There are events
 *
 *	of CPUs			to sample the whole machine
 *	of CPUs, with a filter	to sample processes, see capture/sampler/filter.h
 *	of threads, inherited	to sample processes without the rights for a filter; also for
 *				counted software events such as page faults, whose period is
 *				exact then
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
 * struct event_spec - an event of the options
 * @name: name of the event or of its replacement; owned
 * @event: the event, parsed
 * @period: events between two samples, 0 if @frequency is set
 * @frequency: samples a second
 */
struct event_spec {
	char *name;
	struct event event;
	uint64_t period;
	uint64_t frequency;
};

/**
 * struct event_fd - a perf event that is open
 * @id: perf's id, which its samples carry
 * @fd: descriptor
 * @event: index in struct events' @specs
 * @cpu: CPU that it is on
 * @enabled: nanoseconds that it had been enabled when last looked at
 * @retired: another one has replaced it; its samples may still be in the ring
 */
struct event_fd {
	uint64_t id;
	int fd;
	uint32_t event;
	unsigned int cpu;
	uint64_t enabled;
	bool retired;
};

/* A ring, and the descriptor of the event that it was mapped from. */
struct event_ring {
	struct perf_ring ring;
	int fd;
	unsigned int cpu;
};

/**
 * struct events - all events of a source
 * @options: borrowed; after opening only @note and @note_context are used
 * @specs: by index in the options
 * @nr_specs: number of entries in @specs
 * @stack_bytes: bytes of the stack to copy with each sample
 * @type: sample_type of all events
 * @user_only: samples in the kernel are not permitted
 * @machine: the whole machine is sampled, not threads or a cgroup
 * @inherited: inherited events sample a clock, so processes and threads that
 *	run for less than a period are not sampled
 * @filter: filter for events of CPUs, NULL if there is none
 * @cgroup: descriptor of the cgroup, -1 for none
 * @cpus: CPUs that may be sampled, online or not
 * @fds: sorted by id once all are open
 * @nr_fds: number of entries in @fds
 * @room: entries that @fds has memory for
 * @rings: one for each CPU that is sampled
 * @nr_rings: number of entries in @rings
 * @rings_room: entries that @rings has memory for: enough for all @cpus
 * @ring_bytes: size of each ring
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

/*
 * Parses the options' events. @stack_bytes: bytes of the stack to copy; 0 is as
 * many as the rings have room for. Return: 0 or a negative errno. @e must be
 * released in either case.
 */
int events_parse(struct events *e, const struct sampler_options *options,
		 uint32_t stack_bytes, struct diag *diag);

/*
 * Return: whether all events belong to CPUs, so that their rings stay until the
 * end.
 */
bool events_of_cpus(const struct events *e);

/* Return: whether the event belongs to CPUs, not to threads or a cgroup. */
bool events_is_of_cpus(const struct events *e, const struct event_spec *s);

/* Opens the parsed events, not enabled yet. Return: 0 or a negative errno. */
int events_open(struct events *e, struct diag *diag);

/*
 * Return: milliseconds after which a ring that nobody reads is full; 0 if that
 * is not known because not all events are clocks.
 */
uint64_t events_fill_ms(const struct events *e);

/**
 * events_set_rate() - replace the open events of one spec by events with
 * another rate
 * @e: open, and of the whole machine
 * @index: index of the spec; it has a frequency or is a clock
 * @hz: samples a second and CPU
 * @running: whether events are enabled now
 * @diag: may be NULL
 *
 * The replaced events are closed at the next call: their samples must be
 * drained before that.
 *
 * Return: 0; -EOPNOTSUPP for threads and cgroups; -EINVAL; another negative errno.
 */
int events_set_rate(struct events *e, uint32_t index, uint64_t hz, bool running,
		    struct diag *diag);

/**
 * events_look_for_cpus() - sample CPUs that have come online
 * @e: enabled and just drained; only events of CPUs are opened
 * @diag: may be NULL
 *
 * Context: may add rings, so nobody may read rings meanwhile.
 *
 * Return: number of CPUs that are newly sampled; a negative errno, and then the
 * other CPUs are still sampled.
 */
int events_look_for_cpus(struct events *e, struct diag *diag);

void events_enable(struct events *e);
void events_disable(struct events *e);
void events_release(struct events *e);

/*
 * For events_change.c: opens an event of a thread, or of all threads (-1), on a
 * CPU and adds it at the end of @e->fds. Return: 1 if it is open; 0 if the
 * thread or the CPU is gone; a negative errno.
 */
int events_open_one(struct events *e, uint32_t index, int tid, unsigned int cpu,
		    struct diag *diag);
/* @ret: CPUs to sample that are online now. Return: 0 or a negative errno. */
int events_cpus_now(const struct events *e, struct cpus *ret, struct diag *diag);
/* Return: the ring of a CPU, NULL if there is none. */
struct event_ring *events_ring_of(const struct events *e, unsigned int cpu);
/* Sorts @e->fds by id, as events_find() needs it. */
void events_sort(struct events *e);
/* Passes a text to the options' @note. */
__attribute__((__format__(__printf__, 2, 3)))
void events_note(const struct events *e, const char *fmt, ...);

/*
 * @id: id of a sample. Return: index of its event; @e->nr_specs if the id is
 * not known.
 */
uint32_t events_find(const struct events *e, uint64_t id);

#endif /* USTACK_USER_STACKCOPY_EVENTS_H */
