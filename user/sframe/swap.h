/* SPDX-License-Identifier: GPL-2.0-only */
/* Byte-swaps a big-endian section, so that the core's decoder can show it. */
#ifndef USTACK_USER_SFRAME_SWAP_H
#define USTACK_USER_SFRAME_SWAP_H

#include "core.h"

/**
 * struct sframe_foreign - the architecture of a big-endian file
 * @arch: architecture that its rows are decoded as
 * @abi: the section's identifier, SFRAME_ABI_*; the core compares the one in @arch
 * @row: corrects a decoded row as @arch's decoder does not know this ABI; NULL if it need not
 */
struct sframe_foreign {
	const struct ustack_arch *arch;
	u8 abi;
	void (*row)(struct ustack_rule *rule, bool flexible);
};

/* The table for an e_machine of a big-endian file (EM_*); NULL if ustack does not know it. */
const struct sframe_foreign *sframe_foreign_by_machine(u16 machine);

/**
 * sframe_swap() - swap the bytes of a section's numbers
 * @bytes: a big-endian section of @len bytes, changed in place
 * @len: number of @bytes, at most USTACK_MAX_SECTION
 * @foreign: architecture of the section
 *
 * Bytes that the headers do not lead to are not changed. Neither are entries and rows that
 * overlap others or are cut; the core's decoder reports what is wrong with them. Each byte is
 * swapped once, however many entries share it, and the number of rows read is bounded.
 *
 * Return: 0 or -ENOMEM.
 */
int sframe_swap(u8 *bytes, u32 len, const struct sframe_foreign *foreign);

#endif /* USTACK_USER_SFRAME_SWAP_H */
