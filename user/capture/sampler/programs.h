/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF objects: loaded as the options say, and attached, except programs of
 * perf events, which cpu_events.h attaches. Only programs that the events need
 * are loaded.
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
 * @links: links to tracepoints and probes
 * @nr_links: number of entries in @links
 * @call_links: links to system calls, if changes of mappings are seen there
 * @nr_call_links: number of entries in @call_links
 * @module: link to the kernel module's tracepoint, NULL while it is not
 *	attached
 * @mapping: text that says how changes of mappings are seen
 * @slow: true if they are seen in a way that costs every system call
 * @by_tables: stacks are walked by tables
 * @unmap_links: links to the calls that remove mappings
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
 * @options: the caller's options
 * @events: events of @options, parsed
 * @cpus: CPUs that pass the filter; NULL is all
 * @sizes: sizes of the windows' maps
 * @waits: number of threads that may be off-CPU at a time
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
 * @plan: what to load
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs *p, const struct programs_plan *plan, struct diag *diag);

/* Does the part of programs_load() that follows processes. */
int programs_load_tasks(struct programs *p, const struct sampler_options *options,
			struct diag *diag);
void programs_release(struct programs *p);

/* The program for a kind of event: by tables or not, as @p was loaded. */
struct bpf_program *programs_of(const struct programs *p, enum event_kind kind);

/*
 * Return: entries needed in the map of bpf/pids.bpf.h. @children: what they
 * fork counts too.
 */
uint32_t programs_max_pids(bool children, size_t nr_pids);

/* Puts processes, or threads, into a map that is loaded. Return: 0 or a negative errno. */
int programs_fill_ids(struct bpf_map *map, const uint32_t *ids, size_t nr);

/**
 * programs_refuse() - check an event before anything is loaded
 * @ev: tracepoint, probe or off-cpu
 * @name: name as given, for @diag
 * @diag: may be NULL; gets a better reason than the kernel would give
 *
 * Return: a negative errno if it cannot be attached; 0 if no reason against it
 * is known.
 */
int programs_refuse(const struct event *ev, const char *name, struct diag *diag);

/**
 * programs_attach() - attach an event that belongs to no CPU
 * @p: loaded
 * @ev: event for which programs_refuse() returned 0
 * @index: index of the event
 * @name: name as given, for @diag
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int programs_attach(struct programs *p, const struct event *ev, unsigned int index,
		    const char *name, struct diag *diag);

/* Detaches all that programs_attach() attached. */
void programs_detach(struct programs *p);

/**
 * programs_attach_module() - attach to the tracepoint that reports why stacks
 * ended
 * @p: loaded
 *
 * Return: whether this call attached it. It does not if the module is not
 * loaded.
 */
bool programs_attach_module(struct programs *p);

#endif /* USTACK_USER_SAMPLER_PROGRAMS_H */
