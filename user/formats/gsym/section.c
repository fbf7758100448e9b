// SPDX-License-Identifier: MIT
/*
 * Finds a GSYM file that is a section of an ELF or Mach-O file.
 */
#include <elf.h>

#include "formats/gsym/read.h"
#include "formats/macho/macho.h"

#define ELF_SECTION ".gsym"
#define MACHO_SECTION "__gsym"

struct image {
	const uint8_t *bytes;
	uint64_t len;
	const char *name;
	bool swap;
	bool wide;
	struct diag *diag;
};

static int damaged(const struct image *m, uint64_t off, const char *text)
{
	diag_set(m->diag, EBADMSG, m->name, "%s", text);
	if (m->diag)
		m->diag->offset = off;
	return -EBADMSG;
}

/*
 * Reads a number of 8 bytes in 64-bit files and 4 bytes in 32-bit ones.
 * @off_32, @off_64: its offset from @at in these.
 */
static uint64_t word(const struct image *m, uint64_t at, unsigned int off_32,
		     unsigned int off_64)
{
	return m->wide ? gsym_get64(m->swap, m->bytes + at + off_64) :
			 gsym_get32(m->swap, m->bytes + at + off_32);
}

static uint32_t half(const struct image *m, uint64_t at)
{
	return gsym_get16(m->swap, m->bytes + at);
}

struct elf_sections {
	uint64_t off;
	uint64_t nr;
	uint64_t size;
	uint64_t names;
	uint64_t names_len;
};

#define FIELD(type, field) \
	offsetof(Elf32_##type, field), offsetof(Elf64_##type, field)

static int read_header(const struct image *m, struct elf_sections *s)
{
	uint64_t index;

	if (!gsym_holds(m->len, 0, m->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return damaged(m, 0, "its ELF header is cut off");
	s->off = word(m, 0, FIELD(Ehdr, e_shoff));
	s->nr = half(m, m->wide ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum));
	s->size = m->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	index = half(m, m->wide ? offsetof(Elf64_Ehdr, e_shstrndx) :
				  offsetof(Elf32_Ehdr, e_shstrndx));
	if (!s->off)
		return damaged(m, 0, "no section " ELF_SECTION);
	if (!gsym_holds(m->len, s->off, s->size))
		return damaged(m, 0, "its section headers are cut off");
	/* numbers that do not fit the header are in section 0 */
	if (!s->nr)
		s->nr = word(m, s->off, FIELD(Shdr, sh_size));
	if (index == SHN_XINDEX)
		index = gsym_get32(m->swap, m->bytes + s->off +
				   (m->wide ? offsetof(Elf64_Shdr, sh_link) :
					      offsetof(Elf32_Shdr, sh_link)));
	if (s->nr > (m->len - s->off) / s->size || index >= s->nr)
		return damaged(m, s->off, "its section headers are cut off");
	s->names = word(m, s->off + index * s->size, FIELD(Shdr, sh_offset));
	s->names_len = word(m, s->off + index * s->size, FIELD(Shdr, sh_size));
	if (!gsym_holds(m->len, s->names, s->names_len))
		return damaged(m, s->off, "its section names are cut off");
	return 0;
}

static int find_elf(const struct image *m, struct gsym_place *ret)
{
	struct elf_sections s = { 0 };
	uint64_t i, at, name;
	int err;

	err = read_header(m, &s);
	if (err)
		return err;
	for (i = 0, at = s.off; i < s.nr; i++, at += s.size) {
		name = gsym_get32(m->swap, m->bytes + at);
		if (name > s.names_len || s.names_len - name < sizeof(ELF_SECTION) ||
		    memcmp(m->bytes + s.names + name, ELF_SECTION, sizeof(ELF_SECTION)))
			continue;
		ret->off = word(m, at, FIELD(Shdr, sh_offset));
		ret->len = word(m, at, FIELD(Shdr, sh_size));
		if (!gsym_holds(m->len, ret->off, ret->len))
			return damaged(m, at, "its section " ELF_SECTION " is cut off");
		if (word(m, at, FIELD(Shdr, sh_flags)) & SHF_COMPRESSED)
			return damaged(m, at, "its section " ELF_SECTION " is compressed");
		return 1;
	}
	return damaged(m, 0, "no section " ELF_SECTION);
}

static int find_macho(const struct image *m, struct gsym_place *ret)
{
	struct macho_section s;
	const uint8_t *bytes;
	struct macho macho;
	int err;

	err = macho_open(m->bytes, m->len, 0, m->name, &macho, m->diag);
	if (err)
		return err;
	if (!macho_find_section(&macho, NULL, MACHO_SECTION, &s))
		return damaged(m, 0, "no section " MACHO_SECTION);
	err = macho_section_bytes(&macho, &s, &bytes, m->diag);
	if (err)
		return err;
	ret->off = s.off;
	ret->len = bytes ? s.size : 0;
	return 1;
}

int gsym_section_find(const uint8_t *bytes, size_t len, const char *name,
		      struct gsym_place *ret, struct diag *diag)
{
	struct image m = { .bytes = bytes, .len = len, .name = name, .diag = diag };

	if (len < EI_NIDENT)
		return 0;
	if (!memcmp(bytes, ELFMAG, SELFMAG)) {
		m.wide = bytes[EI_CLASS] == ELFCLASS64;
		m.swap = bytes[EI_DATA] !=
			 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
		return find_elf(&m, ret);
	}
	switch (macho_identify(bytes, len)) {
	case MACHO_THIN:
		return find_macho(&m, ret);
	case MACHO_FAT:
		return damaged(&m, 0, "several Mach-O files in one: lipo(1) takes one out");
	case MACHO_NONE:
		break;
	}
	return 0;
}
