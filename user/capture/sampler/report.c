// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports what became of samples: sampler_counters() and sampler_event_info()
 * of sampler.h. sampler_settle() is for rate.c.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sampler.skel.h"
#include "capture/sampler/internal.h"
#include "util/cleanup.h"

#include "util/poison.h"

/* Counters of this file; they follow those of the programs. */
enum own_counter {
	OWN_PENDING,
	OWN_MISSED,
	OWN_RECURSION,
	OWN_NR,
};

static const struct sampler_counter counters[] = {
#define FATE_COUNTER(name, text, fate, sentence) { text, sentence, SAMPLER_##fate, 0 },
	WIRE_FATES(FATE_COUNTER)
#undef FATE_COUNTER
	{ "pending", "waits that had not ended when it was stopped", SAMPLER_COUNTED, 0 },
	{ "missed", "the kernel took no sample when one was due: it was throttled or late, or a "
	  "BPF program was already running", SAMPLER_LOST, 0 },
	{ "recursion", "the program was already running on the CPU", SAMPLER_LOST, 0 },
};

_Static_assert(sizeof(counters) / sizeof(counters[0]) == WIRE_NR_FATES + OWN_NR, "counters");

size_t sampler_nr_counters(void)
{
	return sizeof(counters) / sizeof(counters[0]);
}

/* Tallies of all CPUs: [level][CPU]. Freed by the caller. */
static struct wire_tally *read_tallies(struct sampler *s, unsigned int cpus)
{
	struct wire_tally *t = calloc((size_t)WIRE_LEVELS * cpus, sizeof(*t));
	int fd = bpf_map__fd(s->programs.main->maps.tallies);
	uint32_t level;

	for (level = 0; t && level < WIRE_LEVELS; level++) {
		if (bpf_map_lookup_elem(fd, &level, t + (size_t)level * cpus)) {
			free(t);
			return NULL;
		}
	}
	return t;
}

static uint64_t weight(const struct wire_tally *t, unsigned int cpus, unsigned int cpu,
		       unsigned int event)
{
	uint64_t sum = 0;
	unsigned int level;

	for (level = 0; cpu < cpus && level < WIRE_LEVELS; level++)
		sum += t[(size_t)level * cpus + cpu].weight[event];
	return sum;
}

/*
 * Return: what was counted on a CPU at the present rate and gave no sample. The
 * tallies are read after cpu_events_look(): if the thread is delayed between
 * the two, the result is too small, but samples taken in between are never
 * reported as missed.
 */
static uint64_t unsampled(const struct cpu_events *e, const struct wire_tally *t, unsigned int cpus,
			  unsigned int cpu)
{
	uint64_t known = weight(t, cpus, cpu, e->index) + e->cpu[cpu].settled;
	uint64_t events = e->cpu[cpu].count;

	return events > known ? events - known : 0;
}

/*
 * Return: whole periods without a sample. While it samples, the sample of the
 * last period may be on its way, so that period is missed only once the next is
 * due. The result never shrinks, because callers add up the differences between
 * two looks.
 */
static uint64_t missed_on(struct cpu_events *e, const struct wire_tally *t, unsigned int cpus,
			  unsigned int cpu, bool running)
{
	struct cpu_event *c = &e->cpu[cpu];
	uint64_t periods = unsampled(e, t, cpus, cpu) / e->period;

	if (running && c->fd >= 0 && periods)
		periods--;
	if (periods > c->missed)
		c->missed = periods;
	return c->missed;
}

static uint64_t missed(struct sampler *s, const struct wire_tally *t, unsigned int cpus)
{
	uint64_t sum = 0;
	unsigned int cpu;
	size_t i;

	for (i = 0; i < s->options.nr_events; i++) {
		struct cpu_events *e = &s->cpu_events[i];

		sum += e->missed;
		for (cpu = 0; e->period && cpu < e->nr; cpu++)
			sum += missed_on(e, t, cpus, cpu, s->state == SAMPLER_RUNNING);
	}
	return sum;
}

int sampler_settle(struct sampler *s, struct cpu_events *e)
{
	_cleanup_(cleanup_free) struct wire_tally *t = NULL;
	int cpus = libbpf_num_possible_cpus();
	unsigned int cpu;

	if (cpus < 0)
		return cpus;
	cpu_events_look(e);
	t = read_tallies(s, (unsigned int)cpus);
	if (!t)
		return -errno;
	for (cpu = 0; e->period && cpu < e->nr; cpu++) {
		e->missed += missed_on(e, t, (unsigned int)cpus, cpu, false);
		e->cpu[cpu].missed = 0;
		e->cpu[cpu].settled += unsampled(e, t, (unsigned int)cpus, cpu);
	}
	return 0;
}

/*
 * The kernel counts this since 5.12 for raw tracepoints, since 6.7 for
 * tracepoints and kprobes.
 */
static uint64_t recursion(const struct sampler *s)
{
	struct bpf_program *prog;
	uint64_t sum = 0;

	bpf_object__for_each_program(prog, s->programs.main->obj) {
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);

		if (prog != s->programs.main->progs.note_stop && bpf_program__fd(prog) >= 0 &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
			sum += info.recursion_misses;
	}
	return sum;
}

int sampler_counters(struct sampler *s, struct sampler_counter *ret)
{
	_cleanup_(cleanup_free) struct wire_tally *t = NULL;
	int cpus = libbpf_num_possible_cpus();
	size_t i, j;

	if (cpus < 0)
		return cpus;
	for (i = 0; i < s->options.nr_events; i++)
		cpu_events_look(&s->cpu_events[i]);
	t = read_tallies(s, cpus);
	if (!t)
		return -errno;
	memcpy(ret, counters, sizeof(counters));
	for (i = 0; i < (size_t)cpus * WIRE_LEVELS; i++)
		for (j = 0; j < WIRE_NR_FATES; j++)
			ret[j].value += t[i].fate[j];
	ret[WIRE_NR_FATES + OWN_PENDING].value = s->pending;
	ret[WIRE_NR_FATES + OWN_MISSED].value = missed(s, t, cpus);
	ret[WIRE_NR_FATES + OWN_RECURSION].value = recursion(s);
	return 0;
}

int sampler_event_info(struct sampler *s, size_t event, struct sampler_event_info *ret)
{
	_cleanup_(cleanup_free) struct wire_tally *t = NULL;
	int cpus = libbpf_num_possible_cpus(), cpu;
	const struct cpu_events *e;

	if (event >= s->options.nr_events)
		return -EINVAL;
	*ret = (struct sampler_event_info){ .name = s->names[event], .unit = "events", .period = 1 };
	if (s->events[event].kind == EVENT_OFF_CPU)
		ret->unit = "nanoseconds";
	if (s->events[event].kind != EVENT_PERF)
		return 0;
	e = &s->cpu_events[event];
	ret->name = e->name;
	ret->unit = e->spec.clock ? "nanoseconds" : "events";
	ret->period = e->period;
	ret->frequency = e->frequency;
	if (cpus < 0)
		return cpus;
	t = read_tallies(s, cpus);
	if (!t)
		return -errno;
	for (cpu = 0; cpu < cpus; cpu++) {
		ret->events += cpu_events_count(e, cpu);
		ret->weighed += weight(t, cpus, cpu, event);
	}
	return 0;
}
