/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints one sample in full: both chains, files and offsets, registers. */
#ifndef GT_SHOW_H
#define GT_SHOW_H

#include "subject.h"

void show_sample(const char *title, const struct subject *x);

#endif /* GT_SHOW_H */
