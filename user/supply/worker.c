// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts a worker in a jail, sends it jobs over a socket, collects results, and replaces it
 * when it dies, takes too long or has done its number of jobs. supply.c and prebuild.c use it.
 */
#include "supply/worker.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/clock.h"

#include "util/poison.h"

int64_t worker_clock_ms(void)
{
	return (int64_t)(clock_ns(CLOCK_MONOTONIC) / 1000000);
}

uint64_t worker_memory(uint64_t max)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t half;

	if (pages <= 0 || size <= 0)
		return max;
	half = (uint64_t)pages * (uint64_t)size / 2;
	return half < max ? half : max;
}

/* Largest file a worker may write: as large as the sections that the module accepts. */
#define FILE_BYTES (256ull << 20)

/* Capabilities that a worker keeps: to read files and /proc of others; CAP_PERFMON and
 * CAP_SYS_ADMIN for the module, whose budget has an account for the latter; the rest to write
 * to root's cache or another user's.
 */
#define BIT(cap) (1ull << (cap))
#define CAPABILITIES                                                          \
	(JAIL_READ_OTHERS | BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN) |           \
	 BIT(CAP_DAC_OVERRIDE) | BIT(CAP_CHOWN) | BIT(CAP_FOWNER))

/* Argument of a worker: its kind, and the socket that its jobs come from. */
struct task {
	const struct worker_kind *kind;
	int fd;
};

static int work(void *arg)
{
	_Alignas(8) static uint8_t job[WORKER_MAX_JOB];
	static struct supply_result result;
	const struct task *t = arg;
	uint64_t start;
	ssize_t n;

	for (;;) {
		n = recv(t->fd, job, sizeof(job), 0);
		if (n <= 0)
			return 0;
		start = clock_ns(CLOCK_MONOTONIC);
		memset(&result, 0, sizeof(result));
		t->kind->work(t->kind->arg, job, (size_t)n, &result);
		result.ns = clock_ns(CLOCK_MONOTONIC) - start;
		if (send(t->fd, &result, sizeof(result), MSG_NOSIGNAL) != sizeof(result))
			return 0;
	}
}

static int start(struct worker *l)
{
	struct jail_limits limits = {
		.same_user = true, .capabilities = CAPABILITIES, .paths = JAIL_WRITE_PATHS,
		.folder = l->kind->files_alone ? l->kind->cache : 0,
		.memory = l->kind->memory, .file_bytes = FILE_BYTES, .nice = l->kind->nice,
		.keep = { l->kind->device, l->kind->cache },
	};
	int fds[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	limits.keep[2] = fds[1];
	err = jail_start(&l->jail, &limits, work, &(struct task){ l->kind, fds[1] });
	close(fds[1]);
	if (err) {
		close(fds[0]);
		return err;
	}
	l->fd = fds[0];
	l->served = 0;
	return 0;
}

int worker_send(struct worker *l, const void *job, size_t len)
{
	int err;

	if (l->jail.pid && l->served >= l->kind->jobs)
		worker_stop(l);
	if (!l->jail.pid) {
		err = start(l);
		if (err)
			return err;
	}
	if (send(l->fd, job, len, MSG_NOSIGNAL) != (ssize_t)len) {
		/* the worker was killed while it had no job */
		worker_stop(l);
		err = start(l);
		if (err)
			return err;
		if (send(l->fd, job, len, MSG_NOSIGNAL) != (ssize_t)len)
			return -errno;
	}
	l->served++;
	l->busy = true;
	jail_give_time(&l->jail, l->kind->seconds);
	return 0;
}

void worker_stop(struct worker *l)
{
	if (!l->jail.pid)
		return;
	close(l->fd);
	jail_kill(&l->jail);
	l->busy = false;
}

/* The worker has closed its socket and should end; if it does not, it is killed after 1 s. */
static void died(struct worker *l, struct supply_result *ret)
{
	struct jail_end end;
	char text[JAIL_TEXT];

	*ret = (struct supply_result){ .outcome = SUPPLY_DIED };
	jail_give_time(&l->jail, 1);
	while (!jail_end(&l->jail, true, &end))
		;
	if (end.how == JAIL_SIGNALLED)
		snprintf(ret->text, sizeof(ret->text), "%s", strsignal(end.value));
	else if (end.how == JAIL_EXITED)
		snprintf(ret->text, sizeof(ret->text), "status %d", end.value);
	else
		snprintf(ret->text, sizeof(ret->text), "%s", jail_end_text(&end, text));
	close(l->fd);
	l->busy = false;
}

bool worker_collect(struct worker *l, struct supply_result *ret)
{
	ssize_t n;

	if (!l->busy)
		return false;
	do
		n = recv(l->fd, ret, sizeof(*ret), MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n == sizeof(*ret)) {
		l->busy = false;
		return true;
	}
	if (n >= 0 || errno != EAGAIN) {
		died(l, ret);
		return true;
	}
	if (jail_time_left(&l->jail))
		return false;
	*ret = (struct supply_result){
		.outcome = SUPPLY_TIME,
		.ns = 1000000000ull * l->kind->seconds,
	};
	worker_stop(l);
	return true;
}

void worker_poll(const struct worker *l, struct pollfd *p, int *timeout)
{
	int left;

	*p = (struct pollfd){ .fd = l->busy ? l->fd : -1, .events = POLLIN };
	if (!l->busy)
		return;
	left = jail_time_left(&l->jail);
	if (*timeout < 0 || left < *timeout)
		*timeout = left;
}
