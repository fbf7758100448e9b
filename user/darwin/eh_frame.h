/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps by __TEXT,__eh_frame of Mach-O files: DWARF's call frame information, for functions
 * that compact unwinding does not describe. The reader is that of ELF files (sframe/cfi.h);
 * here all registers are restored, and expressions are evaluated.
 *
 * On x86 the section numbers ebp 4 and esp 5, while System V numbers esp 4 and ebp 5.
 *
 * Context: one thread at a time for each struct eh_frame.
 */
#ifndef USTACK_USER_DARWIN_EH_FRAME_H
#define USTACK_USER_DARWIN_EH_FRAME_H

#include "darwin/image.h"
#include "darwin/unwind_step.h"

struct cfi;
struct cfi_fde;
struct eh_frame;

/**
 * eh_frame_new() - open a section
 * @image: the file; must outlive the result
 * @ret: freed with eh_frame_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENOENT if the file has no such section; -EFBIG; -ENOMEM.
 */
int eh_frame_new(const struct macho_image *image, struct eh_frame **ret, struct diag *diag);
/* Accepts NULL. */
void eh_frame_free(struct eh_frame *eh);

/**
 * eh_frame_find() - find the FDE of an address
 * @eh: open
 * @addr: address, as linked
 * @hint: offset of an FDE that may be the right one, from UNWIND_DWARF; 0 for none
 * @ret: written on success; its rows are valid until the next call for @eh
 * @diag: may be NULL
 *
 * Tries the hint first, and then reads the whole section.
 *
 * Return: 0; -ENOENT if there is none; -ENOMEM.
 */
int eh_frame_find(struct eh_frame *eh, uint64_t addr, uint32_t hint, struct cfi_fde *ret,
		  struct diag *diag);

/**
 * eh_frame_step() - step to the caller
 * @eh: open
 * @image: the process; its @u and @code are not used
 * @hint: see eh_frame_find()
 * @regs: see unwind_step(); after a signal's frame @inner is true again
 * @diag: may be NULL
 *
 * A register that cannot be restored is unknown in the caller; the CFA and the return address
 * must be known.
 *
 * Return: 1; 0 at the end of the stack: a return address of 0, or none; -ENOENT if no FDE
 * covers the address; -EBADMSG if the FDE is damaged, or would lead down the stack; -ENODATA
 * if it needs an unknown register; -EFAULT if the stack could not be read; -ENOMEM.
 */
int eh_frame_step(struct eh_frame *eh, const struct unwind_image *image, uint32_t hint,
		  struct unwind_regs *regs, struct diag *diag);

/* The CFI reader itself, for callers that read all entries. */
struct cfi *eh_frame_cfi(struct eh_frame *eh);

#endif /* USTACK_USER_DARWIN_EH_FRAME_H */
