// SPDX-License-Identifier: GPL-2.0-only
/* Opens perf events for mappings and their rings, see watch_rings.h. */
#include "host/process/watch_rings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "host/perf/event.h"
#include "util/sysctl.h"

#include "util/poison.h"

#define RING_PAGES 64u		/* 256 KiB: some 2,000 mmap events */

/* Explains a refusal. Processes of other users need a capability; no setting is enough. */
static int refuse(int err, int pid, struct diag *diag)
{
	const char *own = pid >= 0 ? "one's own processes" : "all of the machine";
	int64_t paranoid, most = pid >= 0 ? 2 : 0;

	if (sysctl_kernel("perf_event_paranoid", &paranoid) && paranoid <= most)
		return diag_set(diag, err, "perf_event_open",
				"not permitted: run as root, or give the program CAP_PERFMON and "
				"CAP_SYS_PTRACE: it is another user's process");
	return diag_set(diag, err, "perf_event_open",
			"not permitted: run as root, or give the program CAP_PERFMON; for %s: sysctl "
			"kernel.perf_event_paranoid=%d", own, (int)most);
}

/*
 * Whether an event may ask for build ids without harm to other programs. Older kernels
 * mark the record of a mapping as one with a build id also for programs that did not ask
 * for it and get none: perf_event_mmap_output() changes a header that they share. perf
 * 6.1 then stops with an assertion. Kernels up to 6.18 have this fault; it is fixed in
 * 7.3.
 */
static bool others_have_no_build_ids(void)
{
	unsigned int major, minor;
	struct utsname name;

	return !uname(&name) && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 7 || (major == 7 && minor >= 3));
}

static int open_event(int pid, unsigned int cpu, struct diag *diag)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.sample_id_all = 1,
		.mmap = 1, .mmap2 = 1, .build_id = others_have_no_build_ids(),
		.comm = 1, .comm_exec = 1, .task = 1,
		.inherit = pid >= 0,
		.exclude_kernel = 1, .exclude_hv = 1,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.watermark = 1, .wakeup_watermark = RING_PAGES * 1024,
	};
	int fd = perf_open(&attr, pid, (int)cpu);

	if (fd == -EACCES || fd == -EPERM)
		return refuse(-fd, pid, diag);
	if (fd == -ESRCH)
		return diag_set(diag, -fd, "perf_event_open", "there is no thread %d", pid);
	return fd < 0 ? diag_errno(diag, -fd, "perf_event_open") : fd;
}

static int find_ring(const struct watch_rings *w, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < w->nr; i++)
		if (w->ring_cpus[i] == cpu)
			return w->fds[i];
	return -1;
}

/* Maps the ring of the first event on a CPU. */
static int add_ring(struct watch_rings *w, int fd, unsigned int cpu, struct diag *diag)
{
	/* edge-triggered: the end of a thread is reported once, not all the time */
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.fd = fd };
	int err = perf_ring_map(&w->rings[w->nr], fd, RING_PAGES);

	if (err == -EPERM)
		return diag_set(diag, -err, "perf ring",
				"too much memory locked: ulimit -l, or sysctl kernel.perf_event_mlock_kb");
	if (err)
		return diag_errno(diag, -err, "perf ring");
	if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &event)) {
		err = diag_errno(diag, errno, "perf ring");
		perf_ring_unmap(&w->rings[w->nr]);
		return err;
	}
	w->fds[w->nr_fds++] = w->fds[w->nr];
	w->fds[w->nr] = fd;
	w->ring_cpus[w->nr] = cpu;
	w->enabled[w->nr++] = 0;
	return 0;
}

static int add_event(struct watch_rings *w, int pid, unsigned int cpu, struct diag *diag)
{
	int fd = open_event(pid, cpu, diag), ring = find_ring(w, cpu), err;

	if (fd == -ENODEV)	/* the CPU is offline */
		return 0;
	if (fd < 0)
		return fd;
	if (ring < 0) {
		err = add_ring(w, fd, cpu, diag);
	} else {
		err = ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) ?
			diag_errno(diag, errno, "perf ring") : 0;
		if (!err)
			w->fds[w->nr_fds++] = fd;
	}
	if (err)
		close(fd);
	return err;
}

/* Allocates room for all possible CPUs; rings that are not mapped take no memory. */
static int make_room(struct watch_rings *w, unsigned int nr_tids, struct diag *diag)
{
	int err = cpus_possible(&w->possible, diag);
	size_t nr = cpus_end(&w->possible);

	if (err)
		return err;
	w->rings = calloc(nr, sizeof(*w->rings));
	w->ring_cpus = calloc(nr, sizeof(*w->ring_cpus));
	w->enabled = calloc(nr, sizeof(*w->enabled));
	w->fds = calloc(nr_tids * nr, sizeof(*w->fds));
	return w->rings && w->ring_cpus && w->enabled && w->fds ? 0 : -ENOMEM;
}

/* Adds an event on each online CPU; for the whole machine only where there is none yet. */
static int add_events(struct watch_rings *w, int pid, struct diag *diag)
{
	unsigned int cpu, end = cpus_end(&w->possible);
	int err = 0;

	for (cpu = 0; cpu < end && !err; cpu++)
		if (cpus_has(&w->possible, cpu) && (pid >= 0 || find_ring(w, cpu) < 0))
			err = add_event(w, pid, cpu, diag);
	return err;
}

static int open_epoll(struct watch_rings *w, struct diag *diag)
{
	struct epoll_event event = { .events = EPOLLIN };

	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	w->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	event.data.fd = w->stop;
	if (w->epoll < 0 || w->stop < 0 || epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->stop, &event))
		return diag_errno(diag, errno, "epoll");
	return 0;
}

int watch_rings_open(struct watch_rings *w, const uint32_t *tids, unsigned int nr_tids,
		     struct diag *diag)
{
	unsigned int nr = tids ? nr_tids : 1, i;
	int err = open_epoll(w, diag);

	w->machine = !tids;
	if (!err)
		err = make_room(w, nr, diag);
	for (i = 0; i < nr && !err; i++) {
		err = add_events(w, tids ? (int)tids[i] : -1, diag);
		/* one of many threads may have ended by now */
		if (err == -ESRCH && (w->nr_fds || i + 1 < nr))
			err = 0;
	}
	return err;
}

void watch_rings_release(struct watch_rings *w)
{
	unsigned int i;

	for (i = 0; i < w->nr; i++)
		perf_ring_unmap(&w->rings[i]);
	for (i = 0; i < w->nr_fds; i++)
		close(w->fds[i]);
	if (w->epoll >= 0)
		close(w->epoll);
	if (w->stop >= 0)
		close(w->stop);
	free(w->rings);
	free(w->ring_cpus);
	free(w->enabled);
	free(w->fds);
}

bool watch_rings_wait(const struct watch_rings *w)
{
	struct epoll_event events[16];
	int nr, i;

	do {
		nr = epoll_wait(w->epoll, events, 16, -1);
	} while (nr < 0 && errno == EINTR);
	for (i = 0; i < nr; i++)
		if (events[i].data.fd == w->stop)
			return false;
	return nr >= 0;
}

void watch_rings_stop(struct watch_rings *w)
{
	eventfd_write(w->stop, 1);
}

int watch_rings_read(struct watch_rings *w, watch_ring_fn *read, void *arg)
{
	unsigned int i;
	int err = 0, e;

	for (i = 0; i < w->nr; i++) {
		e = read(&w->rings[i], arg);
		err = err ? err : e;
	}
	return err;
}

/* Closes a ring and moves the last one into its place. */
static void close_ring(struct watch_rings *w, unsigned int i)
{
	unsigned int last = --w->nr;

	perf_ring_unmap(&w->rings[i]);
	epoll_ctl(w->epoll, EPOLL_CTL_DEL, w->fds[i], NULL);
	close(w->fds[i]);
	if (i != last) {
		w->rings[i] = w->rings[last];
		w->ring_cpus[i] = w->ring_cpus[last];
		w->enabled[i] = w->enabled[last];
		w->fds[i] = w->fds[last];
	}
	memset(&w->rings[last], 0, sizeof(w->rings[last]));
	w->nr_fds = w->nr;
}

int watch_rings_look_for_cpus(struct watch_rings *w, watch_ring_fn *read, void *arg,
			      struct diag *diag)
{
	unsigned int i, before;
	int err = 0;

	if (!w->machine)
		return 0;
	for (i = w->nr; i-- && !err;) {
		if (!perf_stands_still(w->fds[i], &w->enabled[i]))
			continue;
		err = read(&w->rings[i], arg);
		close_ring(w, i);
	}
	before = w->nr;
	if (!err)
		err = add_events(w, -1, diag);
	return err ? err : (int)(w->nr - before);
}
