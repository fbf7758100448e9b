// SPDX-License-Identifier: GPL-2.0-only
/* Memory of processes: read whole or not, and never waited for longer than a moment. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "process/peek.h"

#define ALICE 1000u
#define BOB 1001u

static struct peek peek;
static int mem;

static int setup(void **state)
{
	mem = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	return mem < 0 || peek_open(&peek);
}

static int teardown(void **state)
{
	peek_close(&peek);
	return close(mem);
}

static bool reads(uid_t owner)
{
	static const char text[] = "what is read";
	char buf[sizeof(text)] = "";

	return peek_read(&peek, mem, owner, (uintptr_t)text, buf, sizeof(buf)) &&
	       !memcmp(buf, text, sizeof(text));
}

static void all_bytes_or_none(void **state)
{
	const size_t len = 200000;
	uint8_t *from = mmap(NULL, len + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *to = calloc(1, len + 4096);
	size_t i;

	assert_true(from != MAP_FAILED && to);
	for (i = 0; i < len; i++)
		from[i] = (uint8_t)(i * 7 + i / 256);
	assert_true(peek_read(&peek, mem, ALICE, (uintptr_t)from, to, len));
	assert_memory_equal(from, to, len);
	assert_true(peek_read(&peek, mem, ALICE, (uintptr_t)from, to, 0));
	/* the last page is not there */
	assert_int_equal(munmap(from + len / 4096 * 4096, 4096), 0);
	assert_false(peek_read(&peek, mem, ALICE, (uintptr_t)from, to, len));
	assert_false(peek_read(&peek, mem, 0, (uintptr_t)from, to, len));
	assert_false(peek_read(&peek, mem, ALICE, 0, to, 8));
	assert_false(peek_read(&peek, mem, ALICE, UINT64_MAX - 3, to, 8));
	assert_false(peek_read(&peek, mem, ALICE, INT64_MAX - 3, to, 8));
	assert_false(peek_read(&peek, -1, ALICE, (uintptr_t)from, to, 8));
	assert_true(reads(ALICE));
	assert_false(peek_is_silent(&peek, ALICE));
	free(to);
}

/* The jail is as if it waited for a page: it does not answer. */
static void silence(uid_t owner)
{
	struct timespec before, after;

	assert_true(reads(BOB));
	assert_int_equal(kill(peek.jail.pid, SIGSTOP), 0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_false(reads(owner));
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(after.tv_sec - before.tv_sec < 30);
}

static void who_does_not_answer_is_not_asked_again(void **state)
{
	silence(ALICE);
	assert_true(peek_is_silent(&peek, ALICE));
	assert_false(reads(ALICE));
	assert_false(peek_is_silent(&peek, BOB));
	assert_true(reads(BOB));
	assert_true(reads(0));
}

static void root_is_read_without_a_jail(void **state)
{
	assert_true(reads(BOB));
	assert_int_equal(kill(peek.jail.pid, SIGSTOP), 0);
	assert_true(reads(0));
	assert_false(peek_is_silent(&peek, 0));
}

static void many_silent_users_end_it(void **state)
{
	uid_t i;

	for (i = 0; i < PEEK_MAX_SILENT; i++) {
		assert_false(peek_is_silent(&peek, BOB));
		silence(ALICE + 10 + i);
	}
	assert_true(peek_is_silent(&peek, BOB));
	assert_false(reads(BOB));
	assert_true(reads(0));
}

static void a_jail_that_was_killed_is_replaced(void **state)
{
	pid_t pid;

	assert_true(reads(ALICE));
	pid = peek.jail.pid;
	assert_int_equal(kill(pid, SIGKILL), 0);
	/* the one that notices may fail: nobody has answered */
	while (!reads(ALICE))
		assert_false(peek_is_silent(&peek, ALICE));
	assert_int_not_equal(peek.jail.pid, pid);
}

#define PEEK_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PEEK_TEST(all_bytes_or_none),
		PEEK_TEST(who_does_not_answer_is_not_asked_again),
		PEEK_TEST(root_is_read_without_a_jail),
		PEEK_TEST(many_silent_users_end_it),
		PEEK_TEST(a_jail_that_was_killed_is_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
