// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads .eh_frame_hdr: the address of .eh_frame, and the end of .eh_frame by the
 * last FDE in the search table. cfi_elf.c calls it for files without sections.
 */
#include "sframe/cfi_hdr.h"

#include <dwarf.h>

/* The table has pairs: a function's address and its FDE's, sorted by function. */
static const char *read_table(const struct cfi_section *hdr,
			      struct ustack_cursor *c, u8 encoding, u64 count,
			      u64 *ret)
{
	const char *why;
	u64 func, fde;

	/* each pair takes bytes of the section, which bounds the loop */
	for (*ret = 0; count; count--) {
		why = cfi_pointer(hdr, c, encoding, &func);
		if (!why)
			why = cfi_pointer(hdr, c, encoding, &fde);
		if (why)
			return why;
		if (fde > *ret)
			*ret = fde;
	}
	return NULL;
}

const char *cfi_hdr_read(const struct cfi_section *hdr, struct cfi_hdr *ret)
{
	u8 version, frame, number, table;
	struct ustack_cursor c;
	const char *why;
	u64 count;

	ustack_cursor_init(&c, hdr->bytes, 0, hdr->len);
	version = ustack_cursor_u8(&c);
	frame = ustack_cursor_u8(&c);
	number = ustack_cursor_u8(&c);
	table = ustack_cursor_u8(&c);
	if (version != 1)
		return "the header of .eh_frame has an unknown version";
	*ret = (struct cfi_hdr){ .last = 0 };
	why = cfi_pointer(hdr, &c, frame, &ret->eh_frame);
	if (why || number == DW_EH_PE_omit || table == DW_EH_PE_omit)
		return why;
	why = cfi_pointer(hdr, &c, number, &count);
	return why ? why : read_table(hdr, &c, table, count, &ret->last);
}

/* Length in bytes of the entry at @off, with its length field; 0 if it is cut. */
static u32 entry_len(const u8 *bytes, u32 len, u32 off)
{
	struct ustack_cursor c;
	u64 n;

	ustack_cursor_init(&c, bytes, off, len);
	n = ustack_cursor_u32(&c);
	if (n == UINT32_MAX)
		n = ustack_cursor_u64(&c);
	if (c.failed || n > len - c.pos)
		return 0;
	return (u32)n + (c.pos - off);
}

u32 cfi_hdr_extent(const u8 *bytes, u32 len, u64 vaddr,
		   const struct cfi_hdr *hdr)
{
	u32 at = 0, n;

	if (hdr->last >= vaddr && hdr->last - vaddr < len) {
		at = (u32)(hdr->last - vaddr);
		return at + entry_len(bytes, len, at);
	}
	while (len - at >= 4 && ustack_le32(bytes + at)) {
		n = entry_len(bytes, len, at);
		if (!n)
			return len;	/* the reader reports where it is wrong */
		at += n;
	}
	return at;
}
