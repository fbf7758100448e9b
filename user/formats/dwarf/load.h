/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/dwarf: what finding sections takes, in files of any kind. */
#ifndef USTACK_USER_DWARF_LOAD_H
#define USTACK_USER_DWARF_LOAD_H

#include "formats/dwarf/object.h"
#include "formats/macho/macho.h"

/* Add [@addr, @addr + @size) to @o->text, which has room for @room; ranges_join() is to
 * follow the last. Return: 0 or -ENOMEM.
 */
int dwarf_add_text(struct dwarf_object *o, uint64_t addr, uint64_t size, size_t *room);

/* Replace @s, which has a header for it (@gnu: "ZLIB" and a length), by what is in it. */
int dwarf_unpack(const struct dwarf_object *o, struct dwarf_section *s, bool gnu,
		 struct diag *diag);

/* Its own copy, to write to. Return: 0 or -ENOMEM. */
int dwarf_copy_section(struct dwarf_section *s);
/* The low @n bytes of @v, in the file's byte order. */
void dwarf_store(const struct dwarf_object *o, uint8_t *p, unsigned int n, uint64_t v);

/* Fill @o, of a thin Mach-O file. Return: 0 or a negative errno. */
int dwarf_load_macho(struct dwarf_object *o, struct diag *diag);

/* Apply the relocations of @h, a section of @m, to a copy of @s, which it is. */
int dwarf_relocate_macho(const struct dwarf_object *o, const struct macho *m,
			 const struct macho_section *h, struct dwarf_section *s,
			 struct diag *diag);

#endif /* USTACK_USER_DWARF_LOAD_H */
