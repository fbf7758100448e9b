// SPDX-License-Identifier: GPL-2.0
/*
 * Every CPU has a ring of its own, in which events ascend. What is read of all of them is
 * sorted by time, and taken in as far as nothing older can come.
 */
#include "process/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "perf/cpus.h"
#include "perf/ring.h"
#include "process/scan.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/poison.h"

#define RING_PAGES 64u		/* 256 KiB: some 2,000 mmap events between two reads */

/**
 * struct event - a record that waits for its turn
 * @time: of the event
 * @order: in which it was read: events of one moment on one CPU stay in order
 * @record: a copy
 */
struct event {
	uint64_t time;
	uint64_t order;
	struct perf_event_header *record;
};

/**
 * struct watch - the rings, and what waits in between
 * @machine: all of it, not threads
 * @possible: CPUs that may come
 * @rings: one for each CPU, whatever the number of threads: memory that may be locked is
 *         short
 * @ring_cpus: their CPUs
 * @enabled: how long their events had been on when that was last looked at
 * @fds: of events; the first @nr are those that the rings are of
 * @nr: rings
 * @nr_fds: of @fds
 */
struct watch {
	struct processes *all;
	bool machine;
	struct cpus possible;
	struct perf_ring *rings;
	unsigned int *ring_cpus;
	uint64_t *enabled;
	int *fds;
	unsigned int nr;
	unsigned int nr_fds;
	struct event *events;
	size_t nr_events;
	size_t room;
	struct watch_counts counts;
};

/* The layouts of perf_event_open(2), each with sample_id's time at its end. */
struct record_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	union {
		struct {
			uint32_t major, minor;
			uint64_t ino, ino_generation;
		} inode;
		struct {
			uint8_t len;
			uint8_t reserved[3];
			uint8_t bytes[PROCESS_MAX_BUILD_ID];
		} build_id;
	};
	uint32_t prot, flags;
	char filename[];
};

struct record_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[];
};

struct record_task {	/* PERF_RECORD_FORK, PERF_RECORD_EXIT */
	struct perf_event_header header;
	uint32_t pid, ppid;
	uint32_t tid, ptid;
	uint64_t time;
};

struct record_lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
};

uint64_t watch_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static int open_event(int pid, unsigned int cpu, struct diag *diag)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.sample_id_all = 1,
		.mmap = 1, .mmap2 = 1, .build_id = 1,
		.comm = 1, .comm_exec = 1, .task = 1,
		.inherit = pid >= 0,
		.exclude_kernel = 1, .exclude_hv = 1,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.watermark = 1, .wakeup_watermark = RING_PAGES * 1024,
	};
	int fd = perf_open(&attr, pid, (int)cpu);

	if (fd == -EACCES || fd == -EPERM)
		return diag_set(diag, -fd, "perf_event_open",
				"not permitted: run as root, give the program CAP_PERFMON, "
				"or: sysctl kernel.perf_event_paranoid=%d",
				pid >= 0 ? 2 : 0);
	if (fd == -ESRCH)
		return diag_set(diag, -fd, "perf_event_open", "there is no thread %d", pid);
	return fd < 0 ? diag_errno(diag, -fd, "perf_event_open") : fd;
}

static int find_ring(const struct watch *w, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < w->nr; i++)
		if (w->ring_cpus[i] == cpu)
			return w->fds[i];
	return -1;
}

static int add_event(struct watch *w, int pid, unsigned int cpu, struct diag *diag)
{
	int fd = open_event(pid, cpu, diag), ring = find_ring(w, cpu), err;

	if (fd == -ENODEV)	/* the CPU is offline */
		return 0;
	if (fd < 0)
		return fd;
	w->fds[w->nr_fds++] = fd;
	if (ring >= 0)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) ?
			       diag_errno(diag, errno, "perf ring") : 0;
	w->fds[w->nr_fds - 1] = w->fds[w->nr];
	w->fds[w->nr] = fd;
	w->ring_cpus[w->nr] = cpu;
	w->enabled[w->nr] = 0;
	err = perf_ring_map(&w->rings[w->nr], fd, RING_PAGES);
	if (!err) {
		w->nr++;
		return 0;
	}
	w->fds[w->nr] = w->fds[--w->nr_fds];
	close(fd);
	if (err == -EPERM)
		return diag_set(diag, -err, "perf ring",
				"too much memory locked: ulimit -l, or sysctl kernel.perf_event_mlock_kb");
	return diag_errno(diag, -err, "perf ring");
}

/* Room for a ring of each CPU that may ever be; one that is not mapped takes no memory. */
static int make_room(struct watch *w, unsigned int nr_tids, struct diag *diag)
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

/* On each CPU that is online. */
static int add_events(struct watch *w, int pid, struct diag *diag)
{
	unsigned int cpu, end = cpus_end(&w->possible);
	int err = 0;

	for (cpu = 0; cpu < end && !err; cpu++)
		if (cpus_has(&w->possible, cpu))
			err = add_event(w, pid, cpu, diag);
	return err;
}

static int open_all(struct watch *w, const struct watch_options *options, struct diag *diag)
{
	unsigned int nr_tids = options->tids ? options->nr_tids : 1, i;
	int err = make_room(w, nr_tids, diag);

	w->machine = !options->tids;
	for (i = 0; i < nr_tids && !err; i++) {
		err = add_events(w, options->tids ? (int)options->tids[i] : -1, diag);
		/* one of many threads may be gone by now */
		if (err == -ESRCH && (w->nr_fds || i + 1 < nr_tids))
			err = 0;
	}
	return err;
}

int watch_new(struct processes *all, const struct watch_options *options,
	      struct watch **ret, struct diag *diag)
{
	struct watch *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->all = all;
	err = open_all(w, options, diag);
	if (err) {
		watch_free(w);
		return err;
	}
	*ret = w;
	return 0;
}

void watch_free(struct watch *w)
{
	unsigned int i;
	size_t e;

	if (!w)
		return;
	for (i = 0; i < w->nr; i++)
		perf_ring_unmap(&w->rings[i]);
	for (i = 0; i < w->nr_fds; i++)
		close(w->fds[i]);
	for (e = 0; e < w->nr_events; e++)
		free(w->events[e].record);
	free(w->events);
	free(w->rings);
	free(w->ring_cpus);
	free(w->enabled);
	free(w->fds);
	free(w);
}

/* A record of @type with a body of @least bytes, and sample_id behind it? */
static bool has(const struct perf_event_header *h, uint32_t type, size_t least)
{
	return h->type == type && h->size >= least + sizeof(uint64_t);
}

static uint64_t time_of(const struct perf_event_header *h)
{
	uint64_t time;

	memcpy(&time, (const uint8_t *)h + h->size - sizeof(time), sizeof(time));
	return time;
}

static int keep(struct watch *w, const struct perf_event_header *h)
{
	struct event *e;

	if (!array_has_room(w->events, w->nr_events, w->room))
		return -ENOMEM;
	e = &w->events[w->nr_events];
	*e = (struct event){ .time = time_of(h), .order = w->counts.events++ };
	e->record = malloc(h->size);
	if (!e->record)
		return -ENOMEM;
	memcpy(e->record, h, h->size);
	w->nr_events++;
	return 0;
}

static int read_ring(struct watch *w, struct perf_ring *r)
{
	const struct perf_event_header *h;
	int err = 0;

	perf_ring_begin(r);
	while ((h = perf_ring_next(r))) {
		if (has(h, PERF_RECORD_LOST, sizeof(struct record_lost)))
			w->counts.lost += ((const struct record_lost *)h)->lost;
		else if (!err && h->size >= sizeof(*h) + sizeof(uint64_t))
			err = keep(w, h);
	}
	return err;
}

static int take_mmap(struct watch *w, const struct record_mmap2 *m, uint64_t time)
{
	size_t room = m->header.size - offsetof(struct record_mmap2, filename) -
		      sizeof(uint64_t);
	struct process_file_id id = { .path = m->filename };

	if (!memchr(m->filename, '\0', room))
		return 0;
	if (m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    m->build_id.len <= PROCESS_MAX_BUILD_ID) {
		id.build_id_len = m->build_id.len;
		memcpy(id.build_id, m->build_id.bytes, id.build_id_len);
	} else {
		id.dev = makedev(m->inode.major, m->inode.minor);
		id.ino = m->inode.ino;
	}
	return processes_map(w->all, m->pid, time, m->addr, m->len, m->pgoff, &id);
}

static int take_comm(struct watch *w, const struct record_comm *c, uint64_t time)
{
	if (!memchr(c->comm, '\0', c->header.size - offsetof(struct record_comm, comm)))
		return 0;
	if (c->header.misc & PERF_RECORD_MISC_COMM_EXEC)
		return processes_exec(w->all, c->pid, time, c->comm);
	return c->pid == c->tid ? processes_name(w->all, c->pid, c->comm) : 0;
}

static int take_task(struct watch *w, const struct record_task *t)
{
	/* threads are their process's */
	if (t->header.type == PERF_RECORD_EXIT) {
		if (t->pid == t->tid)
			processes_exit(w->all, t->pid, t->time);
		return 0;
	}
	return t->pid == t->ppid ? 0 : processes_fork(w->all, t->ppid, t->pid, t->time);
}

static int take(struct watch *w, const struct event *e)
{
	const struct perf_event_header *h = e->record;

	if (has(h, PERF_RECORD_MMAP2, sizeof(struct record_mmap2)))
		return take_mmap(w, (const struct record_mmap2 *)h, e->time);
	if (has(h, PERF_RECORD_COMM, sizeof(struct record_comm)))
		return take_comm(w, (const struct record_comm *)h, e->time);
	if (has(h, PERF_RECORD_FORK, sizeof(struct record_task)) ||
	    has(h, PERF_RECORD_EXIT, sizeof(struct record_task)))
		return take_task(w, (const struct record_task *)h);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int take_until(struct watch *w, uint64_t until)
{
	size_t nr = 0;
	int err = 0;

	if (!w->nr_events)
		return 0;
	qsort(w->events, w->nr_events, sizeof(*w->events), by_time);
	while (nr < w->nr_events && w->events[nr].time <= until) {
		if (!err)
			err = take(w, &w->events[nr]);
		free(w->events[nr++].record);
	}
	w->nr_events -= nr;
	memmove(w->events, w->events + nr, w->nr_events * sizeof(*w->events));
	return err;
}

static int read_until(struct watch *w, uint64_t until)
{
	unsigned int i;
	int err = 0, e;

	for (i = 0; i < w->nr; i++) {
		e = read_ring(w, &w->rings[i]);
		err = err ? err : e;
	}
	e = take_until(w, until);
	return err ? err : e;
}

int watch_read(struct watch *w)
{
	return read_until(w, watch_now() - WATCH_SETTLE_NS);
}

int watch_read_rest(struct watch *w)
{
	return read_until(w, UINT64_MAX);
}

int watch_scan(struct watch *w)
{
	return scan_processes(w->all, watch_now());
}

void watch_counts(const struct watch *w, struct watch_counts *ret)
{
	*ret = w->counts;
}

/* The event of a CPU that went stays off when that comes back: it is on for no longer. */
static bool is_stale(struct watch *w, unsigned int i)
{
	struct { uint64_t count, enabled; } now;
	bool stale;

	if (read(w->fds[i], &now, sizeof(now)) != sizeof(now))
		return false;
	stale = now.enabled == w->enabled[i];
	w->enabled[i] = now.enabled;
	return stale;
}

/* Takes the last one into its place. */
static int close_ring(struct watch *w, unsigned int i)
{
	int err = read_ring(w, &w->rings[i]);
	unsigned int last = --w->nr;

	perf_ring_unmap(&w->rings[i]);
	close(w->fds[i]);
	if (i != last) {
		w->rings[i] = w->rings[last];
		w->ring_cpus[i] = w->ring_cpus[last];
		w->enabled[i] = w->enabled[last];
		w->fds[i] = w->fds[last];
	}
	memset(&w->rings[last], 0, sizeof(w->rings[last]));
	w->nr_fds = w->nr;
	return err;
}

int watch_look_for_cpus(struct watch *w, struct diag *diag)
{
	unsigned int cpu, i, before, end = cpus_end(&w->possible);
	int err = 0;

	if (!w->machine)
		return 0;
	for (i = w->nr; i-- && !err;)
		if (is_stale(w, i))
			err = close_ring(w, i);
	before = w->nr;
	for (cpu = 0; cpu < end && !err; cpu++)
		if (cpus_has(&w->possible, cpu) && find_ring(w, cpu) < 0)
			err = add_event(w, -1, cpu, diag);
	return err ? err : (int)(w->nr - before);
}
