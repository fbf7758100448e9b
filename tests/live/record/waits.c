// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that wait, each in another way, for a time by the clock. Prints the
 * scheduler's account of each: a line with its name, the time that passed, its
 * time on a CPU, the time that it waited for a CPU, all in nanoseconds, and how
 * often it stopped running.
 *
 * usage: waits SECONDS FILE
 *	FILE is written to, and should be on a disk
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ll

struct account {
	long long wall;
	long long run;
	long long delay;
	long long stops;
};

static long long until;
static const char *path;
static int pipes[2][2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static long long clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static int goes_on(void)
{
	return clock_ns(CLOCK_MONOTONIC) < until;
}

/* Uses some CPU time between two waits, so that threads are preempted too. */
static void work(unsigned int n)
{
	volatile unsigned int i;

	for (i = 0; i < n; i++)
		;
}

static void sleeps(void)
{
	while (goes_on()) {
		nanosleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
		work(100000);
	}
}

static void hand_over(int from, int to, int begins)
{
	char word = 'w';

	if (begins && write(to, &word, 1) != 1)
		err(1, "pipe");
	while (goes_on() && read(from, &word, 1) == 1) {
		work(20000);
		if (write(to, &word, 1) != 1)
			err(1, "pipe");
	}
	/* the other thread may be waiting for this */
	if (write(to, &word, 1) != 1)
		err(1, "pipe");
}

static void pipe_one(void)
{
	hand_over(pipes[0][0], pipes[1][1], 1);
}

static void pipe_other(void)
{
	hand_over(pipes[1][0], pipes[0][1], 0);
}

static void take_turns(int mine)
{
	while (goes_on()) {
		pthread_mutex_lock(&lock);
		while (turn != mine && goes_on())
			pthread_cond_wait(&turned, &lock);
		turn = !mine;
		pthread_cond_signal(&turned);
		pthread_mutex_unlock(&lock);
		work(20000);
	}
	pthread_cond_broadcast(&turned);
}

static void turn_one(void)
{
	take_turns(0);
}

static void turn_other(void)
{
	take_turns(1);
}

static void polls(void)
{
	while (goes_on())
		poll(NULL, 0, 5);
}

static void writes(void)
{
	static char block[65536];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		err(1, "%s", path);
	while (goes_on()) {
		if (pwrite(fd, block, sizeof(block), 0) != sizeof(block) || fsync(fd))
			err(1, "%s", path);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	close(fd);
}

static void spins(void)
{
	while (goes_on())
		work(100000);
}

static struct waiter {
	const char *name;
	void (*work)(void);
	pthread_t thread;
	struct account is;
} waiters[] = {
	{ .name = "w-sleep", .work = sleeps },	     { .name = "w-pipe-one", .work = pipe_one },
	{ .name = "w-pipe-other", .work = pipe_other }, { .name = "w-turn-one", .work = turn_one },
	{ .name = "w-turn-other", .work = turn_other }, { .name = "w-poll", .work = polls },
	{ .name = "w-disk", .work = writes },	     { .name = "w-spin", .work = spins },
};

#define NR_WAITERS (sizeof(waiters) / sizeof(waiters[0]))

/*
 * Adds the scheduler's account of the calling thread to @a, multiplied by
 * @sign.
 */
static void account(struct account *a, int sign)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "re");
	long long run, delay;
	struct rusage u;

	if (!f || fscanf(f, "%lld %lld", &run, &delay) != 2)
		err(1, "/proc/thread-self/schedstat");
	fclose(f);
	getrusage(RUSAGE_THREAD, &u);
	a->delay += sign * delay;
	a->stops += sign * (u.ru_nvcsw + u.ru_nivcsw);
	/*
	 * the file does not have the time of the present turn on the CPU; the
	 * clock has
	 */
	a->run += sign * clock_ns(CLOCK_THREAD_CPUTIME_ID);
	a->wall += sign * clock_ns(CLOCK_MONOTONIC);
}

static void *run(void *arg)
{
	struct waiter *w = arg;

	prctl(PR_SET_NAME, w->name);
	account(&w->is, -1);
	w->work();
	account(&w->is, 1);
	prctl(PR_SET_NAME, "w-ended");
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 3)
		return 2;
	path = argv[2];
	until = clock_ns(CLOCK_MONOTONIC) + (long long)(strtod(argv[1], NULL) * SECOND);
	if (pipe(pipes[0]) || pipe(pipes[1]))
		err(1, "pipe");
	for (i = 0; i < NR_WAITERS; i++)
		if (pthread_create(&waiters[i].thread, NULL, run, &waiters[i]))
			errx(1, "a thread");
	for (i = 0; i < NR_WAITERS; i++)
		pthread_join(waiters[i].thread, NULL);
	for (i = 0; i < NR_WAITERS; i++)
		printf("%s %lld %lld %lld %lld\n", waiters[i].name, waiters[i].is.wall,
		       waiters[i].is.run, waiters[i].is.delay, waiters[i].is.stops);
	return 0;
}
