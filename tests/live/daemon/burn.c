// SPDX-License-Identifier: GPL-2.0-only
/*
 * A load of processes that live only for milliseconds: children that spin, that execute this
 * program again, that open a library, that crash, and that start children of their own.
 * It ends when all of them together have taken SECONDS of CPU time, however long that takes on a
 * busy machine, or at SIGTERM. Then it prints a line of four numbers by the kernel's counts:
 *
 *	nanoseconds of CPU time that all took
 *	number of processes that it started
 *	nanoseconds that passed
 *	nanoseconds of all CPUs that the hypervisor or interrupts took meanwhile. A sample of
 *	this time is taken late or not at all, or is counted for a process that did not run.
 *	An emulator that waits for its machine does not tell its guest, so threads of the highest
 *	priority measure how late they run
 *
 * usage: burn SECONDS [PROCESSES [NAME]]
 *	SECONDS: CPU time, 0 means until SIGTERM; PROCESSES: how many run at a time (1);
 *	NAME: name of all of them ("burn")
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static volatile double sum;

__attribute__((__noinline__)) static void spin(double least)
{
	double end = seconds(CLOCK_PROCESS_CPUTIME_ID) + least;
	int i;

	while (seconds(CLOCK_PROCESS_CPUTIME_ID) < end)
		for (i = 0; i < 10000; i++)
			sum += i;
}

static void call_library(void)
{
	void *lib = dlopen("libm.so.6", RTLD_NOW);
	double (*f)(double, double) = lib ? (double (*)(double, double))dlsym(lib, "pow") : NULL;
	double end = seconds(CLOCK_PROCESS_CPUTIME_ID) + 0.02;
	int i;

	while (f && seconds(CLOCK_PROCESS_CPUTIME_ID) < end)
		for (i = 1; i < 1000; i++)
			sum += f(1.0001, i);
	if (lib)
		dlclose(lib);
}

static _Noreturn void child(unsigned int kind, const char *name)
{
	switch (kind % 5) {
	case 0:
		spin(0.03);
		break;
	case 1:
		execl("/proc/self/exe", name, "--leaf", (char *)NULL);
		_exit(127);
	case 2:
		call_library();
		break;
	case 3:
		spin(0.01);
		abort();
	default:
		if (!fork()) {
			spin(0.01);
			_exit(0);
		}
		spin(0.01);
		wait(NULL);
	}
	_exit(0);
}

static volatile sig_atomic_t stop;

static void on_term(int sig)
{
	(void)sig;
	stop = 1;
}

static double usage_seconds(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* CPU time of this process and of its children that have ended. */
static double cpu_seconds(void)
{
	return usage_seconds(RUSAGE_SELF) + usage_seconds(RUSAGE_CHILDREN);
}

#define LOOK_SECONDS 0.01
#define LATE_SECONDS 0.002

static double late_seconds[64];

/* Measures how late the thread of the highest priority runs on one CPU. */
static void *look(void *arg)
{
	const struct timespec pause = { 0, (long)(LOOK_SECONDS * 1e9) };
	double *late = arg, before, spent;

	for (;;) {
		before = seconds(CLOCK_MONOTONIC);
		nanosleep(&pause, NULL);
		spent = seconds(CLOCK_MONOTONIC) - before - LOOK_SECONDS;
		if (spent > LATE_SECONDS)
			*late += spent;
	}
	return NULL;
}

/* Starts such a thread on each CPU. Without permission for SCHED_FIFO nothing is measured. */
static void look_at_cpus(void)
{
	const struct sched_param first = { .sched_priority = 1 };
	unsigned int cpu, most = sizeof(late_seconds) / sizeof(*late_seconds);
	pthread_t thread;
	cpu_set_t one;

	for (cpu = 0; cpu < most && cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		if (pthread_create(&thread, NULL, look, &late_seconds[cpu]))
			return;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (pthread_setaffinity_np(thread, sizeof(one), &one) ||
		    pthread_setschedparam(thread, SCHED_FIFO, &first))
			pthread_cancel(thread);
	}
}

static double all_late_seconds(void)
{
	unsigned int cpu;
	double all = 0;

	for (cpu = 0; cpu < sizeof(late_seconds) / sizeof(*late_seconds); cpu++)
		all += late_seconds[cpu];
	return all;
}

/* Seconds of all CPUs that interrupts and the hypervisor took since the machine started. */
static double away_seconds(void)
{
	unsigned long long irq = 0, softirq = 0, steal = 0;
	FILE *f = fopen("/proc/stat", "r");

	if (!f)
		return 0;
	if (fscanf(f, "cpu %*u %*u %*u %*u %*u %llu %llu %llu", &irq, &softirq, &steal) != 3)
		irq = softirq = steal = 0;
	fclose(f);
	return (double)(irq + softirq + steal) / (double)sysconf(_SC_CLK_TCK) + all_late_seconds();
}

/* Runs children until they have taken @most_cpu seconds. Return: number of children. */
static unsigned int burn(double most_cpu, unsigned int most_running, const char *name)
{
	unsigned int nr = 0, running = 0;

	while (!stop && (!most_cpu || cpu_seconds() < most_cpu)) {
		if (!fork())
			child(nr, name);
		nr++;
		if (++running >= most_running && wait(NULL) > 0)
			running--;
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return nr;
}

int main(int argc, char **argv)
{
	const struct sigaction term = { .sa_handler = on_term };
	const char *name = argc > 3 ? argv[3] : "burn";
	struct rlimit none = { 0, 0 };
	double began, away;
	unsigned int nr;

	if (argc == 2 && !strcmp(argv[1], "--leaf")) {
		prctl(PR_SET_NAME, argv[0]);
		spin(0.02);
		return 0;
	}
	if (argc < 2)
		return 2;
	prctl(PR_SET_NAME, name);
	/* if the test is killed, the load ends */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setrlimit(RLIMIT_CORE, &none);
	sigaction(SIGTERM, &term, NULL);
	look_at_cpus();
	began = seconds(CLOCK_MONOTONIC);
	away = away_seconds();
	nr = burn(atof(argv[1]), argc > 2 ? (unsigned int)atoi(argv[2]) : 1, name);
	printf("%.0f %u %.0f %.0f\n", 1e9 * cpu_seconds(), nr,
	       1e9 * (seconds(CLOCK_MONOTONIC) - began), 1e9 * (away_seconds() - away));
	return 0;
}
