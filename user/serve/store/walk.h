/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From window to window of a store, in numbers of the segments: what reader.h and query.h
 * share.
 */
#ifndef USTACK_USER_STORE_WALK_H
#define USTACK_USER_STORE_WALK_H

#include "serve/store/segment.h"
#include "serve/store/store.h"

/**
 * struct store_walk - where it is
 * @dir: of the store
 * @dirfd: the same
 * @at: the next window
 * @from_ns: windows that end before this are left out
 * @to_ns: and those that begin then or later; 0 is no end
 * @open: segment of @at; NULL if it is to be found
 * @failed: what is behind its records is bad, and said to nobody yet
 * @failure: that
 * @over: it has been said
 * @generation: another whenever numbers of @open's definitions may mean more than before
 * @samples: of the last window
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

/* @from: NULL is all zeros. Return: 0 or a negative errno; to be released in either case. */
int store_walk_init(struct store_walk *w, const char *dir, const struct store_position *from,
		    struct diag *diag);
void store_walk_release(struct store_walk *w);

/**
 * store_walk_next() - the next window
 * @w: the walk; on 1, @w->open->defs and @w->samples are it, and @w->at is behind it
 * @head: of it, valid until the next call
 * @diag: may be NULL; names @w->dir
 *
 * Return: 1; 0 if there is none now; as store_reader_next().
 */
int store_walk_next(struct store_walk *w, const struct store_head **head, struct diag *diag);

#endif /* USTACK_USER_STORE_WALK_H */
