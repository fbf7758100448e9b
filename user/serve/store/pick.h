/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of one profile what is needed, into another: by number and on demand, each once.
 *
 *	pick_begin(&k, from, to);
 *	profile_add(to, pick_stack(&k, s->stack), pick_labels(&k, s->labels), value);
 *	if (pick_error(&k)) ...
 *	pick_begin(&k, from, other);
 *	...
 *	pick_release(&k);
 */
#ifndef USTACK_USER_STORE_PICK_H
#define USTACK_USER_STORE_PICK_H

#include "profile/profile.h"

/* Numbers of things of one kind in the other profile; those of another @round are void. */
struct pick_memo {
	uint64_t *of;
	size_t room;
};

/**
 * struct pick - from one profile to another
 * @from: numbers are handed in of it, and it may grow
 * @to: numbers are handed out of it
 * @keep: of labels' sets only those with these keys, ends with NULL; NULL keeps all
 * @named: locations of @to that were there without lines and got some
 * @nr_named: of them; set to 0 by who has seen them, by nothing else
 */
struct pick {
	const struct profile *from;
	struct profile *to;
	const char *const *keep;
	uint32_t *named;
	uint32_t nr_named;

	/* private */
	uint32_t round;
	int error;
	struct pick_memo strings;
	struct pick_memo mappings;
	struct pick_memo functions;
	struct pick_memo locations;
	struct pick_memo stacks;
	struct pick_memo labels;
	struct profile_line *lines;
	size_t lines_room;
	uint32_t *path;
	size_t path_room;
	size_t named_room;
};

/* Of zeros at first; what was handed out before is forgotten, and so is an error. */
void pick_begin(struct pick *k, const struct profile *from, struct profile *to);
void pick_release(struct pick *k);
/* Return: 0, -ENOMEM or -E2BIG since pick_begin(), of @to, too. */
int pick_error(const struct pick *k);

uint32_t pick_string(struct pick *k, uint32_t string);
uint32_t pick_stack(struct pick *k, uint32_t stack);
uint32_t pick_labels(struct pick *k, uint32_t labels);

#endif /* USTACK_USER_STORE_PICK_H */
