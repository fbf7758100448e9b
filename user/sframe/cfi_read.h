/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of the CFI reader: a section, LEB128 numbers (util/leb.h)
 * over the core's cursor, and the reason why an entry is lost. Cursors run over
 * whole sections, so that their positions are offsets in the section.
 */
#ifndef USTACK_USER_SFRAME_CFI_READ_H
#define USTACK_USER_SFRAME_CFI_READ_H

#include "core.h"
#include "cursor.h"

/**
 * struct cfi_section - bytes with CFI in them
 * @name: name of the section in the file
 * @bytes: contents of the section, borrowed
 * @len: number of @bytes, below 4 GiB
 * @vaddr: link-time address of the section
 * @debug: true if it has the syntax of .debug_frame
 * @has_base: datarel pointers are relative to @vaddr; else they have no base
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
 * @why: a static sentence; NULL if the entry is not lost
 * @off: offset in the section of the bytes that @why is about
 */
struct cfi_loss {
	const char *why;
	u64 off;
};

/* A loss that is not the entry's fault; callers compare @why with its address. */
extern const char cfi_no_memory[];

/* Always false, so that a reader can fail in one line. The first loss is kept. */
static inline bool cfi_lose(struct cfi_loss *loss, u64 off, const char *why)
{
	if (!loss->why)
		*loss = (struct cfi_loss){ why, off };
	return false;
}

u64 cfi_uleb_long(struct ustack_cursor *c);
s64 cfi_sleb(struct ustack_cursor *c);

/* A number of more than 64 bits makes the cursor fail. Most numbers have one byte. */
static __always_inline u64 cfi_uleb(struct ustack_cursor *c)
{
	if (likely(c->pos < c->end && c->bytes[c->pos] < 0x80))
		return c->bytes[c->pos++];
	return cfi_uleb_long(c);
}

/**
 * cfi_pointer() - read a pointer
 * @s: the section
 * @c: cursor at the pointer; its position is moved past it
 * @encoding: DW_EH_PE_*
 * @ret: link-time address; 0 if 0 is stored, whatever the pointer is relative to
 *
 * Return: NULL, or why it cannot be read.
 */
const char *cfi_pointer(const struct cfi_section *s, struct ustack_cursor *c,
			u8 encoding, u64 *ret);

#endif /* USTACK_USER_SFRAME_CFI_READ_H */
