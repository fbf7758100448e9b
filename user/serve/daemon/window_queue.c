// SPDX-License-Identifier: GPL-2.0-only
/*
 * The queue of windows that wait to be written to the store. daemon_windows.c adds each window, and
 * each call tries to write all that wait.
 */
#include "serve/daemon/window_queue.h"

#include <errno.h>
#include <string.h>

#include "util/poison.h"

static void forget_first(struct window_queue *k, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		profile_free(k->waiting[i]);
	k->nr_waiting -= nr;
	memmove(k->waiting, k->waiting + nr, k->nr_waiting * sizeof(k->waiting[0]));
}

/* Writes the windows that wait. Return: 0 if none waits any more; else the store's error. */
static int flush(struct window_queue *k, struct diag *diag)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < k->nr_waiting; i++) {
		err = store_append(k->store, k->waiting[i], &k->end, diag);
		k->failures += err != 0;
		/* a window that the store will never take must not block the next ones */
		if (err == -EFBIG) {
			k->dropped++;
			err = 0;
		}
		if (err)
			break;
	}
	forget_first(k, i);
	return err;
}

int window_queue_add(struct window_queue *k, struct profile *window, struct diag *diag)
{
	if (k->nr_waiting == WINDOW_QUEUE_MAX) {
		forget_first(k, 1);
		k->dropped++;
	}
	k->waiting[k->nr_waiting++] = window;
	return flush(k, diag);
}

void window_queue_release(struct window_queue *k)
{
	if (k->nr_waiting)
		flush(k, NULL);
	k->dropped += k->nr_waiting;
	forget_first(k, k->nr_waiting);
}
