/* SPDX-License-Identifier: GPL-2.0-only */
/* struct sampler, shared by the files that implement sampler.h. */
#ifndef USTACK_USER_SAMPLER_INTERNAL_H
#define USTACK_USER_SAMPLER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "host/perf/cpus.h"
#include "lang.h"
#include "symbols/lang/reader.h"
#include "capture/sampler/cpu_events.h"
#include "capture/sampler/event.h"
#include "capture/sampler/programs.h"
#include "capture/sampler/sampler.h"
#include "capture/sampler/window.h"
#include "wire.h"

struct ring_buffer;

enum sampler_state {
	SAMPLER_NEW,
	SAMPLER_RUNNING,
	SAMPLER_STOPPED,	/* something may wait to be drained */
	SAMPLER_DRAINED,
};

/**
 * struct sampler - see sampler.h
 * @options: copy of the caller's; of the pointers in it only @note_context
 *	stays valid
 * @names: names of the events, own copies
 * @events: the events, parsed; as many as @options.nr_events
 * @cpu_events: by index of the event; used for those of kind EVENT_PERF
 * @cpus: CPUs that pass the filter, if @some_cpus
 * @ring: ring buffer on which programs wake user space
 * @lang: reader for frames of languages; NULL if none are read
 * @sched: address of __schedule() in the kernel, for off-cpu stacks; 0 if not
 *	known
 * @sched_end: address after its last byte
 * @stopped: CLOCK_MONOTONIC nanoseconds of sampler_stop()
 * @pending: number of waits that had not ended when it was stopped
 * @user: user frames of the count that is being handed out
 * @kernel: kernel frames of that count
 * @lang_word: frames of a language of that count, as the programs store them
 * @lang_stack: the same frames, decoded
 */
struct sampler {
	struct sampler_options options;
	char *names[SAMPLER_MAX_EVENTS];
	struct event *events;
	struct cpu_events cpu_events[SAMPLER_MAX_EVENTS];
	struct programs programs;
	struct windows windows;
	struct cpus cpus;
	bool some_cpus;
	struct ring_buffer *ring;
	struct lang_reader *lang;
	enum sampler_state state;
	uint64_t sched;
	uint64_t sched_end;
	uint64_t stopped;
	uint64_t pending;
	uint64_t user[WIRE_FRAMES];
	uint64_t kernel[WIRE_FRAMES];
	uint64_t lang_word[LANG_SLOTS];
	struct lang_stack lang_stack;
};

_Static_assert(SAMPLER_MAX_EVENTS == WIRE_EVENTS, "events");
_Static_assert(SAMPLER_MAX_FRAMES == WIRE_FRAMES, "frames");
_Static_assert(SAMPLER_COMM == WIRE_COMM, "names");
_Static_assert(CPUS_MAX == WIRE_CPUS, "CPUs");

/* Passes a text to the options' @note. */
__attribute__((__format__(__printf__, 2, 3)))
void sampler_note(const struct sampler *s, const char *fmt, ...);

/*
 * For sampler_start() and each drain: opens perf events on CPUs that have none
 * yet.
 */
int sampler_open_cpus(struct sampler *s, bool enable, struct diag *diag);

/*
 * @ret: online CPUs that pass the options' filter. Return: 0 or a negative
 * errno.
 */
int sampler_cpus(const struct sampler *s, struct cpus *ret, struct diag *diag);

/*
 * Before a rate changes: adds up what was missed at the old one. @e is closed.
 * Return: 0 or a negative errno.
 */
int sampler_settle(struct sampler *s, struct cpu_events *e);

/* Attaches to the kernel module if it has been loaded, and notes that. */
void sampler_look_for_module(struct sampler *s);

#endif /* USTACK_USER_SAMPLER_INTERNAL_H */
