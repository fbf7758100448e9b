// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work that misbehaves in each way that a jail must prevent: it starts processes, opens other
 * files, fills the disk, uses up memory, has its parent's descriptors, dumps core, changes what
 * its user may change. All tests run as root and as a user without rights; test_jail_end.c
 * tests the ends of jails.
 */
#include "jail_run.h"
#include "rounds.h"

#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

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

static int forks(void *arg)
{
	pid_t pid = fork();

	/* it continues with the memory that it has */
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
	if (!ioctl(STDIN_FILENO, TIOCSTI, "x") || errno != EPERM)
		return 8;
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

/*
 * The set of possible actions among reading, making, changing and removing a file, one bit for
 * each.
 */
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

/* Limits and settings that the jail itself could otherwise change. */
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
	/* another folder: files are read there; a kernel without Landlock allows more */
	if (has_landlock())
		exits(&l, opens, folder, 1);
	else
		print_message("no Landlock: the folder is not tested\n");
	close(l.folder);
	l.folder = 0;
	exits(&l, opens, folder, 63);
	/* an ordinary user's own secrets are readable, also in the jail */
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
	if (rounds_are_all())
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

/* A right of the caller to raise limits does not help. */
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

	if (getrlimit(RLIMIT_CORE, &r) || r.rlim_cur > 1 || r.rlim_max > 1)
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
	if (getpgid(0) != getpid())
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

static int has_terminal(void *arg)
{
	return open("/dev/tty", O_RDONLY) >= 0 || errno != ENXIO;
}

/* The leader of a session with a terminal. */
static _Noreturn void start_at_terminal(const char *name)
{
	const struct jail_limits l = { .paths = JAIL_READ_PATHS, .seconds = 60 };
	struct jail j = JAIL_INIT;
	struct jail_end end;

	if (setsid() < 0 || open(name, O_RDWR) < 0 || open("/dev/tty", O_RDWR) < 0 ||
	    jail_start(&j, &l, has_terminal, NULL) || !jail_end(&j, true, &end))
		_exit(2);
	/* and it was not taken from this process */
	_exit(end.how != JAIL_EXITED || end.value || open("/dev/tty", O_RDWR) < 0);
}

static void it_has_no_terminal(void **state)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY), status;
	pid_t pid;

	assert_true(fd >= 0);
	assert_int_equal(grantpt(fd) | unlockpt(fd), 0);
	pid = fork();
	if (!pid)
		start_at_terminal(ptsname(fd));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(fd);
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

static int run_group(const char *who)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_ends),
		cmocka_unit_test(it_has_no_children), cmocka_unit_test(it_reaches_nobody),
		cmocka_unit_test(it_opens_what_it_may), cmocka_unit_test(it_has_no_rights),
		cmocka_unit_test(it_writes_so_much), cmocka_unit_test(it_has_so_much_memory),
		cmocka_unit_test(it_has_so_much_cpu),
		cmocka_unit_test(it_has_what_it_was_given), cmocka_unit_test(it_dumps_no_core),
		cmocka_unit_test(it_has_signals_of_its_own), cmocka_unit_test(it_has_no_terminal), cmocka_unit_test(it_is_nice),
	};
	int failed = cmocka_run_group_tests_name(who, tests, NULL, NULL);
	char path[96];

	snprintf(path, sizeof(path), "%s/old", folder);
	unlink(path);
	return failed;
}

int main(void)
{
	return run_as_both(run_group);
}
