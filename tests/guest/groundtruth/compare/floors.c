// SPDX-License-Identifier: GPL-2.0-only
/* Reads the minimums of complete callchains and compares results with them (floors.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "floors.h"
#include "util.h"

static struct floor *floors;
static unsigned int count;

static void add(const char *path, const char *line)
{
	struct floor f = { 0 };
	char more;

	if (sscanf(line, "%15s %" SCNu64 " %lf %c", f.command, &f.samples, &f.percent,
		   &more) != 3 ||
	    f.percent < 0 || f.percent > 100)
		die("%s: not COMMAND SAMPLES PERCENT: %s", path, line);
	floors = xrealloc(floors, (count + 1) * sizeof(*floors));
	floors[count++] = f;
}

void floors_load(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];

	if (!f)
		die("%s: cannot be opened", path);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t")])
			add(path, line);
	}
	fclose(f);
	if (!count)
		die("%s: no floor in it", path);
}

const struct floor *floors_find(const char *command)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strcmp(floors[i].command, command))
			return &floors[i];
	return NULL;
}

static const struct command *command_of(const struct modes *m, const char *name)
{
	unsigned int i;

	if (!strcmp(name, m->total.name))
		return &m->total;
	for (i = 0; i < m->count; i++)
		if (!strcmp(m->commands[i].name, name))
			return &m->commands[i];
	return NULL;
}

bool floors_passed(const struct modes *m)
{
	bool passed = true;
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct command *c = command_of(m, floors[i].command);

		if (c && c->samples >= floors[i].samples)
			continue;
		printf("FAIL: %s: %" PRIu64 " samples, %" PRIu64 " wanted\n", floors[i].command,
		       c ? c->samples : 0, floors[i].samples);
		passed = false;
	}
	return passed;
}

void floors_release(void)
{
	free(floors);
	floors = NULL;
	count = 0;
}
