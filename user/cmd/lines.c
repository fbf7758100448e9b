// SPDX-License-Identifier: GPL-2.0
#include "cmd/lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/cleanup.h"

#include "util/poison.h"

bool cmd_stdin_lines(const char *command, void (*take)(void *arg, char *line), void *arg)
{
	_cleanup_(cleanup_free) char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while ((n = getline(&line, &room, stdin)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		take(arg, line);
	}
	if (!ferror(stdin))
		return true;
	fprintf(stderr, "%s: stdin: %s\n", command, strerror(errno));
	return false;
}
