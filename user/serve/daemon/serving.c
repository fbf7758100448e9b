// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts, watches and ends the serving process. This half of serving.h runs in the sampling
 * process, its parent.
 */
#include "serve/daemon/serving.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "serve/daemon/daemon_private.h"
#include "serve/daemon/log.h"
#include "host/jail/privilege.h"
#include "util/clock.h"
#include "util/file.h"

#include "util/poison.h"

#define SECOND 1000000000ull
#define MAX_PATIENCE 64u	/* longest time between two starts, in seconds */
#define END_TRIES 50u		/* tenths of a second until it is killed */
#define SEALS (F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

/* In the child: drops all privileges, and executes the serving process. */
static _Noreturn void become(const struct serving_process *f, pid_t parent)
{
	char number[16], config[32];
	/* duplicates stay open at exec, unlike the originals */
	int fd = dup(shared_fd(f->shared)), cfd = dup(f->config);
	char *argv[] = { "ustackd", "daemon", "--front", number, "--store", (char *)f->store,
			 "--config", config, f->verbose ? "--verbose" : NULL, NULL };

	snprintf(number, sizeof(number), "%d", fd);
	snprintf(config, sizeof(config), "/proc/self/fd/%d", cfd);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	privilege_lock();
	/* it reads the store as its owner, so it needs no rights of a group */
	setgroups(0, NULL);
	if (fd >= 0 && cfd >= 0 && !privilege_keep(0) && !sigprocmask(SIG_SETMASK, &f->mask, NULL))
		execv("/proc/self/exe", argv);
	_exit(127);
}

static int start(struct serving_process *f, struct diag *diag)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (!pid)
		become(f, parent);
	f->began = clock_ns(CLOCK_MONOTONIC);
	if (pid < 0)
		return diag_errno(diag, errno, "the serving process");
	f->pid = pid;
	return 0;
}

int serving_configure(struct serving_process *f, const char *bytes, size_t len, struct diag *diag)
{
	int fd = memfd_create("ustackd.yaml", MFD_CLOEXEC | MFD_ALLOW_SEALING), err;

	if (fd < 0)
		return diag_errno(diag, errno, "the serving process's configuration");
	err = file_write_all(fd, bytes, len);
	/* sealed, so that a serving process cannot change the configuration of the next one */
	if (!err && fcntl(fd, F_ADD_SEALS, SEALS))
		err = -errno;
	if (err) {
		close(fd);
		return diag_errno(diag, -err, "the serving process's configuration");
	}
	if (f->config >= 0)
		close(f->config);
	f->config = fd;
	return 0;
}

int serving_start(struct serving_process *f, const char *store, const struct shared *shared,
		  struct diag *diag)
{
	f->store = store;
	f->shared = shared;
	f->wanted = true;
	return start(f, diag);
}

/* Return: whether the process has ended. */
static bool ended(struct serving_process *f)
{
	int status;

	if (f->pid && waitpid(f->pid, &status, WNOHANG) != f->pid)
		return false;
	f->pid = 0;
	return true;
}

void serving_look(struct serving_process *f)
{
	unsigned int patience;
	bool lived;

	if (!f->wanted)
		return;
	if (f->pid && ended(f)) {
		lived = clock_ns(CLOCK_MONOTONIC) - f->began > MAX_PATIENCE * SECOND;
		f->failures = lived ? 1 : f->failures + 1;
		daemon_log(LOG_IS_ERROR, "the serving process has ended; it is started again");
	}
	if (f->pid)
		return;
	patience = f->failures < 7 ? 1u << f->failures : MAX_PATIENCE;
	if (clock_ns(CLOCK_MONOTONIC) - f->began >= patience * SECOND)
		start(f, NULL);
}

static void end(struct serving_process *f)
{
	const struct timespec tenth = { 0, 100000000 };
	unsigned int i;

	if (!f->pid)
		return;
	kill(f->pid, SIGTERM);
	for (i = 0; i < END_TRIES && !ended(f); i++)
		nanosleep(&tenth, NULL);
	if (f->pid) {
		kill(f->pid, SIGKILL);
		waitpid(f->pid, NULL, 0);
		f->pid = 0;
	}
}

void serving_restart(struct serving_process *f)
{
	if (!f->wanted)
		return;
	end(f);
	f->failures = 0;
	start(f, NULL);
}

void serving_stop(struct serving_process *f)
{
	f->wanted = false;
	end(f);
	if (f->config >= 0)
		close(f->config);
	f->config = -1;
}
