/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks of one window: what its map of chunks had, by id, and from an id back to frames.
 * bpf/wire.h says what a chunk is.
 */
#ifndef USTACK_USER_SAMPLER_STACKS_H
#define USTACK_USER_SAMPLER_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "wire.h"

/**
 * struct stacks - chunks by id
 * @chunks: as they came
 * @ids: of @chunks
 * @nr: of both
 * @room: in both
 * @slots: hash table by id: index in @chunks plus 1, 0 is free
 * @nr_slots: a power of two, more than twice @nr; or 0
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

/* Forgets what is in it, and keeps the memory. */
void stacks_clear(struct stacks *s);
void stacks_release(struct stacks *s);

/**
 * stacks_add() - take chunks of a map
 * @s: holds STACKS_INIT or more
 * @chunks: keys
 * @ids: values
 * @nr: of both
 *
 * Return: 0 or -ENOMEM.
 */
int stacks_add(struct stacks *s, const struct wire_chunk *chunks, const uint64_t *ids,
	       size_t nr);

/**
 * stacks_get() - the frames of a stack
 * @s: has all chunks of the window
 * @id: 0 is no frames
 * @pcs: WIRE_FRAMES of room; innermost first
 *
 * Return: frames at @pcs; -ENOENT if a chunk is not there, -EPROTO if chunks are not as
 * programs make them: what is in the maps is not this program's then.
 */
int stacks_get(const struct stacks *s, uint64_t id, uint64_t pcs[WIRE_FRAMES]);

#endif /* USTACK_USER_SAMPLER_STACKS_H */
