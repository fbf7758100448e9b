/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/perfdata: reads words and strings of records, in
 * addition to the numbers of util/cursor.h.
 */
#ifndef USTACK_USER_PERFDATA_BYTES_H
#define USTACK_USER_PERFDATA_BYTES_H

#include "util/cursor.h"

/* Return: @nr words that are aligned to 8 bytes, or NULL. */
static inline const uint64_t *perfdata_words(struct cursor *b, uint64_t nr)
{
	if (nr > cursor_left(b) / sizeof(uint64_t) || (uintptr_t)b->p % sizeof(uint64_t)) {
		cursor_set_bad(b);
		return NULL;
	}
	return (const uint64_t *)(const void *)cursor_take(b, nr * sizeof(uint64_t));
}

/*
 * Takes all bytes that are left, which must contain a NUL. Return: them as a
 * string; NULL if there is no NUL.
 */
static inline const char *perfdata_string(struct cursor *b)
{
	size_t left = cursor_left(b);
	const char *at = (const char *)cursor_take(b, left);

	if (at && memchr(at, '\0', left))
		return at;
	cursor_set_bad(b);
	return NULL;
}

#endif /* USTACK_USER_PERFDATA_BYTES_H */
