// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf events, one for each CPU: opened, closed, and read to learn how much the
 * kernel counted. Called by sampler.c, drain.c, rate.c and report.c. See
 * cpu_events.h.
 */
#include "capture/sampler/cpu_events.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/perf/event.h"
#include "capture/sampler/refusal.h"

#include "util/poison.h"

struct reading {
	uint64_t count;
	uint64_t enabled;
	uint64_t running;
};

static int open_perf(const struct cpu_events *e, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = e->spec.type,
		.config = e->spec.config[0],
		.config1 = e->spec.config[1],
		.config2 = e->spec.config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.exclude_user = e->spec.exclude_user,
		.exclude_kernel = e->spec.exclude_kernel,
		.exclude_hv = e->spec.exclude_kernel,
	};

	if (e->period) {
		attr.sample_period = e->period;
	} else {
		attr.freq = 1;
		attr.sample_freq = e->frequency;
	}
	return perf_open(&attr, -1, (int)cpu);
}

static int open_one(struct cpu_events *e, unsigned int cpu)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = e->index);
	struct cpu_event *c = &e->cpu[cpu];
	int fd = open_perf(e, cpu), link;

	if (fd < 0)
		return fd;
	link = bpf_link_create(e->program, fd, BPF_PERF_EVENT, &opts);
	if (link < 0) {
		close(fd);
		return link;
	}
	c->fd = fd;
	c->link = link;
	c->enabled = 0;
	return 0;
}

static struct reading take_reading(const struct cpu_event *c)
{
	struct reading r = { 0 };

	if (c->fd < 0 || read(c->fd, &r, sizeof(r)) != sizeof(r))
		return (struct reading){ 0 };
	return r;
}

static uint64_t counted(const struct cpu_events *e, const struct reading *r)
{
	/*
	 * a clock also counts while it runs in what is excluded, where it takes
	 * no sample
	 */
	if (e->spec.clock && (e->spec.exclude_user || e->spec.exclude_kernel))
		return 0;
	/*
	 * a throttled clock stops counting, but the time that it is enabled
	 * goes on
	 */
	return e->spec.clock ? r->enabled : r->count;
}

static void close_one(struct cpu_events *e, struct cpu_event *c)
{
	struct reading r;

	if (c->fd < 0)
		return;
	ioctl(c->fd, PERF_EVENT_IOC_DISABLE, 0);
	r = take_reading(c);
	c->before += counted(e, &r);
	close(c->link);
	close(c->fd);
	c->fd = c->link = -1;
}

static int grow(struct cpu_events *e, unsigned int nr)
{
	struct cpu_event *cpu;

	if (nr <= e->nr)
		return 0;
	cpu = reallocarray(e->cpu, nr, sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	e->cpu = cpu;
	while (e->nr < nr)
		e->cpu[e->nr++] = (struct cpu_event){ .fd = -1, .link = -1 };
	return 0;
}

int cpu_events_open(struct cpu_events *e, const struct cpus *cpus, bool enable,
		    struct diag *diag)
{
	unsigned int cpu, end = cpus_end(cpus);
	int err = grow(e, end), opened = 0;

	for (cpu = 0; cpu < end && !err; cpu++) {
		if (!cpus_has(cpus, cpu) || e->cpu[cpu].fd >= 0)
			continue;
		err = open_one(e, cpu);
		/* the CPU may have gone offline after the list was read */
		if (err == -ENODEV || err == -ENXIO) {
			struct cpus now;

			if (!cpus_online(&now, NULL) && !cpus_has(&now, cpu))
				err = 0;
			continue;
		}
		if (!err && enable)
			ioctl(e->cpu[cpu].fd, PERF_EVENT_IOC_ENABLE, 0);
		opened += !err;
	}
	return err ? refusal_event(-err, e->name, e->frequency, diag) : opened;
}

void cpu_events_close(struct cpu_events *e)
{
	unsigned int i;

	for (i = 0; i < e->nr; i++)
		close_one(e, &e->cpu[i]);
}

void cpu_events_release(struct cpu_events *e)
{
	cpu_events_close(e);
	free(e->cpu);
	e->cpu = NULL;
	e->nr = 0;
}

void cpu_events_enable(struct cpu_events *e)
{
	unsigned int i;

	for (i = 0; i < e->nr; i++)
		if (e->cpu[i].fd >= 0)
			ioctl(e->cpu[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

void cpu_events_disable(struct cpu_events *e)
{
	unsigned int i;

	for (i = 0; i < e->nr; i++)
		if (e->cpu[i].fd >= 0)
			ioctl(e->cpu[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void cpu_events_close_stale(struct cpu_events *e)
{
	unsigned int i;

	for (i = 0; i < e->nr; i++)
		if (e->cpu[i].fd >= 0 &&
		    perf_stands_still(e->cpu[i].fd, &e->cpu[i].enabled))
			close_one(e, &e->cpu[i]);
}

uint64_t cpu_events_count(const struct cpu_events *e, unsigned int cpu)
{
	struct reading r;

	if (cpu >= e->nr)
		return 0;
	r = take_reading(&e->cpu[cpu]);
	return e->cpu[cpu].before + counted(e, &r);
}

void cpu_events_look(struct cpu_events *e)
{
	unsigned int cpu;

	for (cpu = 0; cpu < e->nr; cpu++)
		e->cpu[cpu].count = cpu_events_count(e, cpu);
}
