/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers of the tests of jails: they start a jail and check its end, as root and without
 * rights.
 */
#ifndef USTACK_UNIT_JAIL_RUN_H
#define USTACK_UNIT_JAIL_RUN_H

#include "support.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/jail/jail.h"

/* A user without any right, and not nobody, as which root's jails run. */
#define ORDINARY 65123

/* Longer than any step of these tests takes if it succeeds. */
#define PATIENCE_MS 20000

static const struct jail_limits nothing = { .seconds = 60 };
/* Options of a jail that may read the files of any user. */
static char folder[64];

static inline struct jail_end run(const struct jail_limits *l, int (*work)(void *arg), void *arg)
{
	struct jail j = JAIL_INIT;
	struct jail_end end;

	assert_int_equal(jail_start(&j, l, work, arg), 0);
	assert_true(jail_end(&j, true, &end));
	assert_int_equal(j.pid, 0);
	return end;
}

static inline void exits(const struct jail_limits *l, int (*work)(void *arg), void *arg, int status)
{
	struct jail_end end = run(l, work, arg);

	assert_int_equal(end.how, JAIL_EXITED);
	assert_int_equal(end.value, status);
}

static inline void dies(const struct jail_limits *l, int (*work)(void *arg), void *arg, int signal)
{
	struct jail_end end = run(l, work, arg);

	assert_int_equal(end.how, JAIL_SIGNALLED);
	assert_int_equal(end.value, signal);
}

/* Waits until the last process with the other end of a pipe has ended. */
static inline bool is_alone(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char c;

	return poll(&p, 1, PATIENCE_MS) == 1 && read(fd, &c, 1) == 0;
}

static inline void make_pipe(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
}

static inline int keeps_silent(void *arg)
{
	while (pause())
		;
	return 0;
}

static inline int run_in_folder(const char *who, int (*run_group)(const char *who))
{
	int failed;

	snprintf(folder, sizeof(folder), "/tmp/test_jail.XXXXXX");
	if (!mkdtemp(folder) || chmod(folder, 0777))
		return 1;
	failed = run_group(who);
	rmdir(folder);
	return failed;
}

/* @run_group: runs the tests; called once as root and once as a user without rights, or as the user
 * that runs this.
 */
static inline int run_as_both(int (*run_group)(const char *who))
{
	int status = 0;
	pid_t pid;

	if (geteuid())
		return run_in_folder("without rights", run_group);
	if (run_in_folder("root", run_group))
		return 1;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (setgroups(0, NULL) || setresgid(ORDINARY, ORDINARY, ORDINARY) ||
		    setresuid(ORDINARY, ORDINARY, ORDINARY) || prctl(PR_SET_DUMPABLE, 1))
			_exit(1);
		status = run_in_folder("without rights", run_group);
		fflush(NULL);
		_exit(status ? 1 : 0);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

#endif /* USTACK_UNIT_JAIL_RUN_H */
