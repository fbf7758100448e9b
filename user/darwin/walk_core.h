/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same walk by the core, which the module steps through ELF files with: over tables
 * that were made of Mach-O files. Of x86-64 and arm64.
 */
#ifndef USTACK_USER_DARWIN_WALK_CORE_H
#define USTACK_USER_DARWIN_WALK_CORE_H

#include "darwin/walk.h"

struct ustack_table;

/**
 * macho_walk_core() - walk
 * @w: the process, not of x86
 * @table: the table for an address and what is to be taken from that; NULL if there is
 *         none. Gets @w->arg
 * @regs: see macho_walk()
 * @ret: see macho_walk()
 * @room: see macho_walk()
 * @end: see macho_walk()
 *
 * Where no table has a rule the core's own step goes on, by the frame pointer, if the code
 * bears it out.
 *
 * Return: see macho_walk().
 */
size_t macho_walk_core(const struct macho_walk *w,
		       const struct ustack_table *(*table)(void *arg, uint64_t addr,
							   uint64_t *bias),
		       const struct unwind_regs *regs, struct macho_frame *ret, size_t room,
		       enum macho_end *end);

#endif /* USTACK_USER_DARWIN_WALK_CORE_H */
