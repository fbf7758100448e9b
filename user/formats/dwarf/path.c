// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes paths where companion.c and package.c search for other files, and opens the file
 * at one of them.
 */
#include "formats/dwarf/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/poison.h"

char *dwarf_path_beside(const char *path, const char *name)
{
	_cleanup_(cleanup_free) char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	char *ret;

	if (*name == '/' || !slash)
		return strdup(name);
	return asprintf(&ret, "%.*s/%s", (int)(slash - real), real, name) < 0 ? NULL : ret;
}

char *dwarf_path_below(const char *dir, const char *name)
{
	char *ret;

	return asprintf(&ret, "%s/%s", dir, name) < 0 ? NULL : ret;
}

int dwarf_path_open(char *path,
		    int (*check)(struct dwarf_object *o, const void *arg, struct diag *diag),
		    const void *arg, struct dwarf_object **ret, struct diag *diag)
{
	_cleanup_(cleanup_free) char *p = path;
	int r;

	*ret = NULL;
	if (!p)
		return diag_errno(diag, ENOMEM, NULL);
	if (access(p, R_OK))
		return 0;
	r = dwarf_object_open(p, ret, diag);
	if (!r)
		r = check(*ret, arg, diag);
	if (r > 0)
		return r;
	/* the path is freed here and with the object */
	if (r < 0)
		diag_copy_name(diag);
	dwarf_object_close(*ret);
	*ret = NULL;
	return r;
}
