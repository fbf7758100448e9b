// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface of push.h: checks the state folder and the targets, starts and stops the targets'
 * threads, and takes reports of new windows from the daemon's recording thread.
 */
#include "serve/push/push.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "serve/push/target.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/thread.h"

#include "util/poison.h"

#define HOST_BYTES 256u

/**
 * struct push - all targets
 * @common: state shared by the targets' threads
 * @targets: the targets, in the order of push_start()
 * @nr: number of entries in @targets
 * @lock: descriptor of the lock file in the state folder, -1 if there is none
 */
struct push {
	struct push_common common;
	struct push_target *targets;
	size_t nr;
	int lock;
};

/*
 * Nobody else may write to the state folder: a position file decides what is sent, and a symbolic
 * link there decides which file is overwritten.
 */
static int check_state(const char *state, struct diag *diag)
{
	struct stat st;

	if (mkdir(state, 0700) && errno != EEXIST)
		return diag_errno(diag, errno, state);
	if (stat(state, &st))
		return diag_errno(diag, errno, state);
	if (!S_ISDIR(st.st_mode))
		return diag_errno(diag, ENOTDIR, state);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return diag_set(diag, EPERM, state, "others may write to the folder");
	return 0;
}

/* Only one process may send from a state folder: two would send everything twice. */
static int lock_state(struct push *p, const char *state, struct diag *diag)
{
	_cleanup_(cleanup_free) char *path = NULL;
	int err = check_state(state, diag);

	if (err)
		return err;
	if (asprintf(&path, "%s/lock", state) < 0) {
		path = NULL;
		return diag_errno(diag, ENOMEM, NULL);
	}
	p->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (p->lock < 0)
		return diag_errno(diag, errno, state);
	if (!flock(p->lock, LOCK_EX | LOCK_NB))
		return 0;
	return errno == EWOULDBLOCK ?
	       diag_set(diag, EBUSY, state, "another process sends from there") :
	       diag_errno(diag, errno, state);
}

static int init_common(struct push_common *c, const struct push_place *place)
{
	char host[HOST_BYTES] = "unknown";
	pthread_condattr_t attr;

	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c->wake, &attr);
	pthread_condattr_destroy(&attr);
	c->note = place->note;
	c->arg = place->arg;
	if (!place->host && gethostname(host, sizeof(host) - 1))
		snprintf(host, sizeof(host), "unknown");
	c->store = strdup(place->store);
	/* the host is part of a header (Idempotency-Key), whose length is limited */
	c->host = strndup(place->host ? place->host : host, HOST_BYTES - 1);
	if (!c->store || !c->host)
		return -ENOMEM;
	for (char *s = c->host; *s; s++)
		if (*s <= ' ' || *s > '~')
			*s = '_';
	return 0;
}

static int start_threads(struct push *p, struct diag *diag)
{
	int err = 0;
	size_t i;

	for (i = 0; i < p->nr && !err; i++) {
		err = thread_start(&p->targets[i].thread, push_target_run, &p->targets[i]);
		p->targets[i].started = !err;
	}
	return err ? diag_errno(diag, -err, NULL) : 0;
}

static int check_names(const struct push_options *targets, size_t nr, struct diag *diag)
{
	size_t i, k;

	if (nr > PUSH_MAX_TARGETS)
		return diag_set(diag, EINVAL, NULL, "more than %u targets", PUSH_MAX_TARGETS);
	for (i = 0; i < nr; i++)
		for (k = 0; k < i; k++)
			if (targets[i].name && targets[k].name &&
			    !strcmp(targets[i].name, targets[k].name))
				return diag_set(diag, EINVAL, targets[i].name,
						"two targets have this name");
	return 0;
}

static int init_targets(struct push *p, const struct push_place *place,
			const struct push_options *targets, size_t nr, struct diag *diag)
{
	int err = 0;

	p->targets = calloc(nr + !nr, sizeof(*p->targets));
	if (!p->targets)
		return diag_errno(diag, ENOMEM, NULL);
	while (p->nr < nr && !err) {
		err = push_target_init(&p->targets[p->nr], &p->common, place->state,
				       &targets[p->nr], diag);
		p->nr++;
	}
	return err;
}

int push_start(const struct push_place *place, const struct push_options *targets, size_t nr,
	       struct push **ret, struct diag *diag)
{
	int err = check_names(targets, nr, diag);
	struct push *p;

	if (err)
		return err;
	p = calloc(1, sizeof(*p));
	if (!p)
		return diag_errno(diag, ENOMEM, NULL);
	p->lock = -1;
	err = init_common(&p->common, place);
	if (err)
		diag_errno(diag, -err, NULL);
	if (!err)
		err = lock_state(p, place->state, diag);
	if (!err)
		err = init_targets(p, place, targets, nr, diag);
	if (!err)
		err = start_threads(p, diag);
	if (err) {
		push_stop(p);
		return err;
	}
	*ret = p;
	return 0;
}

/* The store ends at @end now. @windows: number of new windows before @end, 0 or 1 */
static void report_end(struct push *p, const struct store_position *end, uint64_t windows)
{
	struct push_common *c = &p->common;

	pthread_mutex_lock(&c->lock);
	push_segments_appended(&c->segments, end);
	if (!c->appended) {
		c->first = *end;
		c->first.record -= end->record > 0 ? windows : 0;
	}
	c->newest = *end;
	c->appended++;
	pthread_cond_broadcast(&c->wake);
	pthread_mutex_unlock(&c->lock);
}

void push_appended(struct push *p, const struct store_position *end)
{
	if (p)
		report_end(p, end, 1);
}

void push_store_ends(struct push *p, const struct store_position *end)
{
	if (p)
		report_end(p, end, 0);
}

static void fill_lag(const struct push_target *t, struct push_info *ret)
{
	const struct push_common *c = t->common;
	const struct store_position *next = &t->position.next.window;
	uint64_t now = clock_ns(CLOCK_REALTIME), unknown;

	if (t->oldest_end_ns && t->oldest_end_ns < now)
		ret->lag_ns = now - t->oldest_end_ns;
	if (!c->appended)
		return;
	ret->lag_windows = push_segments_between(&c->segments, next, &c->newest, &unknown);
	ret->lag_is_least = next->segment < c->newest.segment &&
			    (unknown || !push_segments_has(&c->segments, next->segment));
}

void push_info(struct push *p, size_t i, struct push_info *ret)
{
	struct push_target *t = &p->targets[i];

	pthread_mutex_lock(&p->common.lock);
	*ret = t->info;
	fill_lag(t, ret);
	pthread_mutex_unlock(&p->common.lock);
}

void push_stop(struct push *p)
{
	size_t i;

	if (!p)
		return;
	pthread_mutex_lock(&p->common.lock);
	atomic_store(&p->common.stop, true);
	pthread_cond_broadcast(&p->common.wake);
	pthread_mutex_unlock(&p->common.lock);
	for (i = 0; i < p->nr; i++)
		if (p->targets[i].started)
			push_http_stop(p->targets[i].http);
	for (i = 0; i < p->nr; i++) {
		if (p->targets[i].started)
			pthread_join(p->targets[i].thread, NULL);
		push_target_release(&p->targets[i]);
	}
	if (p->lock >= 0)
		close(p->lock);
	push_segments_release(&p->common.segments);
	pthread_mutex_destroy(&p->common.lock);
	pthread_cond_destroy(&p->common.wake);
	free(p->common.store);
	free(p->common.host);
	free(p->targets);
	free(p);
}
