/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies parts of one profile into another: stacks, label sets and strings, by number and on
 * demand. Each is copied once.
 *
 *	copier_begin(&k, from, to);
 *	profile_add(to, copier_stack(&k, s->stack), copier_labels(&k, s->labels), value);
 *	if (copier_error(&k)) ...
 *	copier_begin(&k, from, other);
 *	...
 *	copier_release(&k);
 */
#ifndef USTACK_USER_STORE_COPIER_H
#define USTACK_USER_STORE_COPIER_H

#include "profile/profile.h"

/*
 * For one kind of definition: at each number of @from the round in the upper 32 bits and the number
 * in @to in the lower ones. Entries of another round than struct copier's are void.
 */
struct copier_memo {
	uint64_t *of;
	size_t room;
};

/**
 * struct copier - state of copying from one profile to another
 * @from: the source; callers pass its numbers, and it may grow meanwhile
 * @to: the destination; functions return its numbers
 * @keep: keys of the labels that are copied, ends with NULL; NULL copies all labels
 * @named: locations of @to that had no lines before and got some
 * @nr_named: number of entries in @named; the caller sets it to 0 when it has used them,
 *            copier_begin() does not
 */
struct copier {
	const struct profile *from;
	struct profile *to;
	const char *const *keep;
	uint32_t *named;
	uint32_t nr_named;

	/* private */
	uint32_t round;
	int error;
	struct copier_memo strings;
	struct copier_memo mappings;
	struct copier_memo functions;
	struct copier_memo locations;
	struct copier_memo stacks;
	struct copier_memo labels;
	struct profile_line *lines;
	size_t lines_room;
	uint32_t *path;
	size_t path_room;
	size_t named_room;
};

/* Begins to copy between two profiles. @k is all zero before its first use. Numbers that were
 * returned before, and an error, are forgotten.
 */
void copier_begin(struct copier *k, const struct profile *from, struct profile *to);
void copier_release(struct copier *k);
/* Return: the first error since copier_begin(), else @to's error: 0, -ENOMEM or -E2BIG. */
int copier_error(const struct copier *k);

/* Each of these copies something of @from. Return: its number in @to; 0 also on an error. */
uint32_t copier_string(struct copier *k, uint32_t string);
uint32_t copier_stack(struct copier *k, uint32_t stack);
uint32_t copier_labels(struct copier *k, uint32_t labels);

#endif /* USTACK_USER_STORE_COPIER_H */
