/* SPDX-License-Identifier: GPL-2.0-only */
/* The windows that a question is about: what sums, series and lists of values share. */
#ifndef USTACK_USER_STORE_ASK_H
#define USTACK_USER_STORE_ASK_H

#include "serve/store/query.h"
#include "serve/store/walk.h"

/* A number for each set of labels of a segment; 0 is not known. */
struct ask_memo {
	uint32_t *of;
	size_t room;
};

/**
 * struct ask - a question that is being answered
 * @q: the question
 * @dir: of the store, the caller's
 * @walk: from window to window
 * @head: of the window
 * @middle_ns: of it
 * @coverage: by now
 * @generation: of @walk, when memos were made
 * @fresh: memos of what follows are void since the last window
 * @selected: 1 no, 2 yes
 * @last_bad: where an error was met
 */
struct ask {
	const struct store_query *q;
	const char *dir;
	struct store_walk walk;
	const struct store_head *head;
	uint64_t middle_ns;
	struct store_coverage coverage;
	uint32_t generation;
	bool fresh;
	struct ask_memo selected;
	struct store_position last_bad;
};

/* Return: 0 or a negative errno; to be released in either case. */
int ask_init(struct ask *a, const char *dir, const struct store_query *q, struct diag *diag);
void ask_release(struct ask *a);

/* The next window: @a->walk.samples of @a->walk.open->defs. Return: 1, 0 at the end, or a
 * negative errno, of what ends all.
 */
int ask_next(struct ask *a, struct diag *diag);

/* Whether a sample is selected. */
bool ask_selects(struct ask *a, const struct profile_sample *s);

/* After the last window. Return: @err, or what the selector had to give up. */
int ask_end(struct ask *a, int err, struct store_coverage *ret, struct diag *diag);

/* Return: what is remembered of a set; NULL without memory. */
uint32_t *ask_memo(struct ask *a, struct ask_memo *m, uint32_t labels);
/* What is remembered is void. */
void ask_forget(struct ask_memo *m);

#endif /* USTACK_USER_STORE_ASK_H */
