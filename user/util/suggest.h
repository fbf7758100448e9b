/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person may have meant by a word that is not known. */
#ifndef USTACK_USER_SUGGEST_H
#define USTACK_USER_SUGGEST_H

#include <stddef.h>

/**
 * struct suggestion - the nearest of the words that are known
 * @word: that was typed; not NUL-terminated
 * @len: bytes of @word
 * @best: the nearest so far; NULL if none is near
 */
struct suggestion {
	const char *word;
	size_t len;
	const char *best;

	/* private: letters that differ */
	unsigned int distance;
};

/* @len bytes of @word, which is borrowed. */
void suggestion_init(struct suggestion *s, const char *word, size_t len);

/**
 * suggestion_try() - look at one of the words that are known
 * @s: initialized
 * @known: it; borrowed
 *
 * Near is what one letter more, less or other, or two letters in the other order make of it,
 * once in four letters.
 */
void suggestion_try(struct suggestion *s, const char *known);

#endif /* USTACK_USER_SUGGEST_H */
