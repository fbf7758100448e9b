/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the CFI reader: .eh_frame_hdr, by which .eh_frame is found in a file
 * without section headers.
 */
#ifndef USTACK_USER_SFRAME_CFI_HDR_H
#define USTACK_USER_SFRAME_CFI_HDR_H

#include "sframe/cfi_read.h"

/**
 * struct cfi_hdr - contents of the header
 * @eh_frame: link-time address of .eh_frame
 * @last: link-time address of the last FDE in the search table; 0 without one
 */
struct cfi_hdr {
	u64 eh_frame;
	u64 last;
};

/* @hdr: the header, with has_base. Returns NULL, or why it cannot be read. */
const char *cfi_hdr_read(const struct cfi_section *hdr, struct cfi_hdr *ret);

/**
 * cfi_hdr_extent() - find the end of .eh_frame
 * @bytes: from the start of .eh_frame to the end of the segment
 * @len: number of @bytes
 * @vaddr: link-time address of @bytes
 * @hdr: from cfi_hdr_read()
 *
 * The header has no length. The last FDE in the table ends the section; without a
 * table the first terminator does.
 *
 * Return: number of bytes of .eh_frame.
 */
u32 cfi_hdr_extent(const u8 *bytes, u32 len, u64 vaddr,
		   const struct cfi_hdr *hdr);

#endif /* USTACK_USER_SFRAME_CFI_HDR_H */
