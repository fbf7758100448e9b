// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads section headers, symbols and bytes of ELF files in which a runtime may be. Only
 * 64-bit files are read. Called for each new file that a process has mapped.
 */
#include "symbols/lang/elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "sframe/elf_read.h"
#include "util/cleanup.h"

static bool in_file(const struct lang_elf *e, u64 off, u64 size)
{
	return off <= e->file->size && size <= e->file->size - off;
}

static bool read_sections(struct lang_elf *e, const Elf64_Ehdr *h)
{
	_cleanup_(cleanup_free) u8 *bytes = NULL;
	unsigned int i;
	Elf64_Shdr s;

	if (!h->e_shoff || h->e_shentsize != sizeof(s) || !h->e_shnum ||
	    h->e_shnum > LANG_ELF_SECTIONS || h->e_shstrndx >= h->e_shnum)
		return false;
	if (!in_file(e, h->e_shoff, (u64)h->e_shnum * sizeof(s)) ||
	    file_read_new(e->file, h->e_shoff, h->e_shnum * sizeof(s), &bytes, NULL))
		return false;
	e->section = calloc(h->e_shnum, sizeof(*e->section));
	if (!e->section)
		return false;
	for (i = 0; i < h->e_shnum; i++) {
		memcpy(&s, bytes + i * sizeof(s), sizeof(s));
		e->section[i] = (struct lang_elf_section){
			s.sh_name, s.sh_type, s.sh_addr, s.sh_offset, s.sh_size, s.sh_link,
		};
	}
	e->nr_sections = h->e_shnum;
	return true;
}

/* Copies a section and appends a NUL. */
static u8 *copy_section(const struct lang_elf *e, const struct lang_elf_section *s)
{
	u8 *bytes;

	if (s->type == SHT_NOBITS || s->size > LANG_ELF_TABLE || !in_file(e, s->off, s->size))
		return NULL;
	bytes = malloc(s->size + 1);
	if (bytes && file_read(e->file, s->off, bytes, s->size, NULL)) {
		free(bytes);
		return NULL;
	}
	if (bytes)
		bytes[s->size] = '\0';
	return bytes;
}

bool lang_elf_open(struct lang_elf *e, const struct file *file)
{
	Elf64_Ehdr h;

	e->file = file;
	if (elf_read_headers(file, &e->head, NULL) || file_read(file, 0, &h, sizeof(h), NULL) ||
	    !read_sections(e, &h))
		return false;
	e->names = (char *)copy_section(e, &e->section[h.e_shstrndx]);
	e->names_len = e->names ? e->section[h.e_shstrndx].size : 0;
	return e->names;
}

void lang_elf_release(struct lang_elf *e)
{
	free(e->section);
	free(e->names);
	*e = (struct lang_elf)LANG_ELF_INIT;
}

const struct lang_elf_section *lang_elf_section(const struct lang_elf *e, const char *name)
{
	unsigned int i;

	for (i = 0; i < e->nr_sections; i++)
		if (e->section[i].name < e->names_len &&
		    !strcmp(e->names + e->section[i].name, name))
			return &e->section[i];
	return NULL;
}

static void match(const char *name, const Elf64_Sym *sym, struct lang_symbol *symbol, size_t nr)
{
	size_t i;

	if (sym->st_shndx == SHN_UNDEF)
		return;
	for (i = 0; i < nr; i++)
		if (!symbol[i].found && !strcmp(symbol[i].name, name)) {
			symbol[i].value = sym->st_value;
			symbol[i].size = sym->st_size;
			symbol[i].found = true;
		}
}

static void look_in(const struct lang_elf *e, const struct lang_elf_section *s,
		    struct lang_symbol *symbol, size_t nr)
{
	_cleanup_(cleanup_free) u8 *bytes = NULL, *names = NULL;
	Elf64_Sym sym;
	size_t i;

	if (s->link >= e->nr_sections)
		return;
	bytes = copy_section(e, s);
	names = copy_section(e, &e->section[s->link]);
	if (!bytes || !names)
		return;
	for (i = 0; i < s->size / sizeof(sym); i++) {
		memcpy(&sym, bytes + i * sizeof(sym), sizeof(sym));
		if (sym.st_name < e->section[s->link].size)
			match((const char *)names + sym.st_name, &sym, symbol, nr);
	}
}

bool lang_elf_symbols(const struct lang_elf *e, struct lang_symbol *symbol, size_t nr)
{
	static const u32 types[] = { SHT_DYNSYM, SHT_SYMTAB };
	size_t t, i, missing = nr;

	for (t = 0; t < 2 && missing; t++) {
		for (i = 0; i < e->nr_sections; i++)
			if (e->section[i].type == types[t])
				look_in(e, &e->section[i], symbol, nr);
		for (missing = i = 0; i < nr; i++)
			missing += !symbol[i].found;
	}
	return !missing;
}

bool lang_elf_bytes(const struct lang_elf *e, u64 addr, void *buf, size_t len)
{
	unsigned int i;

	for (i = 0; i < e->head.nr_segments; i++) {
		const struct ustack_segment *s = &e->head.segments[i];

		if (addr >= s->vaddr && addr - s->vaddr <= s->filesz &&
		    len <= s->filesz - (addr - s->vaddr))
			return !file_read(e->file, s->off + (addr - s->vaddr), buf, len, NULL);
	}
	return false;
}
