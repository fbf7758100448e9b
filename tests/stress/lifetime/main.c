// SPDX-License-Identifier: GPL-2.0
/*
 * lifetime [-q] [TEST]...: run in a guest as root, with /ustack.ko not loaded
 * and the plugs in /plugs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "lifetime.h"

unsigned long lifetime_want = 60;
struct plug plugs[PLUG_KINDS + 1];

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
#define TEST(name) { #name, test_##name },
	LIFETIME_TESTS
#undef TEST
};

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

	plug_sample(text, lifetime_want, &t);
	return verdict(&t, what);
}

int whole_status(const void *text)
{
	struct tally t;

	plug_sample(text, lifetime_want, &t);
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

int run_self(const char *arg1, const char *arg2)
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "lifetime", arg1, arg2, NULL);
		_exit(99);
	}
	return reap(pid);
}

/* what run_self() runs */
static int as_child(const char *what, const char *path)
{
	int fd = open(path, O_RDONLY);

	if (!strcmp(what, "--nothing"))
		return 0;
	return whole_status(plug_map(&plugs[1], fd, NULL, 0));
}

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
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

static void clean(void)
{
	if (system("rm -rf " DIR " && mkdir -p " DIR))
		die("no " DIR);
}

int main(int argc, char **argv)
{
	unsigned int i;
	char path[32];

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 1; i <= PLUG_KINDS; i++) {
		snprintf(path, sizeof(path), "/plugs/plug%u.so", i);
		plug_read(&plugs[i], path);
	}
	if (argc > 1 && !strncmp(argv[1], "--", 2))
		return as_child(argv[1], argv[2]);
	if (argc > 1 && !strcmp(argv[1], "-q")) {
		lifetime_want = 20;
		argc--;
		argv++;
	}
	sampler_unthrottle();
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		double start = seconds();

		if (!wanted(tests[i].name, argc, argv))
			continue;
		clean();
		if (!module_loaded())
			fresh_module("");
		tests[i].run();
		say("(%s: %.1f s)", tests[i].name, seconds() - start);
	}
	if (module_loaded())
		check(!module_unload(), "rmmod");
	return finish("stress/lifetime");
}
