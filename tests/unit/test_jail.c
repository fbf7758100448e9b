// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work that misbehaves in each way that a jail is there for: it hangs, does not listen to signals,
 * makes processes, opens what it was not given, fills the disk, eats memory, has its parent's
 * descriptors, dumps core, outlives its parent. All as root and as a user without rights.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/jail.h"
#include "jail/privilege.h"
#include "util/clock.h"

/* A user without any right; not nobody, which root's jails are. */
#define ORDINARY 65123

/* Longer than anything here takes that goes well. */
#define PATIENCE_MS 20000

#define SECOND 1000000000ull

static const struct jail_limits nothing = { .seconds = 60 };
static char folder[64];

static struct jail_end run(const struct jail_limits *l, int (*work)(void *arg), void *arg)
{
	struct jail j = JAIL_INIT;
	struct jail_end end;

	assert_int_equal(jail_start(&j, l, work, arg), 0);
	assert_true(jail_end(&j, true, &end));
	assert_int_equal(j.pid, 0);
	return end;
}

static void exits(const struct jail_limits *l, int (*work)(void *arg), void *arg, int status)
{
	struct jail_end end = run(l, work, arg);

	assert_int_equal(end.how, JAIL_EXITED);
	assert_int_equal(end.value, status);
}

static void dies(const struct jail_limits *l, int (*work)(void *arg), void *arg, int signal)
{
	struct jail_end end = run(l, work, arg);

	assert_int_equal(end.how, JAIL_SIGNALLED);
	assert_int_equal(end.value, signal);
}

/* Until the last process that has the other end of a pipe is gone. */
static bool is_alone(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char c;

	return poll(&p, 1, PATIENCE_MS) == 1 && read(fd, &c, 1) == 0;
}

static void make_pipe(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
}

static int adds(void *arg)
{
	return *(int *)arg + 1;
}

static int crashes(void *arg)
{
	raise(SIGSEGV);
	return 0;
}

static void it_ends(void **state)
{
	struct jail_end end;
	char text[JAIL_TEXT];
	int n = 6;

	exits(&nothing, adds, &n, 7);
	dies(&nothing, crashes, NULL, SIGSEGV);
	end = run(&nothing, crashes, NULL);
	assert_string_equal(jail_end_text(&end, text),
			    "the process that read it was ended by signal 11");
	end = (struct jail_end){ JAIL_LATE, 0 };
	assert_string_equal(jail_end_text(&end, text), "the process that read it took too long");
}

/* A pipe without a writer stands for the file server that does not answer: open() waits in the
 * kernel for as long as nobody comes.
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
	/* as long as it is given time, it has it */
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

static int keeps_silent(void *arg)
{
	while (pause())
		;
	return 0;
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

/* As the daemon: it may become nobody, but may not send signals to nobody's processes. */
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
	/* what became of the jail is to be seen before this process, with which it dies */
	pause();
	_exit(0);
}

static void a_daemon_can_end_it(void **state)
{
	int fds[2], status;
	pid_t pid;

	/* others have no right to be nobody */
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

/* The other process: traces @pid so that it stops on its way to death, and stays. */
static _Noreturn void hold(pid_t pid, int ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACEEXIT) || write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/*
 * What hangs in the kernel on a file server does not die of SIGKILL. A process that is traced and
 * stopped on its way to death does not either, and needs no server, no right and no FUSE: it is
 * not waited for, and reaped when it has died.
 */
static void one_that_cannot_die_is_left(void **state)
{
	struct jail_limits l = { .paths = JAIL_READ_PATHS, .program = true, .seconds = 1 };
	int up[2], ready[2], n = 0;
	struct jail j = JAIL_INIT;
	struct jail_end end;
	pid_t pid, holder;
	uint64_t start;
	char c;

	make_pipe(up);
	make_pipe(ready);
	l.out = up[1];
	assert_int_equal(jail_start(&j, &l, becomes_traceable, NULL), 0);
	close(up[1]);
	jail_give_time(&j, 60);
	assert_int_equal(jail_read(&j, up[0], &c, 1), 1);
	pid = j.pid;
	holder = fork();
	if (!holder)
		hold(pid, ready[1]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	start = clock_ns(CLOCK_MONOTONIC);
	jail_give_time(&j, 1);
	assert_true(jail_end(&j, true, &end));
	assert_int_equal(end.how, JAIL_LATE);
	assert_in_range(clock_ns(CLOCK_MONOTONIC) - start, SECOND, PATIENCE_MS * 1000000ull);
	/* it is there */
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(holder, SIGKILL);
	assert_int_equal(waitpid(holder, NULL, 0), holder);
	assert_true(is_alone(up[0]));
	close(up[0]);
	while (!waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT)) {
		assert_in_range(clock_ns(CLOCK_MONOTONIC) - start, 0, PATIENCE_MS * 1000000ull);
		/* any jail reaps it */
		exits(&nothing, adds, &n, 1);
	}
	assert_int_equal(errno, ECHILD);
}

static int forks(void *arg)
{
	pid_t pid = fork();

	/* it goes on with what it has */
	if (!pid)
		keeps_silent(NULL);
	if (pid > 0 || errno != EPERM)
		return 1;
	if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) >= 0 || errno != EPERM)
		return 2;
	return syscall(SYS_clone3, NULL, 0) >= 0 || errno != ENOSYS ? 3 : 0;
}

static void *run_thread(void *arg)
{
	return arg;
}

static int starts_thread(void *arg)
{
	void *ret = NULL;
	pthread_t thread;

	return pthread_create(&thread, NULL, run_thread, arg) || pthread_join(thread, &ret) ||
	       ret != arg;
}

static void it_has_no_children(void **state)
{
	struct jail_limits l = { .seconds = 60 };
	struct jail j = JAIL_INIT;
	struct jail_end end;
	int fds[2];

	make_pipe(fds);
	l.keep[0] = fds[1];
	assert_int_equal(jail_start(&j, &l, forks, NULL), 0);
	close(fds[1]);
	assert_true(jail_end(&j, true, &end));
	assert_true(is_alone(fds[0]));
	assert_int_equal(end.how, JAIL_EXITED);
	assert_int_equal(end.value, 0);
	close(fds[0]);
	exits(&l, starts_thread, &l, 0);
}

static int touches_others(void *arg)
{
	const pid_t parent = getppid();
	struct rlimit r;

	if (!kill(parent, 0) || !kill(0, 0) || !kill(-1, 0))
		return 1;
	if (!syscall(SYS_tgkill, parent, parent, 0))
		return 2;
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return 3;
	if (!syscall(SYS_prlimit64, parent, RLIMIT_CORE, NULL, &r) || errno != EPERM)
		return 4;
	if (!prctl(PR_SET_PDEATHSIG, 0))
		return 5;
	if (!unshare(CLONE_NEWUSER))
		return 6;
	return getrlimit(RLIMIT_CORE, &r) ? 7 : 0;
}

static int executes(void *arg)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno == EPERM ? 9 : 1;
}

static int opens_socket(void *arg)
{
	return socket(AF_INET, SOCK_DGRAM, 0) < 0 ? 9 : 0;
}

#ifdef __x86_64__
/* System calls of i386 and of x32, which have other numbers. */
static int calls_as_i386(void *arg)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(20) : "memory");
	return 0;
}

static int calls_as_x32(void *arg)
{
	syscall(0x40000000 | SYS_getpid);
	return 0;
}
#endif

static void it_reaches_nobody(void **state)
{
	const struct jail_limits program = { .program = true, .paths = JAIL_READ_PATHS,
					     .seconds = 60 };
	const struct jail_limits network = { .network = true, .seconds = 60 };

	exits(&nothing, touches_others, NULL, 0);
	exits(&nothing, executes, NULL, 9);
	exits(&program, executes, NULL, 0);
	exits(&nothing, opens_socket, NULL, 9);
	exits(&network, opens_socket, NULL, 0);
#ifdef __x86_64__
	/* SIGSEGV from a kernel without i386 */
	assert_int_equal(run(&nothing, calls_as_i386, NULL).how, JAIL_SIGNALLED);
	dies(&nothing, calls_as_x32, NULL, SIGSYS);
#endif
}

/* Which of reading, making, changing and removing a file works, a bit for each. */
static int opens(void *arg)
{
	const char *dir = arg;
	char new[96], old[96];
	int fd, did = 0;

	snprintf(new, sizeof(new), "%s/new", dir);
	snprintf(old, sizeof(old), "%s/old", dir);
	fd = open(old, O_RDONLY);
	did |= fd >= 0;
	did |= (open(new, O_WRONLY | O_CREAT, 0600) >= 0) << 1;
	did |= (open(old, O_WRONLY) >= 0) << 2;
	did |= !rename(old, new) << 3;
	did |= !truncate(new, 0) << 4;
	did |= !unlink(new) << 5;
	return did;
}

/* Of what is otherwise the jail's own to change. */
static int changes_permissions(void *arg)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/mine", (char *)arg);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || unlink(path))
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return !fchmod(fd, 04755) || !chmod(path, 04755) || !chown(path, geteuid(), getegid()) ||
	       !mknod(path, S_IFIFO, 0) || errno != EPERM;
}

static bool has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0;
}

static int reads_secret(void *arg)
{
	return open(arg, O_RDONLY) >= 0;
}

static void make_old(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/old", folder);
	close(open(path, O_WRONLY | O_CREAT, 0644));
	chmod(path, 0666);
}

static void it_opens_what_it_may(void **state)
{
	struct jail_limits l = { .seconds = 60 };
	char path[96];
	int fd;

	make_old();
	exits(&l, opens, folder, 0);
	l.paths = JAIL_READ_PATHS;
	exits(&l, opens, folder, 1);
	l.paths = JAIL_WRITE_PATHS;
	l.folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	exits(&l, opens, folder, 63);
	make_old();
	exits(&l, changes_permissions, folder, 0);
	l.folder = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* another folder than that: files are read there; a kernel without Landlock says so */
	if (has_landlock())
		exits(&l, opens, folder, 1);
	else
		print_message("no Landlock: the folder is not tested\n");
	close(l.folder);
	l.folder = 0;
	exits(&l, opens, folder, 63);
	/* an ordinary user's secrets are its own, also in the jail */
	if (geteuid())
		return;
	snprintf(path, sizeof(path), "%s/secret", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	exits(&l, reads_secret, path, 0);
	l.capabilities = JAIL_READ_OTHERS;
	exits(&l, reads_secret, path, 1);
	l = (struct jail_limits){ .same_user = true, .paths = JAIL_READ_PATHS, .seconds = 60 };
	exits(&l, reads_secret, path, 1);
	unlink(path);
}

static int has_rights(void *arg)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { 0 };
	uid_t *want = arg;

	if (syscall(SYS_capget, &h, d) || d[0].permitted || d[1].permitted)
		return 1;
	if (getuid() != *want || geteuid() != *want || getegid() != *want)
		return 2;
	if (*want && (!setuid(0) || getgroups(0, NULL) > 1))
		return 3;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 ? 4 : 0;
}

static void it_has_no_rights(void **state)
{
	struct jail_limits l = { .seconds = 60 };
	uid_t want = geteuid() ? geteuid() : 65534;

	exits(&l, has_rights, &want, 0);
	l.same_user = true;
	want = geteuid();
	exits(&l, has_rights, &want, 0);
}

static int fills_disk(void *arg)
{
	static const char some[4096] = { 1 };
	int i;

	for (i = 0; i < 1000; i++)
		if (write(*(int *)arg, some, sizeof(some)) < 0)
			return 1;
	return 0;
}

static void it_writes_so_much(void **state)
{
	struct jail_limits l = { .seconds = 60, .file_bytes = 1 << 20 };
	int fd = memfd_create("disk", MFD_CLOEXEC);

	l.keep[0] = fd;
	dies(&l, fills_disk, &fd, SIGXFSZ);
	assert_int_equal(lseek(fd, 0, SEEK_END), 1 << 20);
	close(fd);
}

static int takes_memory(void *arg)
{
	return mmap(NULL, *(size_t *)arg, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		    0) == MAP_FAILED;
}

static void it_has_so_much_memory(void **state)
{
	struct jail_limits l = { .seconds = 60, .memory = 256 << 20 };
	size_t len = 128 << 20;

	exits(&l, takes_memory, &len, 0);
	len = 257 << 20;
	exits(&l, takes_memory, &len, 1);
	l.memory = 0;
	exits(&l, takes_memory, &len, 0);
}

static int computes(void *arg)
{
	if (arg)
		signal(SIGXCPU, SIG_IGN);
	while (getppid())
		;
	return 0;
}

static void it_has_so_much_cpu(void **state)
{
	const struct jail_limits l = { .seconds = 60, .cpu_seconds = 1 };

	dies(&l, computes, NULL, SIGXCPU);
	dies(&l, computes, (void *)&l, SIGKILL);
}

static int counts_descriptors(void *arg)
{
	int fd, nr = 0, *want = arg;

	for (fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0 && fd != want[0] && fd != want[1])
			return 100;
		else if (fcntl(fd, F_GETFD) >= 0)
			nr++;
	return nr;
}

/* A right of the caller's to have more does not help. */
static int opens_many(void *arg)
{
	struct rlimit r;
	int nr = 3;

	while (dup(STDIN_FILENO) >= 0)
		nr++;
	if (errno != EMFILE || nr != 256 || getrlimit(RLIMIT_NOFILE, &r))
		return 1;
	return r.rlim_max != 256;
}

static int copies(void *arg)
{
	char buf[16];
	ssize_t n = read(STDIN_FILENO, buf, sizeof(buf));

	return n < 0 || write(STDOUT_FILENO, buf, (size_t)n) != n || n != *(int *)arg;
}

static void it_has_what_it_was_given(void **state)
{
	struct jail_limits l = { .seconds = 60, .file_bytes = 4096 };
	int fds[40], want[2], in[2], out[2], n, i;
	char buf[16];

	/* without FD_CLOEXEC, with gaps */
	for (i = 0; i < 40; i++)
		fds[i] = open("/dev/null", O_RDONLY);
	close(fds[30]);
	want[0] = want[1] = -1;
	exits(&l, counts_descriptors, want, 0);
	l.keep[0] = want[0] = fds[20];
	l.keep[1] = -1;
	l.keep[2] = want[1] = fds[10];
	exits(&l, counts_descriptors, want, 2);
	for (i = 0; i < 40; i++)
		if (i != 30)
			close(fds[i]);
	exits(&nothing, opens_many, NULL, 0);
	n = 0;
	exits(&l, copies, &n, 0);
	make_pipe(in);
	make_pipe(out);
	l = (struct jail_limits){ .seconds = 60, .in = in[0], .out = out[1] };
	n = 4;
	assert_int_equal(write(in[1], "word", 4), 4);
	exits(&l, copies, &n, 0);
	assert_int_equal(read(out[0], buf, sizeof(buf)), 4);
	for (i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
}

static int can_dump(void *arg)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_CORE, &r) || r.rlim_cur != 1 || r.rlim_max != 1)
		return 1;
	return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) ? 2 : 0;
}

static void it_dumps_no_core(void **state)
{
	struct rlimit before, most;

	getrlimit(RLIMIT_CORE, &before);
	most = (struct rlimit){ before.rlim_max, before.rlim_max };
	setrlimit(RLIMIT_CORE, &most);
	exits(&nothing, can_dump, NULL, 0);
	setrlimit(RLIMIT_CORE, &before);
}

static int has_signals(void *arg)
{
	struct sigaction a;
	sigset_t set;
	int nr;

	sigprocmask(SIG_SETMASK, NULL, &set);
	for (nr = 1; nr < 32; nr++)
		if (sigismember(&set, nr))
			return nr;
	for (nr = 1; nr < 32; nr++) {
		const bool ends = nr == SIGHUP || nr == SIGINT || nr == SIGQUIT || nr == SIGTERM;

		if (sigaction(nr, NULL, &a) || a.sa_handler != (ends ? SIG_IGN : SIG_DFL))
			return 32 + nr;
	}
	if (getsid(0) != getpid() || getpgid(0) != getpid())
		return 64;
	return prctl(PR_GET_PDEATHSIG, &nr) || nr != SIGKILL ? 65 : 0;
}

static void it_has_signals_of_its_own(void **state)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	signal(SIGXCPU, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	exits(&nothing, has_signals, NULL, 0);
	signal(SIGXCPU, SIG_DFL);
	signal(SIGUSR1, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static int is_nice(void *arg)
{
	return getpriority(PRIO_PROCESS, 0) - *(int *)arg;
}

static void it_is_nice(void **state)
{
	struct jail_limits l = { .seconds = 60, .nice = 3 };
	int mine = getpriority(PRIO_PROCESS, 0);

	exits(&l, is_nice, &mine, mine + 3 > 19 ? 19 - mine : 3);
}

/* A parent that starts a jail, which has one end of a pipe, and is killed. */
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

/* Waits for @pid, or any, to stop; what it stopped for. */
static pid_t stopped(pid_t pid, int *event)
{
	int status = 0;

	pid = waitpid(pid, &status, __WALL);
	assert_true(pid > 0 && WIFSTOPPED(status));
	*event = status >> 16;
	return pid;
}

/*
 * A parent that dies after fork() and before the jail has asked for a signal at its death. The
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
	/* where Yama allows it to be traced by ancestors alone */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (write(STDOUT_FILENO, "", 1) != 1)
		return 1;
	for (;;)
		pause();
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_ends), cmocka_unit_test(it_has_a_deadline),
		cmocka_unit_test(it_is_read_to_its_deadline),
		cmocka_unit_test(a_daemon_can_end_it),
		cmocka_unit_test(one_that_cannot_die_is_left),
		cmocka_unit_test(it_has_no_children), cmocka_unit_test(it_reaches_nobody),
		cmocka_unit_test(it_opens_what_it_may), cmocka_unit_test(it_has_no_rights),
		cmocka_unit_test(it_writes_so_much), cmocka_unit_test(it_has_so_much_memory),
		cmocka_unit_test(it_has_so_much_cpu),
		cmocka_unit_test(it_has_what_it_was_given), cmocka_unit_test(it_dumps_no_core),
		cmocka_unit_test(it_has_signals_of_its_own), cmocka_unit_test(it_is_nice),
		cmocka_unit_test(it_dies_with_its_parent),
		cmocka_unit_test(it_dies_with_a_parent_that_was_faster),
	};
	int failed;

	snprintf(folder, sizeof(folder), "/tmp/test_jail.XXXXXX");
	if (!mkdtemp(folder) || chmod(folder, 0777))
		return 1;
	failed = cmocka_run_group_tests_name(geteuid() ? "without rights" : "root", tests, NULL, NULL);
	make_old();
	unlink(strcat(folder, "/old"));
	*strrchr(folder, '/') = '\0';
	rmdir(folder);
	return failed;
}

static int run_without_rights(void)
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (setgroups(0, NULL) || setresgid(ORDINARY, ORDINARY, ORDINARY) ||
		    setresuid(ORDINARY, ORDINARY, ORDINARY) || prctl(PR_SET_DUMPABLE, 1))
			_exit(1);
		status = run_all();
		fflush(NULL);
		_exit(status ? 1 : 0);
	}
	return waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--traceable"))
		return be_traceable();
	if (run_all())
		return 1;
	return geteuid() ? 0 : run_without_rights();
}
