/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/convert/from_dwarf*.c: state of a thread that reads units. */
#ifndef USTACK_USER_CONVERT_FROM_DWARF_UNIT_H
#define USTACK_USER_CONVERT_FROM_DWARF_UNIT_H

#include "symbols/convert/from_dwarf.h"
#include "formats/dwarf/line.h"
#include "formats/dwarf/names.h"
#include "formats/dwarf/ranges.h"

/* Entries of the cache of inlined and called functions' names: a power of two. */
#define FROM_DWARF_NAMES (1u << 15)

struct from_dwarf_name {
	struct dwarf_ref at;
	uint32_t string;
};

/* An entry with children that the walk is inside of. */
struct from_dwarf_level {
	bool code;		/* inlined calls below belong to the function */
	bool function;		/* it is the function on top of the stack */
	uint16_t depth;		/* depth of inlined calls */
};

/* An inlined call: its place in the tree and its ranges in @ranges of the thread. */
struct from_dwarf_call {
	uint32_t depth;
	uint32_t name;
	uint32_t file;
	uint32_t line;
	size_t first_range;
	size_t nr_ranges;
};

/*
 * A call site, by its return address. @match: string in the part with a regular
 * expression for the called function's name, or 0.
 */
struct from_dwarf_site {
	uint64_t pc;
	uint32_t match;
};

/* A function whose children are walked. */
struct from_dwarf_function {
	uint64_t off;		/* offset of its entry */
	uint32_t name;
	size_t first_range;	/* index of its ranges; those of its calls follow */
	size_t nr_ranges;
	size_t first_call;
	size_t first_site;
};

/**
 * struct from_dwarf - state of one thread
 * @part: the part that gets the functions
 * @main: the file that is read
 * @budget: work that may still be done, shared by all threads
 * @cache: cache of abbreviations
 * @names: state for finding names, see formats/dwarf
 * @stats: counts of this thread
 * @call_sites: take call sites, too
 * @u: the unit that is walked
 * @order: added to the offset of the unit's functions to make their order
 * @lines_read: @lines is that of @u
 * @lines: line table of @u, if @lines_read
 * @files: number in @part of each file of @lines; FROM_DWARF_NO_FILE until it is needed
 * @known: cache of names
 * @ranges: stack of ranges, of functions and calls
 * @path: buffer for a path
 * @new_lines: rows of a function
 * @new_calls: inlined calls of a function
 * @new_sites: call sites of a function; they point into @sites
 * @new_ranges: the range of a function, then those of each of @new_calls
 */
struct from_dwarf {
	struct gsym_part *part;
	const struct dwarf_object *main;
	struct dwarf_budget *budget;
	struct dwarf_abbrev_cache cache;
	struct dwarf_names names;
	struct gsym_dwarf_stats stats;

	bool call_sites;
	const struct dwarf_unit *u;
	uint64_t order;
	bool lines_read;
	struct dwarf_lines lines;
	uint32_t *files;
	size_t nr_files;
	struct from_dwarf_name *known;
	char *path;

	struct dwarf_ranges ranges;
	struct from_dwarf_call *calls;
	struct from_dwarf_function *functions;
	struct from_dwarf_level *levels;
	struct from_dwarf_site *sites;
	size_t nr_calls, nr_functions, nr_levels, nr_sites;
	size_t room_calls, room_functions, room_levels, room_sites;

	struct gsym_new_line *new_lines;
	struct gsym_new_call *new_calls;
	struct range *new_ranges;
	struct gsym_new_site *new_sites;
	size_t nr_new_lines, nr_new_calls, nr_new_ranges, nr_new_sites;
	size_t room_new_lines, room_new_calls, room_new_ranges, room_new_sites;
};

#define FROM_DWARF_NO_FILE UINT32_MAX

/* Return: 0 or -ENOMEM. */
int from_dwarf_init(struct from_dwarf *t, const struct dwarf_object *main,
		    struct dwarf_budget *budget, struct gsym_part *part);
void from_dwarf_release(struct from_dwarf *t);

/**
 * from_dwarf_unit() - add the functions of a unit
 * @t: state of the thread
 * @u: the unit, opened
 * @order: see struct from_dwarf
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int from_dwarf_unit(struct from_dwarf *t, const struct dwarf_unit *u, uint64_t order,
		    struct diag *diag);

/* Drops what is cached for @o; called before @o is closed. */
void from_dwarf_forget(struct from_dwarf *t, const struct dwarf_object *o);

/*
 * The name of the function whose entry is @at, as a string in the part. With @regex it is
 * a regular expression that matches the name.
 */
int from_dwarf_name(struct from_dwarf *t, struct dwarf_ref at, bool regex, uint32_t *ret,
		    struct diag *diag);

bool from_dwarf_is_site(uint16_t tag);
/* Takes a call site of the function on top of the stack. @c is after the entry's code. */
int from_dwarf_site(struct from_dwarf *t, struct cursor c,
		    const struct dwarf_abbrev *a, struct diag *diag);
/*
 * Fills @t->new_sites with the sites from index @first on that are in @range.
 * Return: 0 or -ENOMEM.
 */
int from_dwarf_sites(struct from_dwarf *t, size_t first, struct range range);

/* The number in the part of a file of the unit's line table; 0 if it is not known. */
int from_dwarf_file(struct from_dwarf *t, uint64_t index, uint32_t *ret,
		    struct diag *diag);
/*
 * Fills @t->new_lines with the rows of [start, end). If there are none, it is the row of
 * the declaration of the entry at @off.
 */
int from_dwarf_lines(struct from_dwarf *t, uint64_t start, uint64_t end, uint64_t off,
		     struct diag *diag);
/* Adds the function on top of the stack, once for each range, and pops it. */
int from_dwarf_add(struct from_dwarf *t, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_DWARF_UNIT_H */
