// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements verdict.h: plugs of all kinds, places for them, and checks that samples in them
 * are whole. The tests of lifetime and users call it.
 */
#include "verdict.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned long samples_wanted = 60;
struct plug plugs[PLUG_KINDS + 1];

void plugs_read(void)
{
	char path[32];
	int i;

	for (i = 1; i <= PLUG_KINDS; i++) {
		snprintf(path, sizeof(path), "/plugs/plug%d.so", i);
		plug_read(&plugs[i], path);
	}
}

int plug_file(int kind, const char *path)
{
	int fd;

	unlink(path);
	file_create(path, plugs[kind].bytes, plugs[kind].len);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die_errno(path);
	return fd;
}

void *place(void)
{
	static uintptr_t next = 0x510000000000;

	next += 1 << 24;
	return (void *)next;
}

bool is_whole(const struct tally *t)
{
	return t->whole && !t->cut && !t->wrong && !t->edge;
}

static bool verdict(const struct tally *t, const char *what)
{
	return check(is_whole(t), "%s: whole %lu, cut %lu, wrong %lu", what,
		     t->whole, t->cut, t->wrong + t->edge);
}

bool check_whole(const void *text, const char *what)
{
	struct tally t;

	plug_sample(text, samples_wanted, &t);
	return verdict(&t, what);
}

int whole_status(const void *text)
{
	struct tally t;

	plug_sample(text, samples_wanted, &t);
	if (!is_whole(&t))
		say("pid %d: whole %lu, cut %lu, wrong %lu", getpid(), t.whole,
		    t.cut, t.wrong + t.edge);
	fflush(stdout);
	return !is_whole(&t);
}

int reap(int pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die_errno("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void tally_add(struct tally *sum, const struct tally *t)
{
	sum->whole += t->whole;
	sum->cut += t->cut;
	sum->wrong += t->wrong;
	sum->edge += t->edge;
	sum->apart += t->apart;
}

void check_sum(const struct tally *sum, const char *what)
{
	verdict(sum, what);
}

void no_module(void)
{
	int err = module_loaded() ? module_unload() : 0;

	if (err)
		die("rmmod: %s", strerror(-err));
}

void fresh_module(const char *params)
{
	int err;

	no_module();
	err = module_load(params);
	if (err)
		die("insmod: %s", strerror(-err));
	module_prepare();
}
