// SPDX-License-Identifier: GPL-2.0-only
/* Runs loops in many processes at once, as will-it-scale does (price.h). */
#include "price.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "ops.h"
#include "stress.h"

#define MOST_PROCESSES 64

struct racer {
	pid_t pid;
	int go;		/* a byte written to this descriptor starts the loop */
	int count;	/* the number of runs is read from this descriptor */
};

void price_contend_one(unsigned int n, unsigned int ms)
{
	uint64_t end, runs = 0;
	char byte;

	price_ops_init();
	price_loops[n].run();
	if (write(STDOUT_FILENO, "", 1) != 1 ||
	    read(STDIN_FILENO, &byte, 1) != 1)
		die("the race did not start");
	end = price_ns() + ms * 1000000ull;
	for (; price_ns() < end; runs++)
		price_loops[n].run();
	if (write(STDOUT_FILENO, &runs, sizeof(runs)) != sizeof(runs))
		die_errno("write");
}

static void start(struct racer *racer, unsigned int n, unsigned int ms)
{
	int go[2], count[2];
	char loop[16], time[16], byte;

	if (pipe(go) || pipe(count))
		die_errno("pipe");
	racer->pid = fork();
	if (!racer->pid) {
		dup2(go[0], STDIN_FILENO);
		dup2(count[1], STDOUT_FILENO);
		close(go[1]);
		close(count[1]);
		snprintf(loop, sizeof(loop), "%u", n);
		snprintf(time, sizeof(time), "%u", ms);
		/* executed, so that the module knows it from its start */
		execl("/proc/self/exe", "price", "--loop", loop, time, NULL);
		_exit(127);
	}
	close(go[0]);
	close(count[1]);
	racer->go = go[1];
	racer->count = count[0];
	if (read(racer->count, &byte, 1) != 1)
		die("a process did not start");
}

static uint64_t finish_one(struct racer *racer)
{
	uint64_t runs;

	if (read(racer->count, &runs, sizeof(runs)) != sizeof(runs))
		die("a process did not end");
	close(racer->go);
	close(racer->count);
	price_wait(racer->pid);
	return runs;
}

void price_contend(const char *prefix, unsigned int processes, unsigned int ms)
{
	struct racer racers[MOST_PROCESSES];
	unsigned int n, i;
	uint64_t runs;

	if (processes > MOST_PROCESSES)
		die("at most %d processes", MOST_PROCESSES);
	for (n = 0; n < price_nr_loops; n++) {
		for (i = 0; i < processes; i++)
			start(&racers[i], n, ms);
		for (i = 0; i < processes; i++)
			if (write(racers[i].go, "", 1) != 1)
				die_errno("write");
		for (runs = i = 0; i < processes; i++)
			runs += finish_one(&racers[i]);
		printf("%s loop %u %s: %llu\n", prefix, processes,
		       price_loops[n].name,
		       (unsigned long long)(runs * 1000 / ms));
		fflush(stdout);
	}
}
