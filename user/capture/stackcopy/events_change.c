// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes events that are open: their rate, and the CPUs that are online. In
 * both cases new events replace old ones. The ring of a CPU stays that of its
 * first event, which is kept open for it. reader.c calls this while it reads no
 * ring.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "capture/stackcopy/events.h"

#include "host/perf/event.h"

#include "util/poison.h"

#define NS_PER_SECOND 1000000000ull

/*
 * Closes retired events. Their samples have been drained. An event that a ring
 * belongs to stays.
 */
static void close_retired(struct events *e)
{
	size_t i, kept = 0;

	for (i = 0; i < e->nr_fds; i++) {
		const struct event_ring *r = events_ring_of(e, e->fds[i].cpu);

		if (e->fds[i].retired && r && r->fd != e->fds[i].fd)
			close(e->fds[i].fd);
		else
			e->fds[kept++] = e->fds[i];
	}
	e->nr_fds = kept;
}

int events_set_rate(struct events *e, uint32_t index, uint64_t hz, bool running,
		    struct diag *diag)
{
	struct event_spec *s = &e->specs[index];
	size_t i, nr;
	int got = 0;

	if (!e->machine)
		return diag_set(diag, EOPNOTSUPP, s->name,
				"the rate of processes and cgroups cannot be changed");
	if ((!s->event.clock && !s->frequency) || !hz || hz > NS_PER_SECOND)
		return diag_set(diag, EINVAL, s->name, "has no rate, or cannot have %llu Hz",
				(unsigned long long)hz);
	close_retired(e);
	if (s->event.clock)
		s->period = NS_PER_SECOND / hz;
	else
		s->frequency = hz;
	nr = e->nr_fds;
	for (i = 0; i < nr && got >= 0; i++) {
		if (e->fds[i].event != index || e->fds[i].retired)
			continue;
		got = events_open_one(e, index, -1, e->fds[i].cpu, diag);
		if (got <= 0)
			continue;
		/*
		 * in this order no thread's name is missed; that both sample
		 * once is unlikely
		 */
		if (running)
			ioctl(e->fds[e->nr_fds - 1].fd, PERF_EVENT_IOC_ENABLE, 0);
		ioctl(e->fds[i].fd, PERF_EVENT_IOC_DISABLE, 0);
		e->fds[i].retired = true;
	}
	events_sort(e);
	return got < 0 ? got : 0;
}

static bool is_sampled(const struct events *e, unsigned int cpu, uint32_t index)
{
	size_t i;

	for (i = 0; i < e->nr_fds; i++)
		if (e->fds[i].cpu == cpu && e->fds[i].event == index && !e->fds[i].retired)
			return true;
	return false;
}

/*
 * Opens the events that a CPU lacks. Return: 1 if it opened any, 0, or a
 * negative errno.
 */
static int open_cpu(struct events *e, unsigned int cpu, struct diag *diag)
{
	int got = 0, some = 0;
	uint32_t i;

	for (i = 0; i < e->nr_specs && got >= 0; i++) {
		if (!events_is_of_cpus(e, &e->specs[i]) || is_sampled(e, cpu, i))
			continue;
		got = events_open_one(e, i, -1, cpu, diag);
		if (got <= 0)
			continue;
		ioctl(e->fds[e->nr_fds - 1].fd, PERF_EVENT_IOC_ENABLE, 0);
		some = 1;
	}
	return got < 0 ? got : some;
}

int events_look_for_cpus(struct events *e, struct diag *diag)
{
	int got = 0, opened = 0, err;
	unsigned int cpu, end;
	struct cpus cpus;
	size_t i;

	if (!e->machine && !e->filter)
		return 0;
	err = events_cpus_now(e, &cpus, diag);
	if (err)
		return err;
	close_retired(e);
	for (i = 0; i < e->nr_fds; i++)
		if (!e->fds[i].retired && events_is_of_cpus(e, &e->specs[e->fds[i].event]) &&
		    perf_stands_still(e->fds[i].fd, &e->fds[i].enabled))
			e->fds[i].retired = true;
	end = cpus_end(&cpus);
	for (cpu = 0; cpu < end && got >= 0; cpu++) {
		got = cpus_has(&cpus, cpu) ? open_cpu(e, cpu, diag) : 0;
		opened += got > 0;
	}
	events_sort(e);
	return got < 0 ? got : opened;
}
