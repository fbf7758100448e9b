// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows what processes map, from perf events. Each CPU has its own ring, in which
 * events ascend in time. Events of all rings are sorted by time, and used up to a time
 * before which no more can come.
 *
 * A ring has room for the events of some hundred processes. So that none are lost while
 * the caller unwinds, makes tables or writes, a thread empties rings that fill up into
 * memory.
 */
#include "host/process/watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "host/perf/ring.h"
#include "host/process/scan.h"
#include "host/process/watch_rings.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/thread.h"

#include "util/poison.h"

/* Limit for the bytes of waiting events: some hundred thousand events. */
#define MAX_WAITING (64u << 20)

/**
 * struct event - a record that waits to be used
 * @time: time of the event
 * @order: number in the order of reading: keeps events of one moment on one CPU in order
 * @record: copy of the record
 */
struct event {
	uint64_t time;
	uint64_t order;
	struct perf_event_header *record;
};

/**
 * struct watch - the rings, and waiting events
 * @all: the processes; belongs to the caller
 * @thread: thread that empties rings
 * @running: @thread was started
 * @lock: protects all that follows
 * @rings: the rings
 * @events: waiting events
 * @nr_events: number of @events
 * @room: allocated entries of @events
 * @bytes: bytes of the records in @events
 * @counts: counts for watch_counts()
 */
struct watch {
	struct processes *all;
	pthread_t thread;
	bool running;
	pthread_mutex_t lock;
	struct watch_rings rings;
	struct event *events;
	size_t nr_events;
	size_t room;
	size_t bytes;
	struct watch_counts counts;
};

/* Record layouts of perf_event_open(2), each with the time of sample_id at its end. */
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

/* Whether a record has this type, a body of @least bytes, and sample_id. */
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

	if (w->bytes + h->size > MAX_WAITING) {
		w->counts.lost++;
		return 0;
	}
	if (!array_has_room(w->events, w->nr_events, w->room))
		return -ENOMEM;
	e = &w->events[w->nr_events];
	*e = (struct event){ .time = time_of(h), .order = w->counts.events++ };
	e->record = malloc(h->size);
	if (!e->record)
		return -ENOMEM;
	memcpy(e->record, h, h->size);
	w->nr_events++;
	w->bytes += h->size;
	return 0;
}

static int read_ring(struct perf_ring *r, void *arg)
{
	const struct perf_event_header *h;
	struct watch *w = arg;
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
		id.generation = m->inode.ino_generation;
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
	/* threads share the mappings of their process */
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
		w->bytes -= w->events[nr].record->size;
		free(w->events[nr++].record);
	}
	w->nr_events -= nr;
	memmove(w->events, w->events + nr, w->nr_events * sizeof(*w->events));
	return err;
}

static int read_until(struct watch *w, uint64_t until)
{
	int err, e;

	pthread_mutex_lock(&w->lock);
	err = watch_rings_read(&w->rings, read_ring, w);
	e = take_until(w, until);
	pthread_mutex_unlock(&w->lock);
	return err ? err : e;
}

static void *run(void *arg)
{
	struct watch *w = arg;

	thread_raise_priority();
	while (watch_rings_wait(&w->rings)) {
		pthread_mutex_lock(&w->lock);
		/*
		 * without memory events are lost, and the caller's next read has no
		 * memory either
		 */
		if (watch_rings_read(&w->rings, read_ring, w))
			w->counts.lost++;
		pthread_mutex_unlock(&w->lock);
	}
	return NULL;
}

static int start(struct watch *w, struct diag *diag)
{
	int err = thread_start(&w->thread, run, w);

	w->running = !err;
	return err ? diag_errno(diag, -err, "thread") : 0;
}

int watch_new(struct processes *all, const struct watch_options *options,
	      struct watch **ret, struct diag *diag)
{
	struct watch *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->all = all;
	w->rings = (struct watch_rings)WATCH_RINGS_INIT;
	pthread_mutex_init(&w->lock, NULL);
	err = watch_rings_open(&w->rings, options->tids, options->nr_tids, diag);
	if (!err)
		err = start(w, diag);
	if (err) {
		watch_free(w);
		return err;
	}
	*ret = w;
	return 0;
}

void watch_free(struct watch *w)
{
	size_t e;

	if (!w)
		return;
	if (w->running) {
		watch_rings_stop(&w->rings);
		pthread_join(w->thread, NULL);
	}
	watch_rings_release(&w->rings);
	pthread_mutex_destroy(&w->lock);
	for (e = 0; e < w->nr_events; e++)
		free(w->events[e].record);
	free(w->events);
	free(w);
}

int watch_read(struct watch *w)
{
	return read_until(w, watch_now() - WATCH_SETTLE_NS);
}

int watch_scan(struct watch *w)
{
	return scan_processes(w->all, watch_now());
}

void watch_counts(struct watch *w, struct watch_counts *ret)
{
	pthread_mutex_lock(&w->lock);
	*ret = w->counts;
	pthread_mutex_unlock(&w->lock);
}

int watch_look_for_cpus(struct watch *w, struct diag *diag)
{
	int opened;

	pthread_mutex_lock(&w->lock);
	opened = watch_rings_look_for_cpus(&w->rings, read_ring, w, diag);
	pthread_mutex_unlock(&w->lock);
	return opened;
}
