/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/symbols/symstore: reads jitdump files, version 1
 * (linux/tools/perf/Documentation/jitdump-specification.txt).
 */
#ifndef USTACK_USER_SYMSTORE_JITDUMP_H
#define USTACK_USER_SYMSTORE_JITDUMP_H

#include "symbols/symstore/jit_codes.h"

/**
 * struct jitdump - state of reading a file
 * @header: size of the file's header in bytes, 0 until it was read
 * @swapped: numbers have the other byte order
 * @lines_of: address of the function that the pending rows belong to
 * @lines: index of the first pending row
 * @nr_lines: number of pending rows
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
 * @d: state of the file; zeroed at first
 * @c: gets the functions
 * @bytes: bytes of the file, from where the last call ended
 * @len: number of bytes; the last record may be incomplete
 *
 * Return: bytes of complete records; -EBADMSG if the file is invalid; another negative
 * errno.
 */
int64_t jitdump_parse(struct jitdump *d, struct jit_codes *c, const uint8_t *bytes,
		      size_t len);

#endif /* USTACK_USER_SYMSTORE_JITDUMP_H */
