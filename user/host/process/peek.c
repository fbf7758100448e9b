// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads memory of other processes: that of root's processes directly, that of users'
 * processes by a jail, which is started when it is needed. See peek.h.
 */
#include "host/process/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/process/peek_channel.h"
#include "host/process/payer.h"
#include "util/clock.h"
#include "util/poison.h"

/* Nanoseconds for which root's memory is read directly until its user is checked again. */
#define PAYER_NS 1000000000u

/*
 * Checks who is charged for the process, as root's process may have become a user's.
 * Return: false if it has ended.
 */
static bool see_payer(struct peek_memory *m)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (m->payer_ns && (m->payer || now - m->payer_ns < PAYER_NS))
		return true;
	m->payer_ns = process_payer(m->pid, &m->payer) ? now : 0;
	return m->payer_ns != 0;
}

static bool open_file(struct peek_memory *m, uint32_t pid, const char *name)
{
	static uint64_t last;
	char path[64];

	*m = (struct peek_memory){ .pid = pid, .number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED) };
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/%s", pid, name);
	m->fd = open(path, O_RDONLY | O_CLOEXEC);
	return m->fd >= 0 && see_payer(m);
}

bool peek_memory_open(struct peek_memory *m, uint32_t pid)
{
	return open_file(m, pid, "mem");
}

bool peek_maps_open(struct peek_memory *m, uint32_t pid)
{
	return open_file(m, pid, "maps");
}

void peek_memory_close(struct peek_memory *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
}

static int work(void *arg)
{
	const struct peek *p = arg;

	peek_channel_serve(p->channel);
	return 0;
}

static void stop(struct peek *p)
{
	jail_kill(&p->jail);
	peek_channel_close(p->channel);
}

static int start(struct peek *p)
{
	struct jail_limits limits = { .paths = JAIL_NO_PATHS };
	int err = peek_channel_open(p->channel);

	if (err)
		return err;
	limits.keep[0] = p->channel->jail_fd;
	err = jail_start(&p->jail, &limits, work, p);
	peek_channel_started(p->channel);
	if (err)
		peek_channel_close(p->channel);
	return err;
}

/*
 * Asks the jail. It may have been killed meanwhile, for example by the out-of-memory
 * killer: then a new one is started.
 * Return: 1: read; 0: not there; -ETIME: no answer; another negative errno.
 */
static int ask(struct peek *p, const struct peek_memory *m, const struct peek_range *range, size_t nr,
	       size_t *some)
{
	int ret = -EPIPE, tries;

	for (tries = 0; tries < 2 && ret == -EPIPE; tries++) {
		ret = p->jail.pid ? 0 : start(p);
		if (!ret)
			ret = peek_channel_ask(p->channel, &p->jail, m, range, nr, some);
		if (ret < 0)
			stop(p);
	}
	return ret;
}

static bool is_silent(const struct peek *p, uint32_t payer)
{
	unsigned int i;

	if (!payer)
		return false;
	for (i = 0; i < p->nr_silent; i++)
		if (p->silent[i] == payer)
			return true;
	return p->nr_silent == PEEK_MAX_SILENT;
}

static bool is_one_request(const struct peek_range *range, size_t nr)
{
	size_t left = PEEK_CHANNEL_BYTES, i;

	for (i = 0; i < nr && nr <= PEEK_MAX_RANGES; left -= range[i].len, i++)
		if (range[i].len > left)
			return false;
	return nr <= PEEK_MAX_RANGES;
}

/* Reads a range with as many requests as needed. Return: as ask(). */
static int ask_parts(struct peek *p, const struct peek_memory *m, const struct peek_range *range)
{
	size_t done;
	int ret = 1;

	for (done = 0; ret == 1 && done < range->len; done += PEEK_CHANNEL_BYTES) {
		const size_t left = range->len - done;
		const struct peek_range part = {
			range->addr + done, (uint8_t *)range->buf + done,
			left < PEEK_CHANNEL_BYTES ? left : PEEK_CHANNEL_BYTES,
		};

		ret = ask(p, m, &part, 1, NULL);
	}
	return ret;
}

static bool read_jailed(struct peek *p, const struct peek_memory *m, const struct peek_range *range, size_t nr,
			size_t *some)
{
	int ret = 1;
	size_t i;

	if (is_silent(p, m->payer))
		return false;
	if (is_one_request(range, nr))
		ret = ask(p, m, range, nr, some);
	else
		for (i = 0; ret == 1 && i < nr; i++)
			ret = ask_parts(p, m, &range[i]);
	if (ret == -ETIME)
		p->silent[p->nr_silent++] = m->payer;
	return ret == 1;
}

static bool read_directly(const struct peek_memory *m, const struct peek_range *range, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (pread(m->fd, range[i].buf, range[i].len, (off_t)range[i].addr) != (ssize_t)range[i].len)
			return false;
	return true;
}

static bool are_offsets(const struct peek_range *range, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (range[i].addr > INT64_MAX || range[i].len > INT64_MAX - range[i].addr)
			return false;
	return true;
}

bool peek_read_ranges(struct peek *p, struct peek_memory *m, const struct peek_range *range, size_t nr)
{
	bool good;

	if (m->fd < 0 || !are_offsets(range, nr) || !see_payer(m))
		return false;
	if (!m->payer)
		return read_directly(m, range, nr);
	pthread_mutex_lock(&p->lock);
	good = read_jailed(p, m, range, nr, NULL);
	pthread_mutex_unlock(&p->lock);
	return good;
}

bool peek_read(struct peek *p, struct peek_memory *m, uint64_t addr, void *buf, size_t len)
{
	return peek_read_ranges(p, m, &(struct peek_range){ addr, buf, len }, 1);
}

_Static_assert(PEEK_TEXT == PEEK_CHANNEL_BYTES, "one request");

bool peek_read_text(struct peek *p, struct peek_memory *m, uint64_t offset, char *buf, size_t len,
		    size_t *ret)
{
	const struct peek_range range = { offset, buf, len };
	ssize_t n;
	bool good;

	*ret = 0;
	if (m->fd < 0 || len > PEEK_TEXT || !are_offsets(&range, 1) || !see_payer(m))
		return false;
	if (!m->payer) {
		n = pread(m->fd, buf, len, (off_t)offset);
		*ret = n < 0 ? 0 : (size_t)n;
		return n >= 0;
	}
	pthread_mutex_lock(&p->lock);
	good = read_jailed(p, m, &range, 1, ret);
	pthread_mutex_unlock(&p->lock);
	return good;
}

bool peek_is_silent(struct peek *p, uint32_t payer)
{
	bool silent;

	pthread_mutex_lock(&p->lock);
	silent = is_silent(p, payer);
	pthread_mutex_unlock(&p->lock);
	return silent;
}

int peek_open(struct peek *p)
{
	*p = (struct peek){ .jail = JAIL_INIT };
	p->channel = malloc(sizeof(*p->channel));
	if (!p->channel)
		return -ENOMEM;
	*p->channel = (struct peek_channel)PEEK_CHANNEL_INIT;
	pthread_mutex_init(&p->lock, NULL);
	return 0;
}

void peek_close(struct peek *p)
{
	if (!p->channel)
		return;
	stop(p);
	free(p->channel);
	pthread_mutex_destroy(&p->lock);
	p->channel = NULL;
}
