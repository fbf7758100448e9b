/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes chunks to the record file. A failed write ends the program. */
#ifndef GT_OUT_H
#define GT_OUT_H

#include <stddef.h>

#include "../format.h"

void out_open(const char *path);
void out_close(void);

/* a part of a chunk: bytes, then padding up to 8 if PAD is set */
struct out_part {
	const void *data;
	size_t len;
};

/**
 * out_chunk() - write a chunk that consists of parts
 * @h: the chunk's start; its size, type and stream are filled in
 * @head: size of the fixed structure that starts with @h
 * @parts: the contents after it; every part is padded to a multiple of 8
 */
void out_chunk(struct gt_chunk *h, size_t head, enum gt_type type,
	       unsigned int stream, const struct out_part *parts,
	       unsigned int count);

/* prints the message and calls exit(2) */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif /* GT_OUT_H */
