// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes damaged copies of an ELF file with .sframe (mutate.h), for main.c. A mutation is chosen
 * by a random number generator, so that a seed and a number always give the same copy.
 */
#include "mutate.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "plug.h"
#include "stress.h"

const char *const mutation_name[MUTATIONS] = {
	"none", "elf-header", "segment", "section", "sframe-section", "header",
	"counts", "function", "row", "truncated", "bytes", "cleared", "moved",
	"several",
};

/*
 * An SFrame header has 28 bytes and an auxiliary header; a function entry of V1 has 17 bytes,
 * of V2 20, of V3 16.
 */
#define HEADER 28

static uint64_t next(uint64_t *state)
{
	/* the generator xorshift64* */
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static size_t below(uint64_t *state, size_t n)
{
	return n ? next(state) % n : 0;
}

void base_read(struct base *base, const char *path)
{
	const Elf64_Ehdr *ehdr;
	const Elf64_Phdr *phdr;
	const Elf64_Shdr *shdr;
	const char *names;
	int i;

	memset(base, 0, sizeof(*base));
	base->name = path;
	base->bytes = file_read(path, &base->len);
	ehdr = (const void *)base->bytes;
	phdr = (const void *)(base->bytes + ehdr->e_phoff);
	for (i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD && phdr[i].p_flags & PF_X) {
			base->text_off = phdr[i].p_offset & ~4095ul;
			base->text_len = (phdr[i].p_offset + phdr[i].p_filesz -
					  base->text_off + 4095) & ~4095ul;
		}
	shdr = (const void *)(base->bytes + ehdr->e_shoff);
	names = (const char *)base->bytes + shdr[ehdr->e_shstrndx].sh_offset;
	for (i = 0; i < ehdr->e_shnum; i++)
		if (!strcmp(names + shdr[i].sh_name, ".sframe")) {
			base->sframe_off = shdr[i].sh_offset;
			base->sframe_len = shdr[i].sh_size;
		}
	if (!base->text_len || base->sframe_len < HEADER)
		die("%s: no text or no .sframe", path);
	base->plug = ((const struct plug_header *)(base->bytes + base->text_off))
			     ->magic == PLUG_MAGIC;
}

/* Writes a value of @n bytes to @p: a special one, one near the old one, or a random one. */
static void spoil(uint8_t *p, size_t n, uint64_t *state)
{
	static const uint64_t chosen[] = {
		0, 1, 2, 7, 8, 16, 17, 20, 28, 0x7f, 0x80, 0xff, 0x7fff, 0x8000,
		0xffff, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff,
		0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffff000,
		0xffffffffffffffff,
	};
	uint64_t v = 0;

	if (n > 8)
		n = 8;
	memcpy(&v, p, n);
	switch (next(state) % 5) {
	case 0:
		v = chosen[below(state, sizeof(chosen) / sizeof(chosen[0]))];
		break;
	case 1:
		v += 1;
		break;
	case 2:
		v -= 1;
		break;
	case 3:
		v ^= 1ull << below(state, 8 * n);
		break;
	default:
		v = next(state);
		break;
	}
	memcpy(p, &v, n);
}

struct field {
	uint8_t at, len;
};

#define FIELD(type, name) { offsetof(type, name), sizeof(((type *)0)->name) }
#define NR(a) (sizeof(a) / sizeof((a)[0]))

static const struct field elf_fields[] = {
	FIELD(Elf64_Ehdr, e_ident), { 4, 1 }, { 5, 1 }, { 6, 1 },
	FIELD(Elf64_Ehdr, e_type), FIELD(Elf64_Ehdr, e_machine),
	FIELD(Elf64_Ehdr, e_phoff), FIELD(Elf64_Ehdr, e_shoff),
	FIELD(Elf64_Ehdr, e_ehsize), FIELD(Elf64_Ehdr, e_phentsize),
	FIELD(Elf64_Ehdr, e_phnum), FIELD(Elf64_Ehdr, e_shentsize),
	FIELD(Elf64_Ehdr, e_shnum), FIELD(Elf64_Ehdr, e_shstrndx),
};

static const struct field segment_fields[] = {
	FIELD(Elf64_Phdr, p_type), FIELD(Elf64_Phdr, p_flags),
	FIELD(Elf64_Phdr, p_offset), FIELD(Elf64_Phdr, p_vaddr),
	FIELD(Elf64_Phdr, p_filesz), FIELD(Elf64_Phdr, p_memsz),
	FIELD(Elf64_Phdr, p_align),
};

static const struct field section_fields[] = {
	FIELD(Elf64_Shdr, sh_name), FIELD(Elf64_Shdr, sh_type),
	FIELD(Elf64_Shdr, sh_flags), FIELD(Elf64_Shdr, sh_addr),
	FIELD(Elf64_Shdr, sh_offset), FIELD(Elf64_Shdr, sh_size),
};

/* fields of sframe_header */
static const struct field header_fields[] = {
	{ 0, 2 }, { 2, 1 }, { 3, 1 }, { 4, 1 }, { 5, 1 }, { 6, 1 }, { 7, 1 },
};

static const struct field count_fields[] = {
	{ 8, 4 }, { 12, 4 }, { 16, 4 }, { 20, 4 }, { 24, 4 },
};

static void spoil_field(uint8_t *at, const struct field *fields, size_t nr,
			uint64_t *state)
{
	const struct field *f = &fields[below(state, nr)];

	spoil(at + f->at, f->len, state);
}

static void one(const struct base *b, struct mutant *m, unsigned int kind,
		uint64_t *state)
{
	const Elf64_Ehdr *ehdr = (const void *)b->bytes;
	uint8_t *sframe = m->bytes + b->sframe_off;
	size_t at, n;

	m->kinds |= 1u << kind;
	switch (kind) {
	case 1:
		spoil_field(m->bytes, elf_fields, NR(elf_fields), state);
		break;
	case 2:
		at = ehdr->e_phoff + 56 * below(state, ehdr->e_phnum);
		spoil_field(m->bytes + at, segment_fields, NR(segment_fields),
			    state);
		break;
	case 3:
		at = ehdr->e_shoff + 64 * below(state, ehdr->e_shnum);
		spoil_field(m->bytes + at, section_fields, NR(section_fields),
			    state);
		break;
	case 4:		/* the section header of .sframe */
		for (n = 0; n < ehdr->e_shnum; n++) {
			at = ehdr->e_shoff + 64 * n;
			if (((const Elf64_Shdr *)(b->bytes + at))->sh_offset ==
			    b->sframe_off)
				spoil_field(m->bytes + at, section_fields,
					    NR(section_fields), state);
		}
		break;
	case 5:
		spoil_field(sframe, header_fields, NR(header_fields), state);
		break;
	case 6:
		spoil_field(sframe, count_fields, NR(count_fields), state);
		break;
	case 7:		/* function entries come first, in every version */
		n = (b->sframe_len - HEADER) / 2;
		at = HEADER + below(state, n);
		spoil(sframe + at, 1 + below(state, 4), state);
		break;
	case 8:
		n = (b->sframe_len - HEADER) / 2;
		at = b->sframe_len - 1 - below(state, n);
		spoil(sframe + at, 1, state);
		break;
	case 9:
		if (next(state) % 4)	/* inside the table or after it */
			m->len = b->sframe_off + below(state, b->len - b->sframe_off);
		else
			m->len = below(state, b->len);
		break;
	case 10:
		for (n = 1 + below(state, 32); n; n--)
			m->bytes[below(state, b->len)] = next(state);
		break;
	case 11:
		at = below(state, b->sframe_len);
		memset(sframe + at, next(state) & 1 ? 0xff : 0,
		       1 + below(state, b->sframe_len - at));
		break;
	case 12:	/* two pieces are exchanged */
		n = 1 + below(state, 20);
		if (b->sframe_len > 2 * n) {
			uint8_t keep[32];
			size_t to = below(state, b->sframe_len - n);

			at = below(state, b->sframe_len - n);
			memcpy(keep, sframe + at, n);
			memmove(sframe + at, sframe + to, n);
			memcpy(sframe + to, keep, n);
		}
		break;
	}
}

void mutate(const struct base *b, uint64_t seed, unsigned int number,
	    struct mutant *m)
{
	uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ull ^
			 (number + 1) * 0xbf58476d1ce4e5b9ull;
	unsigned int kind, n;

	next(&state);
	memcpy(m->bytes, b->bytes, b->len);
	m->len = b->len;
	m->kinds = 0;
	kind = number % 40 ? 1 + below(&state, MUTATIONS - 1) : 0;
	if (kind == MUTATIONS - 1) {
		m->kinds = 1u << kind;
		for (n = 2 + below(&state, 4); n; n--)
			one(b, m, 1 + below(&state, MUTATIONS - 2), &state);
	} else {
		one(b, m, kind, &state);
	}
	m->text_intact = m->len >= b->text_off + b->text_len &&
			 !memcmp(m->bytes + b->text_off, b->bytes + b->text_off,
				 b->text_len);
}
