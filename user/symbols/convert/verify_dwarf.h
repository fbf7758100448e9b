/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/convert/verify*.c: what libdw finds in a program. */
#ifndef USTACK_USER_CONVERT_VERIFY_DWARF_H
#define USTACK_USER_CONVERT_VERIFY_DWARF_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "symbols/convert/verify.h"
#include "formats/gsym/build.h"

/* A unit. Its lines and files are read when its first function is compared. */
struct verify_unit {
	Dwarf_Die die;
	const char *comp_dir;
	bool is_read;
	Dwarf_Lines *lines;
	Dwarf_Files *files;
	size_t nr_lines;
	size_t nr_files;
};

/* A range of code of a function. */
struct verify_function {
	struct range range;
	size_t unit;
	Dwarf_Die die;
};

/**
 * struct verify_dwarf - a program
 * @path: path of its file, for messages
 * @fd: descriptor of its file, or -1
 * @elf: the file, opened by libelf on @fd
 * @dw: DWARF of @elf; for a relocatable file, of the copy that @dwfl relocated
 * @dwfl: session of libdwfl for a relocatable file, else NULL
 * @places: address of each section of a relocatable file, by number; else NULL
 * @nr_places: number of @places
 * @text: ranges with code, ascending, disjoint
 * @units: units with code
 * @functions: ranges of functions, by address, then in the order of their entries
 * @nr_all_units: number of units
 * @nr_damaged: number of units that could not be read completely
 * @work: work that may still be done: a damaged file can refer to the same data again and
 *        again
 */
struct verify_dwarf {
	const char *path;
	int fd;
	Elf *elf;
	Dwarf *dw;
	Dwfl *dwfl;
	uint64_t *places;
	size_t nr_places;
	struct range *text;
	struct verify_unit *units;
	struct verify_function *functions;
	size_t nr_text, nr_units, nr_functions;
	size_t room_text, room_units, room_functions;
	uint64_t nr_all_units;
	uint64_t nr_damaged;
	uint64_t work;
};

/* Return: 0; -ENODATA; -EBADMSG; -EINVAL; another negative errno. */
int verify_dwarf_open(struct verify_dwarf *d, const char *path, struct diag *diag);
void verify_dwarf_release(struct verify_dwarf *d);

/* Sets @d->places and @d->dw for a relocatable file. Return: as verify_dwarf_open(). */
int verify_relocatable_open(struct verify_dwarf *d, struct diag *diag);

/* Reads all functions. Return: 0 or -ENOMEM. */
int verify_dwarf_walk(struct verify_dwarf *d);
/* Takes @work off @d->work. Return: false if less is left. */
bool verify_dwarf_spend(struct verify_dwarf *d, uint64_t work);

/* The linkage name of an entry or of its origin; else its name; else NULL. */
const char *verify_name(Dwarf_Die *die);
/* The value of an attribute that is a number; 0 if it is missing. */
uint64_t verify_number(Dwarf_Die *die, unsigned int name);

/* Reads lines and files; they are empty if libdw cannot read them. */
void verify_unit_read(struct verify_unit *u);
/* Index of the first row above @addr. */
size_t verify_unit_above(const struct verify_unit *u, uint64_t addr);
/*
 * Finds the rows that may be the one for @addr: from index @first on.
 * Return: their number.
 */
size_t verify_unit_rows(const struct verify_unit *u, uint64_t addr, size_t *first);
/* Whether the rows from @first on may have no code, at the end of a sequence. */
bool verify_unit_may_end(const struct verify_unit *u, size_t first);
/* Sets @dir and @file of @ret to the unit's file of a number. */
void verify_unit_file(const struct verify_unit *u, uint64_t index, struct gsym_frame *ret);
/* Sets @dir and @file of @ret to a path, which may be relative to the unit's folder. */
void verify_unit_path(const struct verify_unit *u, const char *path, struct gsym_frame *ret);

/* An inlined call. The calls inside it follow it, up to index @next. */
struct verify_call {
	const char *name;
	uint64_t call_file;
	uint64_t call_line;
	size_t first_range;
	size_t nr_ranges;
	size_t next;
};

/* The inlined calls of a function; zeroed at first. @work: entries and ranges read. */
struct verify_calls {
	struct verify_call *calls;
	struct range *ranges;
	size_t nr_calls, nr_ranges;
	size_t room_calls, room_ranges;
	size_t work;
};

/* Return: 0; -EBADMSG if DWARF is damaged, with the calls before the damage; -ENOMEM. */
int verify_calls_read(struct verify_calls *c, Dwarf_Die *function);
void verify_calls_release(struct verify_calls *c);

/* Finds the calls that contain @addr, outermost first. Return: their number. */
unsigned int verify_calls_at(const struct verify_calls *c, uint64_t addr,
			     const struct verify_call *ret[GSYM_MAX_DEPTH]);

#endif /* USTACK_USER_CONVERT_VERIFY_DWARF_H */
