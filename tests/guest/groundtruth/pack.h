/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks packed as the words that differ from the previous stack of the same thread in the same
 * stream. Recorder and reader keep the same history of stacks, so the bytes alone are enough;
 * the history of a thread that was dropped is all zeros.
 */
#ifndef GT_PACK_H
#define GT_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "format.h"

#define GT_PACK_SLOTS 32
#define GT_PACK_BOUND (GT_MAX_STACK + GT_MAX_STACK / 4 + 64)

struct gt_pack_slot {
	uint32_t tid;
	uint32_t len;
	uint64_t addr;
	uint8_t data[GT_MAX_STACK];
};

/* one state for each stream */
struct gt_pack {
	struct gt_pack_slot slots[GT_PACK_SLOTS];
};

/**
 * gt_pack_stack() - pack a stack and remember it
 * @out: buffer of GT_PACK_BOUND bytes
 *
 * Return: number of bytes written to @out
 */
size_t gt_pack_stack(struct gt_pack *pack, uint32_t tid, uint64_t addr,
		     const uint8_t *data, size_t len, uint8_t *out);

/**
 * gt_unpack_stack() - the reverse
 *
 * Return: the @len bytes, valid until the next call, or NULL if @in is broken
 */
const uint8_t *gt_unpack_stack(struct gt_pack *pack, uint32_t tid,
			       uint64_t addr, size_t len, const uint8_t *in,
			       size_t in_len);

#endif /* GT_PACK_H */
