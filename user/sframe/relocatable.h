/* SPDX-License-Identifier: GPL-2.0-only */
/* Sections of files of any type, for commands that show them. */
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
 * Of a relocatable file the section is relocated. Its code is at the addresses that
 * formats/dwarf/place.h gives it: .text at 0, other sections with code one behind the other.
 * Of a big-endian file the section is in our byte order, and s->foreign says of what. The module
 * takes neither.
 *
 * Return: as sframe_section_read(); -EBADMSG if a relocation is damaged or not known.
 */
int sframe_section_read_any(struct sframe_section *s, const char *path,
			    const struct sframe_raw *raw, struct diag *diag);

#endif /* USTACK_USER_SFRAME_RELOCATABLE_H */
