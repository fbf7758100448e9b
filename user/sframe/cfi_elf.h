/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the CFI reader: the sections of an ELF file, read with libelf and
 * copied; compressed ones are unpacked.
 */
#ifndef USTACK_USER_SFRAME_CFI_ELF_H
#define USTACK_USER_SFRAME_CFI_ELF_H

#include "sframe/cfi_read.h"
#include "util/diag.h"
#include "util/file.h"

/**
 * struct cfi_elf - an open ELF file
 * @name: name of the file for diagnostics, borrowed
 * @file: the open file; unused if the ELF file is in memory
 * @image: our copy of an ELF file in memory, else NULL
 * @elf: libelf's handle; owns the sections' bytes
 * @arch: architecture of the file
 */
struct cfi_elf {
	const char *name;
	struct file file;
	u8 *image;
	struct Elf *elf;
	const struct ustack_arch *arch;
};

/* Each needs cfi_elf_release() even when it fails; the name must outlive @e. */
int cfi_elf_open(struct cfi_elf *e, const char *path, struct diag *diag);
/* @fd stays the caller's; it is duplicated. */
int cfi_elf_fd(struct cfi_elf *e, int fd, const char *name, struct diag *diag);
int cfi_elf_memory(struct cfi_elf *e, const char *name, const void *image,
		   size_t len, struct diag *diag);
void cfi_elf_release(struct cfi_elf *e);

/**
 * cfi_elf_eh_frame() - find .eh_frame
 * @e: open
 * @ret: the section; its bytes belong to @e
 * @diag: may be NULL
 *
 * Return: 1, 0 if there is none, or a negative errno.
 */
int cfi_elf_eh_frame(struct cfi_elf *e, struct cfi_section *ret,
		     struct diag *diag);

/* cfi_elf_debug_frame() - the same for .debug_frame */
int cfi_elf_debug_frame(struct cfi_elf *e, struct cfi_section *ret,
			struct diag *diag);

#endif /* USTACK_USER_SFRAME_CFI_ELF_H */
