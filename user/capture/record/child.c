// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts the command to record: its process waits at a pipe until child_run(),
 * so that sampling can begin before it. See child.h; session.c calls it.
 */
#include "capture/record/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/poison.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void take_away_terminal(void)
{
	int fd, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
}

/*
 * Runs in the new process. If the recorder dies before child_run(), the process
 * is killed.
 */
static _Noreturn void wait_and_exec(int go, int failed, char *const argv[], bool quiet,
				    pid_t parent)
{
	int err;
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || read(go, &c, 1) != 1)
		_exit(125);
	prctl(PR_SET_PDEATHSIG, 0);
	if (quiet)
		take_away_terminal();
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

bool child_path(const char *name, char *ret, size_t room)
{
	const char *dirs = getenv("PATH"), *end;
	int len;

	if (strchr(name, '/'))
		return (size_t)snprintf(ret, room, "%s", name) < room && !access(ret, X_OK);
	for (dirs = dirs ? dirs : "/bin:/usr/bin";; dirs = end + 1) {
		end = strchrnul(dirs, ':');
		len = (int)(end - dirs);
		if ((size_t)snprintf(ret, room, "%.*s/%s", len ? len : 1, len ? dirs : ".", name) < room &&
		    !access(ret, X_OK))
			return true;
		if (!*end)
			return false;
	}
}

int child_prepare(struct child *c, char *const argv[], bool quiet, struct diag *diag)
{
	int go[2], failed[2];
	pid_t parent = getpid();

	if (pipe2(go, O_CLOEXEC))
		return diag_errno(diag, errno, argv[0]);
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return diag_errno(diag, errno, argv[0]);
	}
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		wait_and_exec(go[0], failed[1], argv, quiet, parent);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	return diag_errno(diag, errno, argv[0]);
}

int child_run(struct child *c, const char *name, struct diag *diag)
{
	int err = 0;

	if (write(c->go, "", 1) != 1)
		return diag_errno(diag, errno, name);
	close_fd(&c->go);
	/*
	 * exec closes the pipe, so the read ends without a byte if it succeeds
	 */
	if (read(c->failed, &err, sizeof(err)) == sizeof(err))
		return diag_errno(diag, err, name);
	close_fd(&c->failed);
	return 0;
}

static uint64_t nanoseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

int child_status(struct child *c, bool wait)
{
	struct rusage used;
	int status;
	pid_t pid;

	do
		pid = wait4(c->pid, &status, wait ? 0 : WNOHANG, &used);
	while (pid < 0 && errno == EINTR);
	if (pid <= 0)
		return -1;
	c->pid = 0;
	c->user_ns = nanoseconds(used.ru_utime);
	c->system_ns = nanoseconds(used.ru_stime);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child_release(struct child *c)
{
	bool waits = c->go >= 0;

	close_fd(&c->go);
	close_fd(&c->failed);
	if (c->pid && waits)
		child_status(c, true);
	else if (c->pid)
		kill(c->pid, SIGTERM);
}
