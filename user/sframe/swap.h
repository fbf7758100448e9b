/* SPDX-License-Identifier: GPL-2.0-only */
/* A section of the other byte order, written in ours, so that the core's decoder can show it. */
#ifndef USTACK_USER_SFRAME_SWAP_H
#define USTACK_USER_SFRAME_SWAP_H

#include "core.h"

/**
 * struct sframe_foreign - an architecture of big-endian files
 * @arch: what its rows are decoded by
 * @abi: the section's identifier, SFRAME_ABI_*; in @arch is the one that the core compares
 * @row: puts right what @arch's decoder does not know; NULL if that is nothing
 */
struct sframe_foreign {
	const struct ustack_arch *arch;
	u8 abi;
	void (*row)(struct ustack_rule *rule, bool flexible);
};

/* The table for an e_machine of a big-endian file (EM_*); NULL if ustack does not know it. */
const struct sframe_foreign *sframe_foreign_by_machine(u16 machine);

/**
 * sframe_swap() - turn the numbers of a section round
 * @bytes: a big-endian section of @len bytes, written to
 * @len: at most USTACK_MAX_SECTION
 * @foreign: what it is of
 *
 * What the headers do not lead to stays as it is; so do entries and rows that overlap others or
 * are cut off: the core's decoder says what is wrong with these. Each byte is turned round once,
 * however many entries share it, and rows are read as often as there may be rows.
 *
 * Return: 0 or -ENOMEM.
 */
int sframe_swap(u8 *bytes, u32 len, const struct sframe_foreign *foreign);

#endif /* USTACK_USER_SFRAME_SWAP_H */
