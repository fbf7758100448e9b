/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where counted stacks come from: the eBPF sampler, stacks that perf copies and this program
 * unwinds, or one or the other by event. All count what sampler.h says.
 */
#ifndef USTACK_USER_RECORD_SOURCE_H
#define USTACK_USER_RECORD_SOURCE_H

#include "capture/record/names.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

/**
 * struct record_loss - what is not in the profile
 * @name: short
 * @text: sentence
 * @value: samples
 */
struct record_loss {
	const char *name;
	const char *text;
	uint64_t value;
};

#define RECORD_MAX_LOSSES 32u
/* Of a source. */
#define RECORD_MAX_COUNTERS 64u

/**
 * struct record_source_ops - a kind of source
 * @name: for people
 * @start: begin; a source is ready to when it is made
 * @fd: polls as readable when it is time to drain
 * @drain: hand out what was counted since the last time; see sampler_drain()
 * @stop: sample no more; what was counted waits for @drain
 * @event: how an event is sampled; see sampler_event_info()
 * @set_rate: samples an event @hz times a second and CPU from now on; see sampler_set_rate()
 * @tables: how many unwind tables this process has in memory for it, their bytes, and the CPU
 *          time that making them took; NULL if none
 * @counters: what became of samples: fills @ret, RECORD_MAX_COUNTERS at most; returns their
 *            number
 * @free: ends it in any state
 */
struct record_source_ops {
	const char *name;
	int (*start)(void *source, struct diag *diag);
	int (*fd)(void *source);
	int (*drain)(void *source, sampler_take take, void *context, struct diag *diag);
	int (*stop)(void *source, struct diag *diag);
	int (*event)(void *source, size_t event, struct sampler_event_info *ret);
	int (*set_rate)(void *source, size_t event, uint64_t hz, struct diag *diag);
	void (*tables)(void *source, uint64_t *nr, uint64_t *bytes, uint64_t *ns);
	unsigned int (*counters)(void *source, struct sampler_counter *ret);
	void (*free)(void *source);
};

struct record_source {
	const struct record_source_ops *ops;
	void *source;
};

/**
 * struct record_catch_up - how a source gets processes known that it asks for
 * @run: when it returns 0, all that processes had mapped before it was called is known
 * @arg: for @run
 */
struct record_catch_up {
	int (*run)(void *arg);
	void *arg;
};

/**
 * struct record_tables - what is waited for where stacks are walked by tables in eBPF
 * @wait_ms: at most so long for each, before the first sample; 0: not at all
 * @program: path of what will be run, NULL if nothing
 */
struct record_tables {
	unsigned int wait_ms;
	const char *program;
};

/**
 * record_source_bpf() - make one that counts stacks in the kernel
 * @options: see struct sampler_options
 * @tables: with @options->tables; may be NULL
 * @ret: released by @ret->ops->free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int record_source_bpf(const struct sampler_options *options, const struct record_tables *tables,
		      struct record_source *ret, struct diag *diag);

/**
 * record_source_copy() - make one that copies stacks and unwinds them here
 * @options: see struct stackcopy_options
 * @stack_bytes: of each stack; 0 is its default
 * @names: know the processes; outlive it
 * @catch_up: copied
 * @ret: as above
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int record_source_copy(const struct sampler_options *options, uint32_t stack_bytes,
		       struct record_names *names, const struct record_catch_up *catch_up,
		       struct record_source *ret, struct diag *diag);

/**
 * record_source_both() - make one that copies stacks where it can, and takes the others by eBPF
 *
 * Arguments are those of record_source_copy(); of @options' events some can be copied, and some
 * cannot: sampler_event_has_rate().
 *
 * Return: 0 or a negative errno.
 */
int record_source_both(const struct sampler_options *options, uint32_t stack_bytes,
		       struct record_names *names, const struct record_catch_up *catch_up,
		       struct record_source *ret, struct diag *diag);

#endif /* USTACK_USER_RECORD_SOURCE_H */
