/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of address ranges: .debug_ranges (versions up to 4), .debug_rnglists (5). */
#ifndef USTACK_USER_DWARF_RANGES_H
#define USTACK_USER_DWARF_RANGES_H

#include "formats/dwarf/unit.h"
#include "util/range.h"

/* None of them is empty. */
struct dwarf_ranges {
	struct range *p;
	size_t nr;
	size_t room;
};

/* Return: 0 or -ENOMEM. An empty range is not added. */
int dwarf_ranges_add(struct dwarf_ranges *r, uint64_t start, uint64_t end);

/**
 * dwarf_ranges_read() - append those of a list
 * @u: open
 * @v: value of a DW_AT_ranges
 * @ret: grows
 * @diag: may be NULL
 *
 * Return: bytes that were read; -EBADMSG, with nothing appended; -ENOMEM.
 */
int64_t dwarf_ranges_read(const struct dwarf_unit *u, const struct dwarf_value *v,
			  struct dwarf_ranges *ret, struct diag *diag);

#endif /* USTACK_USER_DWARF_RANGES_H */
