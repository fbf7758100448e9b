// SPDX-License-Identifier: GPL-2.0-only
/* Worker processes: damage that a job does to its worker does not affect other jobs. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "supply/worker.h"

/* A job is one letter. */
static void work(void *arg, const void *job, size_t len,
		 struct supply_result *ret)
{
	int fd;

	switch (*(const char *)job) {
	case 'e':	/* echo */
		ret->functions = (u32)len;
		break;
	case 'p':
		ret->functions = (u32)getpid();
		break;
	case 'c':
		raise(SIGKILL);
		break;
	case 'x':
		_exit(7);
	case 'h':	/* hang, whatever signals come */
		signal(SIGTERM, SIG_IGN);
		for (;;)
			pause();
	case 'm':
		ret->functions = mmap(NULL, 4ul << 30, PROT_NONE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1,
				      0) == MAP_FAILED;
		break;
	case 'w':	/* create a file in the named folder, and remove it */
		ret->functions = open((const char *)job + 1, O_CREAT | O_WRONLY, 0600) >= 0 &&
				 !unlink((const char *)job + 1);
		break;
	case 'f':	/* list the inherited descriptors besides the standard ones */
		for (fd = 3; fd < 1024; fd++)
			ret->functions += fcntl(fd, F_GETFD) >= 0;
		break;
	}
}

static const struct worker_kind kind = {
	.work = work,
	.seconds = 1,
	.memory = 1ul << 30,
	.jobs = 3,
	.nice = 1,
};

static struct supply_result finish(struct worker *l)
{
	struct supply_result r;
	struct pollfd p;
	int timeout;

	for (;;) {
		timeout = -1;
		worker_poll(l, &p, &timeout);
		assert_true(timeout >= 0 && timeout <= 1000);
		assert_true(poll(&p, 1, timeout) >= 0);
		if (worker_collect(l, &r))
			return r;
	}
}

static struct supply_result do_job(struct worker *l, const char *job)
{
	/* with its terminator, except for the one whose length is counted */
	assert_int_equal(worker_send(l, job, strlen(job) + (*job == 'w')), 0);
	assert_true(l->busy);
	return finish(l);
}

static void a_job_is_done(void **state)
{
	struct worker l = WORKER_INIT(&kind);
	struct supply_result r = do_job(&l, "e1234");

	assert_int_equal(r.outcome, SUPPLY_CACHED);
	assert_int_equal(r.functions, 5);
	assert_true(r.ns > 0);
	assert_false(l.busy);
	assert_false(worker_collect(&l, &r));
	worker_stop(&l);
	worker_stop(&l);
}

static void a_worker_is_replaced_in_time(void **state)
{
	struct worker l = WORKER_INIT(&kind);
	u32 first = do_job(&l, "p").functions;

	assert_int_equal(do_job(&l, "p").functions, first);
	assert_int_equal(do_job(&l, "p").functions, first);
	assert_int_not_equal(do_job(&l, "p").functions, first);
	worker_stop(&l);
}

static void a_dead_worker_is_replaced(void **state)
{
	struct worker l = WORKER_INIT(&kind);
	struct supply_result r = do_job(&l, "c");

	assert_int_equal(r.outcome, SUPPLY_DIED);
	assert_string_equal(r.text, "Killed");
	r = do_job(&l, "x");
	assert_int_equal(r.outcome, SUPPLY_DIED);
	assert_string_equal(r.text, "status 7");
	assert_int_equal(do_job(&l, "e").outcome, SUPPLY_CACHED);
	/* between two jobs */
	kill(l.jail.pid, SIGKILL);
	usleep(50000);
	assert_int_equal(do_job(&l, "e").outcome, SUPPLY_CACHED);
	worker_stop(&l);
}

static void a_job_has_an_end(void **state)
{
	struct worker l = WORKER_INIT(&kind), other = WORKER_INIT(&kind);
	int64_t start = worker_clock_ms();

	assert_int_equal(worker_send(&l, "h", 1), 0);
	assert_int_equal(do_job(&other, "e").outcome, SUPPLY_CACHED);
	assert_true(worker_clock_ms() - start < 900);
	assert_int_equal(finish(&l).outcome, SUPPLY_TIME);
	assert_true(worker_clock_ms() - start >= 1000);
	assert_int_equal(do_job(&l, "e").outcome, SUPPLY_CACHED);
	assert_int_equal(worker_send(&l, "h", 1), 0);
	/* the end of the program does not wait for workers */
	start = worker_clock_ms();
	worker_stop(&l);
	worker_stop(&other);
	assert_true(worker_clock_ms() - start < 900);
}

static void memory_has_an_end(void **state)
{
	struct worker l = WORKER_INIT(&kind);

	assert_int_equal(do_job(&l, "m").functions, 1);
	worker_stop(&l);
}

static void it_has_the_cache_and_the_device(void **state)
{
	struct worker_kind own = kind;
	struct worker l = WORKER_INIT(&own);
	char dir[] = "/tmp/test_worker.XXXXXX", inside[64], outside[64];

	assert_non_null(mkdtemp(dir));
	snprintf(inside, sizeof(inside), "w%s/file", dir);
	snprintf(outside, sizeof(outside), "w%s.file", dir);
	assert_int_equal(do_job(&l, "f").functions, 1);
	worker_stop(&l);
	own.cache = open(dir, O_RDONLY | O_DIRECTORY);
	own.device = open("/dev/null", O_RDONLY);
	assert_int_equal(do_job(&l, "f").functions, 3);
	assert_int_equal(do_job(&l, outside).functions, 1);
	worker_stop(&l);
	own.files_alone = true;
	assert_int_equal(do_job(&l, inside).functions, 1);
	/* a kernel without Landlock cannot prevent it */
	if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0)
		assert_int_equal(do_job(&l, outside).functions, 0);
	worker_stop(&l);
	close(own.cache);
	close(own.device);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_done),
		cmocka_unit_test(a_worker_is_replaced_in_time),
		cmocka_unit_test(a_dead_worker_is_replaced),
		cmocka_unit_test(a_job_has_an_end),
		cmocka_unit_test(memory_has_an_end),
		cmocka_unit_test(it_has_the_cache_and_the_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
