// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spends CPU time in many short lives, and reports how much it was by the
 * kernel's account.
 *
 * usage: lives spin|threads|forks|execs MS FILE Spends about MS ms: in one
 * thread; in threads or in processes of a millisecond each; or in processes
 * that execute this program, which exits at once. FILE gets the CPU time of all
 * of them in microseconds, in user mode and in all.
 */
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIFE_NS 1000000ull

static uint64_t micros(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

static void account(uint64_t *user, uint64_t *all)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	*user = micros(self.ru_utime) + micros(children.ru_utime);
	*all = *user + micros(self.ru_stime) + micros(children.ru_stime);
}

static void *spin(void *arg)
{
	uint64_t ns = *(const uint64_t *)arg, spent;
	volatile unsigned int sink;
	struct timespec t;
	unsigned int i;

	do {
		for (i = 0; i < 20000; i++)
			sink = i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		spent = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	} while (spent < ns);
	(void)sink;
	return NULL;
}

static void live(const char *kind, char *program)
{
	char *const argv[] = { program, NULL };
	uint64_t life = LIFE_NS;
	pthread_t thread;
	pid_t pid = 0;
	int err;

	if (!strcmp(kind, "threads")) {
		err = pthread_create(&thread, NULL, spin, &life);
		if (!err)
			err = pthread_join(thread, NULL);
	} else if (!strcmp(kind, "forks")) {
		pid = fork();
		err = pid < 0;
		if (!pid) {
			spin(&life);
			_exit(0);
		}
	} else {
		err = posix_spawn(&pid, program, NULL, NULL, argv, NULL);
	}
	if (err || (pid && waitpid(pid, NULL, 0) != pid))
		exit(1);
}

int main(int argc, char **argv)
{
	uint64_t user, all, end;
	FILE *f;

	if (argc < 4)
		return 0;
	end = strtoull(argv[2], NULL, 10) * 1000000;
	if (!strcmp(argv[1], "spin"))
		spin(&end);
	for (account(&user, &all); all * 1000 < end; account(&user, &all))
		live(argv[1], argv[0]);
	f = fopen(argv[3], "we");
	if (!f || fprintf(f, "%llu %llu\n", (unsigned long long)user, (unsigned long long)all) < 0 ||
	    fclose(f))
		return 1;
	return 0;
}
