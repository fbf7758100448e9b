/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of one window: the chunks of its map by id, and from an id back to
 * frames. bpf/wire.h says what a chunk is.
 */
#ifndef USTACK_USER_SAMPLER_STACKS_H
#define USTACK_USER_SAMPLER_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "wire.h"

/**
 * struct stacks - chunks by id
 * @chunks: in the order in which they were added
 * @ids: id of each entry in @chunks
 * @nr: number of entries in @chunks and @ids
 * @room: entries that @chunks and @ids have memory for
 * @slots: hash table by id: index in @chunks plus 1, 0 is free
 * @nr_slots: size of @slots: a power of two, more than twice @nr; or 0
 */
struct stacks {
	struct wire_chunk *chunks;
	uint64_t *ids;
	uint32_t nr;
	uint32_t room;
	uint32_t *slots;
	uint32_t nr_slots;
};

#define STACKS_INIT { 0 }

/* Removes all chunks and keeps the memory. */
void stacks_clear(struct stacks *s);
void stacks_release(struct stacks *s);

/**
 * stacks_add() - add chunks that were read from a map
 * @s: initialized with STACKS_INIT, may have chunks
 * @chunks: keys of the map
 * @ids: values of the map
 * @nr: number of entries in @chunks and in @ids
 *
 * Return: 0 or -ENOMEM.
 */
int stacks_add(struct stacks *s, const struct wire_chunk *chunks, const uint64_t *ids,
	       size_t nr);

/**
 * stacks_get() - the frames of a stack
 * @s: has all chunks of the window
 * @id: id of the outermost chunk to begin with; 0 gives no frames
 * @pcs: gets the frames, innermost first
 * @room: largest number of frames in @pcs
 *
 * Return: number of frames in @pcs; -ENOENT if a chunk is missing; -EPROTO if
 * chunks are not as the programs make them, so that something else must have
 * written to the map.
 */
int stacks_get(const struct stacks *s, uint64_t id, uint64_t *pcs, uint32_t room);

#endif /* USTACK_USER_SAMPLER_STACKS_H */
