/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults of libdw or of a file's CFI that are known, each by name and place.
 * A line of the list: NAME IMAGE BUILD-ID LOW-HIGH, the addresses link-time and
 * at most 4096 bytes apart; BUILD-ID is at least 8 digits of it. '#' starts a
 * comment. A mismatch is excused if the frame whose step it is lies in there.
 */
#ifndef GT_EXCUSE_H
#define GT_EXCUSE_H

#include "files.h"

void excuse_load(const char *path);
/* the name of the excuse for a place, or NULL */
const char *excuse_find(const struct file *f, uint64_t vaddr);

/* the same, and it was needed */
const char *excuse_match(const struct file *f, uint64_t vaddr);
void excuse_print(void);
void excuse_release(void);

#endif /* GT_EXCUSE_H */
