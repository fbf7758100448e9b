// SPDX-License-Identifier: GPL-2.0-only
/* fork() without exec: the child keeps its parent's image and stack. */
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

FRAME void fork_leaf(void)
{
	spin(SPIN);
}

FRAME void fork_parent(unsigned long long end)
{
	while (now_ns() < end) {
		fork_leaf();
		STAY();
	}
}

FRAME void fork_child(unsigned long long end)
{
	volatile char bulk[300];

	bulk[1] = 1;
	while (now_ns() < end) {
		fork_leaf();
		STAY();
	}
	bulk[2] = bulk[1];
}

FRAME int run_fork(double seconds)
{
	unsigned long long end = after(seconds);
	pid_t child = fork();

	if (child < 0)
		return 1;
	if (!child) {
		fork_child(end);
		_exit(0);
	}
	fork_parent(end);
	waitpid(child, NULL, 0);
	return 0;
}
