/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Goes from window to window of a store. Samples refer to their segment's definitions. Readers and
 * queries use it.
 */
#ifndef USTACK_USER_STORE_WALK_H
#define USTACK_USER_STORE_WALK_H

#include "serve/store/segment.h"
#include "serve/store/store.h"

/**
 * struct store_walk - state of a walk
 * @dir: path of the store, owned
 * @dirfd: descriptor of the same folder, owned
 * @at: position of the next window
 * @from_ns: windows that end before this are left out, nanoseconds since 1970
 * @to_ns: windows that begin then or later are left out; 0 means no end
 * @open: segment of @at; NULL if it is not open yet
 * @failed: errno of an error after @open's records that has not been reported yet; 0 if none
 * @failure: diag of @failed
 * @over: an error of @open has been reported; no more records are looked for in it
 * @generation: changes whenever numbers of @open's definitions may have a new meaning
 * @samples: samples of the last window
 */
struct store_walk {
	char *dir;
	int dirfd;
	struct store_position at;
	uint64_t from_ns;
	uint64_t to_ns;
	struct store_segment *open;
	int failed;
	struct diag failure;
	bool over;
	uint32_t generation;
	struct store_samples samples;
};

/* Begins at @from; NULL is the first window. Return: 0 or a negative errno. Call
 * store_walk_release() in either case.
 */
int store_walk_init(struct store_walk *w, const char *dir, const struct store_position *from,
		    struct diag *diag);
void store_walk_release(struct store_walk *w);

/**
 * store_walk_next() - the next window
 * @w: the walk; on 1, the window is @w->samples and @w->open->defs, and @w->at is after it
 * @head: head of the window, valid until the next call
 * @diag: may be NULL; its file is @w->dir
 *
 * Return: as store_reader_next().
 */
int store_walk_next(struct store_walk *w, const struct store_head **head, struct diag *diag);

#endif /* USTACK_USER_STORE_WALK_H */
