// SPDX-License-Identifier: GPL-2.0-only
/*
 * price: measures the cost of the kernel's own operations with the module loaded, while nobody
 * samples, and without it. It runs in a guest as root; the module is not loaded but is at
 * /ustack.ko. tests/bench/price/run starts it and reads its output, lines "without|with ROUND
 * op|loop ...: NUMBER".
 *
 * usage: price ops ROUNDS MS MAPPINGS...
 * \t  price loops PAIRS MS PROCESSES
 *
 * Each measured process was executed after the module was loaded or unloaded, so that the
 * module knows it from its start, as on a machine that loads it at boot. The program is linked
 * dynamically, because it uses dlopen().
 */
#include "price.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ops.h"
#include "stress.h"

/* Runs this program with ARGS, and waits. */
#define run_self(...) run((char *[]){ "price", __VA_ARGS__, NULL })

static void run(char **argv)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	price_wait(pid);
}

static void set_module(bool loaded)
{
	if (loaded == module_loaded())
		return;
	if (loaded ? module_load("") : module_unload())
		die(loaded ? "insmod" : "rmmod");
}

/* The files of the processes with many mappings. */
static void make_files(void)
{
	unsigned int i;
	char path[64];
	uint8_t *bytes;
	size_t len;

	bytes = file_read(PRICE_LIBRARY, &len);
	mkdir("/tmp/price", 0755);
	for (i = 0; i < PRICE_FILES; i++) {
		snprintf(path, sizeof(path), PRICE_FILE_FORMAT, i);
		file_create(path, bytes, len);
	}
	free(bytes);
	/* the module examines a file again if it was changed just now */
	sleep(1);
}

/*
 * Each round runs all @cases with the module and without it. The case that is first in one
 * round is second in the next, so that a machine whose speed changes slows both down.
 */
static void rounds(const char *what, unsigned int nr, char *ms, char **cases)
{
	unsigned int round, half, i;
	char prefix[64];

	for (round = 0; round < nr; round++)
		for (half = 0; half < 2; half++) {
			bool loaded = (round + half) & 1;

			set_module(loaded);
			snprintf(prefix, sizeof(prefix), "%s %u",
				 loaded ? "with" : "without", round);
			for (i = 0; cases[i]; i++)
				run_self((char *)what, prefix, cases[i], ms);
		}
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "--ops")) {
		price_subject(argv[2], atoi(argv[3]), atoi(argv[4]));
	} else if (argc == 5 && !strcmp(argv[1], "--loops")) {
		price_contend(argv[2], atoi(argv[3]), atoi(argv[4]));
	} else if (argc == 4 && !strcmp(argv[1], "--loop")) {
		price_contend_one(atoi(argv[2]), atoi(argv[3]));
	} else if (argc == 2 && !strcmp(argv[1], "--memory")) {
		price_memory();
	} else if (argc >= 5 && !strcmp(argv[1], "ops")) {
		make_files();
		set_module(true);
		run_self("--memory");
		set_module(false);
		rounds("--ops", atoi(argv[2]), argv[3], argv + 4);
	} else if (argc == 5 && !strcmp(argv[1], "loops")) {
		rounds("--loops", atoi(argv[2]), argv[3], argv + 4);
	} else {
		fprintf(stderr, "usage: price ops ROUNDS MS MAPPINGS...\n"
				"       price loops PAIRS MS PROCESSES\n");
		return 2;
	}
	return 0;
}
