/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that empties the rings, so that they do not run full while the rest of the
 * program unwinds, makes tables or writes. What it keeps waits for reader_take().
 */
#ifndef USTACK_USER_STACKCOPY_READER_H
#define USTACK_USER_STACKCOPY_READER_H

#include "capture/stackcopy/events.h"
#include "capture/stackcopy/sample.h"

struct reader;

/**
 * struct reader_counts - what was met
 * @read: samples
 * @lost: samples that a ring had no room for
 * @dropped: samples that @memory had no room for
 * @broken: records that are not as the kernel writes them
 * @throttled: times that the kernel paused an event for its rate
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
 * @e: open; must outlive it
 * @memory: bytes that what waits may take
 * @ret: ended and released by reader_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int reader_new(struct events *e, uint64_t memory, struct reader **ret, struct diag *diag);
void reader_free(struct reader *r);

/* Readable when a quarter of the memory is in use. */
int reader_fd(const struct reader *r);

/**
 * reader_take() - get what there is
 * @r: the reader
 * @ret: array of samples in no order, both to be freed; as many as it returns
 *
 * All that the kernel had written when it was called is there.
 *
 * Return: number.
 */
size_t reader_take(struct reader *r, struct sample ***ret);

/* What is given back here counts as waiting again. Return: 0 or -ENOMEM. */
int reader_give_back(struct reader *r, struct sample *s);

/* events_look_for_cpus(), while nothing is read. */
int reader_look_for_cpus(struct reader *r, struct diag *diag);

/* events_set_rate(), while nothing is read. */
int reader_set_rate(struct reader *r, uint32_t index, uint64_t hz, bool running,
		    struct diag *diag);

void reader_counts(struct reader *r, struct reader_counts *ret);

#endif /* USTACK_USER_STACKCOPY_READER_H */
