// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs `ustack supply` as a child process of a recording. See supplier.h;
 * session_open.c and session.c call it.
 */
#include "capture/record/supplier.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/jail/privilege.h"

#include "util/poison.h"

static _Noreturn void become(char *const argv[])
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	/* end with the recorder, however that dies */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Ctrl-C must not reach it: the recorder needs tables to the end */
	setpgid(0, 0);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	/* root's rights pass through exec anyway */
	if (geteuid())
		privilege_pass_on();
	execv("/proc/self/exe", argv);
	_exit(127);
}

static pid_t start(char *const argv[])
{
	pid_t pid = fork();

	if (!pid)
		become(argv);
	return pid < 0 ? 0 : pid;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}

int supplier_prepare(void (*note)(const char *text, void *arg), void *arg)
{
	char *const argv[] = { "ustack", "supply", "--once", "--prepare", NULL };
	pid_t pid = start(argv);

	if (note)
		note("making unwind tables of running programs ...", arg);
	return pid ? wait_for(pid) : -EAGAIN;
}

pid_t supplier_start(void)
{
	char *const argv[] = { "ustack", "supply", NULL };

	return start(argv);
}

void supplier_stop(pid_t pid)
{
	if (!pid)
		return;
	kill(pid, SIGTERM);
	wait_for(pid);
}
