/* SPDX-License-Identifier: GPL-2.0-only */
/* A file's unwind table in user space, as kmod/code.h is in the module. */
#ifndef USTACK_USER_SUPPLY_CODE_H
#define USTACK_USER_SUPPLY_CODE_H

#include "core.h"
#include "host/file/locate.h"
#include "supply/section.h"

/* File offsets [off, end) are at link-time address off + delta. */
struct code_segment {
	u64 off;
	u64 end;
	u64 delta;
};

/* Most tables of a file: a large one may be made in parts. */
#define CODE_MAX_TABLES 4u

/**
 * struct code - a table, and the mapping from file offsets to its addresses
 * @bytes: memory in bytes that the struct takes
 * @covered: bytes of text in functions with rows
 * @partial: whether these leave out much of the text: ustack_section_is_partial()
 * @entry: link-time address of the program's entry point, 0 if unknown
 * @segments: the executable segments
 * @nr_segments: number of @segments
 * @tables: the compiled table, or its parts, ascending by address; in this struct's memory
 * @from: for each of @tables, the first link-time address that it has rules of
 * @nr_tables: number of @tables; 1 unless a part may not have all bytes
 * @table: the first of @tables, 8-aligned
 */
struct code {
	size_t bytes;
	u64 covered;
	bool partial;
	u64 entry;
	struct code_segment segments[USTACK_MAX_SEGMENTS];
	unsigned int nr_segments;
	const struct ustack_table *tables[CODE_MAX_TABLES];
	u64 from[CODE_MAX_TABLES];
	unsigned int nr_tables;
	struct ustack_table table;
};

/**
 * code_make() - make a file's table, from its .sframe or from a section made for it
 * @f: the file, open, its headers read
 * @cache: cache of sections; NULL for none
 * @most: bytes that a table may have; a larger one is made in up to CODE_MAX_TABLES parts. 0: any number
 * @why: set if NULL is returned; USTACK_TOO_LARGE if more parts would be needed
 *
 * If the file's .sframe is partial, a section is made, too, and the table is that of the one which
 * covers more.
 *
 * Return: the table, released by free(); NULL if there is none.
 */
struct code *code_make(struct supply_file *f, const struct cache *cache, u64 most,
		       enum ustack_reason *why);

/**
 * code_of_section() - make a table from the bytes of a section
 * @bytes: the section
 * @len: number of @bytes
 * @vaddr: link-time address of the section
 * @elf: architecture and executable segments
 * @most: as for code_make()
 * @why: as for code_make()
 *
 * Return: see code_make().
 */
struct code *code_of_section(const u8 *bytes, u32 len, u64 vaddr, const struct ustack_elf *elf,
			     u64 most, enum ustack_reason *why);

/* Converts a file offset to a link-time address. Return: false if no code is there. */
static inline bool code_address(const struct code *c, u64 off, u64 *ret)
{
	unsigned int i;

	for (i = 0; i < c->nr_segments; i++)
		if (off >= c->segments[i].off && off < c->segments[i].end) {
			*ret = off + c->segments[i].delta;
			return true;
		}
	return false;
}

#endif /* USTACK_USER_SUPPLY_CODE_H */
