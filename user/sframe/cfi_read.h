/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the reader of CFI shares: a section, LEB128 numbers (util/leb.h) over the
 * core's cursor, and how a loss is told. Cursors run over whole sections, so that their positions
 * are offsets in the section.
 */
#ifndef USTACK_USER_SFRAME_CFI_READ_H
#define USTACK_USER_SFRAME_CFI_READ_H

#include "core.h"
#include "cursor.h"

/**
 * struct cfi_section - bytes with CFI in them
 * @name: as in the file
 * @bytes: borrowed
 * @len: below 4 GiB
 * @vaddr: link-time address
 * @debug: of .debug_frame's syntax
 * @has_base: there is a base for datarel pointers, which is @vaddr
 * @narrow: addresses have 32 bits
 */
struct cfi_section {
	const char *name;
	const u8 *bytes;
	u32 len;
	u64 vaddr;
	bool debug;
	bool has_base;
	bool narrow;
};

/**
 * struct cfi_loss - why an entry is lost
 * @why: a static sentence; NULL if it is not
 * @off: offset in the section
 */
struct cfi_loss {
	const char *why;
	u64 off;
};

/* Not the entry's fault: compared by address. */
extern const char cfi_no_memory[];

/* Always false, so that a reader can fail in one line; the first loss stays. */
static inline bool cfi_lose(struct cfi_loss *loss, u64 off, const char *why)
{
	if (!loss->why)
		*loss = (struct cfi_loss){ why, off };
	return false;
}

u64 cfi_uleb_long(struct ustack_cursor *c);
s64 cfi_sleb(struct ustack_cursor *c);

/* A number beyond 64 bits makes the cursor fail. Most have one byte. */
static __always_inline u64 cfi_uleb(struct ustack_cursor *c)
{
	if (likely(c->pos < c->end && c->bytes[c->pos] < 0x80))
		return c->bytes[c->pos++];
	return cfi_uleb_long(c);
}

/**
 * cfi_pointer() - read a pointer
 * @s: the section
 * @c: at the pointer
 * @encoding: DW_EH_PE_*
 * @ret: link-time address; 0 where 0 is stored, whatever it is relative to
 *
 * Return: NULL, or why not.
 */
const char *cfi_pointer(const struct cfi_section *s, struct ustack_cursor *c,
			u8 encoding, u64 *ret);

#endif /* USTACK_USER_SFRAME_CFI_READ_H */
