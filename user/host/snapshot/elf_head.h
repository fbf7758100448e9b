/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/host/snapshot: headers of mapped ELF files, of any class and byte order. */
#ifndef USTACK_USER_IMAGEMAP_ELF_HEAD_H
#define USTACK_USER_IMAGEMAP_ELF_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits for the program headers, the bytes of notes and the bytes of a build id. */
#define ELF_HEAD_MAX_PHDRS 65535u
#define ELF_HEAD_MAX_NOTES (64u << 10)
#define ELF_HEAD_MAX_BUILD_ID 64u

/* Class and byte order of an ELF file's numbers. */
struct elf_kind {
	bool wide;
	bool big;
};

/* A program header. */
struct elf_phdr {
	uint32_t type;
	uint32_t flags;
	uint64_t offset;
	uint64_t vaddr;
	uint64_t filesz;
	uint64_t memsz;
};

/**
 * struct elf_head - an ELF header
 * @kind: class and byte order
 * @type: type of the file, ET_*
 * @phoff: offset of the program headers from the ELF header
 * @phnum: number of program headers
 * @phentsize: bytes of a program header, at least the size for the class
 */
struct elf_head {
	struct elf_kind kind;
	uint16_t type;
	uint64_t phoff;
	uint32_t phnum;
	uint32_t phentsize;
};

/* Bytes that elf_head_parse() and elf_phdr_parse() read. */
#define ELF_HEAD_BYTES 64u
#define ELF_PHDR_BYTES 56u

uint64_t elf_number(struct elf_kind kind, const uint8_t *p, unsigned int bytes);
/* Reads an address of 4 or 8 bytes. */
uint64_t elf_word(struct elf_kind kind, const uint8_t *p);

/* Return: whether it is an ELF header with program headers of the right size. */
bool elf_head_parse(const uint8_t bytes[ELF_HEAD_BYTES], struct elf_head *ret);
void elf_phdr_parse(struct elf_kind kind, const uint8_t *bytes, struct elf_phdr *ret);

/**
 * struct elf_note - a note
 * @type: type of the note, which depends on @name
 * @name: name of the note
 * @name_len: bytes of @name, including the NUL
 * @desc: content of the note
 * @desc_len: bytes of @desc
 */
struct elf_note {
	uint32_t type;
	const uint8_t *name;
	size_t name_len;
	const uint8_t *desc;
	size_t desc_len;
};

/* Takes the note at *@at and moves *@at past it. Return: whether the note is complete. */
bool elf_note_next(struct elf_kind kind, const uint8_t *bytes, size_t len, size_t *at,
		   struct elf_note *ret);
/* Whether the note has this name and type. */
bool elf_note_is(const struct elf_note *n, const char *name, uint32_t type);

#endif /* USTACK_USER_IMAGEMAP_ELF_HEAD_H */
