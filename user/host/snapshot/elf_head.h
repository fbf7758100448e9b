/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/imagemap: what the headers of a mapped ELF file say, of any class. */
#ifndef USTACK_USER_IMAGEMAP_ELF_HEAD_H
#define USTACK_USER_IMAGEMAP_ELF_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Program headers and bytes of notes that are looked at. */
#define ELF_HEAD_MAX_PHDRS 65535u
#define ELF_HEAD_MAX_NOTES (64u << 10)
#define ELF_HEAD_MAX_BUILD_ID 64u

/* Numbers of an ELF file, of its class and byte order. */
struct elf_kind {
	bool wide;
	bool big;
};

/* One program header. */
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
 * @kind: of its numbers
 * @type: ET_*
 * @phoff: where program headers are, from the header
 * @phnum: of them
 * @phentsize: bytes of each, at least what one has
 */
struct elf_head {
	struct elf_kind kind;
	uint16_t type;
	uint64_t phoff;
	uint32_t phnum;
	uint32_t phentsize;
};

/* The bytes that elf_head_parse() and elf_phdr_parse() want. */
#define ELF_HEAD_BYTES 64u
#define ELF_PHDR_BYTES 56u

uint64_t elf_number(struct elf_kind kind, const uint8_t *p, unsigned int bytes);
/* An address, of 4 or 8 bytes. */
uint64_t elf_word(struct elf_kind kind, const uint8_t *p);

/* Return: whether it is one, with program headers of the right size. */
bool elf_head_parse(const uint8_t bytes[ELF_HEAD_BYTES], struct elf_head *ret);
void elf_phdr_parse(struct elf_kind kind, const uint8_t *bytes, struct elf_phdr *ret);

/**
 * struct elf_note - a note
 * @type: of @name
 * @name: @name_len bytes, the NUL included
 * @desc: @desc_len bytes
 */
struct elf_note {
	uint32_t type;
	const uint8_t *name;
	size_t name_len;
	const uint8_t *desc;
	size_t desc_len;
};

/* The note at @*at of @len bytes, which moves behind it. Return: whether it is whole. */
bool elf_note_next(struct elf_kind kind, const uint8_t *bytes, size_t len, size_t *at,
		   struct elf_note *ret);
/* Whether it is one of @name and @type. */
bool elf_note_is(const struct elf_note *n, const char *name, uint32_t type);

#endif /* USTACK_USER_IMAGEMAP_ELF_HEAD_H */
