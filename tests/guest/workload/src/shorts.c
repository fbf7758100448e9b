// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works like a shell: up to 500 processes one after the other, each of which uses 2 ms of CPU
 * time and ends. The first sample of each must already be whole.
 */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

#define PROCESSES 500
#define BURN 0.002

FRAME void short_leaf(void)
{
	spin(SPIN / 8);
}

FRAME void short_mid(unsigned long long end)
{
	while (now_ns() < end) {
		short_leaf();
		STAY();
	}
}

FRAME int run_shorts_child(double seconds)
{
	short_mid(after(BURN));
	STAY();
	return 0;
}

FRAME int run_shorts(double seconds)
{
	char *argv[] = { "workload", "shorts_child", NULL };
	unsigned long long end = after(seconds);
	int i, status;

	for (i = 0; i < PROCESSES && now_ns() < end; i++) {
		pid_t child;

		if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, argv,
				environ))
			return 1;
		waitpid(child, &status, 0);
		if (status)
			return 1;
	}
	return 0;
}
