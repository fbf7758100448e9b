// SPDX-License-Identifier: GPL-2.0-only
#include "process/peek.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/poison.h"

/* Most of what is read is some words; the longest are tables of lines. */
#define SHARED_BYTES 65536u

struct request {
	uint64_t addr;
	uint64_t len;
};

/* Beside a message: one descriptor. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/* In the jail: a request and a descriptor, which is closed again. Return: false at the end. */
static bool serve(const struct peek *p)
{
	struct request q;
	struct iovec iov = { &q, sizeof(q) };
	union control control;
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	const struct cmsghdr *c;
	uint8_t good;
	int mem;

	if (recvmsg(p->fd, &m, MSG_CMSG_CLOEXEC) != sizeof(q))
		return false;
	c = CMSG_FIRSTHDR(&m);
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(mem)))
		return false;
	memcpy(&mem, CMSG_DATA(c), sizeof(mem));
	good = pread(mem, p->shared, q.len, (off_t)q.addr) == (ssize_t)q.len;
	close(mem);
	return send(p->fd, &good, 1, MSG_NOSIGNAL) == 1;
}

static int work(void *arg)
{
	while (serve(arg))
		;
	return 0;
}

static int start(struct peek *p)
{
	struct jail_limits limits = { .paths = JAIL_NO_PATHS };
	int fds[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -errno;
	limits.keep[0] = p->fd = fds[1];
	err = jail_start(&p->jail, &limits, work, p);
	close(fds[1]);
	p->fd = fds[0];
	if (err) {
		close(p->fd);
		p->fd = -1;
	}
	return err;
}

static void stop(struct peek *p)
{
	jail_kill(&p->jail);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

static bool ask(const struct peek *p, int mem, const struct request *q)
{
	struct iovec iov = { (void *)q, sizeof(*q) };
	union control control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(mem)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
	} };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.head), &mem, sizeof(mem));
	return sendmsg(p->fd, &m, MSG_NOSIGNAL) == sizeof(*q);
}

/* The jail may have been killed since, by who needs memory, say: then there is another one. */
static bool ask_jail(struct peek *p, int mem, const struct request *q)
{
	if (p->jail.pid && ask(p, mem, q))
		return true;
	stop(p);
	return !start(p) && ask(p, mem, q);
}

/* Return: 1: read; 0: not there; -ETIME: no answer. */
static int read_part(struct peek *p, int mem, uint64_t addr, void *buf, size_t len)
{
	const struct request q = { addr, len };
	uint8_t good = 0;
	ssize_t n;

	if (!ask_jail(p, mem, &q))
		return 0;
	jail_give_time(&p->jail, PEEK_SECONDS);
	n = jail_read(&p->jail, p->fd, &good, 1);
	jail_give_time(&p->jail, 0);
	if (n != 1) {
		stop(p);
		return n == -ETIME ? -ETIME : 0;
	}
	if (good)
		memcpy(buf, p->shared, len);
	return good;
}

static bool is_silent(const struct peek *p, uid_t owner)
{
	unsigned int i;

	if (!owner)
		return false;
	for (i = 0; i < p->nr_silent; i++)
		if (p->silent[i] == owner)
			return true;
	return p->nr_silent == PEEK_MAX_SILENT;
}

static bool read_all(struct peek *p, int mem, uid_t owner, uint64_t addr, void *buf, size_t len)
{
	size_t done, part;
	int ret = 1;

	if (is_silent(p, owner))
		return false;
	for (done = 0; ret == 1 && done < len; done += part) {
		part = len - done < SHARED_BYTES ? len - done : SHARED_BYTES;
		ret = read_part(p, mem, addr + done, (uint8_t *)buf + done, part);
	}
	if (ret == -ETIME)
		p->silent[p->nr_silent++] = owner;
	return ret == 1;
}

bool peek_read(struct peek *p, int mem, uid_t owner, uint64_t addr, void *buf, size_t len)
{
	bool good;

	if (mem < 0 || addr > INT64_MAX || len > INT64_MAX - addr)
		return false;
	if (!owner)
		return pread(mem, buf, len, (off_t)addr) == (ssize_t)len;
	pthread_mutex_lock(&p->lock);
	good = read_all(p, mem, owner, addr, buf, len);
	pthread_mutex_unlock(&p->lock);
	return good;
}

bool peek_is_silent(struct peek *p, uid_t owner)
{
	bool silent;

	pthread_mutex_lock(&p->lock);
	silent = is_silent(p, owner);
	pthread_mutex_unlock(&p->lock);
	return silent;
}

int peek_open(struct peek *p)
{
	*p = (struct peek){ .jail = JAIL_INIT, .fd = -1 };
	p->shared = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->shared == MAP_FAILED) {
		p->shared = NULL;
		return -ENOMEM;
	}
	pthread_mutex_init(&p->lock, NULL);
	return 0;
}

void peek_close(struct peek *p)
{
	if (!p->shared)
		return;
	stop(p);
	munmap(p->shared, SHARED_BYTES);
	pthread_mutex_destroy(&p->lock);
	p->shared = NULL;
}
