/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes memory run out: replaces reallocarray(), by which arrays and tables of user/ grow, in
 * this program. Included by one source of a test.
 */
#ifndef USTACK_UNIT_ALLOC_FAIL_H
#define USTACK_UNIT_ALLOC_FAIL_H

#include <errno.h>
#include <stdlib.h>

/* number of calls that succeed before one fails; negative: all succeed */
static long alloc_left = -1;

void *reallocarray(void *old, size_t nr, size_t size);
void *reallocarray(void *old, size_t nr, size_t size)
{
	size_t bytes;

	if (!alloc_left || __builtin_mul_overflow(nr, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (alloc_left > 0)
		alloc_left--;
	return realloc(old, bytes);
}

#endif /* USTACK_UNIT_ALLOC_FAIL_H */
