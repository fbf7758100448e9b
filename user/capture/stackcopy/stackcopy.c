// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a stackcopy, from its options to its end: opens the events, and
 * at each drain sorts the samples by time, unwinds and counts them. See
 * stackcopy.h.
 */
#include "capture/stackcopy/stackcopy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/stackcopy/counts.h"
#include "capture/stackcopy/reader.h"
#include "capture/stackcopy/threads.h"
#include "capture/stackcopy/walk.h"
#include "util/array.h"
#include "util/clock.h"

#define DEFAULT_MEMORY (256ull << 20)

struct stackcopy {
	struct sampler_options options;
	struct stackcopy_options own;
	char *comm;
	struct events events;
	struct reader *reader;
	struct threads threads;
	struct walker walker;
	struct counts counts;
	struct walked walked;
	uint64_t counted;
	uint64_t left_out;
	uint64_t unknown;
	bool running;
};

static int check(const struct stackcopy_options *o, struct diag *diag)
{
	if (!o->sampler->nr_events || o->sampler->nr_events > SAMPLER_MAX_EVENTS)
		return diag_set(diag, EINVAL, NULL, "1 to %u events can be sampled at a time",
				SAMPLER_MAX_EVENTS);
	if (o->stack_bytes % 8 || o->stack_bytes > STACKCOPY_MAX_BYTES)
		return diag_set(diag, EINVAL, NULL,
				"a multiple of 8 bytes is copied of each stack, at most %u",
				STACKCOPY_MAX_BYTES);
	if (o->sampler->max_frames > SAMPLER_MAX_FRAMES)
		return diag_set(diag, EINVAL, NULL, "a stack has %u frames at most",
				SAMPLER_MAX_FRAMES);
	return 0;
}

static int init(struct stackcopy *s, const struct stackcopy_options *o, struct diag *diag)
{
	uint64_t memory = o->sampler->memory ? o->sampler->memory : DEFAULT_MEMORY;
	int err;

	s->own = *o;
	s->options = *o->sampler;
	s->events = (struct events)EVENTS_INIT;
	if (s->options.comm)
		s->comm = strdup(s->options.comm);
	s->walker.processes = o->processes;
	s->walker.images = images_new(memory, false);
	s->walker.max_frames = o->sampler->max_frames ? o->sampler->max_frames :
							SAMPLER_MAX_FRAMES;
	s->walker.jit_memory = jit_memory_new();
	if (!s->walker.images || !s->walker.jit_memory || (s->options.comm && !s->comm))
		return diag_errno(diag, ENOMEM, NULL);
	err = events_parse(&s->events, &s->options, o->stack_bytes, diag);
	if (!err)
		err = events_open(&s->events, diag);
	return err ? err : reader_new(&s->events, memory, &s->reader, diag);
}

int stackcopy_new(const struct stackcopy_options *options, struct stackcopy **ret,
		  struct diag *diag)
{
	int err = check(options, diag);
	struct stackcopy *s;

	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return diag_errno(diag, ENOMEM, NULL);
	err = init(s, options, diag);
	if (err) {
		/*
		 * @diag may point to the name of an event, which
		 * stackcopy_free() releases
		 */
		diag_copy_name(diag);
		stackcopy_free(s);
		return err;
	}
	*ret = s;
	return 0;
}

void stackcopy_free(struct stackcopy *s)
{
	if (!s)
		return;
	reader_free(s->reader);
	events_release(&s->events);
	images_free(s->walker.images);
	jit_memory_free(s->walker.jit_memory);
	threads_release(&s->threads);
	counts_release(&s->counts);
	free(s->comm);
	free(s);
}

int stackcopy_start(struct stackcopy *s, struct diag *diag)
{
	(void)diag;
	events_enable(&s->events);
	s->running = true;
	return 0;
}

int stackcopy_stop(struct stackcopy *s, struct diag *diag)
{
	(void)diag;
	events_disable(&s->events);
	s->running = false;
	return 0;
}

int stackcopy_fd(const struct stackcopy *s)
{
	return reader_fd(s->reader);
}

/*
 * Return: whether a thread's name passes. "java*" passes every name that begins
 * so.
 */
static bool comm_passes(const struct stackcopy *s, const char *comm)
{
	size_t len = s->comm ? strlen(s->comm) : 0;

	if (!s->comm)
		return true;
	if (len && s->comm[len - 1] == '*')
		return !strncmp(comm, s->comm, len - 1);
	return !strcmp(comm, s->comm);
}

static bool passes(const struct stackcopy *s, const struct sample *sample, const char *comm)
{
	if (!sample->tgid)	/* an idle CPU */
		return false;
	if (s->options.user_threads && sample->abi == PERF_SAMPLE_REGS_ABI_NONE)
		return false;
	return comm_passes(s, comm);
}

static int count_sample(struct stackcopy *s, const struct sample *sample)
{
	struct sampler_count c = {
		.tgid = sample->tgid,
		.tid = s->options.by_thread ? sample->tid : 0,
		.epoch = processes_epoch(s->own.processes, sample->tgid, sample->time),
		.cgroup = sample->cgroup,
		.time = s->options.timestamps ? sample->time : 0,
		.event = events_find(&s->events, sample->id),
		.kernel = sample->kernel, .nr_kernel = sample->nr_kernel,
		.user = s->walked.pcs,
		.count = 1,
	};
	int err = threads_find(&s->threads, sample->tgid, sample->tid, c.comm);

	if (err)
		return err;
	if (c.event == s->events.nr_specs) {
		s->unknown++;
		return 0;
	}
	c.sum = sample->period ? sample->period : s->events.specs[c.event].period;
	if (!passes(s, sample, c.comm)) {
		s->left_out++;
		return 0;
	}
	if (c.nr_kernel > s->walker.max_frames) {
		c.nr_kernel = s->walker.max_frames;
		c.kernel_cut = true;
	}
	walk_sample(&s->walker, sample, &s->walked);
	images_trim(s->walker.images);
	c.nr_user = s->walked.nr;
	c.why = s->walked.why;
	c.user_cut = s->walked.cut;
	s->counted++;
	return counts_add(&s->counts, &c);
}

static int take_one(struct stackcopy *s, const struct sample *sample)
{
	switch (sample->kind) {
	case RECORD_SAMPLE:
		return count_sample(s, sample);
	case RECORD_NAME:
		return threads_name(&s->threads, sample->tid, sample->comm);
	case RECORD_THREAD:
		return threads_begin(&s->threads, sample->tid, sample->parent_tgid,
				     sample->parent);
	case RECORD_OTHER:
		break;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct sample *x = *(struct sample *const *)a, *y = *(struct sample *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/*
 * Takes the samples up to @until and gives the others back for the next drain.
 */
static int take_all(struct stackcopy *s, struct sample **samples, size_t nr, uint64_t until)
{
	size_t i;
	int err = 0;

	if (nr)
		qsort(samples, nr, sizeof(struct sample *), by_time);
	for (i = 0; i < nr; i++) {
		if (!err && samples[i]->time > until) {
			err = reader_give_back(s->reader, samples[i]);
			if (!err)
				continue;
		} else if (!err) {
			err = take_one(s, samples[i]);
		}
		free(samples[i]);
	}
	return err;
}

/*
 * A CPU that cannot be opened is reported and tried again at the next drain;
 * others go on.
 */
static void look_for_cpus(struct stackcopy *s)
{
	struct diag diag = { 0 };
	char text[384];
	int opened = reader_look_for_cpus(s->reader, &diag);

	if (opened > 0)
		events_note(&s->events, "%d CPUs came online", opened);
	if (opened >= 0)
		return;
	diag_format(&diag, text, sizeof(text));
	events_note(&s->events, "not sampled on all CPUs: %.200s", text);
}

int stackcopy_drain(struct stackcopy *s, sampler_take take, void *context,
		    struct diag *diag)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC);
	struct sample **samples = NULL;
	int err = s->own.catch_up(s->own.arg);
	size_t nr;

	if (err)
		return err;
	nr = reader_take(s->reader, &samples);
	err = take_all(s, samples, nr, until);
	jit_memory_forget(s->walker.jit_memory);
	free(samples);
	if (err)
		diag_errno(diag, -err, NULL);
	else
		err = counts_hand_out(&s->counts, take, context);
	counts_release(&s->counts);
	/*
	 * events_look_for_cpus() needs this: samples of retired events are
	 * counted by now
	 */
	if (!err && s->running)
		look_for_cpus(s);
	return err;
}

enum counter {
	COUNTED, LEFT_OUT, RING_LOST, DROPPED, BROKEN, UNKNOWN, THROTTLED, CHILDREN_LOST, TABLES,
	TABLES_DROPPED,
	NR_COUNTERS,
};

static const struct sampler_counter counters[NR_COUNTERS] = {
	[COUNTED] = { "counted", "counted", SAMPLER_COUNTED, 0 },
	[LEFT_OUT] = { "filtered", "filtered out, or taken on idle CPUs", SAMPLER_LEFT_OUT, 0 },
	[RING_LOST] = { "ring-full", "perf's ring was full: sample less often, or copy less of "
			"each stack", SAMPLER_LOST, 0 },
	[DROPPED] = { "memory", "no memory was left for samples that wait to be unwound",
		      SAMPLER_LOST, 0 },
	[BROKEN] = { "broken", "records were not as the kernel writes them", SAMPLER_LOST, 0 },
	[UNKNOWN] = { "unknown-event", "their event is not known", SAMPLER_LOST, 0 },
	[THROTTLED] = { "throttled", "times that the kernel paused an event: there were more "
			"samples than kernel.perf_event_max_sample_rate", SAMPLER_INFORMATION, 0 },
	[CHILDREN_LOST] = { "children-full", "children that are not sampled: there are too many "
			    "processes", SAMPLER_INFORMATION, 0 },
	[TABLES] = { "tables", "unwind tables made", SAMPLER_INFORMATION, 0 },
	[TABLES_DROPPED] = { "tables-dropped", "unwind tables given up for lack of memory",
			     SAMPLER_INFORMATION, 0 },
};

void stackcopy_counters(const struct stackcopy *s, struct sampler_counter *ret)
{
	struct reader_counts c;

	reader_counts(s->reader, &c);
	memcpy(ret, counters, sizeof(counters));
	ret[COUNTED].value = s->counted;
	ret[LEFT_OUT].value = s->left_out;
	ret[RING_LOST].value = c.lost;
	ret[DROPPED].value = c.dropped;
	ret[BROKEN].value = c.broken;
	ret[UNKNOWN].value = s->unknown;
	ret[THROTTLED].value = c.throttled;
	ret[CHILDREN_LOST].value = s->events.filter ? filter_children_lost(s->events.filter) : 0;
	images_counts(s->walker.images, &ret[TABLES].value, &ret[TABLES_DROPPED].value);
}

void stackcopy_tables(const struct stackcopy *s, uint64_t *nr, uint64_t *bytes, uint64_t *ns)
{
	u64 made, dropped;

	images_counts(s->walker.images, &made, &dropped);
	*nr = made - dropped;
	*bytes = images_bytes(s->walker.images);
	*ns = images_opening_ns(s->walker.images);
}

size_t stackcopy_nr_counters(void)
{
	return NR_COUNTERS;
}

int stackcopy_set_rate(struct stackcopy *s, size_t event, uint64_t hz, struct diag *diag)
{
	if (event >= s->events.nr_specs)
		return diag_set(diag, EINVAL, NULL, "there is no event %zu", event);
	return reader_set_rate(s->reader, (uint32_t)event, hz, s->running, diag);
}

int stackcopy_event_info(const struct stackcopy *s, size_t event,
			 struct sampler_event_info *ret)
{
	const struct event_spec *e;

	if (event >= s->events.nr_specs)
		return -EINVAL;
	e = &s->events.specs[event];
	*ret = (struct sampler_event_info){
		.name = e->name,
		.unit = e->event.clock ? "nanoseconds" : "events",
		.period = e->period,
		.frequency = e->frequency,
		.inherited = s->events.inherited && e->event.rate,
		.user_only = s->events.user_only || e->event.exclude_kernel,
	};
	return 0;
}
