/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Line tables (DWARF 5, 6.2; versions 2 to 5): their files, and their rows in order.
 */
#ifndef USTACK_USER_DWARF_LINE_H
#define USTACK_USER_DWARF_LINE_H

#include "formats/dwarf/unit.h"

/*
 * A row: @file and @line hold from @addr to the next row. A row is left out if
 * another one with the same address follows, or if it says the same as the row
 * before it: neither changes a lookup.
 */
struct dwarf_row {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/**
 * struct dwarf_sequence - rows of code without a gap
 * @start: address of the first row
 * @end: address after the code of the last row
 * @first: index of the first row
 * @nr: number of rows
 */
struct dwarf_sequence {
	uint64_t start;
	uint64_t end;
	uint32_t first;
	uint32_t nr;
};

struct dwarf_file {
	const char *name;
	uint64_t dir;
};

/**
 * struct dwarf_lines - the line table of a unit
 * @u: the unit, or its skeleton; borrowed
 * @version: version of the table
 * @dirs: directories
 * @files: source files
 * @rows: rows, ascending by address within a sequence
 * @sequences: sequences, ascending by @end; only those that are in text
 * @name_bytes: bytes of names that are stored in other sections
 * @dropped: number of sequences left out because their addresses do not ascend
 *
 * Zeroed before its first use; dwarf_lines_read() may be called any number of
 * times.
 */
struct dwarf_lines {
	const struct dwarf_unit *u;
	uint16_t version;
	const char **dirs;
	struct dwarf_file *files;
	struct dwarf_row *rows;
	struct dwarf_sequence *sequences;
	size_t nr_dirs, nr_files, nr_rows, nr_sequences;
	size_t room_dirs, room_files, room_rows, room_sequences;
	uint64_t name_bytes;
	uint64_t dropped;
};

/**
 * dwarf_lines_read() - read a line table
 * @l: filled; its earlier contents are discarded
 * @u: open, with a line table
 * @diag: may be NULL
 *
 * Return: number of bytes read; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_lines_read(struct dwarf_lines *l, const struct dwarf_unit *u,
			 struct diag *diag);
void dwarf_lines_release(struct dwarf_lines *l);

/* Parts of a path, to be joined with slashes; a part is NULL if there is none. */
struct dwarf_path {
	const char *comp_dir;
	const char *dir;
	const char *name;
};

/* Return: false if there is no such file. @index counts as in rows and in DW_AT_call_file. */
bool dwarf_lines_file(const struct dwarf_lines *l, uint64_t index, struct dwarf_path *ret);

/**
 * dwarf_lines_from() - find the first sequence that ends after an address
 * @l: read
 * @addr: any address
 *
 * Return: the sequence, which may start after @addr; later sequences follow it
 * in memory. NULL if there is none.
 */
const struct dwarf_sequence *dwarf_lines_from(const struct dwarf_lines *l, uint64_t addr);

/* Return: index of the row for @addr, which is in @s. */
size_t dwarf_lines_row(const struct dwarf_lines *l, const struct dwarf_sequence *s,
		       uint64_t addr);

#endif /* USTACK_USER_DWARF_LINE_H */
