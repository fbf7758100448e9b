/* SPDX-License-Identifier: GPL-2.0-only */
/* What commands that take an image map share. */
#ifndef USTACK_USER_CMD_IMAGEMAP_INPUT_H
#define USTACK_USER_CMD_IMAGEMAP_INPUT_H

#include "formats/imagemap/imagemap.h"

/**
 * cmd_imagemap_read() - read an image map that was named in a command line
 * @word: a file, "-" for standard input, or if there is no such file the map itself in
 *        base64; a file may be in base64, too
 * @flags: of imagemap_decode()
 * @ret: holds IMAGEMAP_INIT; to be released in either case
 * @size: bytes of the stream, without base64; may be NULL
 * @diag: on failure
 *
 * Return: 0 or a negative errno; with -EBADMSG @ret has what was in front.
 */
int cmd_imagemap_read(const char *word, unsigned int flags, struct imagemap *ret,
		      size_t *size, struct diag *diag);

/**
 * cmd_imagemap_of_profile() - read the image map of a process in a profile
 * @path: of the profile
 * @pid: the process
 * @ret: holds IMAGEMAP_INIT; to be released in either case
 * @size: bytes of the stream; may be NULL
 * @diag: on failure; -ENOENT says which processes there are
 *
 * Return: 0 or a negative errno.
 */
int cmd_imagemap_of_profile(const char *path, uint32_t pid, struct imagemap *ret,
			    size_t *size, struct diag *diag);

#endif /* USTACK_USER_CMD_IMAGEMAP_INPUT_H */
