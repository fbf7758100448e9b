/* SPDX-License-Identifier: GPL-2.0-only */
/* Forged memory of a process: BYTES bytes from the address BASE on. */
#ifndef USTACK_UNIT_FORGED_MEMORY_H
#define USTACK_UNIT_FORGED_MEMORY_H

#include "support.h"

#define BASE 0x10000u
#define BYTES 0x2000u

/**
 * struct forged - the memory
 * @bytes: contents, from BASE on
 * @reads: number of reads
 */
struct forged {
	u8 bytes[BYTES];
	unsigned int reads;
};

/* For struct lang_memory; @arg is a struct forged. */
static inline bool read_image(void *arg, uint64_t addr, void *buf, size_t len)
{
	struct forged *m = arg;

	m->reads++;
	if (addr < BASE || addr - BASE > BYTES || len > BYTES - (addr - BASE))
		return false;
	memcpy(buf, m->bytes + (addr - BASE), len);
	return true;
}

/* Writes the first @len bytes of @value to @addr. */
static inline void put(struct forged *m, u64 addr, u64 value, size_t len)
{
	memcpy(m->bytes + (addr - BASE), &value, len);
}

#endif /* USTACK_UNIT_FORGED_MEMORY_H */
