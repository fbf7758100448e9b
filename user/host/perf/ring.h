/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring buffer of a perf event: records in the order in which the kernel wrote them on
 * one CPU (perf_event_open(2), "MMAP layout").
 */
#ifndef USTACK_USER_PERF_RING_H
#define USTACK_USER_PERF_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct perf_ring - a mapped ring
 * @page: its head; NULL while it is not mapped
 * @data: records
 * @size: of @data, a power of two
 * @at: what is read next, from the start of time
 * @end: what the kernel had written when it was last asked
 * @copy: for a record that goes around the end
 */
struct perf_ring {
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	uint64_t size;
	uint64_t at;
	uint64_t end;
	uint64_t copy[8192];	/* a record has 64 KiB at most */
};

/**
 * perf_ring_map() - map the ring of an event
 * @r: all zero; released by perf_ring_unmap()
 * @fd: the event, which may be closed later than the ring alone
 * @pages: of data, a power of two
 *
 * Return: 0 or a negative errno; EPERM where the memory that may be locked does not suffice.
 */
int perf_ring_map(struct perf_ring *r, int fd, unsigned int pages);
void perf_ring_unmap(struct perf_ring *r);

/* Looks how far the kernel has come: perf_ring_next() goes that far. */
void perf_ring_begin(struct perf_ring *r);

/**
 * perf_ring_next() - the next record
 * @r: after perf_ring_begin()
 *
 * Return: the record, whole, until the next call; NULL at the end, when the kernel has got
 * the room back.
 */
const struct perf_event_header *perf_ring_next(struct perf_ring *r);

#endif /* USTACK_USER_PERF_RING_H */
