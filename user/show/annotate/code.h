/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/show/annotate: the machine code of a function, from the file that was sampled. */
#ifndef USTACK_USER_ANNOTATE_CODE_H
#define USTACK_USER_ANNOTATE_CODE_H

#include "show/annotate/annotate.h"
#include "symbols/symstore/symstore.h"

struct ustack_arch;

/**
 * struct code - the machine code of a function
 * @bytes: the code; the caller frees it
 * @len: number of bytes
 * @arch: architecture of the file
 * @changed_ns: when the file was last written, CLOCK_REALTIME nanoseconds
 */
struct code {
	uint8_t *bytes;
	size_t len;
	const struct ustack_arch *arch;
	uint64_t changed_ns;
};

/**
 * code_read() - find the file and read code from it
 * @key: identifies the file; if it has a build id, only a file with that build
 *	id is used
 * @file_dirs: see struct symstore_options
 * @start: link-time address
 * @size: bytes; 0 is up to the end of the segment
 * @ret: valid on 0
 * @diag: may be NULL; borrows @key's path
 *
 * Return: 0; -ENOENT: the file was not found; -EBADMSG: it has no code there;
 * -EFBIG above
 * ANNOTATE_MAX_BYTES; another negative errno.
 */
int code_read(const struct symstore_key *key, const char *const *file_dirs, uint64_t start,
	      uint64_t size, struct code *ret, struct diag *diag);

#endif /* USTACK_USER_ANNOTATE_CODE_H */
