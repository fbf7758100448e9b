// SPDX-License-Identifier: GPL-2.0-only
/*
 * lifetime [-q] [TEST]...: tests that no stale table is used. It runs in a guest as root; the
 * module is not loaded but is at /ustack.ko, and the plugs are in /plugs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lifetime.h"

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
#define TEST(name) { #name, test_##name },
	LIFETIME_TESTS
#undef TEST
};

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

/* the functions that run_self() can run */
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

static void clean(void)
{
	if (system("rm -rf " DIR " && mkdir -p " DIR))
		die("no " DIR);
}

int main(int argc, char **argv)
{
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	plugs_read();
	if (argc > 1 && !strncmp(argv[1], "--", 2))
		return as_child(argv[1], argv[2]);
	if (argc > 1 && !strcmp(argv[1], "-q")) {
		samples_wanted = 20;
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
