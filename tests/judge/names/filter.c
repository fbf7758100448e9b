// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints demangled names in a style; reads names from standard input, one in a line.
 *
 * usage: filter [--no-params] [--collapse] [--shorten] <NAMES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/names/style.h"

#include "util/poison.h"

int main(int argc, char **argv)
{
	struct names_style style = { .demangle = true };
	struct names *n;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--no-params"))
			style.no_params = true;
		else if (!strcmp(argv[i], "--collapse"))
			style.collapse = true;
		else if (!strcmp(argv[i], "--shorten"))
			style.shorten_stl = true;
		else
			return 2;
	}
	n = names_new(&style);
	while (n && (len = getline(&line, &room, stdin)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		puts(names_text(n, line));
	}
	free(line);
	names_free(n);
	return !n;
}
