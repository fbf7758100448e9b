// SPDX-License-Identifier: GPL-2.0-only
/* Reads the ring buffer of a perf event, see ring.h. */
#include "host/perf/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/poison.h"

int perf_ring_map(struct perf_ring *r, int fd, unsigned int pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, (1 + pages) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -errno;
	r->page = at;
	r->data = (const uint8_t *)at + page;
	r->size = pages * page;
	r->at = 0;
	r->end = 0;
	return 0;
}

void perf_ring_unmap(struct perf_ring *r)
{
	if (r->page)
		munmap(r->page, (size_t)(r->data - (const uint8_t *)r->page) + r->size);
	r->page = NULL;
}

void perf_ring_begin(struct perf_ring *r)
{
	/* pairs with the kernel's store after it has written records */
	r->end = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

static void give_back(struct perf_ring *r)
{
	/* all reads of the records come before the kernel may overwrite them */
	__atomic_store_n(&r->page->data_tail, r->at, __ATOMIC_RELEASE);
}

const struct perf_event_header *perf_ring_next(struct perf_ring *r)
{
	uint64_t left = r->end - r->at, from = r->at & (r->size - 1), whole;
	const struct perf_event_header *h = (const void *)(r->data + from);

	/* all sizes are multiples of 8 bytes, so a header never wraps around */
	if (left < sizeof(*h) || h->size < sizeof(*h) || h->size > left) {
		r->at = r->end;
		give_back(r);
		return NULL;
	}
	r->at += h->size;
	whole = r->size - from;
	if (h->size <= whole)
		return h;
	memcpy(r->copy, r->data + from, whole);
	memcpy((uint8_t *)r->copy + whole, r->data, h->size - whole);
	return (const struct perf_event_header *)r->copy;
}
