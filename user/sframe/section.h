/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An .sframe section in user space: from a path to the core's table.
 *
 *	struct sframe_section s = SFRAME_SECTION_INIT;
 *	err = sframe_section_read(&s, path, NULL, &diag);	the bytes
 *	err = err ?: sframe_section_prove(&s, &diag);		s.core.report, s.table
 *	sframe_section_release(&s);
 */
#ifndef USTACK_USER_SFRAME_SECTION_H
#define USTACK_USER_SFRAME_SECTION_H

#include "core.h"
#include "util/diag.h"

struct sframe_foreign;

/**
 * struct sframe_raw - facts about a bare section that an ELF file would have
 * @arch: architecture it must be for
 * @vaddr: link-time address that its contents assume it to be at
 */
struct sframe_raw {
	const struct ustack_arch *arch;
	u64 vaddr;
};

/**
 * struct sframe_section - a section, and the table made from it
 * @path: path of the file, borrowed
 * @elf: the file's headers; for a bare section only @elf.text, which is all of
 *       the address space
 * @core: the section as the core sees it
 * @bytes: the section's bytes, owned; NULL if it is borrowed
 * @foreign: architecture of a big-endian file, whose @bytes have been swapped; else NULL
 * @scratch: work memory of verify and compile
 * @table: the compiled table
 */
struct sframe_section {
	const char *path;
	struct ustack_elf elf;
	struct ustack_section core;
	u8 *bytes;
	const struct sframe_foreign *foreign;
	void *scratch;
	struct ustack_table *table;
};

#define SFRAME_SECTION_INIT { .path = NULL }

/**
 * sframe_section_read() - copy a file's section
 * @s: holds SFRAME_SECTION_INIT
 * @path: must outlive @s
 * @raw: the file is a bare section; NULL if it is an ELF file
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno; EBADMSG with a reason when the file is refused.
 */
int sframe_section_read(struct sframe_section *s, const char *path,
			const struct sframe_raw *raw, struct diag *diag);

/**
 * sframe_section_borrow() - use a section that is in memory
 * @s: holds SFRAME_SECTION_INIT; it must not be moved afterwards
 * @path: for messages; must outlive @s
 * @elf: headers of the file that it describes, copied
 * @bytes: the section; borrowed
 * @len: number of @bytes
 * @vaddr: link-time address that its contents assume it to be at
 */
void sframe_section_borrow(struct sframe_section *s, const char *path,
			   const struct ustack_elf *elf, const u8 *bytes,
			   u32 len, u64 vaddr);

/**
 * sframe_section_open() - read the headers
 * @s: read
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with a reason and the offset of the refused header.
 */
int sframe_section_open(struct sframe_section *s, struct diag *diag);

/**
 * sframe_section_verify() - verify the whole section
 * @s: opened
 * @diag: may be NULL
 *
 * @s->core.report is filled in either case.
 *
 * Return: 0; -EBADMSG with a reason, -ENOMEM.
 */
int sframe_section_verify(struct sframe_section *s, struct diag *diag);

/**
 * sframe_section_compile() - make the table
 * @s: verified
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with a reason, -ENOMEM.
 */
int sframe_section_compile(struct sframe_section *s, struct diag *diag);

/**
 * sframe_section_prove() - open, verify and compile
 * @s: read, or borrowed
 * @diag: may be NULL
 *
 * Return: as the three functions.
 */
int sframe_section_prove(struct sframe_section *s, struct diag *diag);

void sframe_section_release(struct sframe_section *s);

#endif /* USTACK_USER_SFRAME_SECTION_H */
