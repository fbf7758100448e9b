/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads an image map for the commands that take one: from a file, the command line or a profile. */
#ifndef USTACK_USER_CMD_IMAGEMAP_INPUT_H
#define USTACK_USER_CMD_IMAGEMAP_INPUT_H

#include "formats/imagemap/imagemap.h"

/**
 * cmd_imagemap_read() - read an image map that was named in a command line
 * @word: a file, "-" for standard input, or, if there is no such file, the map itself in
 *        base64; a file may contain base64, too
 * @flags: flags of imagemap_decode()
 * @ret: must hold IMAGEMAP_INIT; the caller releases it, also after a failure
 * @size: set to the bytes of the stream, without base64; may be NULL
 * @diag: set on failure
 *
 * Return: 0 or a negative errno; with -EBADMSG, @ret has the images before the damage.
 */
int cmd_imagemap_read(const char *word, unsigned int flags, struct imagemap *ret,
		      size_t *size, struct diag *diag);

/**
 * cmd_imagemap_of_profile() - read the image map of a process in a profile
 * @path: path of the profile
 * @pid: the process
 * @ret: must hold IMAGEMAP_INIT; the caller releases it, also after a failure
 * @size: set to the bytes of the stream; may be NULL
 * @diag: set on failure; for -ENOENT it lists the processes of which there is a map
 *
 * Return: 0 or a negative errno.
 */
int cmd_imagemap_of_profile(const char *path, uint32_t pid, struct imagemap *ret,
			    size_t *size, struct diag *diag);

#endif /* USTACK_USER_CMD_IMAGEMAP_INPUT_H */
