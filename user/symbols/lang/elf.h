/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections and symbols of a runtime's ELF file, by name. The file is untrusted: bytes are
 * copied, each count is limited, and damaged parts count as missing.
 */
#ifndef USTACK_USER_LANG_ELF_H
#define USTACK_USER_LANG_ELF_H

#include "core.h"
#include "util/file.h"

/* Limits: sections of a file, and bytes of a table of symbols or names. */
#define LANG_ELF_SECTIONS 1024u
#define LANG_ELF_TABLE (64u << 20)

struct lang_elf_section {
	u32 name;
	u32 type;
	u64 addr;
	u64 off;
	u64 size;
	u32 link;
};

/**
 * struct lang_elf - an open file
 * @file: the file; borrowed
 * @head: segments and architecture
 * @section: sections
 * @nr_sections: number of @section
 * @names: section names, followed by a NUL
 * @names_len: bytes of @names
 */
struct lang_elf {
	const struct file *file;
	struct ustack_elf head;
	struct lang_elf_section *section;
	unsigned int nr_sections;
	char *names;
	size_t names_len;
};

#define LANG_ELF_INIT { .file = NULL }

/*
 * @e: starts as LANG_ELF_INIT and is released in any case.
 * Return: false if the file is not an ELF file with section names.
 */
bool lang_elf_open(struct lang_elf *e, const struct file *file);
void lang_elf_release(struct lang_elf *e);

/* Finds a section by name. Return: NULL if there is none. */
const struct lang_elf_section *lang_elf_section(const struct lang_elf *e, const char *name);

/**
 * struct lang_symbol - a symbol to look up
 * @name: name in the file; set by the caller
 * @value: link-time address, if @found
 * @size: size in bytes, if @found
 * @found: the file has it
 */
struct lang_symbol {
	const char *name;
	u64 value;
	u64 size;
	bool found;
};

/* Looks up @nr symbols, in .dynsym and then in .symtab. Return: whether all are found. */
bool lang_elf_symbols(const struct lang_elf *e, struct lang_symbol *symbol, size_t nr);

/* Copies the file's bytes at a link-time address. Return: whether they are all in the file. */
bool lang_elf_bytes(const struct lang_elf *e, u64 addr, void *buf, size_t len);

#endif /* USTACK_USER_LANG_ELF_H */
