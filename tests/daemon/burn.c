// SPDX-License-Identifier: GPL-2.0
/*
 * A load that is never the same process for long: children that spin, that execute this
 * program again, that open a library, that crash, and that start children of their own.
 * All are called "burn". When time is up, says how much CPU time all of them took, as the
 * kernel has it: in nanoseconds, and how many there were.
 *
 * usage: burn SECONDS [PROCESSES at a time]
 */
#include <dlfcn.h>
#include <math.h>
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

static _Noreturn void child(unsigned int kind)
{
	switch (kind % 5) {
	case 0:
		spin(0.03);
		break;
	case 1:
		execl("/proc/self/exe", "burn", "--leaf", (char *)NULL);
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

int main(int argc, char **argv)
{
	struct rlimit none = { 0, 0 };
	unsigned int nr = 0, running = 0, most = 1;
	struct rusage self, children;
	double end;

	prctl(PR_SET_NAME, "burn");
	setrlimit(RLIMIT_CORE, &none);
	if (argc > 1 && !strcmp(argv[1], "--leaf")) {
		spin(0.02);
		return 0;
	}
	if (argc < 2)
		return 2;
	if (argc > 2)
		most = (unsigned int)atoi(argv[2]);
	end = seconds(CLOCK_MONOTONIC) + atof(argv[1]);
	while (seconds(CLOCK_MONOTONIC) < end) {
		if (!fork())
			child(nr);
		nr++;
		if (++running >= most && wait(NULL) > 0)
			running--;
	}
	while (wait(NULL) > 0)
		;
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	printf("%.0f %u\n", 1e9 * (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec +
					   children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
	       1e3 * (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec +
			      children.ru_utime.tv_usec + children.ru_stime.tv_usec), nr);
	return 0;
}
