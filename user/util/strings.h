/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings that are stored once each, and have numbers in ascending order.
 * Number 0 is "". A string stays at its address until strings_release().
 */
#ifndef USTACK_USER_STRINGS_H
#define USTACK_USER_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "util/intern.h"

struct strings_chunk;

struct strings_entry {
	const char *s;
	uint32_t len;	/* bytes of @s without the NUL */
};

/**
 * struct strings - a table of strings
 * @entries: strings by their number; callers may read them
 * @nr: number of strings in @entries
 */
struct strings {
	struct strings_entry *entries;
	uint32_t nr;

	/* private */
	size_t room;
	struct strings_chunk *chunks;
	struct intern index;
};

/* Return: 0 or -ENOMEM; strings_release() is needed in either case. */
int strings_init(struct strings *t);
void strings_release(struct strings *t);

/**
 * strings_add() - get the number of a string; a new string is added
 * @t: the table
 * @s: string without a NUL in it; copied
 * @len: bytes of @s
 * @ret: number of the string
 *
 * Return: 0; -ENOMEM; -E2BIG for 4 G strings or a string of 4 GB.
 */
int strings_add(struct strings *t, const char *s, size_t len, uint32_t *ret);

/* Return: the number of a string, or 0 if it is not in the table. */
uint32_t strings_find(const struct strings *t, const char *s, size_t len);

#endif /* USTACK_USER_STRINGS_H */
