/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/formats/gsym/from_dwarf*.c: a thread that makes functions of units. */
#ifndef USTACK_USER_CONVERT_FROM_DWARF_UNIT_H
#define USTACK_USER_CONVERT_FROM_DWARF_UNIT_H

#include "symbols/convert/from_dwarf.h"
#include "formats/dwarf/line.h"
#include "formats/dwarf/names.h"
#include "formats/dwarf/ranges.h"

/* Names of inlined functions, by where they are: a power of two. */
#define FROM_DWARF_NAMES (1u << 15)

struct from_dwarf_name {
	struct dwarf_ref at;
	uint32_t string;
};

/* An entry with children that the walk is in. */
struct from_dwarf_level {
	bool code;		/* inlined calls below belong to the function */
	bool function;		/* it is the function on top of the stack */
	uint16_t depth;		/* of inlined calls */
};

/* Ranges and an inlined call's place in the tree. */
struct from_dwarf_call {
	uint32_t depth;
	uint32_t name;
	uint32_t file;
	uint32_t line;
	size_t first_range;
	size_t nr_ranges;
};

/* A call, by where it returns to. @match: regular expression of what is called, or 0 */
struct from_dwarf_site {
	uint64_t pc;
	uint32_t match;
};

/* A function whose children are walked. */
struct from_dwarf_function {
	uint64_t off;		/* of its entry */
	uint32_t name;
	size_t first_range;	/* its ranges, and behind them those of its calls */
	size_t nr_ranges;
	size_t first_call;
	size_t first_site;
};

/**
 * struct from_dwarf - one thread's
 * @part: where functions go
 * @main: the file
 * @budget: of all threads
 * @cache: abbreviations
 * @names: see there
 * @call_sites: take them, too
 * @u: unit that is walked
 * @order: of functions in it: added to their offset
 * @lines: of @u, if @lines_state says so
 * @files: numbers in @part, by those in @lines; FROM_DWARF_NO_FILE if not yet asked for
 * @known: cache of names
 * @ranges: stack of ranges, of functions and calls
 * @path: room for a path
 * @new_lines: rows of a function
 * @new_calls: inlined calls of a function
 * @new_sites: call sites of a function; they point into @sites
 * @new_ranges: the function's, and those of @new_calls one after the other
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
 * @t: the thread
 * @u: open
 * @order: see struct from_dwarf
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int from_dwarf_unit(struct from_dwarf *t, const struct dwarf_unit *u, uint64_t order,
		    struct diag *diag);

/* Before @o is closed. */
void from_dwarf_forget(struct from_dwarf *t, const struct dwarf_object *o);

/* The name of a function, by where it is, in the part; @regex: as an expression that matches
 * it.
 */
int from_dwarf_name(struct from_dwarf *t, struct dwarf_ref at, bool regex, uint32_t *ret,
		    struct diag *diag);

bool from_dwarf_is_site(uint16_t tag);
/* A call site of the function on top of the stack. @c is behind the code. */
int from_dwarf_site(struct from_dwarf *t, struct cursor c,
		    const struct dwarf_abbrev *a, struct diag *diag);
/* Fills @t->new_sites: those from @first on that are in a range. Return: 0 or -ENOMEM. */
int from_dwarf_sites(struct from_dwarf *t, size_t first, struct range range);

/* The number in the part of a file of the unit's line table; 0 if there is none. */
int from_dwarf_file(struct from_dwarf *t, uint64_t index, uint32_t *ret,
		    struct diag *diag);
/* Fills @t->new_lines: the rows of [start, end); those of @off's declaration if there
 * are none.
 */
int from_dwarf_lines(struct from_dwarf *t, uint64_t start, uint64_t end, uint64_t off,
		     struct diag *diag);
/* Adds the function on top of the stack, once for every range, and takes it off. */
int from_dwarf_add(struct from_dwarf *t, struct diag *diag);

#endif /* USTACK_USER_CONVERT_FROM_DWARF_UNIT_H */
