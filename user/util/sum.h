/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums that saturate and do not overflow.
 */
#ifndef USTACK_USER_UTIL_SUM_H
#define USTACK_USER_UTIL_SUM_H

#include <stdint.h>

/* Return: the sum, or the largest or smallest number if the sum does not fit. */
static inline int64_t sum_i64(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

#endif /* USTACK_USER_UTIL_SUM_H */
