// SPDX-License-Identifier: GPL-2.0-only
#include "supply/lane.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"

#include "util/poison.h"

int64_t lane_now(void)
{
	return (int64_t)(clock_ns(CLOCK_MONOTONIC) / 1000000);
}

uint64_t lane_memory(uint64_t max)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t half;

	if (pages <= 0 || size <= 0)
		return max;
	half = (uint64_t)pages * (uint64_t)size / 2;
	return half < max ? half : max;
}

static void limit(const struct lane_kind *kind)
{
	const struct rlimit core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &core);
	/* the address sanitizer reserves terabytes and uses few of them */
#ifndef __SANITIZE_ADDRESS__
	setrlimit(RLIMIT_AS,
		  &(struct rlimit){ kind->memory, kind->memory });
#endif
	errno = 0;
	if (kind->nice && nice(kind->nice) == -1 && errno)
		return;
}

/* Its parent ends it, and takes care of signals. */
__attribute__((__noreturn__))
static void work(const struct lane_kind *kind, int fd, pid_t parent)
{
	_Alignas(8) static uint8_t job[LANE_MAX_JOB];
	static struct supply_result result;
	uint64_t start;
	ssize_t n;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	limit(kind);
	for (;;) {
		n = recv(fd, job, sizeof(job), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(0);
		start = clock_ns(CLOCK_MONOTONIC);
		memset(&result, 0, sizeof(result));
		kind->work(kind->arg, job, (size_t)n, &result);
		result.ns = clock_ns(CLOCK_MONOTONIC) - start;
		if (send(fd, &result, sizeof(result), 0) != sizeof(result))
			_exit(0);
	}
}

static int start(struct lane *l)
{
	pid_t parent = getpid();
	int fds[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	l->pid = fork();
	if (!l->pid) {
		close(fds[0]);
		work(l->kind, fds[1], parent);
	}
	err = l->pid < 0 ? -errno : 0;
	close(fds[1]);
	if (err) {
		close(fds[0]);
		l->pid = 0;
		return err;
	}
	l->fd = fds[0];
	l->served = 0;
	return 0;
}

int lane_send(struct lane *l, const void *job, size_t len)
{
	int err;

	if (l->pid && l->served >= l->kind->jobs)
		lane_stop(l);
	if (!l->pid) {
		err = start(l);
		if (err)
			return err;
	}
	if (send(l->fd, job, len, MSG_NOSIGNAL) != (ssize_t)len) {
		/* killed while it had nothing to do */
		lane_stop(l);
		err = start(l);
		if (err)
			return err;
		if (send(l->fd, job, len, MSG_NOSIGNAL) != (ssize_t)len)
			return -errno;
	}
	l->served++;
	l->busy = true;
	l->deadline = lane_now() + 1000ll * l->kind->seconds;
	return 0;
}

/* Workers that were killed. One that hangs in the kernel dies when it gets out. */
static void bury(pid_t pid)
{
	static pid_t dying[64];
	size_t i;

	for (i = 0; i < sizeof(dying) / sizeof(dying[0]); i++) {
		if (dying[i] && waitpid(dying[i], NULL, WNOHANG))
			dying[i] = 0;
		if (!dying[i]) {
			dying[i] = pid;
			pid = 0;
		}
	}
}

void lane_stop(struct lane *l)
{
	if (!l->pid)
		return;
	close(l->fd);
	l->fd = -1;
	/* closing the socket is not enough: younger workers have a copy of it */
	kill(l->pid, SIGKILL);
	if (l->busy)
		bury(l->pid);
	else
		waitpid(l->pid, NULL, 0);
	l->pid = 0;
	l->busy = false;
}

static void died(struct lane *l, struct supply_result *ret)
{
	int status = 0;

	*ret = (struct supply_result){ .outcome = SUPPLY_DIED };
	if (waitpid(l->pid, &status, 0) == l->pid) {
		if (WIFSIGNALED(status))
			snprintf(ret->text, sizeof(ret->text), "%s",
				 strsignal(WTERMSIG(status)));
		else
			snprintf(ret->text, sizeof(ret->text), "status %d",
				 WEXITSTATUS(status));
	}
	close(l->fd);
	l->fd = -1;
	l->pid = 0;
	l->busy = false;
}

bool lane_collect(struct lane *l, struct supply_result *ret)
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
	if (lane_now() < l->deadline)
		return false;
	*ret = (struct supply_result){
		.outcome = SUPPLY_TIME,
		.ns = 1000000000ull * l->kind->seconds,
	};
	lane_stop(l);
	return true;
}

void lane_poll(const struct lane *l, struct pollfd *p, int *timeout)
{
	int64_t left;

	*p = (struct pollfd){ .fd = l->busy ? l->fd : -1, .events = POLLIN };
	if (!l->busy)
		return;
	left = l->deadline - lane_now();
	if (left < 0)
		left = 0;
	if (*timeout < 0 || left < *timeout)
		*timeout = (int)left;
}
