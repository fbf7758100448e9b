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
 * struct sframe_raw - what the ELF file would say about a bare section
 * @arch: architecture it must be for
 * @vaddr: link-time address that its contents assume it to be at
 */
struct sframe_raw {
	const struct ustack_arch *arch;
	u64 vaddr;
};

/**
 * struct sframe_section - a section on its way to a table
 * @path: of the file, borrowed
 * @elf: the file's headers; for a bare section only @elf.text, which is all of
 *       the address space
 * @core: the section as the core sees it
 * @bytes: the section
 * @foreign: the file is big-endian, and @bytes are turned round; NULL of all files that are walked
 * @scratch: what verify and compile work in
 * @table: the result
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
 * sframe_section_borrow() - take a section that is in memory
 * @s: holds SFRAME_SECTION_INIT; it must not be moved afterwards
 * @path: for messages; must outlive @s
 * @elf: headers of the file that it is about, copied
 * @bytes: the section; borrowed
 * @len: bytes of it
 * @vaddr: link-time address that its contents assume it to be at
 */
void sframe_section_borrow(struct sframe_section *s, const char *path,
			   const struct ustack_elf *elf, const u8 *bytes,
			   u32 len, u64 vaddr);

/**
 * sframe_section_open() - walk the headers
 * @s: read
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with a reason and the offset of the refused header.
 */
int sframe_section_open(struct sframe_section *s, struct diag *diag);

/**
 * sframe_section_verify() - prove the whole of it
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
 * Return: as the three.
 */
int sframe_section_prove(struct sframe_section *s, struct diag *diag);

void sframe_section_release(struct sframe_section *s);

#endif /* USTACK_USER_SFRAME_SECTION_H */
