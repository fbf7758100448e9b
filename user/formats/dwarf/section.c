// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gets sections that are not DWARF's; those of relocatable files are relocated.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "formats/dwarf/elf.h"
#include "formats/dwarf/load.h"
#include "util/poison.h"

static int find_section(const struct dwarf_object *o, const struct dwarf_ehdr *e,
			struct dwarf_section *s, struct diag *diag)
{
	struct dwarf_shdr h;
	uint32_t i;

	for (i = 0; i < e->shnum; i++) {
		dwarf_elf_section(o, e, i, &h);
		if (h.type == SHT_NOBITS || strcmp(dwarf_elf_name(o, e, &h), s->name))
			continue;
		if (s->data)
			return diag_set(diag, EBADMSG, o->path, "two sections %s", s->name);
		if (!dwarf_elf_has(o, &h))
			return diag_set(diag, EBADMSG, o->path,
					"section %s ends after the end of the file", s->name);
		if (h.flags & SHF_COMPRESSED)
			return diag_set(diag, EBADMSG, o->path, "section %s is compressed", s->name);
		s->index = i;
		s->data = o->map + h.off;
		s->size = h.size;
		s->addr = o->type == ET_REL ? 0 : h.addr;
		s->file_off = o->map_off + h.off;
	}
	return 0;
}

static int relocate(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		    struct dwarf_section *s, struct diag *diag)
{
	struct dwarf_shdr h;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < e->shnum; i++) {
		dwarf_elf_section(o, e, i, &h);
		if ((h.type == SHT_REL || h.type == SHT_RELA) && h.info == s->index)
			err = dwarf_relocate(o, e, &h, s, diag);
	}
	return err;
}

int dwarf_object_section(struct dwarf_object *o, const char *name, struct dwarf_section *ret,
			 struct diag *diag)
{
	struct dwarf_ehdr e;
	int err;

	*ret = (struct dwarf_section){ .name = name, .file_off = DIAG_NO_OFFSET };
	err = dwarf_elf_header(o, &e, diag);
	if (err)
		return err;
	err = dwarf_place_text(o, &e, diag);
	if (!err)
		err = find_section(o, &e, ret, diag);
	if (!err && ret->data && o->type == ET_REL)
		err = relocate(o, &e, ret, diag);
	free(e.place);
	if (err)
		dwarf_section_release(ret);
	return err;
}

void dwarf_section_release(struct dwarf_section *s)
{
	if (s->own)
		munmap(s->own, s->own_len);
	*s = (struct dwarf_section){ .name = s->name };
}
