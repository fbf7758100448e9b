// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the headers of an ELF file of either class (elf.h).
 */
#include "formats/dwarf/elf.h"

#include <elf.h>
#include <errno.h>

#include "util/poison.h"

#define MAX_SECTION_NAME 64

struct cursor dwarf_elf_at(const struct dwarf_object *o, uint64_t off,
			   uint64_t len)
{
	if (off > o->map_len || len > o->map_len - off)
		return cursor_none();
	return (struct cursor){ o->map + off, o->map + off + len, o->swap, false };
}

/* Reads an address, offset or size, which has the size of the file's class. */
static uint64_t word(const struct dwarf_object *o, struct cursor *c)
{
	return o->elf64 ? cursor_u64(c) : cursor_u32(c);
}

void dwarf_elf_section(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		       uint32_t i, struct dwarf_shdr *ret)
{
	unsigned int size = o->elf64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	struct cursor c = dwarf_elf_at(o, e->shoff + (uint64_t)i * size, size);

	ret->name = cursor_u32(&c);
	ret->type = cursor_u32(&c);
	ret->flags = word(o, &c);
	ret->addr = word(o, &c);
	ret->off = word(o, &c);
	ret->size = word(o, &c);
	ret->link = cursor_u32(&c);
	ret->info = cursor_u32(&c);
	ret->align = word(o, &c);
}

/*
 * Finds the number of sections. Counts that do not fit their fields in the ELF
 * header are in the header of section 0.
 */
static int count_sections(struct dwarf_object *o, struct dwarf_ehdr *e,
			  struct diag *diag)
{
	unsigned int size = o->elf64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	struct dwarf_shdr first;

	if (!e->shoff) {
		e->shnum = 0;
		return 0;
	}
	if (e->shoff > o->map_len || o->map_len - e->shoff < size)
		goto short_file;
	dwarf_elf_section(o, e, 0, &first);
	if (!e->shnum) {
		if (first.size > UINT32_MAX)
			goto short_file;
		e->shnum = (uint32_t)first.size;
	}
	if (e->shstrndx == SHN_XINDEX)
		e->shstrndx = first.link;
	if (e->shnum > (o->map_len - e->shoff) / size)
		goto short_file;
	return 0;
short_file:
	diag_set(diag, EBADMSG, o->path, "section headers are after the end of the file");
	if (diag)
		diag->offset = e->shoff;
	return -EBADMSG;
}

int dwarf_elf_header(struct dwarf_object *o, struct dwarf_ehdr *ret, struct diag *diag)
{
	struct cursor c = dwarf_elf_at(o, 0, o->map_len);
	bool big;

	*ret = (struct dwarf_ehdr){ 0 };
	if (o->map_len < EI_NIDENT || memcmp(o->map, ELFMAG, SELFMAG))
		return diag_set(diag, EBADMSG, o->path, "not an ELF file");
	if ((o->map[EI_CLASS] != ELFCLASS32 && o->map[EI_CLASS] != ELFCLASS64) ||
	    (o->map[EI_DATA] != ELFDATA2LSB && o->map[EI_DATA] != ELFDATA2MSB))
		return diag_set(diag, EBADMSG, o->path,
				"an ELF file of an unknown class or byte order");
	big = o->map[EI_DATA] == ELFDATA2MSB;
	o->swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	c.swap = o->swap;
	o->elf64 = o->map[EI_CLASS] == ELFCLASS64;
	cursor_skip(&c, EI_NIDENT);
	o->type = cursor_u16(&c);
	o->machine = cursor_u16(&c);
	cursor_u32(&c);
	word(o, &c);
	ret->phoff = word(o, &c);
	ret->shoff = word(o, &c);
	cursor_skip(&c, 4 + 2 + 2);
	ret->phnum = cursor_u16(&c);
	cursor_u16(&c);
	ret->shnum = cursor_u16(&c);
	ret->shstrndx = cursor_u16(&c);
	if (c.bad)
		return diag_set(diag, EBADMSG, o->path, "the file ends inside its ELF header");
	return count_sections(o, ret, diag);
}

bool dwarf_elf_has(const struct dwarf_object *o, const struct dwarf_shdr *s)
{
	return s->type == SHT_NOBITS ||
	       (s->off <= o->map_len && s->size <= o->map_len - s->off);
}

const char *dwarf_elf_name(const struct dwarf_object *o, const struct dwarf_ehdr *e,
			   const struct dwarf_shdr *s)
{
	struct dwarf_shdr names;
	struct cursor c;
	const char *name;

	if (e->shstrndx >= e->shnum)
		return "";
	dwarf_elf_section(o, e, e->shstrndx, &names);
	if (names.type == SHT_NOBITS)
		return "";
	c = dwarf_elf_at(o, names.off, names.size);
	cursor_skip(&c, s->name);
	/* no name that matters is longer */
	if (cursor_left(&c) > MAX_SECTION_NAME)
		c.end = c.p + MAX_SECTION_NAME;
	name = c.bad ? NULL : dwarf_string(&c);
	return name ? name : "";
}

void dwarf_elf_base(struct dwarf_object *o, const struct dwarf_ehdr *e)
{
	unsigned int size = o->elf64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	struct cursor c;
	uint32_t i;

	for (i = 0; i < e->phnum; i++) {
		c = dwarf_elf_at(o, e->phoff, (uint64_t)(i + 1) * size);
		cursor_skip(&c, (uint64_t)i * size);
		if (cursor_u32(&c) != PT_LOAD)
			continue;
		/*
		 * flags are the second field in 64-bit files, and the last but
		 * one in 32-bit files
		 */
		if (o->elf64)
			cursor_u32(&c);
		word(o, &c);
		o->base = word(o, &c);
		return;
	}
}
