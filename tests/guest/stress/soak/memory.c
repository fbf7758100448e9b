// SPDX-License-Identifier: GPL-2.0-only
/* Implements memory.h: figures of /proc/meminfo and /proc/slabinfo, and the judge of them. */
#include "memory.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"

#define CACHES_MOST 400		/* slab caches of a kernel */
#define CACHES_SHOWN 12
/* the line of one cycle in the output, and in a log that is read */
#define FIGURES "cycle %u: slab %lu kB, kmalloc %lu kB, vmalloc %lu kB, percpu %lu kB"

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

/* One slab cache: the memory of its slabs, in kB. */
struct cache {
	char name[32];
	long kb;
};

static struct memory memories[CYCLES_MOST];
static struct cache caches[CYCLES_MOST][CACHES_MOST];

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
void memory_judge(unsigned int cycles)
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

void memory_take(unsigned int n)
{
	struct memory *m = &memories[n];

	*m = memory_now();
	caches_read(caches[n]);
	m->kmalloc = kmalloc_kb(caches[n]);
	say(FIGURES, n, m->slab, m->kmalloc, m->vmalloc, m->percpu);
}

unsigned int memory_load(const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned int n = 0, cycle;
	char line[512];
	struct memory m;

	if (!f)
		die_errno(path);
	while (n < CYCLES_MOST && fgets(line, sizeof(line), f))
		if (sscanf(line, " " FIGURES, &cycle, &m.slab, &m.kmalloc, &m.vmalloc, &m.percpu) == 5 &&
		    cycle == n)
			memories[n++] = m;
	fclose(f);
	return n;
}
