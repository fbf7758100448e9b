/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/formats/dwarf: headers of an ELF file, in one form for both classes.
 */
#ifndef USTACK_USER_DWARF_ELF_H
#define USTACK_USER_DWARF_ELF_H

#include "formats/dwarf/object.h"
#include "formats/dwarf/place.h"

/* A section header. */
struct dwarf_shdr {
	uint32_t name;
	uint32_t type;
	uint64_t flags;
	uint64_t addr;
	uint64_t off;
	uint64_t size;
	uint32_t link;
	uint32_t info;
	uint64_t align;
};

/*
 * Positions of the header tables, and the addresses given to sections of a
 * relocatable file.
 */
struct dwarf_ehdr {
	uint64_t phoff;
	uint64_t shoff;
	uint32_t phnum;
	uint32_t shnum;
	uint32_t shstrndx;
	/*
	 * one for each section; NULL in other files, whose sections have
	 * addresses of their own
	 */
	struct dwarf_place *place;
};

int dwarf_elf_header(struct dwarf_object *o, struct dwarf_ehdr *ret, struct diag *diag);
/* Reads a section header. @i must be below @e->shnum. */
void dwarf_elf_section(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		       uint32_t i, struct dwarf_shdr *ret);
/* Return: the name of a section; "" if it has none. */
const char *dwarf_elf_name(const struct dwarf_object *o, const struct dwarf_ehdr *e,
			   const struct dwarf_shdr *s);
/* Sets @o->base. */
void dwarf_elf_base(struct dwarf_object *o, const struct dwarf_ehdr *e);
/* Return: whether the file has all bytes of a section. */
bool dwarf_elf_has(const struct dwarf_object *o, const struct dwarf_shdr *s);
/* Return: a cursor over [off, off + len) of the file; a bad one if the file is shorter. */
struct cursor dwarf_elf_at(const struct dwarf_object *o, uint64_t off,
			   uint64_t len);

/*
 * Gives addresses to the code of a relocatable file: sets @e->place, which the
 * caller frees. It stays NULL for other files.
 */
int dwarf_place_text(const struct dwarf_object *o, struct dwarf_ehdr *e, struct diag *diag);

/* Applies the relocations @rel to a copy of section @s. */
int dwarf_relocate(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		   const struct dwarf_shdr *rel, struct dwarf_section *s,
		   struct diag *diag);

#endif /* USTACK_USER_DWARF_ELF_H */
