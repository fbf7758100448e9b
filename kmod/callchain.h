/* SPDX-License-Identifier: GPL-2.0-only */
/* Walks one sample: from user registers to a stored chain of pcs. */
#ifndef USTACK_CALLCHAIN_H
#define USTACK_CALLCHAIN_H

#include <linux/perf_event.h>

extern unsigned int ustack_max_frames;	/* module parameter */
extern bool ustack_guess;		/* module parameter */

/**
 * ustack_callchain_user() - replaces perf_callchain_user()
 * @entry: where pcs are stored; perf has already stored the context marker
 * @regs: user registers of current
 *
 * Context: NMI-safe.
 */
void ustack_callchain_user(struct perf_callchain_entry_ctx *entry,
			   struct pt_regs *regs);

/**
 * ustack_callchain_entries() - walk into an array, waiting for swapped-out pages
 * @regs: user registers of current
 * @entries: where pcs are stored
 * @max: number of entries that fit
 *
 * Context: process, may sleep.
 * Return: number of pcs stored.
 */
unsigned int ustack_callchain_entries(struct pt_regs *regs,
				      unsigned long *entries, unsigned int max);

#endif /* USTACK_CALLCHAIN_H */
