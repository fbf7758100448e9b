/* SPDX-License-Identifier: GPL-2.0-only */
/* struct sampler, for the files that sampler.h is made of. */
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
 * @options: of the caller; of what it borrows, only @note_context is valid later
 * @names: of events, own
 * @events: parsed
 * @cpu_events: by index of the event; those of kind EVENT_PERF are in use
 * @cpus: that pass, if @some_cpus
 * @ring: of wakeups
 * @lang: names frames of languages; NULL if none are read
 * @sched: where __schedule() is in the kernel, for stacks of off-cpu; 0 if not known
 * @sched_end: behind it
 * @stopped: CLOCK_MONOTONIC nanoseconds of sampler_stop()
 * @pending: waits that were counted when it was stopped
 * @user: frames of the count that is handed out
 * @kernel: its kernel's
 * @lang_word: its language's, as the programs have them
 * @lang_stack: and as they are handed out
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

/* Tells the caller what it has to know. */
__attribute__((__format__(__printf__, 2, 3)))
void sampler_note(const struct sampler *s, const char *fmt, ...);

/* sampler_start(): opens what belongs to CPUs, on those that came since, too. */
int sampler_open_cpus(struct sampler *s, bool enable, struct diag *diag);

/* What events are on: online CPUs, if they were asked for. Return: 0 or a negative errno. */
int sampler_cpus(const struct sampler *s, struct cpus *ret, struct diag *diag);

/* A rate is over: counts what was missed at it. The events are closed. Return: 0 or a
 * negative errno.
 */
int sampler_settle(struct sampler *s, struct cpu_events *e);

/* Attaches to the module if it was loaded meanwhile, and tells the caller. */
void sampler_look_for_module(struct sampler *s);

#endif /* USTACK_USER_SAMPLER_INTERNAL_H */
