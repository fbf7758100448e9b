// SPDX-License-Identifier: GPL-2.0-only
/* Reads the image map of one process from a recorded profile. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/imagemap_input.h"
#include "profile/imagemaps.h"
#include "profile/pprof.h"
#include "util/cleanup.h"
#include "util/hex.h"

#include "util/poison.h"

/*
 * Reports that there is no map of @pid, and lists the processes that have one, as far as they
 * fit.
 */
static int say_none(const struct profile *p, const char *path, uint32_t pid,
		    struct diag *diag)
{
	char list[160] = "";
	size_t len = 0;
	uint32_t i, of;

	for (i = 0; i < p->nr_comments && len < sizeof(list) - 16; i++) {
		of = profile_imagemap_pid(p, i);
		if (of)
			len += (size_t)snprintf(list + len, sizeof(list) - len, " %" PRIu32, of);
	}
	return diag_set(diag, ENOENT, path, "no image map of process %" PRIu32 "%s%s%s", pid,
			len ? ": there are those of" : "", list,
			len >= sizeof(list) - 16 ? " ..." : "");
}

static int decode(const char *text, const char *path, struct imagemap *ret, size_t *size,
		  struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *bytes = malloc(strlen(text) / 4 * 3 + 3);

	if (!bytes)
		return diag_errno(diag, ENOMEM, path);
	if (!base64_read(text, strlen(text), bytes, size))
		return diag_set(diag, EBADMSG, path, "its image map is not in base64");
	return imagemap_decode(bytes, *size, path, 0, ret, diag);
}

int cmd_imagemap_of_profile(const char *path, uint32_t pid, struct imagemap *ret,
			    size_t *size, struct diag *diag)
{
	struct profile *p;
	const char *text;
	size_t own;
	int err = pprof_load(path, &p, diag);

	if (err)
		return err;
	text = profile_imagemap(p, pid);
	err = text ? decode(text, path, ret, size ? size : &own, diag) :
		     say_none(p, path, pid, diag);
	profile_free(p);
	return err;
}
