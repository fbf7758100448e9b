/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of address ranges: .debug_ranges (versions up to 4) and .debug_rnglists
 * (version 5).
 */
#ifndef USTACK_USER_DWARF_RANGES_H
#define USTACK_USER_DWARF_RANGES_H

#include "formats/dwarf/unit.h"
#include "util/range.h"

/* A growing list of ranges, none of which is empty. */
struct dwarf_ranges {
	struct range *p;
	size_t nr;
	size_t room;
};

/* Adds a range, unless it is empty. Return: 0 or -ENOMEM. */
int dwarf_ranges_add(struct dwarf_ranges *r, uint64_t start, uint64_t end);

/**
 * dwarf_ranges_read() - read a list of ranges and append it
 * @u: open
 * @v: value of DW_AT_ranges
 * @ret: the ranges are appended to this
 * @diag: may be NULL
 *
 * Return: number of bytes read; -EBADMSG, with nothing appended; -ENOMEM.
 */
int64_t dwarf_ranges_read(const struct dwarf_unit *u, const struct dwarf_value *v,
			  struct dwarf_ranges *ret, struct diag *diag);

#endif /* USTACK_USER_DWARF_RANGES_H */
