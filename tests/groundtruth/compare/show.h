/* SPDX-License-Identifier: GPL-2.0 */
/* Print one sample in full: both chains, files and offsets, registers. */
#ifndef GT_SHOW_H
#define GT_SHOW_H

#include "compare.h"
#include "reader.h"

void show_sample(const char *title, const struct arch *arch, uint64_t reg_mask,
		 const struct sample *s, struct space *space,
		 const struct chain *c, const struct unwound *u);

#endif /* GT_SHOW_H */
