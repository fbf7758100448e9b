/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests of what a user without rights can do to others through the module: each test calls
 * check().
 */
#ifndef USERS_H
#define USERS_H

#include <sys/types.h>

#include "verdict.h"

#define NOBODY 65534
#define SOMEBODY 4242
#define DIR "/tmp/users"

/* Runs @fn in a child as @uid. Return: the child, which exits with @fn's result. */
pid_t user_start(uid_t uid, int (*fn)(void *arg), void *arg);
/* Memory shared with children, zeroed. */
void *shared_memory(size_t size);
/* Kills a child and waits for it. */
void stop(pid_t pid);
/* CPU time that a process has used, in nanoseconds. */
uint64_t cpu_time_of(pid_t pid);
/*
 * Runs rmmod. Return: seconds that it took, or -1 if it took more than @limit and still runs as
 * process *@pid; ends the program if it fails.
 */
double try_unload(double limit, pid_t *pid);

#define USERS_TESTS \
	TEST(names) TEST(rights) TEST(collide) TEST(box) TEST(box_lists) TEST(share) \
	TEST(forged_fuse) TEST(forged_loop) TEST(stalled_mmap) TEST(stalled_read) \
	TEST(stalled_map)

#define TEST(name) void test_##name(void);
USERS_TESTS
#undef TEST

#endif
