/* SPDX-License-Identifier: MIT */
/*
 * Private to the reader: finds out which layout a file has, and where its parts are.
 */
#ifndef USTACK_USER_GSYM_LAYOUT_H
#define USTACK_USER_GSYM_LAYOUT_H

#include "formats/gsym/read.h"

/**
 * struct gsym_source - bytes that may be a GSYM file
 * @file: bytes of the whole file
 * @file_len: number of bytes in @file
 * @at: position of the GSYM file in @file
 * @name: name for messages
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
 * gsym_layout_read() - set all of @g except its mapping
 * @g: all zeros
 * @src: source, with @at inside the file
 *
 * Only the header and a few entries are read.
 *
 * Return: 0 or -EBADMSG.
 */
int gsym_layout_read(struct gsym *g, const struct gsym_source *src);

#endif /* USTACK_USER_GSYM_LAYOUT_H */
