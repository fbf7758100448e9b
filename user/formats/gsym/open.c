// SPDX-License-Identifier: MIT
/*
 * Opens a GSYM file, alone or in a section of another file, from memory or by a
 * descriptor. layout.c finds out which layout it has.
 */
#include <stdlib.h>

#include "formats/gsym/layout.h"

static int open_source(struct gsym_source *src, struct gsym **ret)
{
	struct gsym *g;
	int err;

	src->at = (struct gsym_place){ 0, src->file_len };
	err = gsym_section_find(src->file, src->file_len, src->name, &src->at, src->diag);
	if (err < 0)
		return err;
	g = calloc(1, sizeof(*g));
	if (!g)
		return diag_errno(src->diag, ENOMEM, src->name);
	err = gsym_layout_read(g, src);
	if (err)
		free(g);
	else
		*ret = g;
	return err;
}

int gsym_open_bytes(const void *bytes, size_t len, const char *name, struct gsym **ret,
		    struct diag *diag)
{
	struct gsym_source src = {
		.file = bytes, .file_len = len, .name = name, .diag = diag,
	};

	return open_source(&src, ret);
}

int gsym_open_descriptor(int fd, const char *path, struct gsym **ret, struct diag *diag)
{
	struct map map = { .len = 0 };
	int err = map_descriptor(&map, fd, path, diag);

	if (!err)
		err = gsym_open_bytes(map.bytes, map.len, path, ret, diag);
	if (err) {
		map_release(&map);
		return err;
	}
	(*ret)->map = map;
	return 0;
}

void gsym_close(struct gsym *g)
{
	if (!g)
		return;
	map_release(&g->map);
	free(g);
}

void gsym_identify(const struct gsym *g, struct gsym_info *ret)
{
	*ret = g->info;
}
