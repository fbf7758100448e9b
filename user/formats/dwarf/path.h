/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/dwarf: paths where other files may be. The caller
 * frees them; NULL if there is no memory.
 */
#ifndef USTACK_USER_DWARF_PATH_H
#define USTACK_USER_DWARF_PATH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Return: "DIR/NAME", where DIR is the directory of the file @path after links
 * are resolved; @name itself if it is absolute.
 */
static inline char *dwarf_path_beside(const char *path, const char *name)
{
	char *real = realpath(path, NULL), *ret;
	const char *slash = real ? strrchr(real, '/') : NULL;

	if (*name == '/' || !slash)
		ret = strdup(name);
	else if (asprintf(&ret, "%.*s/%s", (int)(slash - real), real, name) < 0)
		ret = NULL;
	free(real);
	return ret;
}

static inline char *dwarf_path_below(const char *dir, const char *name)
{
	char *ret;

	return asprintf(&ret, "%s/%s", dir, name) < 0 ? NULL : ret;
}

#endif /* USTACK_USER_DWARF_PATH_H */
