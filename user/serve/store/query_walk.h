/* SPDX-License-Identifier: GPL-2.0-only */
/* The windows that a query covers, one after the other. Sums, series and lists of values use it. */
#ifndef USTACK_USER_STORE_QUERY_WALK_H
#define USTACK_USER_STORE_QUERY_WALK_H

#include "serve/store/query.h"
#include "serve/store/walk.h"

/* A cache with one number for each label set of a segment; 0 means not cached. */
struct query_walk_memo {
	uint32_t *of;
	size_t room;
};

/**
 * struct query_walk - a query that is being answered
 * @q: the query
 * @dir: path of the store, owned by the caller
 * @walk: the walk from window to window
 * @head: head of the current window
 * @middle_ns: middle of the current window, nanoseconds since 1970
 * @coverage: what has been read so far
 * @generation: @walk's generation when the caches were filled
 * @fresh: numbers of definitions have changed with this window, so caches must be cleared
 * @selected: for each label set whether @q's selector matches it: 1 no, 2 yes
 * @last_bad: position of the last read error
 */
struct query_walk {
	const struct store_query *q;
	const char *dir;
	struct store_walk walk;
	const struct store_head *head;
	uint64_t middle_ns;
	struct store_coverage coverage;
	uint32_t generation;
	bool fresh;
	struct query_walk_memo selected;
	struct store_position last_bad;
};

/* Return: 0 or a negative errno. Call query_walk_release() in either case. */
int query_walk_init(struct query_walk *a, const char *dir, const struct store_query *q,
		    struct diag *diag);
void query_walk_release(struct query_walk *a);

/* Goes to the next window: @a->walk.samples, with definitions in @a->walk.open->defs. Return: 1;
 * 0 at the end; a negative errno for an error that ends the query.
 */
int query_walk_next(struct query_walk *a, struct diag *diag);

/* Whether the query's selector matches a sample. */
bool query_walk_selects(struct query_walk *a, const struct profile_sample *s);

/* Ends the query after the last window. Return: @err, or the selector's error if @err is 0. */
int query_walk_end(struct query_walk *a, int err, struct store_coverage *ret, struct diag *diag);

/* Return: the cache entry of a label set, for reading and writing; NULL without memory. */
uint32_t *query_walk_memo(struct query_walk *a, struct query_walk_memo *m, uint32_t labels);
/* Empties the cache. */
void query_walk_forget(struct query_walk_memo *m);

#endif /* USTACK_USER_STORE_QUERY_WALK_H */
