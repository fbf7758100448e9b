/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows: two pairs of maps, each with one map of stack chunks and one of
 * counts. The programs use one pair while user space reads and empties the
 * other. sampler.c opens them, drain.c takes them.
 */
#ifndef USTACK_USER_SAMPLER_WINDOW_H
#define USTACK_USER_SAMPLER_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "capture/sampler/stacks.h"
#include "util/diag.h"
#include "wire.h"

/**
 * struct window_sizes - numbers of elements; powers of two
 * @chunks: elements of a map of chunks
 * @counts: elements of a map of counts
 */
struct window_sizes {
	uint32_t chunks;
	uint32_t counts;
};

/*
 * Bytes of one element of a preallocated hash map: 48 of the kernel's own, and
 * its share of the buckets.
 */
#define WINDOW_CHUNK_BYTES (48 + 16 + sizeof(struct wire_chunk) + sizeof(uint64_t))
#define WINDOW_COUNT_BYTES (48 + 16 + sizeof(struct wire_key) + sizeof(struct wire_value))

/**
 * window_sizes() - choose the sizes of the maps
 * @samples: number of samples expected in a window; 0 if not known
 * @memory: limit in bytes for both pairs together
 */
struct window_sizes window_sizes(uint64_t samples, uint64_t memory);

/**
 * struct windows - both pairs, and what was read from one
 * @outer_chunks: descriptor of the programs' array of chunk maps; borrowed
 * @outer_counts: descriptor of the programs' array of count maps; borrowed
 * @chunks: descriptors of the two maps in @outer_chunks
 * @counts: descriptors of the two maps in @outer_counts
 * @generation: number of the window, in memory shared with programs; its lowest
 *	bit is the pair that they use
 * @fill: fill state of each pair, shared with programs too
 * @stacks: stacks of the window that was taken last
 * @keys: keys of its counts
 * @values: values of its counts
 * @order: indices into @keys and @values, sorted by windows_compare(), so that
 *	mappings are looked up forward in time
 * @nr: number of entries in @keys, @values and @order
 * @room: entries that these three have memory for
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
 * @w: initialized with WINDOWS_INIT, the borrowed and shared fields set;
 *	released by windows_release()
 * @sizes: numbers of elements
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int windows_open(struct windows *w, struct window_sizes sizes, struct diag *diag);
void windows_release(struct windows *w);

/**
 * windows_take() - end the window, then read and empty its maps
 * @w: open
 * @diag: may be NULL
 *
 * When it returns, @stacks, @keys, @values and @order have all of the window
 * that ended. Programs have used the next window since about the moment of the
 * call.
 *
 * Return: 0, or a negative errno; then the contents of the window are lost.
 */
int windows_take(struct windows *w, struct diag *diag);

/*
 * Compares two samples for sorting: by process, then by epoch. Return: as a
 * compare function of qsort(), less than, equal to or greater than 0.
 */
static inline int windows_compare(uint32_t tgid, uint64_t epoch, uint32_t other_tgid, uint64_t other_epoch)
{
	if (tgid != other_tgid)
		return tgid < other_tgid ? -1 : 1;
	return (epoch > other_epoch) - (epoch < other_epoch);
}

/*
 * Waits until all programs that run now have ended. Return: 0 or a negative
 * errno.
 */
int windows_wait(const struct windows *w, struct diag *diag);

#endif /* USTACK_USER_SAMPLER_WINDOW_H */
