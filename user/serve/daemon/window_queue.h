/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The queue between the sampling loop and the store. A window that cannot be written now, such as
 * when the disk is full, waits in memory. The next call tries again, in order.
 */
#ifndef USTACK_USER_DAEMON_WINDOW_QUEUE_H
#define USTACK_USER_DAEMON_WINDOW_QUEUE_H

#include "profile/profile.h"
#include "serve/store/store.h"
#include "util/diag.h"

/* Largest number of windows that wait: ten minutes if each has ten seconds. */
#define WINDOW_QUEUE_MAX 60u

/**
 * struct window_queue - a queue of windows
 * @store: the store, borrowed
 * @waiting: windows that wait, oldest first
 * @nr_waiting: number of windows in @waiting
 * @dropped: number of windows that were lost: they had to make room, or are larger than a store
 *           may have
 * @failures: number of writes that failed
 * @end: position after the last window that was written; before the first one the store's end
 */
struct window_queue {
	struct store *store;
	struct profile *waiting[WINDOW_QUEUE_MAX];
	unsigned int nr_waiting;
	uint64_t dropped;
	uint64_t failures;
	struct store_position end;
};

/**
 * window_queue_add() - add a window, and try to write all that wait
 * @k: the queue; at first @store and @end are set, and the rest is zero
 * @window: the window, owned by @k from here on
 * @diag: gets the reason why the store takes no window now; may be NULL
 *
 * Return: 0 if no window waits; a negative errno of writing if some do.
 */
int window_queue_add(struct window_queue *k, struct profile *window, struct diag *diag);

/* Tries a last time to write the windows that wait, and releases all. */
void window_queue_release(struct window_queue *k);

#endif /* USTACK_USER_DAEMON_WINDOW_QUEUE_H */
