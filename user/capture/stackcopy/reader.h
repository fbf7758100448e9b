/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that empties the rings, so that they do not fill up while the main
 * thread unwinds, makes tables or writes. Samples wait here until
 * reader_take().
 */
#ifndef USTACK_USER_STACKCOPY_READER_H
#define USTACK_USER_STACKCOPY_READER_H

#include "capture/stackcopy/events.h"
#include "capture/stackcopy/sample.h"

struct reader;

/**
 * struct reader_counts - what the reader has met
 * @read: samples that were read
 * @lost: samples that a ring had no room for
 * @dropped: samples that @memory had no room for
 * @broken: records that are not as the kernel writes them
 * @throttled: how often the kernel paused an event because of its rate
 */
struct reader_counts {
	uint64_t read;
	uint64_t lost;
	uint64_t dropped;
	uint64_t broken;
	uint64_t throttled;
};

/**
 * reader_new() - start the thread
 * @e: open; must outlive the reader
 * @memory: limit in bytes for samples that wait
 * @ret: ended and released by reader_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int reader_new(struct events *e, uint64_t memory, struct reader **ret, struct diag *diag);
void reader_free(struct reader *r);

/*
 * Return: a descriptor that is readable when a quarter of the memory is in use.
 */
int reader_fd(const struct reader *r);

/**
 * reader_take() - take all samples
 * @r: the reader
 * @ret: array of samples in no order; the caller frees the array and each
 *	sample
 *
 * All samples that the kernel had written before the call are in it.
 *
 * Return: number of samples.
 */
size_t reader_take(struct reader *r, struct sample ***ret);

/*
 * Puts a sample back: it waits for the next reader_take(). Return: 0 or
 * -ENOMEM.
 */
int reader_give_back(struct reader *r, struct sample *s);

/* Calls events_look_for_cpus() while no ring is read. */
int reader_look_for_cpus(struct reader *r, struct diag *diag);

/* Calls events_set_rate() while no ring is read. */
int reader_set_rate(struct reader *r, uint32_t index, uint64_t hz, bool running,
		    struct diag *diag);

void reader_counts(struct reader *r, struct reader_counts *ret);

#endif /* USTACK_USER_STACKCOPY_READER_H */
