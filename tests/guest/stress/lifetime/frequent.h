/* SPDX-License-Identifier: GPL-2.0-only */
/* The most frequent callers, without the pc, in the samples of a program. */
#ifndef LIFETIME_FREQUENT_H
#define LIFETIME_FREQUENT_H

#include <stddef.h>

#define CALLERS_BYTES 640

/*
 * Runs PATH and samples it. Return: number of samples that have the most frequent tail, which
 * is written as " ADDR ADDR..."; 0 when the program could not run.
 */
unsigned long frequent_callers(const char *path, char *tail, size_t size);

#endif
