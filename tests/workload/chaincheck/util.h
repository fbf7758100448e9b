/* SPDX-License-Identifier: GPL-2.0-only */
/* What every file here wants: names kept for good, and growing arrays. */
#ifndef CHAINCHECK_UTIL_H
#define CHAINCHECK_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t u64;

/* say what is wrong with the input or the use and exit 2 */
void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* one pointer for equal names, so that names compare by pointer */
const char *intern(const char *name);

/* room for one more element in an array of *count, kept in powers of two */
void *grow(void *array, size_t count, size_t size);
#define GROW(array, count) ((array) = grow(array, count, sizeof(*(array))))

/* the last part of a path */
const char *base_name(const char *path);

#endif
