// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses ELF headers, program headers and notes of any class and byte order, see
 * elf_head.h.
 */
#include "host/snapshot/elf_head.h"

#include <elf.h>
#include <string.h>

#include "util/poison.h"

uint64_t elf_number(struct elf_kind kind, const uint8_t *p, unsigned int bytes)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * (kind.big ? bytes - 1 - i : i);
	return v;
}

uint64_t elf_word(struct elf_kind kind, const uint8_t *p)
{
	return elf_number(kind, p, kind.wide ? 8 : 4);
}

bool elf_head_parse(const uint8_t b[ELF_HEAD_BYTES], struct elf_head *ret)
{
	struct elf_kind k = { b[EI_CLASS] == ELFCLASS64, b[EI_DATA] == ELFDATA2MSB };

	if (memcmp(b, ELFMAG, SELFMAG) || !b[EI_CLASS] || b[EI_CLASS] > ELFCLASS64 ||
	    !b[EI_DATA] || b[EI_DATA] > ELFDATA2MSB)
		return false;
	*ret = (struct elf_head){
		.kind = k, .type = (uint16_t)elf_number(k, b + 16, 2),
		.phoff = elf_word(k, b + (k.wide ? 32 : 28)),
		.phentsize = (uint32_t)elf_number(k, b + (k.wide ? 54 : 42), 2),
		.phnum = (uint32_t)elf_number(k, b + (k.wide ? 56 : 44), 2),
	};
	return ret->phentsize >= (k.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
}

void elf_phdr_parse(struct elf_kind k, const uint8_t *b, struct elf_phdr *ret)
{
	*ret = (struct elf_phdr){
		.type = (uint32_t)elf_number(k, b, 4),
		.flags = (uint32_t)elf_number(k, b + (k.wide ? 4 : 24), 4),
		.offset = elf_word(k, b + (k.wide ? 8 : 4)),
		.vaddr = elf_word(k, b + (k.wide ? 16 : 8)),
		.filesz = elf_word(k, b + (k.wide ? 32 : 16)),
		.memsz = elf_word(k, b + (k.wide ? 40 : 20)),
	};
}

bool elf_note_next(struct elf_kind kind, const uint8_t *bytes, size_t len, size_t *at,
		   struct elf_note *ret)
{
	const uint8_t *p = bytes + *at;
	size_t left = len - *at, name, desc, padded;

	if (left < 12)
		return false;
	name = elf_number(kind, p, 4);
	desc = elf_number(kind, p + 4, 4);
	padded = (name + 3) & ~(size_t)3;
	if (padded > left - 12 || desc > left - 12 - padded)
		return false;
	*ret = (struct elf_note){
		(uint32_t)elf_number(kind, p + 8, 4), p + 12, name, p + 12 + padded, desc,
	};
	desc = (desc + 3) & ~(size_t)3;
	*at += desc > left - 12 - padded ? left : 12 + padded + desc;
	return true;
}

bool elf_note_is(const struct elf_note *n, const char *name, uint32_t type)
{
	return n->type == type && n->name_len == strlen(name) + 1 &&
	       !memcmp(n->name, name, n->name_len);
}
