/* SPDX-License-Identifier: GPL-2.0-only */
/* Mach-O files for tests, built byte by byte, of either class and byte order. */
#ifndef USTACK_TESTS_MACHO_FILE_H
#define USTACK_TESTS_MACHO_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* @n: number of bytes so far. @commands: number of load commands so far. */
struct macho_file {
	uint8_t bytes[1 << 14];
	size_t n;
	bool big;
	bool wide;
	uint32_t commands;
};

static inline void mf_put_at(struct macho_file *f, size_t at, unsigned int size, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		f->bytes[at + (f->big ? size - 1 - i : i)] = (uint8_t)(v >> 8 * i);
}

static inline void mf_put(struct macho_file *f, unsigned int size, uint64_t v)
{
	mf_put_at(f, f->n, size, v);
	f->n += size;
}

/* An address, in the width of the file's class. */
static inline void mf_word(struct macho_file *f, uint64_t v)
{
	mf_put(f, f->wide ? 8 : 4, v);
}

static inline void mf_name(struct macho_file *f, const char *name)
{
	size_t len = strlen(name);

	memset(f->bytes + f->n, 0, 16);
	memcpy(f->bytes + f->n, name, len < 16 ? len : 16);
	f->n += 16;
}

static inline void mf_start(struct macho_file *f, bool wide, bool big, uint32_t cputype,
			    uint32_t filetype)
{
	*f = (struct macho_file){ .wide = wide, .big = big };
	mf_put(f, 4, wide ? 0xfeedfacf : 0xfeedface);
	mf_put(f, 4, cputype);
	mf_put(f, 4, (cputype & 0xff) == 7 ? 3 : 0);	/* x86 of any kind, or ALL */
	mf_put(f, 4, filetype);
	mf_put(f, 8, 0);	/* see mf_end() */
	mf_put(f, wide ? 8 : 4, 0);
}

/* Ends the load commands; contents follow. */
static inline void mf_end(struct macho_file *f)
{
	mf_put_at(f, 16, 4, f->commands);
	mf_put_at(f, 20, 4, f->n - (f->wide ? 32 : 28));
}

/* A segment; its @nr sections follow, by mf_section(). */
static inline void mf_segment(struct macho_file *f, const char *name, uint64_t addr,
			      uint64_t size, uint32_t nr)
{
	f->commands++;
	mf_put(f, 4, f->wide ? 0x19 : 1);
	mf_put(f, 4, f->wide ? 72 + 80 * nr : 56 + 68 * nr);
	mf_name(f, name);
	mf_word(f, addr);
	mf_word(f, size);
	mf_word(f, 0);
	mf_word(f, 0);
	mf_put(f, 8, 0);
	mf_put(f, 4, nr);
	mf_put(f, 4, 0);
}

struct mf_section {
	const char *segment;
	const char *name;
	uint64_t addr;
	uint64_t size;
	uint32_t off;
	uint32_t reloc_off;
	uint32_t nr_relocs;
	uint32_t flags;
};

static inline void mf_section(struct macho_file *f, const struct mf_section *s)
{
	mf_name(f, s->name);
	mf_name(f, s->segment);
	mf_word(f, s->addr);
	mf_word(f, s->size);
	mf_put(f, 4, s->off);
	mf_put(f, 4, 0);
	mf_put(f, 4, s->reloc_off);
	mf_put(f, 4, s->nr_relocs);
	mf_put(f, 4, s->flags);
	mf_put(f, 8, 0);
	if (f->wide)
		mf_put(f, 4, 0);
}

static inline void mf_uuid(struct macho_file *f, uint8_t first)
{
	unsigned int i;

	f->commands++;
	mf_put(f, 4, 0x1b);
	mf_put(f, 4, 24);
	for (i = 0; i < 16; i++)
		mf_put(f, 1, first + i);
}

static inline void mf_symtab(struct macho_file *f, uint32_t off, uint32_t nr,
			     uint32_t strings, uint32_t strings_len)
{
	f->commands++;
	mf_put(f, 4, 2);
	mf_put(f, 4, 24);
	mf_put(f, 4, off);
	mf_put(f, 4, nr);
	mf_put(f, 4, strings);
	mf_put(f, 4, strings_len);
}

static inline void mf_starts(struct macho_file *f, uint32_t off, uint32_t len)
{
	f->commands++;
	mf_put(f, 4, 0x26);
	mf_put(f, 4, 16);
	mf_put(f, 4, off);
	mf_put(f, 4, len);
}

static inline void mf_symbol(struct macho_file *f, uint32_t name, uint8_t type,
			     uint8_t section, uint64_t value)
{
	mf_put(f, 4, name);
	mf_put(f, 1, type);
	mf_put(f, 1, section);
	mf_put(f, 2, 0);
	mf_word(f, value);
}

static inline void mf_bytes(struct macho_file *f, const void *p, size_t len)
{
	memcpy(f->bytes + f->n, p, len);
	f->n += len;
}

#endif /* USTACK_TESTS_MACHO_FILE_H */
