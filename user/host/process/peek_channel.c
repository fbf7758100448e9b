// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests and answers between the reader and the jail, see peek_channel.h.
 *
 * A side that is about to sleep first says so in shared memory and then checks for work
 * once more. A side that has written checks whether the other one sleeps. All four steps
 * have one order on all CPUs (__ATOMIC_SEQ_CST), so at least one side sees what the other
 * has written.
 */
#include "host/process/peek_channel.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/native.h"
#include "util/poison.h"

/* Number of checks of shared memory between two reads of the clock. */
#define LOOKS 16u

/* Control data of a message: one descriptor. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static uint64_t load(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_SEQ_CST);
}

/*
 * Spins for @ns until a value is @wanted or, with @other, until it is not. Return:
 * whether it is.
 */
static bool spin(const uint64_t *value, uint64_t wanted, bool other, uint64_t ns)
{
	uint64_t end = 0;
	unsigned int i;

	do {
		for (i = 0; i < LOOKS; i++) {
			if ((load(value) == wanted) != other)
				return true;
			native_pause();
		}
		if (!end)
			end = clock_ns(CLOCK_MONOTONIC) + ns;
	} while (clock_ns(CLOCK_MONOTONIC) < end);
	return (load(value) == wanted) != other;
}

/* Return: number of the current CPU; 0 if the kernel does not tell it. */
static uint32_t this_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (uint32_t)cpu;
}

static unsigned int slot_of(uint64_t memory)
{
	return memory % PEEK_CHANNEL_SLOTS;
}

/* Functions of the reader. */

/*
 * Sends a message: the number of a memory with its descriptor @mem, or 0 with -1, which
 * only wakes the jail.
 * Return: whether it was sent.
 */
static bool send_message(const struct peek_channel *c, uint64_t memory, int mem)
{
	struct iovec iov = { &memory, sizeof(memory) };
	union control control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(mem)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
	} };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (mem >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		memcpy(CMSG_DATA(&control.head), &mem, sizeof(mem));
	}
	return sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(memory);
}

/*
 * Sends the jail the memory's descriptor, unless it has it. Return: false if the jail is
 * gone.
 */
static bool give_memory(struct peek_channel *c, const struct peek_memory *m)
{
	uint64_t *held = &c->held[slot_of(m->number)];

	if (*held == m->number)
		return true;
	/* the message wakes the jail */
	__atomic_store_n(&c->shared->jail_sleeps, 0, __ATOMIC_SEQ_CST);
	*held = m->number;
	return send_message(c, m->number, m->fd);
}

static bool put_request(struct peek_channel *c, const struct peek_memory *m,
			const struct peek_range *range, size_t nr, bool some)
{
	struct peek_shared *s = c->shared;
	size_t i;

	s->reader_cpu = this_cpu();
	s->memory = m->number;
	s->nr = (uint32_t)nr;
	s->some = some;
	for (i = 0; i < nr; i++) {
		s->range[i].addr = range[i].addr;
		s->range[i].len = range[i].len;
	}
	if (!give_memory(c, m))
		return false;
	__atomic_store_n(&s->asked, ++c->number, __ATOMIC_SEQ_CST);
	/* if the socket is full, there are enough messages to wake the jail */
	return !__atomic_exchange_n(&s->jail_sleeps, 0, __ATOMIC_SEQ_CST) ||
	       send_message(c, 0, -1) || errno == EAGAIN;
}

static bool is_answered(const struct peek_channel *c)
{
	return load(&c->shared->served) == c->number;
}

/* Return: 1, -EPIPE or -ETIME. */
static int sleep_for_answer(const struct peek_channel *c, struct jail *jail)
{
	ssize_t n = 1;
	char byte;

	while (n > 0) {
		__atomic_store_n(&c->shared->reader_sleeps, 1, __ATOMIC_SEQ_CST);
		if (is_answered(c))
			return 1;
		/* the deadline also holds for a jail that sends messages, but no answer */
		if (!jail_time_left(jail))
			return -ETIME;
		n = jail_read(jail, c->fd, &byte, 1);
	}
	if (is_answered(c))
		return 1;
	return n == -ETIME ? -ETIME : -EPIPE;
}

/* Spins for an answer, unless the jail is on the same CPU and could not answer meanwhile. */
static bool spin_for_answer(struct peek_channel *c)
{
	if (c->shared->jail_cpu == c->shared->reader_cpu)
		return false;
	if (c->rest) {
		c->rest--;
		return false;
	}
	if (spin(&c->shared->served, c->number, false, PEEK_CHANNEL_READER_NS))
		return true;
	c->rest = PEEK_CHANNEL_REST;
	return false;
}

static int wait_for_answer(struct peek_channel *c, struct jail *jail)
{
	int ret;

	if (spin_for_answer(c))
		return 1;
	jail_give_time(jail, PEEK_SECONDS);
	ret = sleep_for_answer(c, jail);
	jail_give_time(jail, 0);
	__atomic_store_n(&c->shared->reader_sleeps, 0, __ATOMIC_SEQ_CST);
	return ret;
}

int peek_channel_ask(struct peek_channel *c, struct jail *jail, const struct peek_memory *m,
		     const struct peek_range *range, size_t nr, size_t *some)
{
	const uint8_t *from = c->shared->bytes;
	size_t i;
	int ret;

	ret = put_request(c, m, range, nr, some) ? wait_for_answer(c, jail) : -EPIPE;
	if (ret < 0 || !c->shared->good)
		return ret < 0 ? ret : 0;
	if (some) {
		/* read once: the jail may change it at any time */
		*some = __atomic_load_n(&c->shared->got, __ATOMIC_RELAXED);
		if (*some > range->len)
			return 0;
		memcpy(range->buf, from, *some);
		return 1;
	}
	for (i = 0; i < nr; from += range[i].len, i++)
		memcpy(range[i].buf, from, range[i].len);
	return 1;
}

/* Functions of the jail. */

/**
 * struct server - state of the jail
 * @shared: memory shared with the reader
 * @fd: the jail's socket
 * @cpus: CPUs on which the jail may run; empty if not known
 * @last: number of the request that was answered last
 * @mem: descriptors of memory, by slot
 * @held: number of the memory in each slot; 0: none
 */
struct server {
	struct peek_shared *shared;
	int fd;
	cpu_set_t cpus;
	uint64_t last;
	int mem[PEEK_CHANNEL_SLOTS];
	uint64_t held[PEEK_CHANNEL_SLOTS];
};

static void take_memory(struct server *v, uint64_t memory, int mem)
{
	unsigned int slot = slot_of(memory);

	if (v->held[slot])
		close(v->mem[slot]);
	v->mem[slot] = mem;
	v->held[slot] = memory;
}

/* Waits for a message. Return: false if the reader is gone. */
static bool receive(struct server *v)
{
	uint64_t memory;
	struct iovec iov = { &memory, sizeof(memory) };
	union control control;
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	const struct cmsghdr *c;
	int mem;

	if (recvmsg(v->fd, &m, MSG_CMSG_CLOEXEC) != sizeof(memory))
		return false;
	c = CMSG_FIRSTHDR(&m);
	if (!memory)
		return true;
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(mem)))
		return false;
	memcpy(&mem, CMSG_DATA(c), sizeof(mem));
	take_memory(v, memory, mem);
	return true;
}

static bool is_asked(const struct server *v)
{
	return load(&v->shared->asked) != v->last;
}

static bool wait_for_request(struct server *v)
{
	uint32_t *sleeps = &v->shared->jail_sleeps;

	while (v->shared->jail_cpu == v->shared->reader_cpu ||
	       !spin(&v->shared->asked, v->last, true, PEEK_CHANNEL_JAIL_NS)) {
		__atomic_store_n(sleeps, 1, __ATOMIC_SEQ_CST);
		/*
		 * the reader has cleared the flag, so it sends a message, which must be
		 * received
		 */
		if (is_asked(v) && __atomic_exchange_n(sleeps, 0, __ATOMIC_SEQ_CST))
			return true;
		if (!receive(v))
			return false;
		if (is_asked(v))
			return true;
	}
	return true;
}

static bool read_range(const struct server *v, uint64_t memory, unsigned int i, size_t at)
{
	const struct peek_shared *s = v->shared;
	size_t len = s->range[i].len;

	return len <= PEEK_CHANNEL_BYTES - at &&
	       pread(v->mem[slot_of(memory)], v->shared->bytes + at, len, (off_t)s->range[i].addr) == (ssize_t)len;
}

/* Reads as many bytes as there are. */
static bool read_some(const struct server *v, uint64_t memory)
{
	struct peek_shared *s = v->shared;
	size_t len = s->range[0].len < PEEK_CHANNEL_BYTES ? s->range[0].len : PEEK_CHANNEL_BYTES;
	ssize_t n = pread(v->mem[slot_of(memory)], s->bytes, len, (off_t)s->range[0].addr);

	s->got = n < 0 ? 0 : (uint64_t)n;
	return n >= 0;
}

static bool read_ranges(const struct server *v, uint64_t memory)
{
	const struct peek_shared *s = v->shared;
	size_t at = 0;
	unsigned int i;

	if (s->some)
		return read_some(v, memory);
	for (i = 0; i < s->nr && i < PEEK_MAX_RANGES; at += s->range[i].len, i++)
		if (!read_range(v, memory, i, at))
			return false;
	return true;
}

/* Moves to another CPU if the jail is on the reader's. */
static void choose_cpu(struct server *v)
{
	const uint32_t taken = v->shared->reader_cpu;
	cpu_set_t cpus = v->cpus;

	if (this_cpu() == taken && taken < CPU_SETSIZE) {
		CPU_CLR(taken, &cpus);
		/* fails if there is no other CPU */
		sched_setaffinity(0, sizeof(cpus), &cpus);
	}
	v->shared->jail_cpu = this_cpu();
}

static bool serve(struct server *v)
{
	struct peek_shared *s = v->shared;
	uint64_t memory;

	if (!wait_for_request(v))
		return false;
	v->last = load(&s->asked);
	memory = s->memory;
	while (v->held[slot_of(memory)] != memory)
		if (!receive(v))
			return false;
	s->good = read_ranges(v, memory);
	choose_cpu(v);
	__atomic_store_n(&s->served, v->last, __ATOMIC_SEQ_CST);
	/* if the socket is full, there are enough messages to wake the reader */
	if (__atomic_exchange_n(&s->reader_sleeps, 0, __ATOMIC_SEQ_CST))
		return send(v->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 || errno == EAGAIN;
	return true;
}

void peek_channel_serve(const struct peek_channel *c)
{
	struct server v = { .shared = c->shared, .fd = c->jail_fd };

	/* fails if there are more CPUs than cpu_set_t can hold */
	if (sched_getaffinity(0, sizeof(v.cpus), &v.cpus))
		CPU_ZERO(&v.cpus);
	while (serve(&v))
		;
}

/* Functions of both sides. */

int peek_channel_open(struct peek_channel *c)
{
	int fds[2];

	*c = (struct peek_channel)PEEK_CHANNEL_INIT;
	c->shared = mmap(NULL, sizeof(*c->shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED) {
		c->shared = NULL;
		return -ENOMEM;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds)) {
		int err = -errno;

		peek_channel_close(c);
		return err;
	}
	c->fd = fds[0];
	c->jail_fd = fds[1];
	return 0;
}

void peek_channel_started(struct peek_channel *c)
{
	if (c->jail_fd >= 0)
		close(c->jail_fd);
	c->jail_fd = -1;
}

void peek_channel_close(struct peek_channel *c)
{
	peek_channel_started(c);
	if (c->fd >= 0)
		close(c->fd);
	if (c->shared)
		munmap(c->shared, sizeof(*c->shared));
	*c = (struct peek_channel)PEEK_CHANNEL_INIT;
}
