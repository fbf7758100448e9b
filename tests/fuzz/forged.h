/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of a hostile process: the input, from FORGED_BASE on.
 */
#ifndef USTACK_FUZZ_FORGED_H
#define USTACK_FUZZ_FORGED_H

#include "fuzz.h"

#include "util/utf8.h"

#define FORGED_BASE 0x10000u

/**
 * struct forged - the input as memory
 * @bytes: the input; borrowed
 * @size: number of bytes in @bytes
 * @reads: number of reads so far
 */
struct forged {
	const u8 *bytes;
	size_t size;
	unsigned int reads;
};

/* Reads memory, for struct lang_memory; @arg is a struct forged. */
static inline bool forged_read(void *arg, uint64_t addr, void *buf, size_t len)
{
	struct forged *in = arg;

	in->reads++;
	if (addr < FORGED_BASE || addr - FORGED_BASE > in->size ||
	    len > in->size - (addr - FORGED_BASE))
		return false;
	memcpy(buf, in->bytes + (addr - FORGED_BASE), len);
	return true;
}

/*
 * Checks that a text that was read is UTF-8 without control characters, and
 * ends within @room bytes.
 */
static inline void forged_check_text(const char *s, size_t room)
{
	must(strlen(s) < room);
	must(utf8_valid(s));
	for (; *s; s++)
		must((u8)*s >= 0x20 && (u8)*s != 0x7f);
}

#endif /* USTACK_FUZZ_FORGED_H */
