/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/dwarf: functions that load sections, for files of any kind.
 */
#ifndef USTACK_USER_DWARF_LOAD_H
#define USTACK_USER_DWARF_LOAD_H

#include "formats/dwarf/object.h"
#include "formats/macho/macho.h"

/*
 * Adds [@addr, @addr + @size) to @o->text, which has room for @room ranges. The
 * caller calls ranges_join() after the last one. Return: 0 or -ENOMEM.
 */
int dwarf_add_text(struct dwarf_object *o, uint64_t addr, uint64_t size, size_t *room);

/*
 * Replaces the compressed contents of @s by the unpacked ones. @gnu: they begin
 * with "ZLIB" and a length. Return: 0 or a negative errno.
 */
int dwarf_unpack(const struct dwarf_object *o, struct dwarf_section *s, bool gnu,
		 struct diag *diag);

/* Makes a copy of a section that may be written to. Return: 0 or -ENOMEM. */
int dwarf_copy_section(struct dwarf_section *s);
/* Writes the low @n bytes of @v in the file's byte order. */
void dwarf_store(const struct dwarf_object *o, uint8_t *p, unsigned int n, uint64_t v);

/* Fills @o from a thin Mach-O file. Return: 0 or a negative errno. */
int dwarf_load_macho(struct dwarf_object *o, struct diag *diag);

/*
 * Applies the relocations of @h, a section of @m, to a copy of @s, which is
 * that section. Return: 0 or a negative errno.
 */
int dwarf_relocate_macho(const struct dwarf_object *o, const struct macho *m,
			 const struct macho_section *h, struct dwarf_section *s,
			 struct diag *diag);

#endif /* USTACK_USER_DWARF_LOAD_H */
