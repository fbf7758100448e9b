// SPDX-License-Identifier: GPL-2.0-only
/*
 * The thread that takes wishes from the programs' ring buffer and answers them (answer.c), and
 * the calls that wait for it.
 */
#include "supply/tables/maker.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "supply/tables/answer.h"
#include "util/clock.h"
#include "util/thread.h"

#include "util/poison.h"

/* Milliseconds: the ring wakes no reader while it is being emptied, so the thread looks itself. */
#define POLL_MS 1000

/* Processes that may not be read yet: number that is remembered, and ms between two attempts. */
#define MAX_LATER 256u
#define LATER_MS 20
/* If there are more of them, all processes are read, at most once in this time (ns). */
#define ALL_LOOKED_NS 5000000000

#define WISHES_AT_ONCE 16u

/*
 * Answers to wishes lead to new wishes. The longest chain has four: a process is read; it has
 * more mappings than its space holds; then more than wide windows hold; then files without a
 * table.
 */
#define ROUNDS 4u

/**
 * struct round - how far the ring must be read for a call of table_maker_settle(); the thread's
 * @question: number of the call: the value that struct table_maker.asked had
 * @upto: the writers' position in the ring at the start of the round
 * @nr: number of this call's rounds that have ended
 */
struct round {
	uint64_t question;
	uint64_t upto;
	unsigned int nr;
};

/**
 * struct table_maker - the answering thread
 * @each: the programs' iterator over mappings
 * @ring: ring buffer of wishes
 * @answers: makes tables; the thread's
 * @thread: the thread
 * @running: @thread was started
 * @wake: eventfd that wakes the thread
 * @read_to: position of the ring's reader, mapped
 * @written_to: position of the ring's writers, mapped
 * @lock: protects @asked, @settled, @round and @ending
 * @quiet: signalled when @settled has changed
 * @asked: number of calls of table_maker_settle()
 * @settled: number of those calls that have been answered
 * @round: the current call's round
 * @ending: the thread should end
 * @looks: see struct table_maker_counts; atomic
 * @later: processes that may not be read yet; the thread's
 * @nr_later: number of @later
 * @all_later: @later had no room for all of them
 * @all_looked: CLOCK_MONOTONIC when all processes were last read for that reason
 * @taken: number of wishes taken
 */
struct table_maker {
	struct bpf_program *each;
	struct ring_buffer *ring;
	struct answers answers;
	pthread_t thread;
	bool running;
	int wake;
	const uint64_t *read_to;
	const uint64_t *written_to;
	pthread_mutex_t lock;
	pthread_cond_t quiet;
	uint64_t asked;
	uint64_t settled;
	struct round round;
	bool ending;
	uint64_t looks;
	uint32_t later[MAX_LATER];
	unsigned int nr_later;
	bool all_later;
	uint64_t all_looked;
	unsigned int taken;
};

/* Reads a process's mappings. Return: false if that must be done later. */
static bool look(struct table_maker *k, uint32_t tgid)
{
	bool looked = answers_map(&k->answers, tgid);

	__atomic_fetch_add(&k->looks, looked, __ATOMIC_RELAXED);
	return looked;
}

static void add_later(struct table_maker *k, uint32_t tgid)
{
	unsigned int i;

	for (i = 0; i < k->nr_later; i++)
		if (k->later[i] == tgid)
			return;
	if (k->nr_later < MAX_LATER)
		k->later[k->nr_later++] = tgid;
	else
		k->all_later = true;
}

/* Reads the processes in @later that may be read by now. */
static void look_later(struct table_maker *k)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	unsigned int i, nr = 0;

	for (i = 0; i < k->nr_later; i++)
		if (!look(k, k->later[i]))
			k->later[nr++] = k->later[i];
	k->nr_later = nr;
	if (!k->all_later || nr == MAX_LATER || now - k->all_looked < ALL_LOOKED_NS)
		return;
	k->all_later = false;
	k->all_looked = now;
	answers_look(k->each, 0);
}

/*
 * Handles a wish. Return: negative after some wishes, so that no more are taken at once: a
 * process can wish as fast as it is answered, and the thread must see @ending.
 */
static int take_wish(void *arg, void *data, size_t len)
{
	struct table_maker *k = arg;
	const struct tables_wish *wish = data;

	if (len != sizeof(*wish))
		return 0;
	if (wish->scarce)
		k->answers.scarce = true;
	else if (wish->image)
		answers_make(&k->answers, wish);
	else if (!look(k, wish->tgid))
		add_later(k, wish->tgid);
	return ++k->taken % WISHES_AT_ONCE ? 0 : -ECANCELED;
}

static void wake(struct table_maker *k)
{
	uint64_t one = 1;

	/* fails only if the eventfd is full: then the thread will wake anyway */
	if (write(k->wake, &one, sizeof(one)) < 0)
		return;
}

static void wait_for_wishes(struct table_maker *k)
{
	struct pollfd fds[] = {
		{ .fd = ring_buffer__epoll_fd(k->ring), .events = POLLIN },
		{ .fd = k->wake, .events = POLLIN },
	};
	uint64_t woken;

	poll(fds, 2, k->nr_later ? LATER_MS : POLL_MS);
	if (fds[1].revents && read(k->wake, &woken, sizeof(woken)) < 0)
		return;
}

/* Return: false if the thread should end. */
static bool begin_pass(struct table_maker *k)
{
	struct round *r = &k->round;
	bool ending;

	pthread_mutex_lock(&k->lock);
	if (k->settled == r->question && k->asked != r->question)
		*r = (struct round){
			k->asked, __atomic_load_n(k->written_to, __ATOMIC_ACQUIRE), 0,
		};
	ending = k->ending;
	pthread_mutex_unlock(&k->lock);
	return !ending;
}

/*
 * Wishes can come as fast as they are answered, so a call does not wait for an empty ring, but
 * for positions in it. The reader stops at a wish that a program is still writing, and a program
 * can be preempted there: so a reader that finds no more may not have reached @upto yet.
 *
 * Return: whether all that the call waits for has been answered.
 */
static bool end_round(const struct table_maker *k, struct round *r)
{
	uint64_t read_to = __atomic_load_n(k->read_to, __ATOMIC_RELAXED), written_to;

	if (read_to < r->upto)
		return false;
	written_to = __atomic_load_n(k->written_to, __ATOMIC_ACQUIRE);
	r->upto = written_to;
	return ++r->nr == ROUNDS || read_to == written_to;
}

/* Return: whether another call of table_maker_settle() waits. */
static bool end_pass(struct table_maker *k)
{
	bool more;

	pthread_mutex_lock(&k->lock);
	if (k->settled != k->round.question && end_round(k, &k->round)) {
		k->settled = k->round.question;
		pthread_cond_broadcast(&k->quiet);
	}
	more = k->settled == k->round.question && k->asked != k->settled;
	pthread_mutex_unlock(&k->lock);
	return more;
}

static void *answer_all(void *arg)
{
	struct table_maker *k = arg;
	int taken;

	while (begin_pass(k)) {
		do
			taken = ring_buffer__consume(k->ring);
		while (taken > 0);
		look_later(k);
		answers_free_numbers(&k->answers);
		if (!end_pass(k) && taken != -ECANCELED)
			wait_for_wishes(k);
	}
	return NULL;
}

bool table_maker_settle(struct table_maker *k, unsigned int ms)
{
	struct timespec until;
	bool settled;
	uint64_t when;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&k->lock);
	when = ++k->asked;
	wake(k);
	while (k->settled < when)
		if (!ms)
			pthread_cond_wait(&k->quiet, &k->lock);
		else if (pthread_cond_timedwait(&k->quiet, &k->lock, &until))
			break;
	settled = k->settled >= when;
	pthread_mutex_unlock(&k->lock);
	return settled;
}

/* The programs see this mapping like any other; it must exist until the answer. */
void table_maker_know(struct table_maker *k, const char *path, unsigned int ms)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	void *at = MAP_FAILED;

	if (fd < 0)
		return;
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	table_maker_settle(k, ms);
	if (at != MAP_FAILED)
		munmap(at, 4096);
}

/* The kernel's pages of the ring: one with the reader's position, one with the writers'. */
static int map_positions(struct table_maker *k, int ring)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, ring, 0);

	if (at == MAP_FAILED)
		return -errno;
	k->read_to = at;
	k->written_to = (const uint64_t *)((const char *)at + page);
	return 0;
}

static int start(struct table_maker *k, const struct table_maker_maps *maps,
		 const struct table_maker_limits *limits, struct diag *diag)
{
	int err = answers_open(&k->answers, maps, limits, diag);

	if (err)
		return err;
	k->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (k->wake < 0)
		return diag_errno(diag, errno, "eventfd");
	k->ring = ring_buffer__new(maps->wishes, take_wish, k, NULL);
	err = k->ring ? map_positions(k, maps->wishes) : -errno;
	if (err)
		return diag_set(diag, -err, NULL, "no buffer for programs' wishes: %s",
				strerror(-err));
	err = answers_look(k->each, 0);
	if (err)
		return diag_set(diag, -err, NULL, "the kernel does not list mappings (iter/task_vma): %s",
				strerror(-err));
	err = thread_start(&k->thread, answer_all, k);
	if (err)
		return diag_errno(diag, -err, "a thread");
	k->running = true;
	return 0;
}

int table_maker_new(const struct table_maker_maps *maps, const struct table_maker_limits *limits,
		    struct table_maker **ret, struct diag *diag)
{
	struct table_maker *k = calloc(1, sizeof(*k));
	pthread_condattr_t clock;
	int err;

	if (!k)
		return diag_errno(diag, ENOMEM, NULL);
	k->each = maps->each;
	k->wake = -1;
	k->answers = (struct answers)ANSWERS_INIT;
	pthread_mutex_init(&k->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&k->quiet, &clock);
	pthread_condattr_destroy(&clock);
	err = start(k, maps, limits, diag);
	if (err) {
		table_maker_free(k);
		return err;
	}
	*ret = k;
	return 0;
}

void table_maker_free(struct table_maker *k)
{
	if (!k)
		return;
	if (k->running) {
		pthread_mutex_lock(&k->lock);
		k->ending = true;
		pthread_mutex_unlock(&k->lock);
		wake(k);
		pthread_join(k->thread, NULL);
	}
	ring_buffer__free(k->ring);
	if (k->read_to)
		munmap((void *)k->read_to, 2 * (size_t)sysconf(_SC_PAGESIZE));
	if (k->wake >= 0)
		close(k->wake);
	answers_release(&k->answers);
	pthread_cond_destroy(&k->quiet);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

void table_maker_counts(const struct table_maker *k, struct table_maker_counts *ret)
{
	answers_counts(&k->answers, ret);
	ret->looks = __atomic_load_n(&k->looks, __ATOMIC_RELAXED);
}

unsigned int table_maker_most_mappings(void)
{
	return TABLES_HUGE_WINDOWS;
}
