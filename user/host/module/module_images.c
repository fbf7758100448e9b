// SPDX-License-Identifier: GPL-2.0-only
/* Parses lines of /proc/ustack/images, see module_images.h. */
#include "host/module/module_images.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/poison.h"

bool module_images_line(char *line, struct module_image *ret)
{
	int n = 0;

	line[strcspn(line, "\n")] = '\0';
	*ret = (struct module_image){ 0 };
	if (sscanf(line, "%" SCNx64 ":%" SCNu64 " %" SCNu64 " users %" SCNd64 " %63s rows %" SCNu32
		   " lost %" SCNu32 " bytes %" SCNu64 "%n", &ret->dev, &ret->ino, &ret->size, &ret->users,
		   ret->state, &ret->rows, &ret->lost, &ret->bytes, &n) != 8 || line[n] != ' ')
		return false;
	line += n + 1;
	n = (int)strspn(line, "0123456789abcdef");
	if (line[n] != ' ' || (size_t)n >= sizeof(ret->build_id))
		return false;
	memcpy(ret->build_id, line, (size_t)n);
	ret->path = line + n + 1;
	ret->has_table = !strcmp(ret->state, "own") || !strcmp(ret->state, "partial") ||
			 !strcmp(ret->state, "loaded");
	return true;
}
