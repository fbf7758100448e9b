// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the image map that a command line names, as a stream or in base64. imagemap_decode.c
 * and macho_unwind.c call it.
 */
#include "cmd/imagemap_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/cleanup.h"
#include "util/file.h"
#include "util/hex.h"

#include "util/poison.h"

/* A stream starts with the byte 0, 1 or 2; base64 starts with a letter. */
static bool is_text(const uint8_t *bytes, size_t len)
{
	return len && bytes[0] >= ' ';
}

static int decode_text(const char *text, size_t len, const char *name, unsigned int flags,
		       struct imagemap *ret, size_t *size, struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *bytes = malloc(len / 4 * 3 + 3);

	if (!bytes)
		return diag_errno(diag, ENOMEM, name);
	if (!base64_read(text, len, bytes, size))
		return diag_set(diag, EBADMSG, name, "neither an image map nor base64");
	return imagemap_decode(bytes, *size, name, flags, ret, diag);
}

static int decode_file(const char *path, unsigned int flags, struct imagemap *ret,
		       size_t *size, struct diag *diag)
{
	_cleanup_(cleanup_free) uint8_t *bytes = NULL;
	_cleanup_(file_release) struct file file = FILE_INIT;
	int err;

	err = file_open(&file, path, diag);
	if (!err && file.size > IMAGEMAP_MAX_BYTES / 3 * 4)
		err = diag_errno(diag, EFBIG, path);
	if (!err)
		err = file_read_new(&file, 0, file.size, &bytes, diag);
	if (diag->file)
		diag->file = path;
	if (err)
		return err;
	*size = file.size;
	return is_text(bytes, file.size) ?
	       decode_text((const char *)bytes, file.size, path, flags, ret, size, diag) :
	       imagemap_decode(bytes, file.size, path, flags, ret, diag);
}

int cmd_imagemap_read(const char *word, unsigned int flags, struct imagemap *ret,
		      size_t *size, struct diag *diag)
{
	size_t len = strlen(word), own;

	if (!size)
		size = &own;
	*diag = (struct diag){ .offset = DIAG_NO_OFFSET };
	/* a stream has at least 3 bytes, and its base64 does not start like a path */
	if (strcmp(word, "-") && access(word, F_OK) && len >= 4 && *word == 'A' &&
	    strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") == len)
		return decode_text(word, len, "the image map", flags, ret, size, diag);
	return decode_file(word, flags, ret, size, diag);
}
