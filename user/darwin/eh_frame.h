/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps by __TEXT,__eh_frame of Mach-O files: DWARF's call frame information, for what
 * compact unwinding leaves to it. Read by the same reader as that of ELF files
 * (sframe/cfi.h); here all registers count, and expressions have values.
 *
 * On x86 the section numbers ebp 4 and esp 5, the other way round than System V does.
 *
 * Context: one thread at a time for each.
 */
#ifndef USTACK_USER_DARWIN_EH_FRAME_H
#define USTACK_USER_DARWIN_EH_FRAME_H

#include "darwin/image.h"
#include "darwin/unwind_step.h"

struct cfi;
struct cfi_fde;
struct eh_frame;

/**
 * eh_frame_new() - look at a section
 * @image: ready; must outlive the result
 * @ret: freed with eh_frame_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT if the file has no such section; -EFBIG; -ENOMEM.
 */
int eh_frame_new(const struct macho_image *image, struct eh_frame **ret, struct diag *diag);
/* NULL is fine. */
void eh_frame_free(struct eh_frame *eh);

/**
 * eh_frame_find() - the FDE of an address
 * @eh: open
 * @addr: as linked
 * @hint: offset of an FDE that may be the one: of UNWIND_DWARF
 * @ret: on success; its rows are valid until the next call for @eh
 * @diag: may be NULL
 *
 * Looks at the hint first, and else through all of the section.
 *
 * Return: 0; -ENOENT if there is none; -ENOMEM.
 */
int eh_frame_find(struct eh_frame *eh, uint64_t addr, uint32_t hint, struct cfi_fde *ret,
		  struct diag *diag);

/**
 * eh_frame_step() - to the caller
 * @eh: open
 * @image: of the process; its @u and @code are not used
 * @hint: see eh_frame_find()
 * @regs: see unwind_step(); behind a signal's frame @inner is true again
 * @diag: may be NULL
 *
 * A register that cannot be read is not known of the caller; the CFA and the return
 * address have to be.
 *
 * Return: 1; 0 at the end of the stack: a return address of 0, or none; -ENOENT if
 * nothing is said of the address; -EBADMSG if that is damaged, or would lead down the
 * stack; -ENODATA if it needs what is not known; -EFAULT if the stack could not be read;
 * -ENOMEM.
 */
int eh_frame_step(struct eh_frame *eh, const struct unwind_image *image, uint32_t hint,
		  struct unwind_regs *regs, struct diag *diag);

/* The reader itself, for who wants all of it. */
struct cfi *eh_frame_cfi(struct eh_frame *eh);

#endif /* USTACK_USER_DARWIN_EH_FRAME_H */
