/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/gsym/verify*.c: what libdw says of a program. */
#ifndef USTACK_USER_CONVERT_VERIFY_DWARF_H
#define USTACK_USER_CONVERT_VERIFY_DWARF_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "symbols/convert/verify.h"
#include "formats/gsym/build.h"

/* Its lines and files are read when its first function is compared. */
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
 * @path: its file's, for messages
 * @fd: open, or -1
 * @elf: of @fd
 * @dw: of @elf; with @dwfl of a relocated copy
 * @dwfl: of a relocatable file, or NULL
 * @places: addresses of its sections, by number; NULL of other files
 * @nr_places: number of @places
 * @text: what has code, ascending, apart
 * @units: that have code
 * @functions: by address, then in the order of their entries
 * @nr_all_units: number of units
 * @nr_damaged: units that were not all read
 * @work: what may still be done: a damaged file can refer to the same again and again
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

/* Sets @d->places and @d->dw of a relocatable file. Return: likewise. */
int verify_relocatable_open(struct verify_dwarf *d, struct diag *diag);

/* Reads the functions. Return: 0 or -ENOMEM. */
int verify_dwarf_walk(struct verify_dwarf *d);
/* Return: false if so much work is not left. */
bool verify_dwarf_spend(struct verify_dwarf *d, uint64_t work);
/* Tells whether an address is code's. */
bool verify_dwarf_has_text(const struct verify_dwarf *d, uint64_t addr);

/* The linkage name of an entry, or of what it stands for; its name; NULL. */
const char *verify_name(Dwarf_Die *die);
/* An attribute that is a number, 0 without it. */
uint64_t verify_number(Dwarf_Die *die, unsigned int name);

/* Reads lines and files: those that libdw cannot read are none. */
void verify_unit_read(struct verify_unit *u);
/* Number of the first row that is above @addr. */
size_t verify_unit_above(const struct verify_unit *u, uint64_t addr);
/* The row that has @addr is one of @first and those behind it. Return: their number. */
size_t verify_unit_rows(const struct verify_unit *u, uint64_t addr, size_t *first);
/* Whether the rows from @first on may be without code, at the end of a sequence. */
bool verify_unit_may_end(const struct verify_unit *u, size_t first);
/* The file of the unit by number, as @ret's @dir and @file. */
void verify_unit_file(const struct verify_unit *u, uint64_t index, struct gsym_frame *ret);
/* A path that may start in the unit's folder, likewise. */
void verify_unit_path(const struct verify_unit *u, const char *path, struct gsym_frame *ret);

/* An inlined call. Those in it are behind it, up to number @next. */
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

/* Return: 0; -EBADMSG, and what was read until then; -ENOMEM. */
int verify_calls_read(struct verify_calls *c, Dwarf_Die *function);
void verify_calls_release(struct verify_calls *c);

/* The calls that have @addr, outermost first. Return: their number. */
unsigned int verify_calls_at(const struct verify_calls *c, uint64_t addr,
			     const struct verify_call *ret[GSYM_MAX_DEPTH]);

#endif /* USTACK_USER_CONVERT_VERIFY_DWARF_H */
