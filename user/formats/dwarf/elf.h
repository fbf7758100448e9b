/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/dwarf: headers of an ELF file, of either class, as one form. */
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

/* Where tables are, and sections of a relocatable file. */
struct dwarf_ehdr {
	uint64_t phoff;
	uint64_t shoff;
	uint32_t phnum;
	uint32_t shnum;
	uint32_t shstrndx;
	struct dwarf_place *place;	/* of each section; NULL in other files: they have their own */
};

int dwarf_elf_header(struct dwarf_object *o, struct dwarf_ehdr *ret, struct diag *diag);
/* @i is below @e->shnum. */
void dwarf_elf_section(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		       uint32_t i, struct dwarf_shdr *ret);
/* Return: "" if it has none. */
const char *dwarf_elf_name(const struct dwarf_object *o, const struct dwarf_ehdr *e,
			   const struct dwarf_shdr *s);
/* Fills @o->base. */
void dwarf_elf_base(struct dwarf_object *o, const struct dwarf_ehdr *e);
/* Whether the file has all bytes of a section. */
bool dwarf_elf_has(const struct dwarf_object *o, const struct dwarf_shdr *s);
/* Cursor over [off, off + len) of the file; bad if they are not there. */
struct cursor dwarf_elf_at(const struct dwarf_object *o, uint64_t off,
			   uint64_t len);

/* Place the code of a relocatable file: @e->place, to be freed; NULL stays for other files. */
int dwarf_place_text(const struct dwarf_object *o, struct dwarf_ehdr *e, struct diag *diag);

/* Apply @rel, which is for @s, to a copy of @s. */
int dwarf_relocate(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		   const struct dwarf_shdr *rel, struct dwarf_section *s,
		   struct diag *diag);

#endif /* USTACK_USER_DWARF_ELF_H */
