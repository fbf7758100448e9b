// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a sampler, from its options to its end: new, start, wait, stop
 * and free of sampler.h. sampler_drain() is in drain.c, the counters are in
 * report.c.
 */
#include "capture/sampler/sampler.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sampler.skel.h"
#include "tasks.skel.h"
#include "host/kernel/kallsyms_range.h"
#include "capture/sampler/internal.h"
#include "capture/sampler/library.h"
#include "capture/sampler/programs_tables.h"
#include "supply/tables/maker.h"
#include "util/clock.h"
#include "util/file.h"

#include "util/poison.h"

#define NSEC 1000000000ull
#define DEFAULT_HZ 99u
#define DEFAULT_WINDOW_MS 5000u
#define DEFAULT_MEMORY (64ull << 20)
#define MIN_WAITS 1024u
#define MAX_WAITS (1u << 18)
/* Size of an element in the map of waits, with its share of buckets. */
#define WAIT_BYTES (sizeof(struct wire_wait) + 64)

void sampler_note(const struct sampler *s, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (!s->options.note)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	s->options.note(s->options.note_context, text);
}

/* Sets @period or @frequency of a perf event. */
static int choose_rate(struct cpu_events *e, const struct sampler_event *asked, struct diag *diag)
{
	uint64_t hz = asked->frequency;

	if (asked->frequency && asked->period)
		return diag_set(diag, EINVAL, asked->name, "either a frequency or a period, not both");
	e->period = asked->period;
	if (!e->period && !hz) {
		if (e->spec.rate)
			hz = DEFAULT_HZ;
		else
			e->period = 1;
	}
	if (hz > NSEC)
		return diag_set(diag, EINVAL, asked->name, "more than 1 000 000 000 samples a second");
	if (hz && e->spec.clock) {
		e->period = NSEC / hz;
		hz = 0;
	}
	e->frequency = hz;
	return 0;
}

/*
 * Finds the file of a probe, if it is named as a library is, without a folder.
 */
static int find_file(struct sampler *s, const struct sampler_options *o, size_t i, struct diag *diag)
{
	struct event *ev = &s->events[i];
	int err;

	if ((ev->kind != EVENT_UPROBE && ev->kind != EVENT_USDT) || strchr(ev->file, '/'))
		return 0;
	err = library_find(ev, o, s->names[i], diag);
	if (!err && strchr(ev->file, '/'))
		sampler_note(s, "%s: in %s", s->names[i], ev->file);
	return err;
}

static int parse_events(struct sampler *s, const struct sampler_options *o, struct diag *diag)
{
	bool off_cpu = false;
	struct cpu_events *e;
	size_t i;
	int err;

	for (i = 0; i < o->nr_events; i++) {
		const struct sampler_event *asked = &o->events[i];

		err = event_parse(asked->name, EVENT_PMUS, &s->events[i], diag);
		if (err)
			return err;
		s->names[i] = strdup(asked->name);
		if (!s->names[i])
			return diag_errno(diag, ENOMEM, NULL);
		if (s->events[i].kind == EVENT_OFF_CPU && off_cpu)
			return diag_set(diag, EINVAL, asked->name, "given twice");
		off_cpu |= s->events[i].kind == EVENT_OFF_CPU;
		err = find_file(s, o, i, diag);
		if (err)
			return err;
		if (s->events[i].kind != EVENT_PERF) {
			if (asked->frequency || asked->period)
				return diag_set(diag, EINVAL, asked->name,
						"has neither a frequency nor a period");
			err = programs_refuse(&s->events[i], s->names[i], diag);
			if (err)
				return err;
			continue;
		}
		e = &s->cpu_events[i];
		e->spec = s->events[i];
		e->name = s->names[i];
		e->index = i;
		err = choose_rate(e, asked, diag);
		if (err)
			return err;
	}
	return 0;
}

static int check_options(const struct sampler_options *o, struct diag *diag)
{
	size_t i;

	if (!o->nr_events || o->nr_events > SAMPLER_MAX_EVENTS)
		return diag_set(diag, EINVAL, NULL, "%zu events: 1 to %u can be sampled at a time",
				o->nr_events, SAMPLER_MAX_EVENTS);
	if (o->comm && (!*o->comm || strcspn(o->comm, "*") >= SAMPLER_COMM))
		return diag_set(diag, EINVAL, o->comm, "a thread's name has 1 to %u bytes",
				SAMPLER_COMM - 1);
	if (o->comm && o->comm[strcspn(o->comm, "*")] && o->comm[strcspn(o->comm, "*") + 1])
		return diag_set(diag, EINVAL, o->comm, "an asterisk may only end a thread's name");
	for (i = 0; i < o->nr_pids; i++)
		if (kill(o->pids[i], 0) && errno == ESRCH)
			return diag_set(diag, ESRCH, NULL, "there is no process %u", o->pids[i]);
	for (i = 0; i < o->nr_tids; i++)
		if (kill(o->tids[i], 0) && errno == ESRCH)
			return diag_set(diag, ESRCH, NULL, "there is no thread %u", o->tids[i]);
	return 0;
}

/* Return: samples expected in a window; 0 if an event has no rate. */
static uint64_t expected_samples(const struct sampler *s)
{
	uint64_t samples = 0, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t ms = s->options.window_ms;
	size_t i;

	for (i = 0; i < s->options.nr_events; i++) {
		const struct cpu_events *e = &s->cpu_events[i];

		if (s->events[i].kind != EVENT_PERF || (!e->frequency && !e->spec.clock))
			return 0;
		samples += cpus * ms * (e->frequency ? e->frequency : NSEC / e->period + 1) / 1000;
	}
	return samples;
}

static bool has_off_cpu(const struct sampler *s)
{
	size_t i;

	for (i = 0; i < s->options.nr_events; i++)
		if (s->events[i].kind == EVENT_OFF_CPU)
			return true;
	return false;
}

static int load(struct sampler *s, struct diag *diag)
{
	struct programs_plan plan = { .options = &s->options, .events = s->events, .waits = 1,
				      .cpus = s->some_cpus ? &s->cpus : NULL };
	uint64_t memory = s->options.memory;
	uint32_t waits = MIN_WAITS;
	struct sampler_bpf *m;
	int err;

	if (has_off_cpu(s)) {
		memory /= 2;
		while (waits < MAX_WAITS && 2 * waits * WAIT_BYTES <= memory)
			waits *= 2;
		plan.waits = waits;
		if (kallsyms_range("__schedule", &s->sched, &s->sched_end))
			sampler_note(s, "/proc/kallsyms hides addresses (sysctl kernel.kptr_restrict=0): "
				     "kernel stacks of off-cpu begin with frames of tracing");
	}
	plan.sizes = window_sizes(expected_samples(s), memory);
	err = programs_load(&s->programs, &plan, diag);
	if (err)
		return err;
	if (s->programs.slow)
		sampler_note(s, "changes of mappings are followed by %s, because the kernel has neither "
			     "trampolines nor kprobes: every system call on this machine takes a little longer",
			     s->programs.mapping);
	m = s->programs.main;
	s->windows.outer_chunks = bpf_map__fd(m->maps.chunk_maps);
	s->windows.outer_counts = bpf_map__fd(m->maps.count_maps);
	s->windows.generation = (uint64_t *)&m->bss->generation;
	s->windows.fill = m->bss->fill;
	return windows_open(&s->windows, plan.sizes, diag);
}

static int wakeup(void *context, void *data, size_t size)
{
	return 0;
}

static int set_up(struct sampler *s, const struct sampler_options *o, struct diag *diag)
{
	int err = check_options(o, diag);

	if (!err && o->cpus)
		err = cpus_parse(o->cpus, &s->cpus, diag);
	if (err)
		return err;
	s->some_cpus = o->cpus != NULL;
	s->events = calloc(o->nr_events, sizeof(*s->events));
	if (!s->events)
		return diag_errno(diag, ENOMEM, NULL);
	err = parse_events(s, o, diag);
	if (!err)
		err = load(s, diag);
	if (err)
		return err;
	if (o->languages)
		err = lang_reader_new(bpf_map__fd(s->programs.tasks->maps.lang_procs),
				      bpf_map__fd(s->programs.main->maps.lang_wishes), &s->lang,
				      diag);
	if (err)
		return err;
	s->ring = ring_buffer__new(bpf_map__fd(s->programs.main->maps.wakeups), wakeup, NULL, NULL);
	if (!s->ring)
		return diag_set(diag, errno, NULL, "no buffer for wakeups: %s", strerror(errno));
	return 0;
}

int sampler_new(const struct sampler_options *options, struct sampler **ret, struct diag *diag)
{
	struct sampler *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return diag_errno(diag, ENOMEM, NULL);
	s->options = *options;
	s->windows = (struct windows)WINDOWS_INIT;
	if (!s->options.window_ms)
		s->options.window_ms = DEFAULT_WINDOW_MS;
	if (!s->options.memory)
		s->options.memory = DEFAULT_MEMORY;
	file_raise_limit();
	err = set_up(s, options, diag);
	if (err) {
		/*
		 * @diag may point to the name of an event, which sampler_free()
		 * releases
		 */
		diag_copy_name(diag);
		sampler_free(s);
		return err;
	}
	*ret = s;
	return 0;
}

void sampler_free(struct sampler *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < SAMPLER_MAX_EVENTS; i++)
		cpu_events_release(&s->cpu_events[i]);
	ring_buffer__free(s->ring);
	lang_reader_free(s->lang);
	programs_release(&s->programs);
	windows_release(&s->windows);
	for (i = 0; i < SAMPLER_MAX_EVENTS; i++)
		free(s->names[i]);
	free(s->events);
	free(s);
}

/* perf replaces it in the same way where there are no counters. */
static void replace_cycles(struct sampler *s, struct cpu_events *e)
{
	static const char name[] = "cpu-clock";
	uint64_t hz = e->frequency ? e->frequency : DEFAULT_HZ;

	sampler_note(s, "%s: this machine has no counter for it (or it is a virtual machine without "
		     "counters): sampling %s at %llu Hz", e->name, name, (unsigned long long)hz);
	cpu_events_release(e);
	e->spec.type = PERF_TYPE_SOFTWARE;
	e->spec.config[0] = PERF_COUNT_SW_CPU_CLOCK;
	e->spec.config[1] = e->spec.config[2] = 0;
	e->spec.clock = true;
	e->spec.cycles = false;
	e->name = name;
	e->period = NSEC / hz;
	e->frequency = 0;
}

static int open_event(struct sampler *s, struct cpu_events *e, const struct cpus *cpus, bool enable,
		      struct diag *diag)
{
	int opened = cpu_events_open(e, cpus, enable, diag);

	if ((opened == -ENOENT || opened == -EOPNOTSUPP || opened == -ENODEV) && e->spec.cycles) {
		replace_cycles(s, e);
		opened = cpu_events_open(e, cpus, enable, diag);
	}
	return opened;
}

int sampler_cpus(const struct sampler *s, struct cpus *ret, struct diag *diag)
{
	int err = cpus_online(ret, diag);
	size_t i;

	for (i = 0; !err && s->some_cpus && i < CPUS_MAX / 64; i++)
		ret->words[i] &= s->cpus.words[i];
	return err;
}

int sampler_open_cpus(struct sampler *s, bool enable, struct diag *diag)
{
	struct cpus cpus;
	int err = sampler_cpus(s, &cpus, diag), opened;
	size_t i;

	if (err)
		return err;
	if (!cpus_end(&cpus) && !enable)
		return diag_set(diag, ENODEV, NULL, "none of the CPUs asked for is online");
	for (i = 0; i < s->options.nr_events && !err; i++) {
		if (s->events[i].kind != EVENT_PERF)
			continue;
		s->cpu_events[i].program = bpf_program__fd(programs_of(&s->programs, EVENT_PERF));
		opened = open_event(s, &s->cpu_events[i], &cpus, enable, diag);
		if (opened < 0)
			err = opened;
		else if (opened && enable)
			sampler_note(s, "%s: %d CPUs came online", s->cpu_events[i].name, opened);
	}
	return err;
}

void sampler_look_for_module(struct sampler *s)
{
	if (programs_attach_module(&s->programs))
		sampler_note(s, "the module reports why stacks end; it cannot be unloaded meanwhile");
}

int sampler_start(struct sampler *s, struct diag *diag)
{
	int err;
	size_t i;

	if (s->state != SAMPLER_NEW)
		return diag_set(diag, EINVAL, NULL, "the sampler was started before");
	sampler_look_for_module(s);
	err = sampler_open_cpus(s, false, diag);
	if (err)
		return err;
	__atomic_store_n(&s->programs.main->bss->counting, true, __ATOMIC_SEQ_CST);
	for (i = 0; i < s->options.nr_events && !err; i++)
		if (s->events[i].kind != EVENT_PERF)
			err = programs_attach(&s->programs, &s->events[i], i, s->names[i], diag);
	if (err)
		return err;
	for (i = 0; i < s->options.nr_events; i++)
		cpu_events_enable(&s->cpu_events[i]);
	s->state = SAMPLER_RUNNING;
	return 0;
}

int sampler_fd(const struct sampler *s)
{
	return ring_buffer__epoll_fd(s->ring);
}

int sampler_wait(struct sampler *s, int timeout_ms, struct diag *diag)
{
	int nr = ring_buffer__poll(s->ring, timeout_ms);

	if (nr == -EINTR)
		return nr;
	if (nr < 0)
		return diag_set(diag, -nr, NULL, "waiting for programs: %s", strerror(-nr));
	return nr > 0;
}

int sampler_stop(struct sampler *s, struct diag *diag)
{
	size_t i;
	int err;

	if (s->state != SAMPLER_RUNNING)
		return diag_set(diag, EINVAL, NULL, "the sampler is not running");
	for (i = 0; i < s->options.nr_events; i++)
		cpu_events_disable(&s->cpu_events[i]);
	__atomic_store_n(&s->programs.main->bss->counting, false, __ATOMIC_SEQ_CST);
	err = windows_wait(&s->windows, diag);
	programs_detach(&s->programs);
	s->stopped = clock_ns(CLOCK_MONOTONIC);
	s->state = SAMPLER_STOPPED;
	return err;
}

bool sampler_has_module(const struct sampler *s)
{
	return s->programs.module != NULL;
}

void sampler_maps(const struct sampler *s, struct table_maker_maps *ret)
{
	programs_tables_maps(&s->programs, ret);
}
