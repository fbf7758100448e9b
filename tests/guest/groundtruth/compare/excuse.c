// SPDX-License-Identifier: GPL-2.0-only
/* Reads the list of known faults and looks up places in it (excuse.h). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "excuse.h"
#include "util.h"

#define WIDEST 4096

struct excuse {
	char name[64];
	char image[128];
	char build_id[48];
	uint64_t low, high;
	uint64_t used;
};

static struct excuse *excuses;
static unsigned int count;

void excuse_load(const char *path)
{
	FILE *f = fopen(path, "re");
	char line[512];
	struct excuse e;

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		memset(&e, 0, sizeof(e));
		line[strcspn(line, "#\n")] = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		if (sscanf(line, "%63s %127s %47s %" SCNx64 "-%" SCNx64, e.name,
			   e.image, e.build_id, &e.low, &e.high) != 5 ||
		    strlen(e.build_id) < 8 || e.low >= e.high || e.high - e.low > WIDEST)
			die("%s: not 'NAME IMAGE BUILD-ID LOW-HIGH' of at most %d bytes: %s",
			    path, WIDEST, line);
		excuses = xrealloc(excuses, (count + 1) * sizeof(*excuses));
		excuses[count++] = e;
	}
	fclose(f);
}

static struct excuse *find(const struct file *f, uint64_t vaddr)
{
	char id[48] = "";
	unsigned int i;

	for (i = 0; i < f->build_id_len; i++)
		sprintf(id + 2 * i, "%02x", f->build_id[i]);
	for (i = 0; i < count; i++) {
		struct excuse *e = &excuses[i];

		if (strcmp(e->image, f->name) || vaddr < e->low || vaddr >= e->high ||
		    strncmp(id, e->build_id, strlen(e->build_id)))
			continue;
		return e;
	}
	return NULL;
}

const char *excuse_find(const struct file *f, uint64_t vaddr)
{
	const struct excuse *e = find(f, vaddr);

	return e ? e->name : NULL;
}

const char *excuse_match(const struct file *f, uint64_t vaddr)
{
	struct excuse *e = find(f, vaddr);

	if (!e)
		return NULL;
	e->used++;
	return e->name;
}

void excuse_print(void)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		printf("  excused %8" PRIu64 "  %s (%s 0x%" PRIx64 "-0x%" PRIx64 ")%s\n",
		       excuses[i].used, excuses[i].name, excuses[i].image,
		       excuses[i].low, excuses[i].high,
		       excuses[i].used ? "" : ": never needed");
}

void excuse_release(void)
{
	free(excuses);
	excuses = NULL;
	count = 0;
}
