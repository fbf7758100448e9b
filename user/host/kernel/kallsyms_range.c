// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the range of one kernel function by reading the list twice: for its address, then
 * for the next higher one. The list need not be sorted.
 */
#include "host/kernel/kallsyms_range.h"

#include <errno.h>
#include <string.h>

#include "host/kernel/kallsyms_line.h"
#include "util/cleanup.h"

#include "util/poison.h"

int kallsyms_find(FILE *f, const char *name, uint64_t *start, uint64_t *end)
{
	_cleanup_(cleanup_free) char *line = NULL;
	uint64_t found = 0, above = UINT64_MAX;
	struct kallsyms_line l;
	bool hidden = false;
	size_t room = 0;

	rewind(f);
	while (!found && !hidden && getline(&line, &room, f) >= 0)
		if (kallsyms_line(line, &l) && !*l.module && !strcmp(l.name, name)) {
			found = l.addr;
			hidden = !l.addr;
		}
	/* a function at the last address would have no end */
	if (!found || found == UINT64_MAX)
		return hidden ? -EACCES : -ENOENT;
	rewind(f);
	while (getline(&line, &room, f) >= 0)
		if (kallsyms_line(line, &l) && l.addr > found && l.addr < above)
			above = l.addr;
	*start = found;
	*end = above;
	return 0;
}

int kallsyms_range(const char *name, uint64_t *start, uint64_t *end)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	int err;

	if (!f)
		return -errno;
	err = kallsyms_find(f, name, start, end);
	fclose(f);
	return err;
}
