// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies relocations of relocatable ELF files, as far as assemblers use them
 * for DWARF. Code is at the addresses that dwarf_place() gave it. Other
 * sections are at address 0, so that references to them become offsets.
 */
#include "formats/dwarf/elf.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>

#include "formats/dwarf/load.h"
#include "util/poison.h"

#ifndef EM_RISCV
#define EM_RISCV 243
#endif

enum how {
	NONE,
	ABSOLUTE,	/* S + A */
	RELATIVE,	/* S + A - P */
	ADD,		/* V + S + A */
	SUBTRACT,	/* V - S - A */
	SET6,		/* the low six bits: S + A */
	SUB6,
};

struct kind {
	uint16_t machine;
	uint32_t type;
	uint8_t how;
	uint8_t bytes;
};

static const struct kind kinds[] = {
	{ EM_X86_64, R_X86_64_NONE, NONE, 0 },
	{ EM_X86_64, R_X86_64_64, ABSOLUTE, 8 },
	{ EM_X86_64, R_X86_64_32, ABSOLUTE, 4 },
	{ EM_X86_64, R_X86_64_32S, ABSOLUTE, 4 },
	{ EM_X86_64, R_X86_64_PC32, RELATIVE, 4 },
	{ EM_X86_64, R_X86_64_PC64, RELATIVE, 8 },
	{ EM_X86_64, R_X86_64_DTPOFF32, NONE, 0 },
	{ EM_X86_64, R_X86_64_DTPOFF64, NONE, 0 },
	{ EM_AARCH64, R_AARCH64_NONE, NONE, 0 },
	{ EM_AARCH64, R_AARCH64_ABS64, ABSOLUTE, 8 },
	{ EM_AARCH64, R_AARCH64_ABS32, ABSOLUTE, 4 },
	{ EM_AARCH64, R_AARCH64_PREL32, RELATIVE, 4 },
	{ EM_AARCH64, R_AARCH64_PREL64, RELATIVE, 8 },
	{ EM_386, R_386_NONE, NONE, 0 },
	{ EM_386, R_386_32, ABSOLUTE, 4 },
	{ EM_386, R_386_PC32, RELATIVE, 4 },
	{ EM_386, R_386_TLS_LDO_32, NONE, 0 },
	{ EM_ARM, R_ARM_NONE, NONE, 0 },
	{ EM_ARM, R_ARM_ABS32, ABSOLUTE, 4 },
	{ EM_ARM, R_ARM_REL32, RELATIVE, 4 },
	{ EM_ARM, R_ARM_TLS_LDO32, NONE, 0 },
	{ EM_PPC64, R_PPC64_NONE, NONE, 0 },
	{ EM_PPC64, R_PPC64_ADDR64, ABSOLUTE, 8 },
	{ EM_PPC64, R_PPC64_ADDR32, ABSOLUTE, 4 },
	{ EM_PPC64, R_PPC64_DTPREL64, NONE, 0 },
	{ EM_S390, R_390_NONE, NONE, 0 },
	{ EM_S390, R_390_64, ABSOLUTE, 8 },
	{ EM_S390, R_390_32, ABSOLUTE, 4 },
	{ EM_S390, R_390_PC32, RELATIVE, 4 },
	{ EM_S390, R_390_PC64, RELATIVE, 8 },
	{ EM_S390, R_390_TLS_LDO64, NONE, 0 },
	{ EM_RISCV, 0, NONE, 0 },
	{ EM_RISCV, 1, ABSOLUTE, 4 },
	{ EM_RISCV, 2, ABSOLUTE, 8 },
	{ EM_RISCV, 33, ADD, 1 },
	{ EM_RISCV, 34, ADD, 2 },
	{ EM_RISCV, 35, ADD, 4 },
	{ EM_RISCV, 36, ADD, 8 },
	{ EM_RISCV, 37, SUBTRACT, 1 },
	{ EM_RISCV, 38, SUBTRACT, 2 },
	{ EM_RISCV, 39, SUBTRACT, 4 },
	{ EM_RISCV, 40, SUBTRACT, 8 },
	{ EM_RISCV, 51, NONE, 0 },	/* relax */
	{ EM_RISCV, 52, SUB6, 1 },
	{ EM_RISCV, 53, SET6, 1 },
	{ EM_RISCV, 54, ABSOLUTE, 1 },
	{ EM_RISCV, 55, ABSOLUTE, 2 },
	{ EM_RISCV, 56, ABSOLUTE, 4 },
	{ EM_RISCV, 57, RELATIVE, 4 },
};

static const struct kind *find_kind(uint16_t machine, uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

/* A relocation, with or without addend, from a file of either class. */
struct reloc {
	uint64_t off;
	uint32_t type;
	uint32_t symbol;
	bool has_addend;
	uint64_t addend;
};

static void read_reloc(const struct dwarf_object *o, bool rela, struct cursor *c,
		       struct reloc *r)
{
	uint64_t info;

	r->has_addend = rela;
	if (o->elf64) {
		r->off = cursor_u64(c);
		info = cursor_u64(c);
		r->type = (uint32_t)info;
		r->symbol = (uint32_t)(info >> 32);
		r->addend = rela ? cursor_u64(c) : 0;
	} else {
		r->off = cursor_u32(c);
		info = cursor_u32(c);
		r->type = info & 0xff;
		r->symbol = (uint32_t)(info >> 8);
		r->addend = rela ? (uint64_t)(int32_t)cursor_u32(c) : 0;
	}
}

/*
 * A symbol table, and the table of section numbers that do not fit into its
 * symbols. A table of size 0 does not exist.
 */
struct symbols {
	struct dwarf_shdr table;
	struct dwarf_shdr numbers;
};

static void find_symbols(const struct dwarf_object *o, const struct dwarf_ehdr *e,
			 uint32_t index, struct symbols *ret)
{
	struct dwarf_shdr h;
	uint32_t i;

	*ret = (struct symbols){ 0 };
	dwarf_elf_section(o, e, index, &ret->table);
	for (i = 0; i < e->shnum; i++) {
		dwarf_elf_section(o, e, i, &h);
		if (h.type == SHT_SYMTAB_SHNDX && h.link == index)
			ret->numbers = h;
	}
}

/* Return: the section of a symbol. @number: st_shndx of the symbol. */
static uint32_t section_of(const struct dwarf_object *o, const struct symbols *s,
			   uint32_t i, uint16_t number, bool *bad)
{
	struct cursor c;
	uint32_t section;

	if (number < SHN_LORESERVE)
		return number;
	if (number != SHN_XINDEX)
		return SHN_UNDEF;
	*bad = i >= s->numbers.size / 4;
	if (*bad)
		return SHN_UNDEF;
	c = dwarf_elf_at(o, s->numbers.off + (uint64_t)i * 4, 4);
	section = cursor_u32(&c);
	*bad = c.bad;
	return section;
}

static bool symbol_value(const struct dwarf_object *o, const struct dwarf_ehdr *e,
			 const struct symbols *s, uint32_t i, uint64_t *ret)
{
	unsigned int size = o->elf64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct cursor c;
	uint32_t section;
	uint16_t number;
	bool bad = false;

	if (i >= s->table.size / size)
		return false;
	c = dwarf_elf_at(o, s->table.off + (uint64_t)i * size, size);
	cursor_u32(&c);
	if (o->elf64) {
		cursor_u16(&c);
		number = cursor_u16(&c);
		*ret = cursor_u64(&c);
	} else {
		*ret = cursor_u32(&c);
		cursor_skip(&c, 4 + 2);
		number = cursor_u16(&c);
	}
	section = section_of(o, s, i, number, &bad);
	if (e->place && section < e->shnum)
		*ret += e->place[section].addr;
	return !c.bad && !bad;
}

void dwarf_store(const struct dwarf_object *o, uint8_t *p, unsigned int n, uint64_t v)
{
	bool big = o->swap == (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__);
	unsigned int i;

	for (i = 0; i < n; i++)
		p[big ? n - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static bool apply(const struct dwarf_object *o, const struct kind *k,
		  const struct reloc *r, uint64_t value, struct dwarf_section *s)
{
	struct cursor c = { NULL, NULL, o->swap, false };
	uint8_t *at;
	uint64_t old;

	if (r->off > s->size || k->bytes > s->size - r->off)
		return false;
	at = (uint8_t *)s->own + r->off;
	c.p = at;
	c.end = at + k->bytes;
	old = dwarf_uint(&c, k->bytes);
	value += r->has_addend || k->how > RELATIVE ? r->addend : old;
	switch (k->how) {
	case RELATIVE:
		value -= r->off;
		break;
	case ADD:
		value = old + value;
		break;
	case SUBTRACT:
		value = old - value;
		break;
	case SET6:
		value = (old & 0xc0) | (value & 0x3f);
		break;
	case SUB6:
		value = (old & 0xc0) | ((old - value) & 0x3f);
		break;
	}
	dwarf_store(o, at, k->bytes, value);
	return true;
}

int dwarf_copy_section(struct dwarf_section *s)
{
	void *p;

	if (s->own || !s->size) {
		/* pages that were written to must not be dropped */
		s->in_file = false;
		return 0;
	}
	p = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -ENOMEM;
	memcpy(p, s->data, s->size);
	s->own = p;
	s->own_len = s->size;
	s->data = p;
	return 0;
}

int dwarf_relocate(const struct dwarf_object *o, const struct dwarf_ehdr *e,
		   const struct dwarf_shdr *rel, struct dwarf_section *s,
		   struct diag *diag)
{
	struct cursor c = dwarf_elf_at(o, rel->off, rel->size);
	bool rela = rel->type == SHT_RELA;
	unsigned int size = (o->elf64 ? 16 : 8) + (rela ? (o->elf64 ? 8 : 4) : 0);
	struct symbols symbols;
	const struct kind *k;
	struct reloc r;
	uint64_t value;

	if (c.bad || rel->link >= e->shnum)
		return diag_set(diag, EBADMSG, o->path, "relocations of %s are damaged",
				s->name);
	find_symbols(o, e, rel->link, &symbols);
	if (dwarf_copy_section(s))
		return diag_errno(diag, ENOMEM, o->path);
	while (cursor_left(&c) >= size) {
		read_reloc(o, rela, &c, &r);
		k = find_kind(o->machine, r.type);
		if (!k)
			return diag_set(diag, EBADMSG, o->path,
					"unknown type %u of a relocation for %s", r.type,
					s->name);
		if (k->how == NONE)
			continue;
		if (!symbol_value(o, e, &symbols, r.symbol, &value) ||
		    !apply(o, k, &r, value, s))
			return diag_set(diag, EBADMSG, o->path,
					"a relocation of %s refers to nothing in the file",
					s->name);
	}
	return 0;
}
