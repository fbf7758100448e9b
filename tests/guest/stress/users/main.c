// SPDX-License-Identifier: GPL-2.0-only
/*
 * users [-q] [TEST]...: tests of what a user without rights can do to others. It runs in a
 * guest as root; the module is not loaded but is at /ustack.ko, the plugs are in /plugs, with
 * the files that part.sh adds. -q: fewer samples; without TEST, only those tests that take
 * seconds.
 */
#include "users.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
#define TEST(name) { #name, test_##name },
	USERS_TESTS
#undef TEST
};

static char *quick[] = { "names", "rights", "forged_fuse", "forged_loop", NULL };

pid_t user_start(uid_t uid, int (*fn)(void *arg), void *arg)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die_errno("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* the OOM killer may spare the test itself */
	file_write("/proc/self/oom_score_adj", "0");
	if (setgroups(0, NULL) || setgid(uid) || setuid(uid))
		die_errno("becoming another user");
	_exit(fn(arg));
}

void *shared_memory(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die_errno("shared memory");
	return at;
}

void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	reap(pid);
}

uint64_t cpu_time_of(pid_t pid)
{
	char path[64], *text;
	uint64_t ns;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	text = (char *)file_read(path, NULL);
	ns = strtoull(text, NULL, 10);
	free(text);
	return ns;
}

double try_unload(double limit, pid_t *pid)
{
	double start = seconds(), took;
	int status;

	fflush(stdout);
	*pid = fork();
	if (!*pid)
		_exit(!!module_unload());
	while (!waitpid(*pid, &status, WNOHANG)) {
		if (seconds() - start > limit)
			return -1;
		usleep(10000);
	}
	took = seconds() - start;
	if (status)
		die("rmmod failed");
	return took;
}

static bool wanted(const char *name, char **names)
{
	char **n;

	for (n = names; *n; n++)
		if (!strcmp(*n, name))
			return true;
	return !*names;
}

/* Every user may write there. */
static void clean(void)
{
	if (system("rm -rf " DIR) || mkdir(DIR, 0777) || chmod(DIR, 0777))
		die_errno(DIR);
}

int main(int argc, char **argv)
{
	char **names = argv + 1;
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (*names && !strcmp(*names, "-q")) {
		samples_wanted = 20;
		names++;
		if (!*names)
			names = quick;
	}
	plugs_read();
	sampler_unthrottle();
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		double start = seconds();

		if (!wanted(tests[i].name, names))
			continue;
		clean();
		fresh_module("");
		tests[i].run();
		say("(%s: %.1f s)", tests[i].name, seconds() - start);
	}
	if (module_loaded())
		check(!module_unload(), "rmmod");
	return finish("stress/users");
}
