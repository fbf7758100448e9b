/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings that are kept once and have numbers, in ascending order from 0, which is "".
 * They stay where they are until strings_release().
 */
#ifndef USTACK_USER_STRINGS_H
#define USTACK_USER_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "util/intern.h"

struct strings_chunk;

struct strings_entry {
	const char *s;
	uint32_t len;	/* without the NUL */
};

/**
 * struct strings - to be read by anyone
 * @entries: by number
 * @nr: of them
 */
struct strings {
	struct strings_entry *entries;
	uint32_t nr;

	/* private */
	size_t room;
	struct strings_chunk *chunks;
	struct intern index;
};

/* Return: 0 or -ENOMEM; to be released in either case. */
int strings_init(struct strings *t);
void strings_release(struct strings *t);

/**
 * strings_add() - the number of a string
 * @t: the table
 * @s: @len bytes without a NUL; copied
 * @len: any
 * @ret: its number
 *
 * Return: 0; -ENOMEM; -E2BIG: 4 G of them, or one of 4 GB.
 */
int strings_add(struct strings *t, const char *s, size_t len, uint32_t *ret);

/* Return: the number of a string that is there, or 0. */
uint32_t strings_find(const struct strings *t, const char *s, size_t len);

#endif /* USTACK_USER_STRINGS_H */
