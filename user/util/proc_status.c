// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads fields of /proc/PID/status (util/proc_status.h).
 */
#include "util/proc_status.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"

#include "util/poison.h"

void proc_status_path(uint32_t pid, char ret[PROC_STATUS_PATH])
{
	snprintf(ret, PROC_STATUS_PATH, "/proc/%" PRIu32 "/status", pid);
}

/* O_NONBLOCK: @path may lie in a copy of another machine's files, where a FIFO may be. */
static FILE *open_status(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static char *copy_of(const char *value)
{
	size_t len;

	value += strspn(value, " \t");
	len = strlen(value);
	while (len && strchr(" \t\n", value[len - 1]))
		len--;
	return strndup(value, len);
}

char *proc_status_field(const char *path, const char *name)
{
	_cleanup_(cleanup_free) char *line = NULL;
	FILE *f = open_status(path);
	size_t len = strlen(name), room = 0;
	char *ret = NULL;

	if (!f)
		return NULL;
	/* a line may have any length: "Groups" lists up to 65536 numbers */
	while (!ret && getline(&line, &room, f) > 0)
		if (!strncmp(line, name, len) && line[len] == ':')
			ret = copy_of(line + len + 1);
	fclose(f);
	return ret;
}

uint32_t proc_status_inner_pid(const char *path, uint32_t pid)
{
	_cleanup_(cleanup_free) char *numbers = proc_status_field(path, "NSpid");
	const char *last;
	uint32_t inner;

	if (!numbers)
		return pid;
	last = numbers + strlen(numbers);
	while (last > numbers && *last != ' ' && *last != '\t')
		last--;
	inner = (uint32_t)strtoul(last, NULL, 10);
	return inner ? inner : pid;
}
