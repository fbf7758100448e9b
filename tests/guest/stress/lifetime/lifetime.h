/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of stale mappings: each test gives its verdicts with check(). */
#ifndef LIFETIME_H
#define LIFETIME_H

#include "verdict.h"

#define DIR "/tmp/lifetime"

/* Executes the program again with these arguments. */
int run_self(const char *arg1, const char *arg2);

#define LIFETIME_TESTS \
	TEST(replaced) TEST(overwritten) TEST(overwritten_quickly) \
	TEST(overwritten_in_a_second) TEST(recreated) TEST(map_loop) TEST(dlopen_loop) \
	TEST(unmount) TEST(overlay) \
	TEST(fixed) TEST(fixed_merge) TEST(fixed_pages) TEST(moved) TEST(moved_parts) TEST(grown) \
	TEST(left_behind) TEST(cut) TEST(advised) TEST(protected) TEST(many) TEST(region_merge) \
	TEST(forked) TEST(fork_race) TEST(executed) TEST(vforked) TEST(threads) \
	TEST(before) TEST(compat) TEST(stopped) TEST(uretprobe) TEST(deferred) \
	TEST(followed) \
	TEST(kill_switch) TEST(budget) TEST(max_frames)

#define TEST(name) void test_##name(void);
LIFETIME_TESTS
#undef TEST

#endif
