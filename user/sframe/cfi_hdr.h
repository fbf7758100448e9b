/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the CFI reader: .eh_frame_hdr, which says where .eh_frame is in a file
 * without section headers.
 */
#ifndef USTACK_USER_SFRAME_CFI_HDR_H
#define USTACK_USER_SFRAME_CFI_HDR_H

#include "sframe/cfi_read.h"

/**
 * struct cfi_hdr - what the header says
 * @eh_frame: link-time address of .eh_frame
 * @last: link-time address of the last FDE in the search table; 0 without one
 */
struct cfi_hdr {
	u64 eh_frame;
	u64 last;
};

/* @hdr: the header, with has_base. Returns NULL, or why not. */
const char *cfi_hdr_read(const struct cfi_section *hdr, struct cfi_hdr *ret);

/**
 * cfi_hdr_extent() - where .eh_frame ends
 * @bytes: from its start to the end of the segment
 * @len: of them
 * @vaddr: of its start
 * @hdr: from cfi_hdr_read()
 *
 * The header does not say it. The last FDE of the table does; without a table
 * the first terminator has to do.
 *
 * Return: bytes of .eh_frame.
 */
u32 cfi_hdr_extent(const u8 *bytes, u32 len, u64 vaddr,
		   const struct cfi_hdr *hdr);

#endif /* USTACK_USER_SFRAME_CFI_HDR_H */
