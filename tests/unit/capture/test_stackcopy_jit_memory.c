// SPDX-License-Identifier: GPL-2.0-only
/* Words of code made at run time: of any alignment, within and across pages, or missing. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/stackcopy/jit_memory.h"

#define PAGE 4096u
#define PAGES 300u	/* more pages than are cached */

static struct jit_memory *memory;
static u8 *code;

static int setup(void **state)
{
	size_t i;

	memory = jit_memory_new();
	code = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!memory || code == MAP_FAILED)
		return -1;
	for (i = 0; i < PAGES * PAGE; i++)
		code[i] = (u8)(i * 7 + i / 251);
	return munmap(code + PAGES * PAGE, PAGE);
}

static int teardown(void **state)
{
	jit_memory_free(memory);
	return munmap(code, PAGES * PAGE);
}

static bool is_read(size_t at)
{
	u64 word = 0;

	return jit_memory_read(memory, (u32)getpid(), (u64)code + at, &word) &&
	       !memcmp(&word, code + at, 8);
}

static void words_of_any_alignment(void **state)
{
	size_t i, at;

	for (i = 0; i < PAGES - 1; i++)
		for (at = i * PAGE + PAGE - 9; at <= (i + 1) * PAGE; at++)
			assert_true(is_read(at));
	assert_true(is_read(0));
	assert_true(is_read(PAGES * PAGE - 8));
}

static void what_is_not_there(void **state)
{
	u64 word;

	assert_false(is_read(PAGES * PAGE - 7));
	assert_false(is_read(PAGES * PAGE));
	assert_false(jit_memory_read(memory, (u32)getpid(), 0, &word));
	assert_false(jit_memory_read(memory, (u32)getpid(), ~0ull - 3, &word));
	assert_false(jit_memory_read(memory, 0, (u64)code, &word));
	assert_true(is_read(0));
}

/* Pages are cached until they are dropped, and no longer. */
static void pages_are_kept_for_a_while(void **state)
{
	u64 word;

	assert_true(is_read(16));
	code[16]++;
	assert_false(is_read(16));
	assert_true(jit_memory_read(memory, (u32)getpid(), (u64)code + 16, &word));
	jit_memory_forget(memory);
	assert_true(is_read(16));
}

static void processes_are_not_mixed_up(void **state)
{
	pid_t pid[70];	/* more pages than are cached */
	size_t i, n;
	u64 word;

	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		int fds[2];
		char byte;

		assert_int_equal(pipe(fds), 0);
		pid[i] = fork();
		if (!pid[i]) {
			memset(code, (int)i, 8);
			if (write(fds[1], "", 1) == 1)
				pause();
			_exit(1);
		}
		assert_int_equal(read(fds[0], &byte, 1), 1);
		close(fds[0]);
		close(fds[1]);
	}
	for (n = 0; n < 3 * ARRAY_SIZE(pid); n++) {
		i = n * 11 % ARRAY_SIZE(pid);
		assert_true(jit_memory_read(memory, (u32)pid[i], (u64)code, &word));
		assert_true(word == 0x0101010101010101ull * i);
	}
	jit_memory_forget(memory);
	for (i = 0; i < ARRAY_SIZE(pid); i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
		assert_false(jit_memory_read(memory, (u32)pid[i], (u64)code, &word));
	}
}

#define MADE_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MADE_TEST(words_of_any_alignment),
		MADE_TEST(what_is_not_there),
		MADE_TEST(pages_are_kept_for_a_while),
		MADE_TEST(processes_are_not_mixed_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
