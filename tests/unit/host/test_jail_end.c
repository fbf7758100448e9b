// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a jail: of one that hangs, ignores signals, cannot die, or cannot be killed by its
 * starter, and of one whose parent is killed. As root and without rights.
 */
#include "jail_run.h"

#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ptrace.h>

#include "host/jail/privilege.h"
#include "util/clock.h"

#define SECOND 1000000000ull

/* As many killed jails that have not died as jail.c remembers. */
#define UNDEAD 64

static int computes_nothing(void *arg)
{
	return 0;
}

/*
 * A pipe without a writer replaces a file server that does not answer: open() waits in the
 * kernel as long as nobody opens the other end.
 */
static int hangs(void *arg)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGALRM, SIG_IGN);
	signal(SIGXCPU, SIG_IGN);
	return open(arg, O_RDONLY) < 0;
}

static void it_has_a_deadline(void **state)
{
	struct jail_limits l = { .paths = JAIL_READ_PATHS, .seconds = 1 };
	uint64_t start = clock_ns(CLOCK_MONOTONIC), took;
	struct jail j = JAIL_INIT;
	struct jail_end end;
	char path[96];
	pid_t pid;

	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_int_equal(jail_start(&j, &l, hangs, path), 0);
	pid = j.pid;
	assert_false(jail_end(&j, false, &end));
	kill(pid, SIGTERM);
	assert_true(jail_end(&j, true, &end));
	took = clock_ns(CLOCK_MONOTONIC) - start;
	assert_int_equal(end.how, JAIL_LATE);
	assert_in_range(took, SECOND, PATIENCE_MS * 1000000ull);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
	/* it gets all the time that it is given */
	l.seconds = 0;
	assert_int_equal(jail_start(&j, &l, hangs, path), 0);
	assert_int_equal(jail_time_left(&j), -1);
	assert_false(jail_end(&j, false, &end));
	jail_give_time(&j, 1);
	assert_in_range(jail_time_left(&j), 1, 1000);
	assert_true(jail_end(&j, true, &end));
	assert_int_equal(end.how, JAIL_LATE);
	unlink(path);
}

static int says(void *arg)
{
	return write(*(int *)arg, "word", 4) != 4;
}

static void it_is_read_to_its_deadline(void **state)
{
	struct jail_limits l = { .seconds = 60 };
	struct jail j = JAIL_INIT;
	struct jail_end end;
	char buf[8];
	int fds[2];

	make_pipe(fds);
	l.keep[0] = fds[1];
	assert_int_equal(jail_start(&j, &l, says, &fds[1]), 0);
	assert_int_equal(jail_read(&j, fds[0], buf, sizeof(buf)), 4);
	assert_true(jail_end(&j, true, &end));
	assert_int_equal(end.how, JAIL_EXITED);
	l.seconds = 1;
	assert_int_equal(jail_start(&j, &l, keeps_silent, NULL), 0);
	assert_int_equal(jail_read(&j, fds[0], buf, sizeof(buf)), -ETIME);
	jail_kill(&j);
	jail_kill(&j);
	close(fds[1]);
	assert_true(is_alone(fds[0]));
	close(fds[0]);
}

/*
 * As in the daemon: the starter may change to the user nobody, but may not signal nobody's
 * processes.
 */
static _Noreturn void be_daemon(int end)
{
	const struct privilege_user user = { ORDINARY, ORDINARY };
	const struct jail_limits l = { .seconds = 1, .keep = { end } };
	struct jail j = JAIL_INIT;
	struct jail_end how;
	pid_t pid;

	if (privilege_drop_to(&user, 1ull << CAP_SETUID | 1ull << CAP_SETGID, NULL) ||
	    jail_start(&j, &l, keeps_silent, NULL))
		_exit(1);
	close(end);
	pid = j.pid;
	if (!jail_end(&j, true, &how) || how.how != JAIL_LATE || waitpid(pid, NULL, WNOHANG) >= 0)
		_exit(2);
	/*
	 * the jail's state must be seen before this process ends, because the jail dies with it
	 */
	pause();
	_exit(0);
}

static void a_daemon_can_end_it(void **state)
{
	int fds[2], status;
	pid_t pid;

	/* other users have no right to become nobody */
	if (geteuid())
		return;
	make_pipe(fds);
	pid = fork();
	if (!pid)
		be_daemon(fds[1]);
	close(fds[1]);
	assert_true(is_alone(fds[0]));
	assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(fds[0]);
}

/* Runs this program again in the jail: a process that others may trace. */
static int becomes_traceable(void *arg)
{
	execl("/proc/self/exe", "test_jail", "--traceable", (char *)NULL);
	return 1;
}

/*
 * Jails that cannot die. A process that hangs in the kernel on a file server does not die of
 * SIGKILL. A process that is traced and stopped on its way to death does not die either, and this
 * needs no server, no right and no FUSE.
 *
 * @up: end of a pipe whose other end each jail has
 * @holder: the process that traces them
 */
struct undead {
	struct jail jail[UNDEAD];
	pid_t pid[UNDEAD];
	size_t nr;
	int up;
	pid_t holder;
};

/* The holder: traces the jails so that they stop on their way to death, and stays. */
static _Noreturn void hold(const struct undead *u, int ready)
{
	size_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < u->nr; i++)
		if (ptrace(PTRACE_SEIZE, u->pid[i], NULL, PTRACE_O_TRACEEXIT))
			_exit(1);
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void start_undead(struct undead *u, size_t nr)
{
	struct jail_limits l = { .paths = JAIL_READ_PATHS, .program = true };
	int up[2], ready[2];
	char c;

	*u = (struct undead){ 0 };
	make_pipe(up);
	make_pipe(ready);
	l.out = up[1];
	u->up = up[0];
	for (; u->nr < nr; u->nr++) {
		assert_int_equal(jail_start(&u->jail[u->nr], &l, becomes_traceable, NULL), 0);
		assert_int_equal(read(up[0], &c, 1), 1);
		u->pid[u->nr] = u->jail[u->nr].pid;
	}
	close(up[1]);
	u->holder = fork();
	if (!u->holder)
		hold(u, ready[1]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
}

/* Lets them die. They are reaped when another jail is started. */
static void release_undead(const struct undead *u)
{
	const uint64_t start = clock_ns(CLOCK_MONOTONIC);
	size_t i;

	kill(u->holder, SIGKILL);
	assert_int_equal(waitpid(u->holder, NULL, 0), u->holder);
	assert_true(is_alone(u->up));
	close(u->up);
	for (i = 0; i < u->nr; i++)
		while (!waitid(P_PID, (id_t)u->pid[i], &(siginfo_t){ 0 }, WEXITED | WNOWAIT)) {
			assert_in_range(clock_ns(CLOCK_MONOTONIC) - start, 0, PATIENCE_MS * 1000000ull);
			exits(&nothing, computes_nothing, NULL, 0);
		}
	assert_int_equal(errno, ECHILD);
}

static void one_that_cannot_die_is_left(void **state)
{
	struct jail_end end;
	struct undead u;
	uint64_t start;

	start_undead(&u, 1);
	start = clock_ns(CLOCK_MONOTONIC);
	jail_give_time(&u.jail[0], 1);
	assert_true(jail_end(&u.jail[0], true, &end));
	assert_int_equal(end.how, JAIL_LATE);
	assert_in_range(clock_ns(CLOCK_MONOTONIC) - start, SECOND, PATIENCE_MS * 1000000ull);
	/* it still exists */
	assert_int_equal(waitpid(u.pid[0], NULL, WNOHANG), 0);
	release_undead(&u);
}

static void *kills(void *arg)
{
	jail_kill(arg);
	return NULL;
}

/*
 * After as many that cannot die as are remembered, no other jail is started until one of them has
 * died. Each is waited for, so each is killed by a thread of its own.
 */
static void too_many_that_cannot_die_stop_others(void **state)
{
	pthread_t thread[UNDEAD];
	struct jail other = JAIL_INIT;
	struct undead u;
	size_t i;

	start_undead(&u, UNDEAD);
	exits(&nothing, computes_nothing, NULL, 0);
	for (i = 0; i < UNDEAD; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, kills, &u.jail[i]), 0);
	for (i = 0; i < UNDEAD; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_int_equal(jail_start(&other, &nothing, computes_nothing, NULL), -EAGAIN);
	assert_int_equal(other.pid, 0);
	release_undead(&u);
}

/* A parent that starts a jail, which has one end of a pipe, and is then killed. */
static _Noreturn void be_parent(int end, int up)
{
	struct jail_limits l = { .keep = { end } };
	struct jail j = JAIL_INIT;

	if (jail_start(&j, &l, keeps_silent, NULL) || write(up, "", 1) != 1)
		_exit(1);
	close(end);
	keeps_silent(NULL);
	_exit(0);
}

static void it_dies_with_its_parent(void **state)
{
	int fds[2], up[2];
	pid_t parent;
	char c;

	make_pipe(fds);
	make_pipe(up);
	parent = fork();
	if (!parent)
		be_parent(fds[1], up[1]);
	close(fds[1]);
	close(up[1]);
	assert_int_equal(read(up[0], &c, 1), 1);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_true(is_alone(fds[0]));
	close(fds[0]);
	close(up[0]);
}

/* Waits until @pid, or any child, stops. Return: the reason of the stop. */
static pid_t stopped(pid_t pid, int *event)
{
	int status = 0;

	pid = waitpid(pid, &status, __WALL);
	assert_true(pid > 0 && WIFSTOPPED(status));
	*event = status >> 16;
	return pid;
}

/*
 * A parent that dies after fork() and before the jail has requested a signal at its death. The
 * parent is traced, so that its jail stops at its first instruction.
 */
static void it_dies_with_a_parent_that_was_faster(void **state)
{
	int fds[2], up[2], event;
	unsigned long child = 0;
	pid_t parent, jail;

	make_pipe(fds);
	make_pipe(up);
	parent = fork();
	if (!parent) {
		raise(SIGSTOP);
		be_parent(fds[1], up[1]);
	}
	assert_int_equal(waitpid(parent, NULL, WUNTRACED), parent);
	assert_int_equal(ptrace(PTRACE_SEIZE, parent, NULL, PTRACE_O_TRACEFORK), 0);
	close(fds[1]);
	close(up[1]);
	kill(parent, SIGCONT);
	for (;;) {
		stopped(parent, &event);
		if (event == PTRACE_EVENT_FORK)
			break;
		ptrace(PTRACE_CONT, parent, NULL, NULL);
	}
	assert_int_equal(ptrace(PTRACE_GETEVENTMSG, parent, NULL, &child), 0);
	jail = stopped((pid_t)child, &event);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, __WALL), parent);
	assert_int_equal(ptrace(PTRACE_DETACH, jail, NULL, NULL), 0);
	assert_true(is_alone(fds[0]));
	close(fds[0]);
	close(up[0]);
}

static int be_traceable(void)
{
	/* if Yama allows only ancestors to trace it */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (write(STDOUT_FILENO, "", 1) != 1)
		return 1;
	for (;;)
		pause();
}

static int run_group(const char *who)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_a_deadline),
		cmocka_unit_test(it_is_read_to_its_deadline),
		cmocka_unit_test(a_daemon_can_end_it),
		cmocka_unit_test(one_that_cannot_die_is_left),
		cmocka_unit_test(too_many_that_cannot_die_stop_others),
		cmocka_unit_test(it_dies_with_its_parent),
		cmocka_unit_test(it_dies_with_a_parent_that_was_faster),
	};

	return cmocka_run_group_tests_name(who, tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--traceable"))
		return be_traceable();
	return run_as_both(run_group);
}
