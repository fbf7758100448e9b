// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory [-q]: measures the module's memory for many processes that share their libraries. It
 * runs in a guest as root; the module is not loaded but is at /ustack.ko. The program is linked
 * with the four plugs, and its children run the same program.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plug.h"
#include "stress.h"

#define MAX_CHILDREN 400

struct figures {
	unsigned long long tables, table_bytes, images, image_bytes, processes,
		process_bytes;
};

static struct figures measure(const char *when)
{
	struct figures f = {
		.tables = module_stat("tables"),
		.table_bytes = module_stat("table_bytes"),
		.images = module_stat("images"),
		.image_bytes = module_stat("image_bytes"),
		.processes = module_stat("processes"),
		.process_bytes = module_stat("process_bytes"),
	};

	say("%-24s %4llu tables %7llu bytes; %4llu images %7llu bytes; %4llu processes %8llu bytes",
	    when, f.tables, f.table_bytes, f.images, f.image_bytes, f.processes,
	    f.process_bytes);
	return f;
}

static pid_t children[MAX_CHILDREN];
static unsigned int nr_children;

/* Starts a child, and waits until its libraries are mapped. */
static void start(bool execute)
{
	int ready[2];
	char byte, fd[16];
	pid_t pid;

	if (pipe(ready))
		die_errno("pipe");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(ready[0]);
		snprintf(fd, sizeof(fd), "%d", ready[1]);
		if (execute)
			execl("/proc/self/exe", "memory", "--child", fd, NULL);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("a child did not start");
	close(ready[0]);
	children[nr_children++] = pid;
}

static void stop_all(void)
{
	unsigned int i;

	for (i = 0; i < nr_children; i++)
		kill(children[i], SIGKILL);
	for (i = 0; i < nr_children; i++)
		waitpid(children[i], NULL, 0);
	nr_children = 0;
}

/* Memory is freed a grace period after the processes end. */
static struct figures settled(const char *when, unsigned long long bytes)
{
	double end = seconds() + 60;	/* only a leak takes that long */

	while (module_stat("process_bytes") > bytes && seconds() < end)
		usleep(50000);
	return measure(when);
}

static void many(unsigned int nr, bool execute)
{
	const char *what = execute ? "executed" : "forked";
	struct figures before, one, all, after;
	unsigned long long each;
	char when[64];
	unsigned int i;

	before = measure("before");
	start(execute);
	one = measure("one process");
	for (i = 1; i < nr; i++)
		start(execute);
	snprintf(when, sizeof(when), "%u processes, %s", nr, what);
	all = measure(when);
	stop_all();
	after = settled("after", before.process_bytes);
	each = (all.process_bytes - one.process_bytes) / (nr - 1);

	check(all.processes == before.processes + nr, "all %u are known", nr);
	check(all.table_bytes == one.table_bytes && all.tables == one.tables &&
	      one.tables >= 5,
	      "%u processes have the tables of one, %llu bytes", nr,
	      all.table_bytes);
	check(all.images == one.images, "and its %llu images", all.images);
	check(each && each < (execute ? 1024 : 128),
	      "a process that was %s takes %llu bytes", what, each);
	check(after.process_bytes == before.process_bytes &&
	      after.processes == before.processes,
	      "afterwards as before: %llu processes, %llu bytes",
	      after.processes, after.process_bytes);
	check(after.table_bytes == all.table_bytes,
	      "the tables wait for the next one");
}

int main(int argc, char **argv)
{
	unsigned int nr = 200;
	struct machine_sampler sampler;

	if (argc == 3 && !strcmp(argv[1], "--child")) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(atoi(argv[2]), "", 1) == 1)
			pause();
		return 1;
	}
	if (argc > 1 && !strcmp(argv[1], "-q"))
		nr = 40;
	sampler_unthrottle();
	if (module_load(""))
		die("insmod");
	module_prepare_all();
	machine_sampler_open(&sampler, 1000000);
	machine_sampler_enable(&sampler, true);
	many(nr, true);
	many(nr, false);
	machine_sampler_drain(&sampler, NULL, NULL);
	machine_sampler_close(&sampler);
	check(!module_unload(), "rmmod");
	return finish("stress/memory");
}
