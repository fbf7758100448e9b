/* SPDX-License-Identifier: GPL-2.0 */
/* Stale mappings: each test gives its verdicts with check(). */
#ifndef LIFETIME_H
#define LIFETIME_H

#include "plug.h"
#include "stress.h"

/* Samples that a verdict is made of. */
extern unsigned long lifetime_want;

/* plugs[1] to plugs[4]; [0] is unused */
extern struct plug plugs[PLUG_KINDS + 1];

#define DIR "/tmp/lifetime"

/* Writes the plug of this kind as a new file. Return: it, open for reading. */
int plug_file(int kind, const char *path);
/* A place for plugs that nothing else is mapped at. */
void *place(void);

bool is_whole(const struct tally *t);
/* check() that all samples of the plug at @text are whole. */
bool check_whole(const void *text, const char *what);
/* In a child: 0 if they are; to be given to _exit(). */
int whole_status(const void *text);
/* Waits for a child. Return: its exit status, 128 + N when killed. */
int reap(int pid);
void tally_add(struct tally *sum, const struct tally *t);
void check_sum(const struct tally *sum, const char *what);

/* A module that knows this program. */
void fresh_module(const char *params);
void no_module(void);

/* The program again, with these arguments. */
int run_self(const char *arg1, const char *arg2);

#define LIFETIME_TESTS \
	TEST(replaced) TEST(overwritten) TEST(overwritten_quickly) \
	TEST(recreated) TEST(map_loop) TEST(dlopen_loop) TEST(unmount) TEST(overlay) \
	TEST(fixed) TEST(fixed_merge) TEST(fixed_pages) TEST(moved) TEST(cut) TEST(advised) \
	TEST(protected) TEST(many) TEST(region_merge) \
	TEST(forked) TEST(fork_race) TEST(executed) TEST(vforked) TEST(threads) \
	TEST(before) TEST(compat) TEST(stopped) \
	TEST(kill_switch) TEST(budget) TEST(max_frames)

#define TEST(name) void test_##name(void);
LIFETIME_TESTS
#undef TEST

#endif
