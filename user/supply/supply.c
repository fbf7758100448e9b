// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop of `ustack supply`: reads the module's events and sends jobs to three workers: fast,
 * slow and chores. Files are read by the workers only.
 */
#include "supply/supply.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "supply/jobs.h"
#include "supply/worker.h"
#include "util/text.h"

#include "util/poison.h"

/* Limits of each worker's jobs. An ordinary file takes milliseconds. A file that takes longer
 * goes to the slow worker, where the largest known (cc1plus, libLLVM: 100 MB of text) take
 * seconds on a slow machine.
 */
#define FAST_SECONDS 3
#define SLOW_SECONDS 300
#define CHORE_SECONDS 120
#define FAST_MEMORY (1ull << 30)
#define SLOW_MEMORY (8ull << 30)
#define FAST_JOBS 1000

/* Most large files that wait; a job has 5 KB at most. */
#define MAX_WAITING 1024

/* Milliseconds between a file that was not found and the next PREPARE job, which asks who else
 * has it mapped. So there is one such job in this time, however many files are gone.
 */
#define PREPARE_MS 2000

/* Messages about skipped files: so many at once, and then so many a second. */
#define SAY_BURST 20
#define SAY_PER_SECOND 2

/* The cache is pruned after this part of its limit was written to it. */
#define PRUNE_SHARE 8

enum { FAST, SLOW, CHORE, NR_WORKERS };

/* A job that waits or is being done. */
struct item {
	struct item *next;
	size_t len;
	struct supply_job job;
};

struct supply {
	const struct supply_options *o;
	struct module_events *ev;
	struct supply_tally *tally;
	struct worker_kind kinds[NR_WORKERS];
	struct worker workers[NR_WORKERS];
	struct item *doing[NR_WORKERS];

	struct item *waiting;		/* for the slow worker */
	struct item **last_waiting;
	unsigned int nr_waiting;

	bool prepare;			/* PREPARE is to be sent */
	int64_t prepare_at;		/* ms; PREPARE is to be sent then; 0: never */
	bool prune;			/* PRUNE is to be sent */
	bool drained;			/* the module had no more event last time */
	bool ended;			/* by a signal */
	bool store_said;		/* a failed write to the cache was reported */
	uint64_t unpruned;		/* bytes written to the cache since the last PRUNE */

	int64_t said_at;		/* ms; time at which @say_left was refilled */
	unsigned int say_left;		/* messages that may be printed at once */
	uint64_t unsaid;		/* messages that were not printed */

	int err;			/* the module cannot be used any more */
	struct diag *diag;
};

static bool may_say(struct supply *s)
{
	int64_t now = worker_clock_ms(), more;
	char line[64];

	more = (now - s->said_at) * SAY_PER_SECOND / 1000;
	if (more > 0) {
		s->said_at = now;
		s->say_left = more + s->say_left > SAY_BURST ?
				      SAY_BURST : s->say_left + (unsigned int)more;
	}
	if (!s->say_left) {
		s->unsaid++;
		return false;
	}
	s->say_left--;
	if (s->unsaid) {
		snprintf(line, sizeof(line), "and %llu more skipped",
			 (unsigned long long)s->unsaid);
		s->o->say(line);
		s->unsaid = 0;
	}
	return true;
}

static void name_event(const struct ustack_event *e, char *buf, size_t len)
{
	if (e->vdso)
		snprintf(buf, len, "[vdso]");
	else if (*e->path)
		text_escape(e->path, buf, len);
	else
		snprintf(buf, len, "[inode %llu]", e->ino);
}

static void say_result(struct supply *s, const struct ustack_event *e,
		       const struct supply_result *r)
{
	char path[8192], line[9216];

	name_event(e, path, sizeof(path));
	if (supply_outcome_skipped(r->outcome)) {
		if (!s->o->verbose && !may_say(s))
			return;
		snprintf(line, sizeof(line), "%s: skipped: %s: %s%s%s", path,
			 supply_outcome_name(r->outcome),
			 supply_outcome_text(r->outcome), *r->text ? ": " : "",
			 r->text);
	} else if (s->o->verbose) {
		snprintf(line, sizeof(line),
			 "%s: %s: %u functions, %llu bytes, %.1f ms", path,
			 supply_outcome_text(r->outcome), r->functions,
			 (unsigned long long)r->section_bytes,
			 (double)r->ns / 1e6);
	} else {
		return;
	}
	s->o->say(line);
}

/* Reports a failed write once: a full disk or another user's directory stays as it is. */
static void say_store(struct supply *s, int err)
{
	char line[4352];

	if (!err || s->store_said)
		return;
	s->store_said = true;
	snprintf(line, sizeof(line), "%s: cannot write to the cache: %s", s->o->cache->path,
		 strerror(err));
	s->o->say(line);
}

static void put_off(struct supply *s, struct item *item)
{
	struct supply_result r = { .outcome = SUPPLY_QUEUE };

	if (s->nr_waiting >= MAX_WAITING) {
		say_result(s, &item->job.event, &r);
		supply_tally_add(s->tally, &r);
		free(item);
		return;
	}
	item->job.large = true;
	item->next = NULL;
	*s->last_waiting = item;
	s->last_waiting = &item->next;
	s->nr_waiting++;
}

static void fail(struct supply *s, int err, const char *text)
{
	if (!s->err)
		s->err = diag_set(s->diag, err, NULL, "%s", text);
}

/* Handles a result. A file that was too much for the fast worker goes to the slow one. */
static void answered(struct supply *s, unsigned int worker, struct item *item,
		     const struct supply_result *r)
{
	if (r->outcome == SUPPLY_LATER ||
	    (worker == FAST && (r->outcome == SUPPLY_TIME ||
			      r->outcome == SUPPLY_NO_MEMORY))) {
		put_off(s, item);
		return;
	}
	if (r->fatal)
		fail(s, EIO, r->text);
	else
		say_result(s, &item->job.event, r);
	/* the process is gone; others may have mapped the file before it */
	if (supply_was_late(r->outcome) && !s->o->once && !s->prepare_at)
		s->prepare_at = worker_clock_ms() + PREPARE_MS;
	say_store(s, r->store_errno);
	supply_tally_add(s->tally, r);
	s->unpruned += r->stored_bytes;
	if (s->unpruned > s->o->cache_max / PRUNE_SHARE)
		s->prune = true;
	free(item);
}

static void collect(struct supply *s)
{
	struct supply_result r;
	struct item *item;
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++) {
		if (!worker_collect(&s->workers[i], &r))
			continue;
		item = s->doing[i];
		s->doing[i] = NULL;
		/* the job may have caused new events */
		s->drained = false;
		if (i != CHORE)
			answered(s, i, item, &r);
		else if (r.fatal)
			fail(s, EIO, r.text);
	}
}

static void send_item(struct supply *s, unsigned int worker, struct item *item)
{
	int err = worker_send(&s->workers[worker], &item->job, item->len);
	struct supply_result r = { .outcome = SUPPLY_FAILED };

	if (!err) {
		s->doing[worker] = item;
		return;
	}
	snprintf(r.text, sizeof(r.text), "%s", strerror(-err));
	answered(s, worker, item, &r);
}

static struct item *new_item(const struct ustack_event *e)
{
	size_t len = offsetof(struct supply_job, event) + e->size;
	struct item *item;

	item = calloc(1, sizeof(*item) + e->size);
	if (!item)
		return NULL;
	item->len = len;
	item->job.kind = SUPPLY_JOB_ANSWER;
	memcpy(&item->job.event, e, e->size);
	return item;
}

/* Sends the next event to the fast worker. */
static void feed_fast(struct supply *s)
{
	const struct ustack_event *e;
	struct item *item;
	int err;

	while (!s->workers[FAST].busy && !s->err) {
		err = module_events_next(s->ev, false, &e, s->diag);
		s->drained = err == -EAGAIN;
		if (err == -EAGAIN || err == -EINTR)
			return;
		if (err) {
			s->err = err;
			return;
		}
		/* a type of a newer module, or an event too large for a job */
		if (e->type != USTACK_EVENT_NO_TABLE ||
		    e->size > WORKER_MAX_JOB - offsetof(struct supply_job, event))
			continue;
		item = new_item(e);
		if (!item)
			fail(s, ENOMEM, strerror(ENOMEM));
		else
			send_item(s, FAST, item);
	}
}

static void feed_slow(struct supply *s)
{
	struct item *item = s->waiting;

	if (!item || s->workers[SLOW].busy)
		return;
	s->waiting = item->next;
	if (!s->waiting)
		s->last_waiting = &s->waiting;
	s->nr_waiting--;
	send_item(s, SLOW, item);
}

static void feed_chores(struct supply *s)
{
	struct supply_job job = { .kind = SUPPLY_JOB_PREPARE };

	if (s->workers[CHORE].busy)
		return;
	if (s->prepare || (s->prepare_at && worker_clock_ms() >= s->prepare_at)) {
		s->prepare = false;
		s->prepare_at = 0;
	} else if (s->prune && s->o->cache) {
		job.kind = SUPPLY_JOB_PRUNE;
		s->prune = false;
		s->unpruned = 0;
	} else {
		return;
	}
	/* if no worker can be started the job is dropped: nothing depends on it */
	if (worker_send(&s->workers[CHORE], &job, sizeof(job)))
		return;
}

static bool idle(const struct supply *s)
{
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++)
		if (s->workers[i].busy)
			return false;
	return s->drained && !s->waiting && !s->prepare;
}

/* Waits for an event that can be sent, for the end of a job, or for a signal. */
static void wait_for_work(struct supply *s, int signals)
{
	struct signalfd_siginfo info;
	struct pollfd p[NR_WORKERS + 2];
	int timeout = -1;
	unsigned int i;
	int64_t left;

	for (i = 0; i < NR_WORKERS; i++)
		worker_poll(&s->workers[i], &p[i], &timeout);
	if (s->prepare_at && !s->workers[CHORE].busy) {
		left = s->prepare_at - worker_clock_ms();
		if (left < 0)
			left = 0;
		if (timeout < 0 || left < timeout)
			timeout = (int)left;
	}
	p[NR_WORKERS] = (struct pollfd){ .fd = signals, .events = POLLIN };
	p[NR_WORKERS + 1] = (struct pollfd){
		.fd = s->workers[FAST].busy ? -1 : s->ev->m.fd,
		.events = POLLIN,
	};
	if (poll(p, NR_WORKERS + 2, timeout) < 0 && errno != EINTR)
		fail(s, errno, strerror(errno));
	/* read it: a pending signal disturbs leak checkers, which trace the process at its end */
	if (read(signals, &info, sizeof(info)) == sizeof(info))
		s->ended = true;
	if (p[NR_WORKERS + 1].revents & (POLLERR | POLLNVAL))
		fail(s, EIO, "the module's device does not answer any more");
}

static void loop(struct supply *s, int signals)
{
	while (!s->ended && !s->err) {
		collect(s);
		feed_chores(s);
		feed_fast(s);
		feed_slow(s);
		if (s->err || (s->o->once && idle(s)))
			return;
		wait_for_work(s, signals);
	}
}

static void set_up(struct supply *s, struct supply_worker *w)
{
	const struct worker_kind fast = {
		.seconds = FAST_SECONDS,
		.memory = worker_memory(FAST_MEMORY),
		.jobs = FAST_JOBS,
	};
	const struct worker_kind slow = {
		.seconds = SLOW_SECONDS,
		.memory = worker_memory(SLOW_MEMORY),
		.jobs = 1,
	};
	const struct worker_kind chore = {
		.seconds = CHORE_SECONDS,
		.memory = worker_memory(FAST_MEMORY),
		.jobs = 1,
		.nice = 10,
	};
	unsigned int i;

	s->kinds[FAST] = fast;
	s->kinds[SLOW] = slow;
	s->kinds[CHORE] = chore;
	for (i = 0; i < NR_WORKERS; i++) {
		s->kinds[i].work = supply_work;
		s->kinds[i].arg = w;
		s->kinds[i].device = w->m->fd;
		s->kinds[i].cache = w->cache ? w->cache->dir : 0;
		s->workers[i] = (struct worker)WORKER_INIT(&s->kinds[i]);
	}
}

static void tear_down(struct supply *s)
{
	struct item *item;
	unsigned int i;

	for (i = 0; i < NR_WORKERS; i++) {
		worker_stop(&s->workers[i]);
		free(s->doing[i]);
	}
	while ((item = s->waiting)) {
		s->waiting = item->next;
		free(item);
	}
}

int supply_run(const struct supply_options *o, struct module_events *ev,
	       struct supply_tally *ret, struct diag *diag)
{
	struct supply_worker w = {
		.m = &ev->m,
		.cache = o->cache,
		.cache_max = o->cache_max,
	};
	struct supply s = {
		.o = o,
		.ev = ev,
		.tally = ret,
		.last_waiting = &s.waiting,
		.prepare = o->prepare,
		.prune = true,
		.said_at = worker_clock_ms(),
		.say_left = SAY_BURST,
		.diag = diag,
	};
	sigset_t set;
	int signals;

	memset(ret, 0, sizeof(*ret));
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return diag_errno(diag, errno, "signalfd");
	set_up(&s, &w);
	loop(&s, signals);
	tear_down(&s);
	close(signals);
	/* a second signal is ignored, so that the summary is still printed */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	return s.err;
}
