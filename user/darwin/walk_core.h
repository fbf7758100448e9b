/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same walk made by the core, with which the module unwinds ELF files, over tables made from
 * Mach-O files. For x86-64 and arm64.
 */
#ifndef USTACK_USER_DARWIN_WALK_CORE_H
#define USTACK_USER_DARWIN_WALK_CORE_H

#include "darwin/walk.h"

struct ustack_table;

/**
 * macho_walk_core() - walk a stack
 * @w: the process, not of x86
 * @table: returns the table for an address, and in @bias the number to subtract from the
 *         address; NULL if there is none. Gets @w->arg
 * @regs: see macho_walk()
 * @ret: see macho_walk()
 * @room: see macho_walk()
 * @end: see macho_walk()
 *
 * If no table has a rule, the core's blind step is used: it follows the frame pointer, if the
 * code confirms it.
 *
 * Return: see macho_walk().
 */
size_t macho_walk_core(const struct macho_walk *w,
		       const struct ustack_table *(*table)(void *arg, uint64_t addr,
							   uint64_t *bias),
		       const struct unwind_regs *regs, struct macho_frame *ret, size_t room,
		       enum macho_end *end);

#endif /* USTACK_USER_DARWIN_WALK_CORE_H */
