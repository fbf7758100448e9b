/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the sampling loop to the store: a window that cannot be written now (a full disk)
 * waits in memory, in order, and is written with the next one that can.
 */
#ifndef USTACK_USER_DAEMON_KEEPER_H
#define USTACK_USER_DAEMON_KEEPER_H

#include "profile/profile.h"
#include "serve/store/store.h"
#include "util/diag.h"

/* Windows that wait at most: ten minutes of ten seconds each. */
#define KEEPER_MAX_WAITING 60u

/**
 * struct keeper - between a loop and a store
 * @store: borrowed
 * @waiting: oldest first
 * @nr_waiting: of them
 * @dropped: windows that had to make room or are larger than a store may have, with all that
 *           was in them
 * @failures: of writing
 * @end: position behind the last window that was written; before the first one the store's end
 */
struct keeper {
	struct store *store;
	struct profile *waiting[KEEPER_MAX_WAITING];
	unsigned int nr_waiting;
	uint64_t dropped;
	uint64_t failures;
	struct store_position end;
};

/**
 * keeper_add() - one window more
 * @k: @store and @end set, the rest zeros at first
 * @window: owned by @k from here on
 * @diag: why the store takes none now; may be NULL
 *
 * Return: 0 if none waits; a negative errno of writing: it waits.
 */
int keeper_add(struct keeper *k, struct profile *window, struct diag *diag);

/* What still waits is written if it can be now, and given up. */
void keeper_release(struct keeper *k);

#endif /* USTACK_USER_DAEMON_KEEPER_H */
