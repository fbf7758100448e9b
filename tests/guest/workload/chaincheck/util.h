/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers of all files here: strings that are kept for ever, and growing arrays. */
#ifndef CHAINCHECK_UTIL_H
#define CHAINCHECK_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t u64;

/* reports a fault of the input or of the usage, and exits with status 2 */
void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* returns the same pointer for equal names, so that names compare by pointer */
const char *intern(const char *name);

/* makes room for one more element in an array of *count; sizes are powers of two */
void *grow(void *array, size_t count, size_t size);
#define GROW(array, count) ((array) = grow(array, count, sizeof(*(array))))

/* the last part of a path */
const char *base_name(const char *path);

#endif
