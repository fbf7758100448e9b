/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record written again with other walks in place of the kernel's callchains. Registers, stacks
 * and mappings stay as they are, so that libdw unwinds the very same samples.
 *
 * Every function ends the program, with a message, where a file cannot be read or written.
 */
#ifndef GT_REWRITE_H
#define GT_REWRITE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format.h"

struct gt_input {
	uint8_t *bytes;
	size_t len;
};

/**
 * gt_read() - the bytes of a file
 * @path: of it
 * @least: bytes that it must have
 *
 * Return: its bytes, which stay until the program ends
 */
struct gt_input gt_read(const char *path, size_t least);

/**
 * gt_next() - the next chunk of a record
 * @in: the record
 * @at: where the chunk begins; moved behind it. sizeof(struct gt_file) is the first one.
 *
 * Return: the chunk, whose size lies within the record; NULL at its end
 */
const struct gt_chunk *gt_next(const struct gt_input *in, size_t *at);

/**
 * gt_put() - write bytes
 * @out: where
 * @bytes: as they are
 * @len: of @bytes; 0 writes nothing
 */
void gt_put(FILE *out, const void *bytes, size_t len);

/**
 * gt_put_walk() - write a sample with another walk, and why that walk ended
 * @out: where
 * @raw: the sample
 * @pcs: of the walk, from the sample outward
 * @nr: of @pcs, 1 or more
 * @why: enum ustack_reason
 */
void gt_put_walk(FILE *out, const struct gt_sample *raw, const uint64_t *pcs, uint32_t nr,
		 uint32_t why);

/**
 * gt_put_unjudged() - write a sample that is not to be compared
 * @out: where
 * @raw: the sample
 *
 * A sample must not be left out instead: its stack is what the next one of the same thread is
 * packed against (pack.h).
 */
void gt_put_unjudged(FILE *out, const struct gt_sample *raw);

#endif /* GT_REWRITE_H */
