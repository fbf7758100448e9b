/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a runtime's file says of itself: sections and symbols, by name. The file is untrusted:
 * bytes are copied, each count has a bound, and what is damaged is not there.
 */
#ifndef USTACK_USER_LANG_ELF_H
#define USTACK_USER_LANG_ELF_H

#include "core.h"
#include "util/file.h"

/* Sections that are looked at, and bytes of a table of symbols or of names. */
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
 * @file: borrowed
 * @head: segments, architecture
 * @section: of them @nr_sections
 * @names: section names, NUL behind them
 * @names_len: of @names
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

/* @e: LANG_ELF_INIT; to be released in any case. Return: false if it is no such file. */
bool lang_elf_open(struct lang_elf *e, const struct file *file);
void lang_elf_release(struct lang_elf *e);

/* The section with a name, NULL if there is none. */
const struct lang_elf_section *lang_elf_section(const struct lang_elf *e, const char *name);

/**
 * struct lang_symbol - is looked for
 * @name: in the file
 * @value: link-time address, if @found
 * @size: likewise
 */
struct lang_symbol {
	const char *name;
	u64 value;
	u64 size;
	bool found;
};

/* Looks for all @nr of them, in .dynsym and then in .symtab. Return: whether all are found. */
bool lang_elf_symbols(const struct lang_elf *e, struct lang_symbol *symbol, size_t nr);

/* Bytes at a link-time address, as the file has them. */
bool lang_elf_bytes(const struct lang_elf *e, u64 addr, void *buf, size_t len);

#endif /* USTACK_USER_LANG_ELF_H */
