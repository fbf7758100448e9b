/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers of gt-compare: allocation, fatal errors, a hash step. */
#ifndef GT_UTIL_H
#define GT_UTIL_H

#include <stddef.h>
#include <stdint.h>

/* prints the message and calls exit(2): the program could not do its work */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);

static inline uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

#endif /* GT_UTIL_H */
