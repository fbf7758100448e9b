/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads sections of files of any type, for commands that show them. */
#ifndef USTACK_USER_SFRAME_RELOCATABLE_H
#define USTACK_USER_SFRAME_RELOCATABLE_H

#include "sframe/section.h"

/**
 * sframe_section_read_any() - copy a file's section, also of a relocatable or big-endian file
 * @s: holds SFRAME_SECTION_INIT
 * @path: must outlive @s
 * @raw: see sframe_section_read()
 * @diag: what is wrong; not NULL
 *
 * The section of a relocatable file is relocated. Its code is at the addresses that
 * formats/dwarf/place.h gives it: .text at 0, other sections with code one after the other.
 * The section of a big-endian file is in our byte order, and s->foreign is its architecture.
 * The module accepts neither.
 *
 * Return: as sframe_section_read(); -EBADMSG if a relocation is damaged or unknown.
 */
int sframe_section_read_any(struct sframe_section *s, const char *path,
			    const struct sframe_raw *raw, struct diag *diag);

#endif /* USTACK_USER_SFRAME_RELOCATABLE_H */
