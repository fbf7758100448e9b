/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring buffer of a perf event: its records in the order in which the kernel wrote
 * them on one CPU (perf_event_open(2), "MMAP layout").
 */
#ifndef USTACK_USER_PERF_RING_H
#define USTACK_USER_PERF_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct perf_ring - a mapped ring
 * @page: head page of the ring; NULL if it is not mapped
 * @data: records
 * @size: bytes of @data, a power of two
 * @at: position of the next record to read, counted in bytes from the first ever written
 * @end: position up to which the kernel had written at the last check
 * @copy: buffer for a record that wraps around
 */
struct perf_ring {
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	uint64_t size;
	uint64_t at;
	uint64_t end;
	uint64_t copy[8192];	/* a record has at most 64 KiB */
};

/**
 * perf_ring_map() - map the ring of an event
 * @r: zeroed; released by perf_ring_unmap()
 * @fd: descriptor of the event, which may be closed after the ring is unmapped
 * @pages: number of data pages, a power of two
 *
 * Return: 0 or a negative errno; -EPERM if the limit for locked memory is too low.
 */
int perf_ring_map(struct perf_ring *r, int fd, unsigned int pages);
void perf_ring_unmap(struct perf_ring *r);

/* Checks how far the kernel has written: perf_ring_next() reads up to there. */
void perf_ring_begin(struct perf_ring *r);

/**
 * perf_ring_next() - take the next record
 * @r: the ring, after perf_ring_begin()
 *
 * Return: the complete record, valid until the next call; NULL at the end, when the space
 * was given back to the kernel.
 */
const struct perf_event_header *perf_ring_next(struct perf_ring *r);

#endif /* USTACK_USER_PERF_RING_H */
