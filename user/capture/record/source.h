/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where counted stacks come from: the sampler, which uses BPF; stacks that perf
 * copies and this program unwinds; or both, by event. Each counts as sampler.h
 * says. session_open.c chooses.
 */
#ifndef USTACK_USER_RECORD_SOURCE_H
#define USTACK_USER_RECORD_SOURCE_H

#include "capture/record/names.h"
#include "capture/sampler/sampler.h"
#include "util/diag.h"

/**
 * struct record_loss - samples that are not in the profile
 * @name: short name of the cause
 * @text: sentence that tells the cause
 * @value: number of samples
 */
struct record_loss {
	const char *name;
	const char *text;
	uint64_t value;
};

#define RECORD_MAX_LOSSES 32u
/* Counters of a source. */
#define RECORD_MAX_COUNTERS 64u

/**
 * struct record_source_ops - a kind of source
 * @name: name that users see
 * @start: begin to sample
 * @fd: descriptor that polls as readable when it is time to drain
 * @drain: hand out what was counted since the last time; see sampler_drain()
 * @stop: stop sampling; the rest waits for one more @drain
 * @event: get how an event is sampled; see sampler_event_info()
 * @set_rate: change the rate of an event to @hz samples a second and CPU; see
 *	sampler_set_rate()
 * @tables: get the number of unwind tables that this process has in memory for
 *	the source, their bytes, and the nanoseconds of CPU time that making
 *	them took; NULL if it has none
 * @counters: get what became of samples: fills @ret, RECORD_MAX_COUNTERS at
 *	most; returns the number
 * @free: end it, in any state
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
 * struct record_catch_up - how a source brings its knowledge of processes up to
 * date
 * @run: when it returns 0, all mappings of processes before the call are known
 * @arg: passed to @run
 */
struct record_catch_up {
	int (*run)(void *arg);
	void *arg;
};

/**
 * struct record_tables - what to wait for where stacks are walked by tables in
 * BPF
 * @wait_ms: longest wait for each step before the first sample, in
 *	milliseconds; 0: do not wait
 * @program: path of a program that will be run, NULL for none
 */
struct record_tables {
	unsigned int wait_ms;
	const char *program;
};

/**
 * record_source_bpf() - make a source that counts stacks in the kernel
 * @options: see struct sampler_options
 * @tables: what to wait for, with @options->tables; may be NULL
 * @ret: released by @ret->ops->free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int record_source_bpf(const struct sampler_options *options, const struct record_tables *tables,
		      struct record_source *ret, struct diag *diag);

/**
 * record_source_copy() - make a source that copies stacks and unwinds them here
 * @options: see struct stackcopy_options
 * @stack_bytes: bytes of each stack to copy; 0 is the default
 * @names: know the processes; must outlive the source
 * @catch_up: copied
 * @ret: released by @ret->ops->free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int record_source_copy(const struct sampler_options *options, uint32_t stack_bytes,
		       struct record_names *names, const struct record_catch_up *catch_up,
		       struct record_source *ret, struct diag *diag);

/**
 * record_source_both() - make a source that copies stacks where it can, and
 * uses BPF elsewhere
 *
 * The arguments are those of record_source_copy(). Some of @options' events can
 * be copied, others cannot: see sampler_event_has_rate().
 *
 * Return: 0 or a negative errno.
 */
int record_source_both(const struct sampler_options *options, uint32_t stack_bytes,
		       struct record_names *names, const struct record_catch_up *catch_up,
		       struct record_source *ret, struct diag *diag);

#endif /* USTACK_USER_RECORD_SOURCE_H */
