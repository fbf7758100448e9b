// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts jails: takes all rights from the new process in an order that matters, then runs
 * its work. And ends them, see jail.h.
 */
#include "host/jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/jail/seccomp.h"
#include "host/jail/landlock.h"
#include "host/jail/privilege.h"
#include "util/clock.h"
#include "util/thread.h"

#include "util/poison.h"

/* Limit for open files of a jail; libdw and libcurl need a dozen. */
#define MAX_FILES 256u

/*
 * Milliseconds to wait for a death after SIGKILL. A normal process needs a few, one that
 * frees gigabytes some hundred.
 */
#define GRACE_MS 1000

/*
 * Limit for killed jails that hang in the kernel. When it is reached, no other jail is
 * started: some file server does not answer, and the next jail would hang, too.
 */
#define MAX_DYING 64u

_Static_assert(JAIL_READ_OTHERS == (1ull << CAP_DAC_READ_SEARCH | 1ull << CAP_SYS_PTRACE |
				    1ull << CAP_CHECKPOINT_RESTORE), "as it is said");

/*
 * Signals sent to all processes at the end of a session, a service or the machine. The
 * jail ignores them: its starter decides when it ends, and it dies with the starter
 * anyway.
 */
static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

static bool reset_signals(void)
{
	sigset_t none;
	size_t i;
	int nr;

	for (nr = 1; nr <= SIGRTMAX; nr++)
		if (nr != SIGKILL && nr != SIGSTOP)
			/*
			 * fails for signals that the C library reserves, which need no
			 * change
			 */
			signal(nr, SIG_DFL);
	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	return !sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Sets standard input, output and error as @l says. Return: whether that worked. */
static bool set_standard(const struct jail_limits *l)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* an image used as root may have no /dev */
	if (null < 0)
		null = memfd_create("null", MFD_CLOEXEC);
	return null >= 0 && dup2(l->in ? l->in : null, STDIN_FILENO) >= 0 &&
	       dup2(l->out ? l->out : null, STDOUT_FILENO) >= 0 &&
#ifdef __SANITIZE_ADDRESS__	/* it reports errors on standard error */
	       true;
#else
	       dup2(null, STDERR_FILENO) >= 0;
#endif
}

/*
 * Closes all other descriptors: work that was taken over must not find them, and file
 * locks that belong to them must not outlive the starter.
 */
static bool close_others(const struct jail_limits *l)
{
	unsigned int from = STDERR_FILENO + 1, i, next;

	for (;;) {
		next = UINT_MAX;
		for (i = 0; i < JAIL_MAX_KEEP; i++)
			if (l->keep[i] >= (int)from && (unsigned int)l->keep[i] < next)
				next = (unsigned int)l->keep[i];
		if (next > from && syscall(SYS_close_range, from, next == UINT_MAX ? next : next - 1, 0))
			return false;
		if (next == UINT_MAX)
			return true;
		from = next + 1;
	}
}

/*
 * Bytes of address space in use, which are terabytes under the address sanitizer; 0 if
 * not known.
 */
static uint64_t address_space(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Sets a soft and a hard limit; a lower hard limit stays. */
static bool limit(int resource, uint64_t soft, uint64_t hard)
{
	struct rlimit now;

	if (getrlimit(resource, &now))
		return false;
	if (hard > now.rlim_max)
		hard = now.rlim_max;
	return !setrlimit(resource, &(struct rlimit){ soft < hard ? soft : hard, hard });
}

/*
 * The limit for core dumps is 1 and not 0: a handler to which the kernel pipes core dumps
 * ignores 0. It also holds for an executed program, which is dumpable again.
 */
static bool set_limits(const struct jail_limits *l)
{
	const uint64_t memory = address_space() + l->memory;
	bool all = limit(RLIMIT_CORE, 1, 1) && limit(RLIMIT_NOFILE, MAX_FILES, MAX_FILES) &&
		   limit(RLIMIT_FSIZE, l->file_bytes, l->file_bytes);

	if (l->memory)
		all = all && limit(RLIMIT_AS, memory, memory);
	/* SIGXCPU tells the reason; SIGKILL follows a second later, in case it was ignored */
	if (l->cpu_seconds)
		all = all && limit(RLIMIT_CPU, l->cpu_seconds, l->cpu_seconds + 1ull);
	if (l->nice)
		setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + l->nice);
	return all;
}

/*
 * Leaves the terminal: a new process group gets no signals from it, and its input can no
 * longer be faked. A new session is not created: if the scheduler groups tasks by
 * session, the jail would get as much CPU time as all other processes of the session
 * together, whatever its niceness.
 */
static bool leave_terminal(void)
{
	int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	return !setpgid(0, 0) && (tty < 0 || !ioctl(tty, TIOCNOTTY));
}

static void build(const struct jail_limits *l, pid_t parent)
{
	privilege_lock();
	if (!leave_terminal() || !set_standard(l) || (l->folder && landlock_folder(l->folder)) ||
	    !close_others(l) || !set_limits(l) ||
	    (l->same_user ? privilege_keep(l->capabilities) : privilege_nobody(l->capabilities)) ||
	    prctl(PR_SET_DUMPABLE, 0) || !reset_signals())
		_exit(JAIL_STATUS_NOT_BUILT);
	/*
	 * after dropping rights, as that clears PDEATHSIG. The parent may have died
	 * before PDEATHSIG was set, so it is checked
	 */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent || seccomp_apply(l))
		_exit(JAIL_STATUS_NOT_BUILT);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t dying[MAX_DYING];

/* Reaps killed jails that have died. Return: a free entry of @dying; NULL if there is none. */
static pid_t *reap(void)
{
	pid_t *place = NULL;
	size_t i;

	for (i = 0; i < MAX_DYING; i++) {
		if (dying[i] && waitpid(dying[i], NULL, WNOHANG))
			dying[i] = 0;
		if (!dying[i])
			place = &dying[i];
	}
	return place;
}

static bool has_place(void)
{
	bool place;

	pthread_mutex_lock(&lock);
	place = reap();
	pthread_mutex_unlock(&lock);
	return place;
}

/*
 * Remembers a killed jail for reaping. If several threads start jails and no entry is
 * free, it stays a zombie.
 */
static void bury(pid_t pid)
{
	pid_t *place;

	pthread_mutex_lock(&lock);
	place = reap();
	if (place)
		*place = pid;
	pthread_mutex_unlock(&lock);
}

static void forget(struct jail *j)
{
	close(j->fd);
	j->pid = 0;
}

int jail_start(struct jail *j, const struct jail_limits *limits, int (*work)(void *arg), void *arg)
{
	const struct jail_limits l = *limits;
	const pid_t parent = getpid();
	sigset_t before;
	int err;

	*j = (struct jail){ .fd = -1, .nobody = !l.same_user };
	if (!has_place())
		return -EAGAIN;
	/* no signal handler may run in the jail before build() has reset all of them */
	thread_mask_signals(&before);
	j->pid = fork();
	if (!j->pid) {
		build(&l, parent);
		_exit(work(arg));
	}
	err = j->pid < 0 ? -errno : 0;
	thread_unmask_signals(&before);
	if (!err)
		j->fd = (int)syscall(SYS_pidfd_open, j->pid, 0);
	if (!err && j->fd < 0)
		err = -errno;
	if (err && j->pid > 0)
		jail_kill(j);
	else if (err)
		j->pid = 0;
	jail_give_time(j, l.seconds);
	return err;
}

void jail_give_time(struct jail *j, unsigned int seconds)
{
	j->deadline = seconds ? clock_ns(CLOCK_MONOTONIC) + seconds * 1000000000ull : UINT64_MAX;
}

int jail_time_left(const struct jail *j)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), ms;

	if (j->deadline == UINT64_MAX)
		return -1;
	ms = j->deadline > now ? (j->deadline - now + 999999) / 1000000 : 0;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* Waits for input or end of file on @fd. Return: false at the deadline. */
static bool wait_for(const struct jail *j, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int nr;

	do
		nr = poll(&p, 1, jail_time_left(j));
	while (nr < 0 && errno == EINTR);
	return nr > 0;
}

ssize_t jail_read(const struct jail *j, int fd, void *buf, size_t len)
{
	ssize_t n;

	if (!wait_for(j, fd))
		return -ETIME;
	do
		n = read(fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Reaps the jail. Return: whether it has ended. */
static bool take(struct jail *j, struct jail_end *ret)
{
	int status = 0;
	pid_t pid;

	do
		pid = waitpid(j->pid, &status, WNOHANG);
	while (pid < 0 && errno == EINTR);
	if (!pid)
		return false;
	if (WIFSIGNALED(status))
		*ret = (struct jail_end){ JAIL_SIGNALLED, WTERMSIG(status) };
	else if (WEXITSTATUS(status) == JAIL_STATUS_NOT_BUILT)
		*ret = (struct jail_end){ JAIL_NOT_BUILT, 0 };
	else
		*ret = (struct jail_end){ JAIL_EXITED, WEXITSTATUS(status) };
	forget(j);
	return true;
}

bool jail_end(struct jail *j, bool wait, struct jail_end *ret)
{
	if (wait)
		wait_for(j, j->fd);
	if (take(j, ret))
		return true;
	if (jail_time_left(j))
		return false;
	jail_kill(j);
	*ret = (struct jail_end){ JAIL_LATE, 0 };
	return true;
}

/*
 * Kills as nobody: killing another user's process needs CAP_KILL, but this process may
 * become nobody without it.
 */
static void kill_as_nobody(pid_t pid)
{
	pid_t helper = fork();

	if (!helper)
		_exit(privilege_nobody(0) || kill(pid, SIGKILL));
	while (helper > 0 && waitpid(helper, NULL, 0) < 0 && errno == EINTR)
		;
}

void jail_kill(struct jail *j)
{
	struct pollfd p = { .fd = j->fd, .events = POLLIN };
	struct jail_end end;

	if (!j->pid)
		return;
	/* the process is not reaped yet, so its number is still its own */
	if (kill(j->pid, SIGKILL) && errno == EPERM && j->nobody)
		kill_as_nobody(j->pid);
	poll(&p, 1, GRACE_MS);
	if (take(j, &end))
		return;
	bury(j->pid);
	forget(j);
}

const char *jail_end_text(const struct jail_end *end, char buf[JAIL_TEXT])
{
	static const char *const texts[] = {
		[JAIL_EXITED] = "gave up",
		[JAIL_LATE] = "took too long",
		[JAIL_NOT_BUILT] = "could not give up its rights",
	};

	if (end->how != JAIL_SIGNALLED)
		snprintf(buf, JAIL_TEXT, "the process that read it %s", texts[end->how]);
	else
		snprintf(buf, JAIL_TEXT, "the process that read it was ended by signal %d%s", end->value,
			 end->value == SIGXCPU ? ": it took too long" :
			 end->value == SIGKILL ? ": it was killed" : "");
	return buf;
}
