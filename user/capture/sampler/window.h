/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows: two pairs of maps, chunks of stacks and counts. Programs use one pair while
 * user space reads and empties the other.
 */
#ifndef USTACK_USER_SAMPLER_WINDOW_H
#define USTACK_USER_SAMPLER_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "capture/sampler/stacks.h"
#include "util/diag.h"
#include "wire.h"

/**
 * struct window_sizes - elements of a map; powers of two
 * @chunks: of stacks
 * @counts: of keys
 */
struct window_sizes {
	uint32_t chunks;
	uint32_t counts;
};

/* Bytes of one element of a preallocated hash map: 48 of the kernel's own, and its share
 * of buckets.
 */
#define WINDOW_CHUNK_BYTES (48 + 16 + sizeof(struct wire_chunk) + sizeof(uint64_t))
#define WINDOW_COUNT_BYTES (48 + 16 + sizeof(struct wire_key) + sizeof(struct wire_value))

/**
 * window_sizes() - how large maps have to be
 * @samples: that are expected in a window; 0 if that is not known
 * @memory: bytes for both pairs, which are not exceeded
 */
struct window_sizes window_sizes(uint64_t samples, uint64_t memory);

/**
 * struct windows - both pairs, and what was read of one
 * @outer_chunks: descriptor of the programs' array of maps; borrowed
 * @outer_counts: the same
 * @chunks: descriptors of its maps
 * @counts: the same
 * @generation: of windows, in memory shared with programs; its lowest bit is the pair
 *	that they use
 * @fill: of each pair, shared likewise
 * @stacks: of the window that was taken last
 * @keys: its keys
 * @values: theirs
 * @order: indices of both in the order of windows_compare(): mappings are then looked up forward in time
 * @nr: of all three
 * @room: in all three
 */
struct windows {
	int outer_chunks;
	int outer_counts;
	int chunks[2];
	int counts[2];
	uint64_t *generation;
	struct wire_fill *fill;
	struct stacks stacks;
	struct wire_key *keys;
	struct wire_value *values;
	uint32_t *order;
	size_t nr;
	size_t room;
};

#define WINDOWS_INIT { .chunks = { -1, -1 }, .counts = { -1, -1 } }

/**
 * windows_open() - make the maps and give them to the programs
 * @w: holds WINDOWS_INIT, and what is borrowed and shared; released by windows_release()
 * @sizes: of each
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int windows_open(struct windows *w, struct window_sizes sizes, struct diag *diag);
void windows_release(struct windows *w);

/**
 * windows_take() - end the window, read and empty its maps
 * @w: open
 * @diag: may be NULL
 *
 * When it returns, @stacks, @keys, @values and @order have all of the window that ended, and
 * programs count in the next one since about when it was called.
 *
 * Return: 0; on another value, a negative errno, what it had is lost.
 */
int windows_take(struct windows *w, struct diag *diag);

/*
 * The order of samples: by process, then by epoch. For qsort(): less than, equal to or greater than 0.
 */
static inline int windows_compare(uint32_t tgid, uint64_t epoch, uint32_t other_tgid, uint64_t other_epoch)
{
	if (tgid != other_tgid)
		return tgid < other_tgid ? -1 : 1;
	return (epoch > other_epoch) - (epoch < other_epoch);
}

/* Waits until programs that run now have ended. Return: 0 or a negative errno. */
int windows_wait(const struct windows *w, struct diag *diag);

#endif /* USTACK_USER_SAMPLER_WINDOW_H */
