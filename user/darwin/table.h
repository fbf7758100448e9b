/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Mach-O file's unwind information as a table of the core: converted, encoded as SFrame
 * version 3, and then verified and compiled as the module does it with ELF files.
 */
#ifndef USTACK_USER_DARWIN_TABLE_H
#define USTACK_USER_DARWIN_TABLE_H

#include "darwin/eh_frame.h"
#include "darwin/image.h"

struct sframe_section;
struct ustack_table;

/**
 * macho_table_new() - make a table
 * @image: the file
 * @eh: the file's __eh_frame; NULL if it has none
 * @ret: freed by macho_table_free()
 * @diag: may be NULL
 *
 * Return: 0; -ENODATA if it has no function with rules; as macho_convert(),
 * macho_convert_encode() and sframe_section_prove().
 */
int macho_table_new(const struct macho_image *image, struct eh_frame *eh,
		    struct sframe_section **ret, struct diag *diag);
/* Accepts NULL. */
void macho_table_free(struct sframe_section *s);

const struct ustack_table *macho_table_get(const struct sframe_section *s);

#endif /* USTACK_USER_DARWIN_TABLE_H */
