/* SPDX-License-Identifier: GPL-2.0-only */
/* Line tables (DWARF 5, 6.2; versions 2 to 5): files, and rows in order. */
#ifndef USTACK_USER_DWARF_LINE_H
#define USTACK_USER_DWARF_LINE_H

#include "formats/dwarf/unit.h"

/*
 * From @addr on. Neither a row that another one of the same address follows is kept,
 * nor one that says the same as the row before: no address is looked up with them.
 */
struct dwarf_row {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/**
 * struct dwarf_sequence - rows of code without a gap
 * @start: address of the first row
 * @end: address behind the last one
 * @first: number of the first row
 * @nr: rows
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
 * struct dwarf_lines - the table of a unit
 * @u: whose, or its skeleton; borrowed
 * @version: of the table
 * @dirs: directories
 * @files: source files
 * @rows: in order of address within a sequence
 * @sequences: by @end; only those that are in text
 * @name_bytes: of names that are elsewhere
 * @dropped: sequences whose addresses do not ascend
 *
 * Zeroed at first; can be read into again and again.
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
 * dwarf_lines_read() - read a table
 * @l: what it had is gone
 * @u: open, with a line table
 * @diag: may be NULL
 *
 * Return: bytes that were read; -EBADMSG; -ENOMEM.
 */
int64_t dwarf_lines_read(struct dwarf_lines *l, const struct dwarf_unit *u,
			 struct diag *diag);
void dwarf_lines_release(struct dwarf_lines *l);

/* Parts of a path, to be joined with slashes; NULL where there is none. */
struct dwarf_path {
	const char *comp_dir;
	const char *dir;
	const char *name;
};

/* Return: false if there is no such file. @index counts as rows and DW_AT_call_file do. */
bool dwarf_lines_file(const struct dwarf_lines *l, uint64_t index, struct dwarf_path *ret);

/**
 * dwarf_lines_find() - the sequence with an address
 * @l: read
 * @addr: any
 *
 * Return: it; NULL if there is none.
 */
const struct dwarf_sequence *dwarf_lines_find(const struct dwarf_lines *l, uint64_t addr);

/**
 * dwarf_lines_from() - the first sequence that does not end in front of an address
 * @l: read
 * @addr: any
 *
 * Return: it, which may start behind @addr, and those behind it follow; NULL if there is
 * none.
 */
const struct dwarf_sequence *dwarf_lines_from(const struct dwarf_lines *l, uint64_t addr);

/* Number of the row that has @addr, which @s has. */
size_t dwarf_lines_row(const struct dwarf_lines *l, const struct dwarf_sequence *s,
		       uint64_t addr);

#endif /* USTACK_USER_DWARF_LINE_H */
