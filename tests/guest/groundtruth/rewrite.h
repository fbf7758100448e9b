/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record is written again with other walks in place of the kernel's callchains. Registers,
 * stacks and mappings stay unchanged, so that libdw unwinds the very same samples.
 *
 * Every function ends the program with a message if a file cannot be read or written.
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
 * gt_read() - read a file
 * @path: path of the file
 * @least: minimum number of bytes that it must have
 *
 * Return: its bytes, which stay until the program ends
 */
struct gt_input gt_read(const char *path, size_t least);

/**
 * gt_next() - the next chunk of a record
 * @in: the record
 * @at: offset of the chunk, moved to the next one; starts at sizeof(struct gt_file)
 *
 * Return: the chunk, whose size lies within the record; NULL at its end
 */
const struct gt_chunk *gt_next(const struct gt_input *in, size_t *at);

/**
 * gt_put() - write bytes
 * @out: output file
 * @bytes: bytes to write
 * @len: number of @bytes; 0 writes nothing
 */
void gt_put(FILE *out, const void *bytes, size_t len);

/**
 * gt_put_walk() - write a sample with another walk, and why that walk ended
 * @out: output file
 * @raw: the sample
 * @pcs: addresses of the walk, from the sample outward
 * @nr: number of entries in @pcs, at least 1
 * @why: enum ustack_reason
 */
void gt_put_walk(FILE *out, const struct gt_sample *raw, const uint64_t *pcs, uint32_t nr,
		 uint32_t why);

/**
 * gt_put_unjudged() - write a sample that is not to be compared
 * @out: output file
 * @raw: the sample
 *
 * A sample must not be left out instead, because the next stack of the same thread is packed
 * against it (pack.h).
 */
void gt_put_unjudged(FILE *out, const struct gt_sample *raw);

#endif /* GT_REWRITE_H */
