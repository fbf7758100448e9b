// SPDX-License-Identifier: GPL-2.0-only
/*
 * The user who is charged for a process, also in user namespaces. Without root there is only
 * one user.
 */
#include "support.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/process/payer.h"

#define NOBODY 65534u
/* there is no other namespace */
#define NONE (~0u)

/* A child that writes "here" at each step, and waits for a byte. */
struct child {
	pid_t pid;
	int here;
	int go;
};

static void step(int here, int go)
{
	char word = 'h';

	if (write(here, &word, 1) != 1 || read(go, &word, 1) != 1)
		_exit(1);
}

/* @nested: the namespace contains another one; -1: there is none at all */
static void live(int here, int go, uid_t user, int nested)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (user && setresuid(user, user, user))
		_exit(1);
	if (nested >= 0) {
		if (unshare(CLONE_NEWUSER))
			_exit(1);
		step(here, go);
		if (setresgid(7, 7, 7) || setresuid(7, 7, 7) || (nested && unshare(CLONE_NEWUSER)))
			_exit(1);
	}
	step(here, go);
	_exit(0);
}

static bool is_here(const struct child *c)
{
	char word;

	return read(c->here, &word, 1) == 1;
}

static void begin(struct child *c, uid_t user, int nested)
{
	int here[2], go[2];

	assert_int_equal(pipe(here), 0);
	assert_int_equal(pipe(go), 0);
	c->pid = fork();
	assert_true(c->pid >= 0);
	if (!c->pid) {
		close(here[0]);
		close(go[1]);
		live(here[1], go[0], user, nested);
	}
	close(here[1]);
	close(go[0]);
	c->here = here[0];
	c->go = go[1];
}

static void end(struct child *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	close(c->here);
	close(c->go);
}

static void map_ids(const struct child *c, const char *name)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", c->pid, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("0 100000 1000\n", f);
	assert_int_equal(fclose(f), 0);
}

static uint32_t payer_of(uid_t user, int nested)
{
	struct child c;
	uint32_t ret = NONE;

	begin(&c, user, nested);
	if (is_here(&c)) {
		if (nested >= 0) {
			map_ids(&c, "uid_map");
			map_ids(&c, "gid_map");
			assert_int_equal(write(c.go, "g", 1), 1);
			assert_true(is_here(&c));
		}
		assert_true(process_payer((uint32_t)c.pid, &ret));
	}
	end(&c);
	return ret;
}

static void this_process(void **state)
{
	uint32_t payer = NONE;

	assert_true(process_payer((uint32_t)getpid(), &payer));
	assert_int_equal(payer, getuid());
}

static void nobody_is_there(void **state)
{
	uint32_t payer;

	assert_false(process_payer(0x7fffffff, &payer));
}

static void a_user(void **state)
{
	if (getuid())
		skip();
	assert_int_equal(payer_of(NOBODY, -1), NOBODY);
}

static void a_namespace_of_a_user(void **state)
{
	if (getuid() || payer_of(NOBODY, 0) == NONE)
		skip();
	assert_int_equal(payer_of(NOBODY, 0), NOBODY);
	assert_int_equal(payer_of(NOBODY, 1), NOBODY);
}

static void a_namespace_of_root(void **state)
{
	uint32_t one;

	if (getuid())
		skip();
	one = payer_of(0, 0);
	if (one == NONE)
		skip();
	assert_int_equal(one >> 31, 1);
	assert_int_equal(payer_of(0, 1) >> 31, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_process),
		cmocka_unit_test(nobody_is_there),
		cmocka_unit_test(a_user),
		cmocka_unit_test(a_namespace_of_a_user),
		cmocka_unit_test(a_namespace_of_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
