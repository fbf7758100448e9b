/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: jitdump files, version 1
 * (linux/tools/perf/Documentation/jitdump-specification.txt).
 */
#ifndef USTACK_USER_SYMSTORE_JITDUMP_H
#define USTACK_USER_SYMSTORE_JITDUMP_H

#include "symbols/symstore/codes.h"

/**
 * struct jitdump - what is known of a file
 * @header: bytes of its header, 0 until it was read
 * @swapped: its numbers have the other byte order
 * @lines_of: address of the function that the rows at hand are for
 * @lines: first of these rows
 * @nr_lines: of them; 0 when there are none at hand
 */
struct jitdump {
	uint32_t header;
	bool swapped;
	uint64_t lines_of;
	uint32_t lines;
	uint32_t nr_lines;
};

/**
 * jitdump_parse() - read records
 * @d: of the file; all zero at its start
 * @c: gets functions
 * @bytes: from where the last call ended
 * @len: of it; a record may be cut
 *
 * Return: bytes of whole records; -EBADMSG for what is no such file, or cannot be read
 * on; another negative errno.
 */
int64_t jitdump_parse(struct jitdump *d, struct jit_codes *c, const uint8_t *bytes,
		      size_t len);

#endif /* USTACK_USER_SYMSTORE_JITDUMP_H */
