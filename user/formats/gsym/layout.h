/* SPDX-License-Identifier: MIT */
/* Which layout a file has, and where its parts are. */
#ifndef USTACK_USER_GSYM_LAYOUT_H
#define USTACK_USER_GSYM_LAYOUT_H

#include "formats/gsym/read.h"

/**
 * struct gsym_source - bytes that may be a GSYM file
 * @file: of the whole file
 * @file_len: bytes of @file
 * @at: where the GSYM file is in it
 * @name: for messages
 * @diag: may be NULL
 */
struct gsym_source {
	const uint8_t *file;
	uint64_t file_len;
	struct gsym_place at;
	const char *name;
	struct diag *diag;
};

/**
 * gsym_layout_read() - fill all of @g but its mapping
 * @g: zero
 * @src: with @at inside the file
 *
 * Nothing but the header and a handful of entries are read.
 *
 * Return: 0 or -EBADMSG.
 */
int gsym_layout_read(struct gsym *g, const struct gsym_source *src);

#endif /* USTACK_USER_GSYM_LAYOUT_H */
