// SPDX-License-Identifier: GPL-2.0-only
/*
 * soak [-l] [-n] [-t SECONDS] [-c SECONDS] -d FOLDER [-x COMMAND]: hours of load with the module.
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
#include "stress.h"
#include "verdict.h"

#define QUIET_FILE "/tmp/soak-quiet"
#define QUIET_SECONDS 8		/* maximum time for load to rest, and for RCU to free memory */
#define UNLOAD_SECONDS 120	/* only a hang takes longer */
#define PAUSE_US 200000		/* pause between plugs, in which the other loads get the machine */
/* number of plugs that stay in the folder; the oldest is replaced first */
#define KEPT_FILES 8
#define SAMPLES 10		/* number of samples of each plug */
#define CYCLES_MOST 100
#define CACHES_MOST 400		/* slab caches of a kernel */
#define CACHES_SHOWN 12
#define CYCLES_LEAST 6		/* minimum number of cycles; fewer cannot show growth */
#define CHURNERS 2

/*
 * Not all slab memory is judged: without the module task_struct and vmap_area grow, too (-n).
 * Growth below this is noise. One leaked object of 64 bytes for each of some ten processes per
 * second is 1.5 MiB in 40 minutes, the time between the thirds that a run of two hours
 * compares.
 */
#define GROWTH_KB 768

/* Figures that are measured while the machine is quiet, in kB. */
struct memory {
	unsigned long slab;	/* SUnreclaim; only printed */
	unsigned long kmalloc;	/* caches of kmalloc(), from which all of the module's objects are */
	unsigned long vmalloc;	/* VmallocUsed */
	unsigned long percpu;
};

static struct {
	double seconds, cycle;
	const char *folder, *command;
	bool leaks_are_found;
	bool without_module;
} options = { .seconds = 7200, .cycle = 600 };

/* One slab cache: the memory of its slabs, in kB. */
struct cache {
	char name[32];
	long kb;
};

static struct memory memories[CYCLES_MOST];
static struct cache caches[CYCLES_MOST][CACHES_MOST];
static struct tally total;
static unsigned long files;

/* ---- memory --------------------------------------------------------------------------- */

static struct memory memory_now(void)
{
	return (struct memory){
		.slab = meminfo_kb("SUnreclaim"),
		.vmalloc = meminfo_kb("VmallocUsed"),
		.percpu = meminfo_kb("Percpu"),
	};
}

/* Reads /proc/slabinfo; caches after the last one have no name. */
static void caches_read(struct cache *ret)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	unsigned long per_slab, slabs;
	unsigned int i = 0;
	char line[512];

	if (!f)
		die_errno("/proc/slabinfo");
	while (i < CACHES_MOST - 1 && fgets(line, sizeof(line), f))
		if (sscanf(line, "%31s %*u %*u %*u %*u %lu : tunables %*u %*u %*u : slabdata %*u %lu",
			   ret[i].name, &per_slab, &slabs) == 3)
			ret[i++].kb = (long)(per_slab * slabs * 4);
	ret[i].name[0] = '\0';
	fclose(f);
}

static long cache_kb(const struct cache *list, const char *name)
{
	for (; list->name[0]; list++)
		if (!strcmp(list->name, name))
			return list->kb;
	return 0;
}

static unsigned long kmalloc_kb(const struct cache *list)
{
	unsigned long sum = 0;

	for (; list->name[0]; list++)
		if (!strncmp(list->name, "kmalloc-", 8))
			sum += (unsigned long)list->kb;
	return sum;
}

static int by_growth(const void *a, const void *b)
{
	const struct cache *x = a, *y = b;

	return (x->kb < y->kb) - (x->kb > y->kb);
}

/* Says which slab caches grew most between two cycles, reclaimable ones among them. */
static void caches_say(unsigned int from, unsigned int to)
{
	struct cache growth[CACHES_MOST];
	unsigned int i, n = 0;

	for (i = 0; caches[to][i].name[0]; i++, n++) {
		growth[n] = caches[to][i];
		growth[n].kb -= cache_kb(caches[from], growth[n].name);
	}
	qsort(growth, n, sizeof(*growth), by_growth);
	for (i = 0; i < n && i < CACHES_SHOWN && growth[i].kb > 0; i++)
		say("cache %s: %ld kB more after cycle %u than after cycle %u", growth[i].name,
		    growth[i].kb, to, from);
}

static int compare(const void *a, const void *b)
{
	const unsigned long *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of one figure, at @offset in struct memory, of cycles @from to before @to. */
static unsigned long median(unsigned int from, unsigned int to, size_t offset)
{
	unsigned long sorted[CYCLES_MOST];
	unsigned int i;

	for (i = from; i < to; i++)
		sorted[i - from] = *(unsigned long *)((char *)&memories[i] + offset);
	qsort(sorted, to - from, sizeof(*sorted), compare);
	return sorted[(to - from) / 2];
}

/* The first third of the cycles fills caches; the last third must not be above the second. */
static void judge_memory(unsigned int cycles)
{
	static const struct {
		const char *name;
		size_t offset;
	} figures[] = {
		{ "kmalloc", offsetof(struct memory, kmalloc) },
		{ "vmalloc", offsetof(struct memory, vmalloc) },
		{ "percpu", offsetof(struct memory, percpu) },
	};
	unsigned int third = cycles / 3, i;
	unsigned long before, after;

	caches_say(third, cycles - 1);
	for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		before = median(third, 2 * third, figures[i].offset);
		after = median(cycles - third, cycles, figures[i].offset);
		check(after <= before + GROWTH_KB, "%s: %lu kB in the second third, %lu kB in the last",
		      figures[i].name, before, after);
	}
}

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

static struct memory memory_when_quiet(void)
{
	struct memory m;

	file_create(QUIET_FILE, "", 0);
	sleep(QUIET_SECONDS);
	sync();
	file_write("/proc/sys/vm/drop_caches", "3");
	sleep(QUIET_SECONDS);
	file_write("/proc/sys/vm/drop_caches", "3");
	m = memory_now();
	unlink(QUIET_FILE);
	return m;
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
	memories[n] = memory_when_quiet();
	caches_read(caches[n]);
	memories[n].kmalloc = kmalloc_kb(caches[n]);
	say("cycle %u: slab %lu kB, kmalloc %lu kB, vmalloc %lu kB, percpu %lu kB", n,
	    memories[n].slab, memories[n].kmalloc, memories[n].vmalloc, memories[n].percpu);
	fflush(stdout);
	return true;
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "lnt:c:d:x:")) != -1) {
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
		else
			options.folder = NULL;
	}
	if (!options.folder)
		die("usage: soak [-l] [-n] [-t SECONDS] [-c SECONDS] -d FOLDER [-x COMMAND]");
}

int main(int argc, char **argv)
{
	unsigned int n = 0;
	double end;
	bool good;

	churn_main(argc, argv);
	parse(argc, argv);
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
		judge_memory(n);
	return finish("stress/soak");
}
