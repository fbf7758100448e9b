/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the known word that a person may have meant by an unknown one.
 */
#ifndef USTACK_USER_SUGGEST_H
#define USTACK_USER_SUGGEST_H

#include <stddef.h>

/**
 * struct suggestion - the nearest of the known words
 * @word: word that the person typed; not NUL-terminated, borrowed
 * @len: bytes of @word
 * @best: nearest known word so far; NULL if none is near
 */
struct suggestion {
	const char *word;
	size_t len;
	const char *best;

	/* private: number of edits between @word and @best */
	unsigned int distance;
};

/* Starts a search. @word is borrowed. */
void suggestion_init(struct suggestion *s, const char *word, size_t len);

/**
 * suggestion_try() - compare with one known word
 * @s: initialized
 * @known: known word; borrowed
 *
 * An edit is one letter more, one less, another letter, or two letters swapped.
 * A known word is near if it needs at most one edit for every four letters.
 */
void suggestion_try(struct suggestion *s, const char *known);

#endif /* USTACK_USER_SUGGEST_H */
