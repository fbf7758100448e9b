/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clocks in nanoseconds, as 64-bit numbers.
 */
#ifndef USTACK_USER_CLOCK_H
#define USTACK_USER_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Return: nanoseconds of a clock of clock_gettime(2). */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Return: nanoseconds in the form that functions which wait take. */
static inline struct timespec clock_timespec(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
}

#endif /* USTACK_USER_CLOCK_H */
