// SPDX-License-Identifier: GPL-2.0
/* See kallsyms.h. */
#include "sampler/kallsyms.h"

#include <errno.h>
#include <string.h>

#include "util/poison.h"

/* One line: "ffffffff8139d2b0 t name\t[module]". Return: fields read. */
static int read_line(FILE *f, unsigned long long *at, char name[512])
{
	char type;
	int fields = fscanf(f, "%llx %c %511s%*[^\n]", at, &type, name);

	return fields;
}

int kallsyms_find(FILE *f, const char *name, uint64_t *start, uint64_t *end)
{
	unsigned long long at, found = 0, above = UINT64_MAX;
	char symbol[512];
	int fields = 0;

	rewind(f);
	while ((fields = read_line(f, &at, symbol)) == 3) {
		if (strcmp(symbol, name))
			continue;
		if (!at)
			return -EACCES;
		found = at;
		break;
	}
	if (!found || found == UINT64_MAX)
		return -ENOENT;
	rewind(f);
	while (read_line(f, &at, symbol) == 3)
		if (at > found && at < above)
			above = at;
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
