// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfork() and exec: first the child runs on its parent's mm and stack, then a new program with
 * a known stack replaces it.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"

FRAME void vfork_leaf(void)
{
	spin(SPIN);
}

FRAME void vfork_before(unsigned long long end)
{
	while (now_ns() < end) {
		vfork_leaf();
		STAY();
	}
}

FRAME int run_vfork_child(double seconds)
{
	unsigned long long end = after(seconds);

	while (now_ns() < end) {
		vfork_leaf();
		STAY();
	}
	return 0;
}

/* separate from run_vfork(), whose variables live in registers across its clock */
FRAME pid_t vfork_spawn(unsigned long long end, char *text)
{
	pid_t child = vfork();

	if (child)
		return child;
	vfork_before(end);
	execl("/proc/self/exe", "workload", "vfork_child", text, NULL);
	_exit(1);
}

FRAME int run_vfork(double seconds)
{
	char text[32];
	int status;
	pid_t child;

	snprintf(text, sizeof(text), "%f", seconds / 2);
	child = vfork_spawn(after(seconds / 2), text);
	if (child < 0)
		return 1;
	waitpid(child, &status, 0);
	return status != 0;
}
