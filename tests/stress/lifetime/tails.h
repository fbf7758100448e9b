/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands behind the pc in most samples of a program. */
#ifndef LIFETIME_TAILS_H
#define LIFETIME_TAILS_H

#include <stddef.h>

#define TAIL_BYTES 640

/* Runs PATH and samples it. Return: samples that have the most frequent tail,
 * written as " ADDR ADDR..."; 0 when the program could not run.
 */
unsigned long tail_of(const char *path, char *tail, size_t size);

#endif
