// SPDX-License-Identifier: GPL-2.0-only
/*
 * The thread that empties perf's rings, and the queue of samples between it and
 * stackcopy.c, which takes them at each drain. See reader.h.
 */
#include "capture/stackcopy/reader.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/array.h"
#include "util/thread.h"

#include "util/poison.h"

/*
 * Time between two looks at rings of threads. If the thread that a ring belongs
 * to is gone, the kernel wakes nobody. For rings of CPUs it always does.
 */
#define LOOK_MS 20

/*
 * Time between two looks at rings of CPUs to which clocks alone write. The
 * thread does not wait to be woken there. Timers of different CPUs stay a fixed
 * moment apart: a thread that samples woke up would run when the next CPUs are
 * sampled, and would be seen in one of every few samples, in place of what it
 * takes the CPU from. The kernel wakes by the amount written, whether it was
 * read or not. If the thread runs at moments independent of samples, it is seen
 * as often as it runs.
 */
#define LOOK_LEAST_MS 10
#define LOOK_MOST_MS 250

struct reader {
	struct events *events;
	uint64_t memory;
	int full;		/* eventfd: readable when much is waiting */
	int poke;		/* eventfd: the thread has to look again */
	pthread_t thread;
	bool running;
	pthread_mutex_t lock;	/* protects all fields below, and the rings */
	bool stop;
	struct sample **samples;
	size_t nr;
	size_t room;
	uint64_t bytes;
	uint64_t order;
	unsigned short random[3];
	struct reader_counts counts;
};

/* PERF_RECORD_LOST. PERF_RECORD_LOST_SAMPLES, which has no id, is not read. */
struct record_lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
};

static void wake(struct reader *r)
{
	uint64_t one = 1;

	if (write(r->full, &one, sizeof(one)) != sizeof(one))
		return;		/* it is readable already */
}

static int add(struct reader *r, struct sample *s, size_t bytes)
{
	if (!array_has_room(r->samples, r->nr, r->room))
		return -ENOMEM;
	r->samples[r->nr++] = s;
	if (r->bytes < r->memory / 4 && r->bytes + bytes >= r->memory / 4)
		wake(r);
	r->bytes += bytes;
	return 0;
}

static void keep(struct reader *r, struct sample *parsed)
{
	struct sample *s = NULL;
	size_t bytes;

	r->counts.read += parsed->kind == RECORD_SAMPLE;
	parsed->order = r->order++;
	/*
	 * names are kept always: they are small, and later samples depend on
	 * them
	 */
	if (r->bytes < r->memory || parsed->kind != RECORD_SAMPLE)
		s = sample_keep(parsed, &bytes);
	if (s && !add(r, s, bytes))
		return;
	free(s);
	r->counts.dropped += parsed->kind == RECORD_SAMPLE;
}

static void take_record(struct reader *r, const struct perf_event_header *h)
{
	struct sample s;

	if (h->type == PERF_RECORD_LOST && h->size >= sizeof(struct record_lost))
		r->counts.lost += ((const struct record_lost *)h)->lost;
	else if (h->type == PERF_RECORD_THROTTLE)
		r->counts.throttled++;
	else if (!sample_parse(h, r->events->type, &s))
		r->counts.broken++;
	else if (s.kind != RECORD_OTHER)
		keep(r, &s);
}

static void read_rings(struct reader *r)
{
	const struct perf_event_header *h;
	size_t i;

	for (i = 0; i < r->events->nr_rings; i++) {
		struct perf_ring *ring = &r->events->rings[i].ring;

		perf_ring_begin(ring);
		while ((h = perf_ring_next(ring)))
			take_record(r, h);
	}
}

/*
 * Adds rings that are new to the list to poll. @fds: entry of the first ring.
 * @nr: number of rings in it. Return: the new number.
 */
static nfds_t poll_rings(struct reader *r, struct pollfd *fds, nfds_t nr)
{
	for (; nr < r->events->nr_rings; nr++)
		fds[nr] = (struct pollfd){ r->events->rings[nr].fd, POLLIN, 0 };
	return nr;
}

/*
 * Time until rings are between a sixteenth and an eighth full. @fill_ms: time
 * until they are full.
 */
static int pause_ms(struct reader *r, uint64_t fill_ms)
{
	double most = (double)fill_ms / 8;
	int ms;

	most = most < LOOK_MOST_MS ? most : LOOK_MOST_MS;
	ms = (int)(most / 2 * (1 + erand48(r->random)));
	return ms > LOOK_LEAST_MS ? ms : LOOK_LEAST_MS;
}

/*
 * Reads the rings. @fds, @nr: list of rings to poll, extended if rings wake the
 * thread. @ms: gets the time until the next look, 0 to wait for the rings.
 * Return: false to end.
 */
static bool look(struct reader *r, struct pollfd *fds, nfds_t *nr, int *ms)
{
	uint64_t fill_ms;
	bool stop;

	pthread_mutex_lock(&r->lock);
	read_rings(r);
	fill_ms = events_of_cpus(r->events) ? events_fill_ms(r->events) : 0;
	*ms = fill_ms ? pause_ms(r, fill_ms) : 0;
	if (fds && !fill_ms)
		*nr = poll_rings(r, fds + 1, *nr);
	stop = r->stop;
	pthread_mutex_unlock(&r->lock);
	return !stop;
}

static void *run(void *arg)
{
	struct reader *r = arg;
	struct pollfd *fds = calloc(r->events->rings_room + 1, sizeof(*fds));
	/* without memory for the list the thread looks at fixed times */
	int most = fds && events_of_cpus(r->events) ? -1 : LOOK_MS, ms;
	eventfd_t poked;
	nfds_t nr = 0, i;

	thread_raise_priority();
	if (fds)
		fds[0] = (struct pollfd){ r->poke, POLLIN, 0 };
	while (look(r, fds, &nr, &ms)) {
		if (poll(fds, fds ? nr + 1 : 0, ms ? ms : most) < 0 && errno != EINTR)
			break;
		eventfd_read(r->poke, &poked);
		for (i = 1; fds && i <= nr; i++) {
			if (!(fds[i].revents & (POLLHUP | POLLERR)))
				continue;
			fds[i].fd = -1;
			most = LOOK_MS;
		}
	}
	free(fds);
	return NULL;
}

static int start(struct reader *r, struct diag *diag)
{
	int err = thread_start(&r->thread, run, r);

	r->running = !err;
	return err ? diag_errno(diag, -err, "thread") : 0;
}

int reader_new(struct events *e, uint64_t memory, struct reader **ret, struct diag *diag)
{
	struct reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->events = e;
	r->memory = memory;
	pthread_mutex_init(&r->lock, NULL);
	r->full = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r->poke = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->full < 0 || r->poke < 0)
		err = diag_errno(diag, errno, "eventfd");
	else
		err = start(r, diag);
	if (err) {
		reader_free(r);
		return err;
	}
	*ret = r;
	return 0;
}

void reader_free(struct reader *r)
{
	size_t i;

	if (!r)
		return;
	if (r->running) {
		pthread_mutex_lock(&r->lock);
		r->stop = true;
		pthread_mutex_unlock(&r->lock);
		eventfd_write(r->poke, 1);
		pthread_join(r->thread, NULL);
	}
	for (i = 0; i < r->nr; i++)
		free(r->samples[i]);
	free(r->samples);
	if (r->full >= 0)
		close(r->full);
	if (r->poke >= 0)
		close(r->poke);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

int reader_fd(const struct reader *r)
{
	return r->full;
}

size_t reader_take(struct reader *r, struct sample ***ret)
{
	eventfd_t value;
	size_t nr;

	pthread_mutex_lock(&r->lock);
	eventfd_read(r->full, &value);
	read_rings(r);
	*ret = r->samples;
	nr = r->nr;
	r->samples = NULL;
	r->nr = r->room = 0;
	r->bytes = 0;
	pthread_mutex_unlock(&r->lock);
	return nr;
}

int reader_give_back(struct reader *r, struct sample *s)
{
	int err;

	pthread_mutex_lock(&r->lock);
	err = add(r, s, sizeof(*s) + s->stack_len);
	pthread_mutex_unlock(&r->lock);
	return err;
}

int reader_look_for_cpus(struct reader *r, struct diag *diag)
{
	int opened;

	pthread_mutex_lock(&r->lock);
	opened = events_look_for_cpus(r->events, diag);
	pthread_mutex_unlock(&r->lock);
	/* a new ring wakes nobody before it is in the list */
	if (opened > 0)
		eventfd_write(r->poke, 1);
	return opened;
}

int reader_set_rate(struct reader *r, uint32_t index, uint64_t hz, bool running,
		    struct diag *diag)
{
	int err;

	pthread_mutex_lock(&r->lock);
	err = events_set_rate(r->events, index, hz, running, diag);
	pthread_mutex_unlock(&r->lock);
	return err;
}

void reader_counts(struct reader *r, struct reader_counts *ret)
{
	pthread_mutex_lock(&r->lock);
	*ret = r->counts;
	pthread_mutex_unlock(&r->lock);
}
