// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading memory of processes: whole or not at all, and never waiting for more than a moment.
 */
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/process/peek_channel.h"
#include "util/clock.h"

#define ALICE 1000u
#define BOB 1001u

static struct peek peek;
static struct peek_memory memory;

static int setup(void **state)
{
	return !peek_memory_open(&memory, (uint32_t)getpid()) || peek_open(&peek);
}

static int teardown(void **state)
{
	peek_close(&peek);
	peek_memory_close(&memory);
	return 0;
}

/* This process's memory, read as that of another user. */
static struct peek_memory *of(uint32_t payer)
{
	memory.payer = payer;
	memory.payer_ns = clock_ns(CLOCK_MONOTONIC);
	return &memory;
}

static bool reads(uint32_t payer)
{
	static const char text[] = "what is read";
	char buf[sizeof(text)] = "";

	return peek_read(&peek, of(payer), (uintptr_t)text, buf, sizeof(buf)) &&
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
	assert_true(peek_read(&peek, of(ALICE), (uintptr_t)from, to, len));
	assert_memory_equal(from, to, len);
	assert_true(peek_read(&peek, of(ALICE), (uintptr_t)from, to, 0));
	/* the last page does not exist */
	assert_int_equal(munmap(from + len / 4096 * 4096, 4096), 0);
	assert_false(peek_read(&peek, of(ALICE), (uintptr_t)from, to, len));
	assert_false(peek_read(&peek, of(0), (uintptr_t)from, to, len));
	assert_false(peek_read(&peek, of(ALICE), 0, to, 8));
	assert_false(peek_read(&peek, of(ALICE), UINT64_MAX - 3, to, 8));
	assert_false(peek_read(&peek, of(ALICE), INT64_MAX - 3, to, 8));
	assert_false(peek_read(&peek, &(struct peek_memory)PEEK_MEMORY_INIT, (uintptr_t)from, to, 8));
	assert_true(reads(ALICE));
	assert_false(peek_is_silent(&peek, ALICE));
	free(to);
}

/* The jail does not answer, as if it waited for a page. */
static void silence(uint32_t payer)
{
	struct timespec before, after;

	assert_true(reads(BOB));
	assert_int_equal(kill(peek.jail.pid, SIGSTOP), 0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_false(reads(payer));
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
	/* the read that notices it may fail, because there was no answer */
	while (!reads(ALICE))
		assert_false(peek_is_silent(&peek, ALICE));
	assert_int_not_equal(peek.jail.pid, pid);
}

/*
 * Ranges are read whole or not at all, and each to its own buffer, also if there are many or
 * long ones.
 */
static void ranges_are_read_together(void **state)
{
	static const char a[] = "the first", b[] = "the second one", c[] = "3";
	char to[3 * PEEK_MAX_RANGES][32] = { "" }, *large = malloc(3 * PEEK_CHANNEL_BYTES);
	struct peek_range range[3 * PEEK_MAX_RANGES];
	const char *from[] = { a, b, c };
	size_t i;

	for (i = 0; i < 3 * PEEK_MAX_RANGES; i++)
		range[i] = (struct peek_range){ (uintptr_t)from[i % 3], to[i], strlen(from[i % 3]) };
	for (i = 0; i <= 3 * PEEK_MAX_RANGES; i++) {
		memset(to, 0, sizeof(to));
		assert_true(peek_read_ranges(&peek, of(ALICE), range, i));
		if (i)
			assert_string_equal(to[i - 1], from[(i - 1) % 3]);
		if (i < 3 * PEEK_MAX_RANGES)
			assert_string_equal(to[i], "");
	}
	range[1].addr = 8;
	assert_false(peek_read_ranges(&peek, of(ALICE), range, 3));
	assert_false(peek_read_ranges(&peek, of(0), range, 3));
	memset(large, 'x', 3 * PEEK_CHANNEL_BYTES);
	range[1] = (struct peek_range){ (uintptr_t)large, large + PEEK_CHANNEL_BYTES, 2 * PEEK_CHANNEL_BYTES - 1 };
	large[0] = 'y';
	assert_true(peek_read_ranges(&peek, of(ALICE), range, 3));
	assert_int_equal(large[PEEK_CHANNEL_BYTES], 'y');
	assert_int_equal(large[3 * PEEK_CHANNEL_BYTES - 2], 'x');
	free(large);
}

#define CHILDREN (2 * PEEK_CHANNEL_SLOTS + 1)

/*
 * A process in which the byte at this address is @value: it says that it is ready, and waits to
 * be killed.
 */
static volatile char told;

static pid_t child_with(char value)
{
	int fds[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		told = value;
		if (write(fds[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(fds[0], &byte, 1), 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static void texts_of_proc_are_read_to_their_end(void **state)
{
	char parts[4096] = "", once[PEEK_TEXT];
	pid_t pid = child_with(1);
	struct peek_memory maps;
	size_t n, at = 0, all;

	assert_true(peek_maps_open(&maps, (uint32_t)pid));
	maps.payer = ALICE;
	maps.payer_ns = 1;
	assert_true(peek_read_text(&peek, &maps, 0, once, sizeof(once), &all));
	assert_in_range(all, 100, sizeof(once));
	do {
		assert_true(peek_read_text(&peek, &maps, at, parts, 100, &n));
		/* in one call, the kernel returns about a page of it */
		if (at + n <= all)
			assert_memory_equal(parts, once + at, n);
		at += n;
	} while (n);
	assert_true(at >= all);
	assert_false(peek_read_text(&peek, &maps, 0, once, sizeof(once) + 1, &n));
	peek_memory_close(&maps);
	assert_false(peek_read_text(&peek, &maps, 0, once, sizeof(once), &n));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The jail caches some descriptors: each read must be from the requested process. */
static void processes_are_not_mixed_up(void **state)
{
	struct peek_memory m[CHILDREN];
	pid_t pid[CHILDREN];
	unsigned int i, n;
	char byte;

	for (i = 0; i < CHILDREN; i++) {
		pid[i] = child_with((char)i);
		assert_true(peek_memory_open(&m[i], (uint32_t)pid[i]));
		m[i].payer = ALICE;
	}
	for (n = 0; n < 10 * CHILDREN; n++) {
		i = n * 7 % CHILDREN;
		assert_true(peek_read(&peek, &m[i], (uintptr_t)&told, &byte, 1));
		assert_int_equal(byte, i);
	}
	for (i = 0; i < CHILDREN; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
		/* its descriptor may still be in the jail, and belongs to no memory */
		assert_false(peek_read(&peek, &m[i], (uintptr_t)&told, &byte, 1));
		peek_memory_close(&m[i]);
	}
	assert_false(peek_is_silent(&peek, ALICE));
}

/* Either side may be about to sleep when the other one writes: no answer may be missed. */
static void nobody_oversleeps(void **state)
{
	unsigned short random[3] = { 1, 2, 3 };
	struct timespec pause = { 0 };
	int i;

	for (i = 0; i < 3000; i++) {
		pause.tv_nsec = nrand48(random) % (2 * PEEK_CHANNEL_JAIL_NS);
		if (i % 4)
			nanosleep(&pause, NULL);
		assert_true(reads(ALICE));
	}
	assert_false(peek_is_silent(&peek, ALICE));
}

static uint64_t cpu_time(pid_t pid)
{
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
	return clock_ns(clock);
}

static void a_jail_that_is_not_asked_sleeps(void **state)
{
	const struct timespec second = { 1, 0 };
	uint64_t before;

	assert_true(reads(ALICE));
	before = cpu_time(peek.jail.pid);
	nanosleep(&second, NULL);
	assert_in_range(cpu_time(peek.jail.pid) - before, 0, 100000000);
	assert_true(reads(ALICE));
}

/*
 * A jail that was abandoned may write to its buffer later, when its page is there: it is not
 * the buffer of the next one.
 */
static void what_a_jail_writes_that_was_left_is_not_read(void **state)
{
	struct peek_shared *shared;
	pid_t pid;
	int i;

	assert_true(reads(BOB));
	shared = peek.channel->shared;
	pid = fork();
	if (!pid)
		for (prctl(PR_SET_PDEATHSIG, SIGKILL), raise(SIGSTOP);;) {
			memset(shared->bytes, 'x', 64);
			shared->good = 1;
			__atomic_store_n(&shared->served, shared->asked, __ATOMIC_SEQ_CST);
		}
	/*
	 * a jail that was killed does not answer: the next read abandons it, and then this one
	 * writes
	 */
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	assert_int_equal(kill(peek.jail.pid, SIGKILL), 0);
	assert_true(reads(BOB));
	assert_int_equal(kill(pid, SIGCONT), 0);
	for (i = 0; i < 4000; i++)
		assert_true(reads(BOB));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The jails of the next tests do not read: they answer in wrong ways. */
static struct peek_channel channel;

static void wait_until_asked(uint64_t last)
{
	while (__atomic_load_n(&channel.shared->asked, __ATOMIC_SEQ_CST) == last)
		;
}

/* Reports an answer, whether the reader sleeps or not. */
static void answer(uint64_t number)
{
	channel.shared->good = ~0u;
	__atomic_store_n(&channel.shared->served, number, __ATOMIC_SEQ_CST);
	send(channel.jail_fd, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int lies_about_the_number(void *arg)
{
	struct peek_shared *s = channel.shared;
	uint64_t n;

	wait_until_asked(0);
	memset(s->bytes, 'x', 64);
	s->good = 1;
	for (n = 0;; n++)
		__atomic_store_n(&s->served, n % 2 ? s->asked - 1 - n % 5 : s->asked + 1 + n % 5,
				 __ATOMIC_SEQ_CST);
	return 0;
}

static int sends_without_end(void *arg)
{
	for (;;)
		send(channel.jail_fd, "x", 1, MSG_NOSIGNAL);
	return 0;
}

static int sends_nothing_to_read(void *arg)
{
	send(channel.jail_fd, "", 0, MSG_NOSIGNAL);
	pause();
	return 0;
}

static int dies_in_the_middle(void *arg)
{
	wait_until_asked(0);
	channel.shared->good = 1;
	memset(channel.shared->bytes, 'x', 4);
	return 0;
}

static int answers_with_other_lengths(void *arg)
{
	struct peek_shared *s = channel.shared;
	uint64_t n;

	for (n = 0;; n++) {
		wait_until_asked(n);
		memset(s->bytes, 'x', PEEK_CHANNEL_BYTES);
		s->nr = ~0u;
		s->range[0].len = ~0ull;
		s->range[1].len = PEEK_CHANNEL_BYTES;
		answer(n + 1);
	}
	return 0;
}

static int answers_once(void *arg)
{
	wait_until_asked(0);
	memset(channel.shared->bytes, 'x', 64);
	answer(1);
	pause();
	return 0;
}

static struct jail hostile;

static void start_hostile(int (*work)(void *))
{
	struct jail_limits l = { .paths = JAIL_NO_PATHS };

	assert_int_equal(peek_channel_open(&channel), 0);
	l.keep[0] = channel.jail_fd;
	hostile = (struct jail)JAIL_INIT;
	assert_int_equal(jail_start(&hostile, &l, work, NULL), 0);
	peek_channel_started(&channel);
}

static void end_hostile(void)
{
	jail_kill(&hostile);
	peek_channel_close(&channel);
}

static int ask_hostile(char *to, size_t len)
{
	const struct peek_range range[] = {
		{ (uintptr_t)&told, to, len }, { (uintptr_t)&told, to + len, len },
	};

	return peek_channel_ask(&channel, &hostile, of(ALICE), range, 2, NULL);
}

static void a_jail_that_lies_is_left(void **state)
{
	static const struct {
		int (*work)(void *arg);
		int expected;
	} jails[] = {
		{ lies_about_the_number, -ETIME }, { sends_without_end, -ETIME },
		{ sends_nothing_to_read, -EPIPE }, { dies_in_the_middle, -EPIPE },
	};
	char to[8] = "";
	size_t i;

	for (i = 0; i < sizeof(jails) / sizeof(jails[0]); i++) {
		start_hostile(jails[i].work);
		assert_int_equal(ask_hostile(to, 4), jails[i].expected);
		assert_memory_equal(to, "\0\0\0\0\0\0\0\0", 8);
		end_hostile();
	}
}

static void lengths_are_those_of_the_reader(void **state)
{
	char to[16] = "";
	int i;

	start_hostile(answers_with_other_lengths);
	for (i = 0; i < 100; i++) {
		memset(to, 0, sizeof(to));
		assert_int_equal(ask_hostile(to, 4), 1);
		assert_memory_equal(to, "xxxxxxxx\0\0\0\0\0\0\0\0", 16);
	}
	end_hostile();
}

/* The text comes from the jail, and its length must not exceed the room. */
static void a_text_is_no_longer_than_its_room(void **state)
{
	char to[16] = "";
	const struct peek_range range = { 0, to, 4 };
	size_t n;

	start_hostile(answers_with_other_lengths);
	channel.shared->got = 5;
	assert_int_equal(peek_channel_ask(&channel, &hostile, of(ALICE), &range, 1, &n), 0);
	channel.shared->got = ~0ull;
	assert_int_equal(peek_channel_ask(&channel, &hostile, of(ALICE), &range, 1, &n), 0);
	channel.shared->got = 3;
	assert_int_equal(peek_channel_ask(&channel, &hostile, of(ALICE), &range, 1, &n), 1);
	assert_int_equal(n, 3);
	assert_string_equal(to, "xxx");
	end_hostile();
}

static void the_answer_before_is_none(void **state)
{
	char to[8] = "";

	start_hostile(answers_once);
	assert_int_equal(ask_hostile(to, 4), 1);
	memset(to, 0, sizeof(to));
	assert_int_equal(ask_hostile(to, 4), -ETIME);
	assert_memory_equal(to, "\0\0\0\0\0\0\0\0", 8);
	end_hostile();
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
		PEEK_TEST(ranges_are_read_together),
		PEEK_TEST(texts_of_proc_are_read_to_their_end),
		PEEK_TEST(processes_are_not_mixed_up),
		PEEK_TEST(nobody_oversleeps),
		PEEK_TEST(a_jail_that_is_not_asked_sleeps),
		PEEK_TEST(what_a_jail_writes_that_was_left_is_not_read),
		PEEK_TEST(a_jail_that_lies_is_left),
		PEEK_TEST(lengths_are_those_of_the_reader),
		PEEK_TEST(a_text_is_no_longer_than_its_room),
		PEEK_TEST(the_answer_before_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
