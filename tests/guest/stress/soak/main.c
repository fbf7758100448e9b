// SPDX-License-Identifier: GPL-2.0-only
/*
 * soak [-l] [-n] [-t SECONDS] [-c SECONDS] -d FOLDER [-x COMMAND]: hours of load with the module.
 * soak -j LOG: only judges the memory of another run, whose output is in LOG.
 * soak.sh runs it in a guest as root; the module is not loaded but is at /ustack.ko, the plugs
 * are in /plugs.
 *
 * Each cycle (-c, 600 seconds) loads the module, lets processes churn, writes plugs as new
 * files to FOLDER, maps, samples and removes them, runs COMMAND with the number of the cycle,
 * and unloads the module. Then the machine is quiet for a moment, caches are dropped, and the
 * kernel's memory is measured. Stacks of plugs must be right, and memory must not grow from
 * cycle to cycle. With -l growth is not judged, for kernels that keep freed memory to find
 * faults (KASAN) and search for leaks themselves. -n is the control: the same without the
 * module, where only memory is judged. While /tmp/soak-quiet exists, other programs that make
 * load must rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "churn.h"
#include "memory.h"
#include "stress.h"
#include "verdict.h"

#define QUIET_FILE "/tmp/soak-quiet"
#define QUIET_SECONDS 8		/* maximum time for load to rest, and for RCU to free memory */
#define UNLOAD_SECONDS 120	/* only a hang takes longer */
#define PAUSE_US 200000		/* pause between plugs, in which the other loads get the machine */
/* number of plugs that stay in the folder; the oldest is replaced first */
#define KEPT_FILES 8
#define SAMPLES 10		/* number of samples of each plug */
#define CHURNERS 2

static struct {
	double seconds, cycle;
	const char *folder, *command, *log;
	bool leaks_are_found;
	bool without_module;
} options = { .seconds = 7200, .cycle = 600 };

static struct tally total;
static unsigned long files;

/* ---- a cycle -------------------------------------------------------------------------- */

/* Writes a plug as a new file, samples its code, and removes the oldest one. */
static void one_file(void)
{
	int kind = 1 + (int)(files % PLUG_KINDS), fd;
	struct tally t = { 0 };
	char path[256];
	void *text;

	snprintf(path, sizeof(path), "%s/plug%lu.so", options.folder, files % KEPT_FILES);
	fd = plug_file(kind, path);
	text = plug_map(&plugs[kind], fd, NULL, 0);
	plug_sample(text, SAMPLES, &t);
	tally_add(&total, &t);
	munmap(text, plugs[kind].text_len);
	close(fd);
	files++;
}

static void command_run(unsigned int cycle)
{
	char line[512];
	int status;

	if (!options.command)
		return;
	snprintf(line, sizeof(line), "%s %u", options.command, cycle);
	fflush(stdout);
	status = system(line);
	if (status)
		check(false, "cycle %u: %s: status %#x", cycle, options.command, status);
}

static bool unload(void)
{
	double end = seconds() + UNLOAD_SECONDS;
	int err;

	do {
		err = module_unload();
		if (err)	/* a reader has a file of the module open */
			usleep(10000);
	} while (err && seconds() < end);
	return !err;
}

/* Measures memory while all load rests. */
static void take_when_quiet(unsigned int n)
{
	file_create(QUIET_FILE, "", 0);
	sleep(QUIET_SECONDS);
	sync();
	file_write("/proc/sys/vm/drop_caches", "3");
	sleep(QUIET_SECONDS);
	file_write("/proc/sys/vm/drop_caches", "3");
	memory_take(n);
	unlink(QUIET_FILE);
}

/* Return: false if the module cannot be loaded or unloaded. */
static bool cycle(unsigned int n)
{
	double end = seconds() + options.cycle;
	struct churn *churn;
	unsigned int lost;
	int err = options.without_module ? 0 : module_load("");

	if (err)
		return check(false, "cycle %u: insmod: %s", n, strerror(-err));
	if (!options.without_module)
		module_prepare();
	churn = churn_start(CHURNERS);
	do {
		one_file();
		usleep(PAUSE_US);
	} while (seconds() < end - options.cycle / 2);
	command_run(n);
	do {
		one_file();
		usleep(PAUSE_US);
	} while (seconds() < end);
	lost = churn_stop(churn);
	if (lost || churn->wrong || !churn->jobs)
		check(false, "cycle %u: %lu jobs right, %lu wrong, %u workers lost", n,
		      churn->jobs, churn->wrong, lost);
	say("cycle %u: %lu jobs, %llu samples by the module, %lu files: whole %lu, cut %lu, wrong %lu",
	    n, churn->jobs, options.without_module ? 0 : module_stat("samples"), files, total.whole,
	    total.cut, total.wrong + total.edge);
	if (!options.without_module && !unload())
		return check(false, "cycle %u: rmmod", n);
	take_when_quiet(n);
	fflush(stdout);
	return true;
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "lnt:c:d:x:j:")) != -1) {
		if (opt == 'l')
			options.leaks_are_found = true;
		else if (opt == 'n')
			options.without_module = true;
		else if (opt == 't')
			options.seconds = strtod(optarg, NULL);
		else if (opt == 'c')
			options.cycle = strtod(optarg, NULL);
		else if (opt == 'd')
			options.folder = optarg;
		else if (opt == 'x')
			options.command = optarg;
		else if (opt == 'j')
			options.log = optarg;
		else
			options.folder = NULL;
	}
	if (!options.folder && !options.log)
		die("usage: soak [-l] [-n] [-t SECONDS] [-c SECONDS] -d FOLDER [-x COMMAND] | soak -j LOG");
}

static int judge_log(void)
{
	unsigned int n = memory_load(options.log);

	if (check(n >= CYCLES_LEAST, "%s: %u cycles", options.log, n))
		memory_judge(n);
	return finish("stress/soak");
}

int main(int argc, char **argv)
{
	unsigned int n = 0;
	double end;
	bool good;

	churn_main(argc, argv);
	parse(argc, argv);
	if (options.log)
		return judge_log();
	plugs_read();
	end = seconds() + options.seconds;
	do
		good = cycle(n++);
	while (good && n < CYCLES_MOST && (n < CYCLES_LEAST || seconds() < end));
	check(good && n >= CYCLES_LEAST, "%u cycles", n);
	if (!options.without_module)
		check(total.whole >= files * SAMPLES / 2 && !total.cut && !total.wrong && !total.edge,
		      "%lu files: whole %lu, cut %lu, wrong %lu", files, total.whole, total.cut,
		      total.wrong + total.edge);
	if (good && !options.leaks_are_found)
		memory_judge(n);
	return finish("stress/soak");
}
