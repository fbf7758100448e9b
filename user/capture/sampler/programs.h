/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF objects: loaded with what the options say, attached but for what belongs to
 * CPUs (cpu_events.h). Only programs that the events need are loaded.
 */
#ifndef USTACK_USER_SAMPLER_PROGRAMS_H
#define USTACK_USER_SAMPLER_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/perf/cpus.h"
#include "capture/sampler/event.h"
#include "capture/sampler/sampler.h"
#include "capture/sampler/window.h"
#include "util/diag.h"

struct sampler_bpf;
struct tasks_bpf;
struct bpf_link;
struct bpf_map;
struct bpf_program;

/**
 * struct programs - both objects
 * @main: sampler.bpf.c
 * @tasks: tasks.bpf.c
 * @links: of tracepoints and probes
 * @nr_links: of @links
 * @call_links: of system calls, if mappings are seen by them
 * @nr_call_links: of @call_links
 * @module: link to the module's tracepoint, NULL while there is none
 * @mapping: how changes of mappings are seen, in words
 * @slow: in a way that costs every system call
 * @by_tables: stacks are walked by tables
 * @unmap_links: of the calls that take mappings away
 */
struct programs {
	struct sampler_bpf *main;
	struct tasks_bpf *tasks;
	struct bpf_link *links[SAMPLER_MAX_EVENTS];
	unsigned int nr_links;
	struct bpf_link *call_links[3];
	unsigned int nr_call_links;
	struct bpf_link *module;
	const char *mapping;
	bool slow;
	bool by_tables;
	struct bpf_link *unmap_links[2];
};

/**
 * struct programs_plan - what to load
 * @options: as the caller gave them
 * @events: theirs, parsed
 * @cpus: that pass the filter; NULL is all
 * @sizes: of windows' maps
 * @waits: threads that may be off-CPU at a time
 */
struct programs_plan {
	const struct sampler_options *options;
	const struct event *events;
	const struct cpus *cpus;
	struct window_sizes sizes;
	uint32_t waits;
};

/**
 * programs_load() - load and attach what follows processes, load what samples
 * @p: all 0; released by programs_release() also on failure
 * @plan: see there
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs *p, const struct programs_plan *plan, struct diag *diag);

/* The same of what follows processes, alone. */
int programs_load_tasks(struct programs *p, const struct sampler_options *options,
			struct diag *diag);
void programs_release(struct programs *p);

/* The program of a kind of events, of those two that walk stacks as @p does. */
struct bpf_program *programs_of(const struct programs *p, enum event_kind kind);

/* Entries of bpf/pids.bpf.h's map for so many processes, with what they fork or without. */
uint32_t programs_max_pids(bool children, size_t nr_pids);

/* Puts processes, or threads, into a map that is loaded. Return: 0 or a negative errno. */
int programs_fill_ids(struct bpf_map *map, const uint32_t *ids, size_t nr);

/**
 * programs_refuse() - what can be known of an event before anything is loaded
 * @ev: tracepoint, probe or off-cpu
 * @name: as it was given, for @diag
 * @diag: may be NULL; says more than the kernel would
 *
 * Return: a negative errno if it cannot be attached; 0 if nothing speaks against it.
 */
int programs_refuse(const struct event *ev, const char *name, struct diag *diag);

/**
 * programs_attach() - attach an event that belongs to no CPU
 * @p: loaded
 * @ev: one that programs_refuse() has nothing against
 * @index: of the event
 * @name: as it was given, for @diag
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int programs_attach(struct programs *p, const struct event *ev, unsigned int index,
		    const char *name, struct diag *diag);

/* The other way round, of all of them. */
void programs_detach(struct programs *p);

/**
 * programs_attach_module() - hear why stacks ended, if the module is loaded
 * @p: loaded
 *
 * Return: whether it was attached now.
 */
bool programs_attach_module(struct programs *p);

#endif /* USTACK_USER_SAMPLER_PROGRAMS_H */
