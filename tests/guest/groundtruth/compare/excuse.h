/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Known faults of libdw or of a file's CFI, each with a name and a place. A line of the list is
 * NAME IMAGE BUILD-ID LOW-HIGH. The addresses are link-time addresses, at most 4096 bytes
 * apart; BUILD-ID is at least 8 of its digits. '#' starts a comment. A mismatch is excused if
 * the frame from which the wrong step was made lies in that range.
 */
#ifndef GT_EXCUSE_H
#define GT_EXCUSE_H

#include "files.h"

void excuse_load(const char *path);
/* the name of the excuse for a place, or NULL */
const char *excuse_find(const struct file *f, uint64_t vaddr);

/* the same, and counts the excuse as used */
const char *excuse_match(const struct file *f, uint64_t vaddr);
void excuse_print(void);
void excuse_release(void);

#endif /* GT_EXCUSE_H */
