// SPDX-License-Identifier: GPL-2.0
/* A GSYM file that is a section of an ELF or Mach-O file. */
#include <elf.h>

#include "gsym/read.h"

#define ELF_SECTION ".gsym"
#define MACHO_SECTION "__gsym"

/* mach-o/loader.h, which is not on Linux */
#define MACHO_MAGIC_32 0xfeedfaceu
#define MACHO_MAGIC_64 0xfeedfacfu
#define MACHO_FAT 0xcafebabeu
#define MACHO_FAT_64 0xcafebabfu
#define MACHO_SEGMENT_32 1u
#define MACHO_SEGMENT_64 0x19u
#define MACHO_NAME 16u

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

/* A number that has 8 bytes in 64-bit files, at the one offset or the other. */
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
	/* numbers that do not fit stand in the first section */
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

/* Sections of the segment at @at, of @size bytes. Return: 1 if one is ours. */
static int find_in_segment(const struct image *m, uint64_t at, uint64_t size,
			   struct gsym_place *ret)
{
	uint64_t head = m->wide ? 72 : 56, each = m->wide ? 80 : 68, i, nr;

	if (size < head)
		return damaged(m, at, "a segment's load command is cut off");
	nr = gsym_get32(m->swap, m->bytes + at + (m->wide ? 64 : 48));
	if (nr > (size - head) / each)
		return damaged(m, at, "a segment has more sections than it has room for");
	for (i = 0, at += head; i < nr; i++, at += each) {
		if (strncmp((const char *)m->bytes + at, MACHO_SECTION, MACHO_NAME))
			continue;
		ret->off = gsym_get32(m->swap, m->bytes + at + (m->wide ? 48 : 40));
		ret->len = word(m, at, 36, 40);
		if (!gsym_holds(m->len, ret->off, ret->len))
			return damaged(m, at, "its section " MACHO_SECTION " is cut off");
		return 1;
	}
	return 0;
}

static int find_macho(const struct image *m, struct gsym_place *ret)
{
	uint64_t at = m->wide ? 32 : 28, end, size, i, nr;
	uint32_t type;
	int found = 0;

	if (!gsym_holds(m->len, 0, at))
		return damaged(m, 0, "its Mach-O header is cut off");
	nr = gsym_get32(m->swap, m->bytes + 16);
	end = at + gsym_get32(m->swap, m->bytes + 20);
	if (end > m->len)
		return damaged(m, 20, "its load commands are cut off");
	for (i = 0; i < nr && !found; i++, at += size) {
		if (end - at < 8)
			return damaged(m, at, "its load commands are cut off");
		type = gsym_get32(m->swap, m->bytes + at);
		size = gsym_get32(m->swap, m->bytes + at + 4);
		if (size < 8 || size > end - at)
			return damaged(m, at, "a load command has no such size");
		if (type == (m->wide ? MACHO_SEGMENT_64 : MACHO_SEGMENT_32))
			found = find_in_segment(m, at, size, ret);
	}
	return found ? found : damaged(m, 0, "no section " MACHO_SECTION);
}

static bool is_macho(struct image *m)
{
	uint32_t magic = gsym_get32(false, m->bytes), other = __builtin_bswap32(magic);

	m->swap = other == MACHO_MAGIC_32 || other == MACHO_MAGIC_64;
	if (m->swap)
		magic = other;
	m->wide = magic == MACHO_MAGIC_64;
	return m->wide || magic == MACHO_MAGIC_32;
}

int gsym_section_find(const uint8_t *bytes, size_t len, const char *name,
		      struct gsym_place *ret, struct diag *diag)
{
	struct image m = { .bytes = bytes, .len = len, .name = name, .diag = diag };
	uint32_t magic;

	if (len < EI_NIDENT)
		return 0;
	if (!memcmp(bytes, ELFMAG, SELFMAG)) {
		m.wide = bytes[EI_CLASS] == ELFCLASS64;
		m.swap = bytes[EI_DATA] !=
			 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
		return find_elf(&m, ret);
	}
	if (is_macho(&m))
		return find_macho(&m, ret);
	/* of any machine's files this is in network order */
	magic = gsym_get32(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, bytes);
	if (magic == MACHO_FAT || magic == MACHO_FAT_64)
		return damaged(&m, 0, "several Mach-O files in one: lipo(1) takes one out");
	return 0;
}
