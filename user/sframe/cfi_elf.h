/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the CFI reader: the sections of an ELF file, read with libelf and
 * copied, compressed ones unpacked.
 */
#ifndef USTACK_USER_SFRAME_CFI_ELF_H
#define USTACK_USER_SFRAME_CFI_ELF_H

#include "sframe/cfi_read.h"
#include "util/diag.h"
#include "util/file.h"

/**
 * struct cfi_elf - an open ELF file
 * @name: for diagnostics
 * @file: if it is a file
 * @image: if it is in memory: our copy
 * @elf: libelf's; owns the sections' bytes
 * @arch: what it is for
 */
struct cfi_elf {
	const char *name;
	struct file file;
	u8 *image;
	struct Elf *elf;
	const struct ustack_arch *arch;
};

/* Each needs cfi_elf_release() in any case, and the name to outlive it. */
int cfi_elf_open(struct cfi_elf *e, const char *path, struct diag *diag);
/* @fd stays the caller's. */
int cfi_elf_fd(struct cfi_elf *e, int fd, const char *name, struct diag *diag);
int cfi_elf_memory(struct cfi_elf *e, const char *name, const void *image,
		   size_t len, struct diag *diag);
void cfi_elf_release(struct cfi_elf *e);

/**
 * cfi_elf_eh_frame() - find .eh_frame
 * @e: open
 * @ret: borrows from @e
 * @diag: may be NULL
 *
 * Return: 1, 0 if there is none, or a negative errno.
 */
int cfi_elf_eh_frame(struct cfi_elf *e, struct cfi_section *ret,
		     struct diag *diag);

/* The same for .debug_frame. */
int cfi_elf_debug_frame(struct cfi_elf *e, struct cfi_section *ret,
			struct diag *diag);

#endif /* USTACK_USER_SFRAME_CFI_ELF_H */
