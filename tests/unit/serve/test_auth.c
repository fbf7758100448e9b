// SPDX-License-Identifier: GPL-2.0-only
/*
 * Secrets are compared in a time that does not depend on where they differ. The test does not
 * measure time. It counts the single steps of a debugger, which are the same in every run.
 */
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/daemon/auth.h"

#define LEN 32
#define NO_RIGHT 77

static char secret[LEN + 1], sent[LEN + 1];

/* The instructions of one comparison, between two stops of a process. */
static void compare_once(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(NO_RIGHT);
	/*
	 * call the functions once, because the dynamic linker looks them up at their first call
	 */
	auth_equal(sent, secret);
	raise(SIGSTOP);
	auth_equal(sent, secret);
	raise(SIGUSR1);
	_exit(0);
}

static void wait_stop(pid_t pid, int *signal)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_RIGHT) {
		print_message("skip: guard: processes may not be traced here\n");
		skip();
	}
	assert_true(WIFSTOPPED(status));
	*signal = WSTOPSIG(status);
}

/* Number of instructions of a comparison of the two texts. */
static unsigned int count_steps(void)
{
	unsigned int steps = 0;
	pid_t pid = fork();
	int signal;

	assert_true(pid >= 0);
	if (!pid)
		compare_once();
	wait_stop(pid, &signal);
	assert_int_equal(signal, SIGSTOP);
	do {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			break;
		wait_stop(pid, &signal);
	} while (++steps < 100000 && signal == SIGTRAP);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(signal, SIGUSR1);
	return steps;
}

static void comparing_says_nothing_of_where(void **state)
{
	unsigned int i, same, all, none;

	memset(secret, 'a', LEN);
	memset(sent, 'a', LEN);
	same = count_steps();
	/* every character is compared */
	sent[LEN - 1] = 0;
	none = count_steps();
	assert_int_not_equal(same, none);
	for (i = 0; i < LEN; i++) {
		memset(sent, 'a', LEN);
		sent[i] = 'b';
		assert_false(auth_equal(sent, secret));
		assert_int_equal(count_steps(), same);
	}
	memset(sent, 'b', LEN);
	all = count_steps();
	assert_int_equal(all, same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comparing_says_nothing_of_where),
	};

	return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
