// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of /proc/ustack/images with any bytes: parsed texts lie within the
 * line, and numbers are those in it.
 */
#include <stdlib.h>
#include <string.h>

#include "host/module/module_images.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1), *copy = malloc(size + 1);
	struct module_image got;
	size_t before;

	must(line && copy);
	memcpy(line, data, size);
	line[size] = '\0';
	strcpy(copy, line);
	copy[strcspn(copy, "\n")] = '\0';
	if (module_images_line(line, &got)) {
		must(got.path >= line && got.path <= line + strlen(line));
		must(got.path[-1] == ' ');
		before = strlen(copy) - strlen(got.path);
		must(!strcmp(copy + before, got.path));
		must(strspn(got.build_id, "0123456789abcdef") == strlen(got.build_id));
		must(strstr(copy, got.build_id) <= copy + before);
		must(*got.state && !strpbrk(got.state, " \t\n"));
		must(got.has_table == (!strcmp(got.state, "own") || !strcmp(got.state, "partial") ||
					  !strcmp(got.state, "loaded")));
	}
	free(copy);
	free(line);
	return 0;
}
