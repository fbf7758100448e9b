/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For the writer and the producers of parts: how a part stores its functions.
 *
 * All that a function has besides its record is stored as bytes, numbers in
 * LEB128:
 *
 *	rows: their number, their bytes, the program of a line table (rows.h)
 *	calls: their number; for each: depth, number of ranges, (offset, size)
 *		of each range, name, file, line
 *	sites: their number; for each: offset, flags, number of expressions,
 *		the string of each
 *
 * The offset of a range counts from the start of the caller's first range, as
 * in the file, so that it can be copied there. Strings and files are numbers
 * within the part.
 */
#ifndef USTACK_USER_GSYM_PART_H
#define USTACK_USER_GSYM_PART_H

#include "formats/gsym/build.h"
#include "util/buffer.h"
#include "formats/gsym/rows.h"

/**
 * struct gsym_added - a function of a part
 * @start: first address
 * @end: address after the last one
 * @order: see struct gsym_new_function
 * @info: offset of its bytes in the part's @info; 0 if it has nothing but a
 *        name
 * @name: number of its name
 * @called: number of names at its call sites
 */
struct gsym_added {
	uint64_t start;
	uint64_t end;
	uint64_t order;
	uint64_t info;
	uint32_t name;
	uint32_t called;
};

/* Strings by their number, from 1; @slots finds them by their text, see part.c. */
struct gsym_strings {
	char *bytes;
	uint32_t len;
	uint32_t room;
	uint32_t *at;
	uint32_t nr;
	uint32_t nr_room;
	struct gsym_slot *slots;
	uint32_t nr_slots;
};

struct gsym_part_file {
	uint32_t dir;
	uint32_t base;
};

struct gsym_part {
	struct gsym_strings strings;
	struct gsym_part_file *files;	/* number 1 is the first one */
	uint32_t nr_files;
	uint32_t files_room;
	struct gsym_slot *file_slots;
	uint32_t nr_file_slots;
	struct gsym_added *funcs;
	size_t nr_funcs;
	size_t funcs_room;
	struct buffer info;
	/* rows of the function that is being added */
	struct buffer rows;
	/*
	 * ranges of the function that is being added and of the present call
	 * and its callers
	 */
	struct range *ranges;
	size_t ranges_room;
};

static inline const char *gsym_part_text(const struct gsym_part *part, uint32_t string)
{
	return string ? part->strings.bytes + part->strings.at[string - 1] : "";
}

uint32_t gsym_hash(const char *s, size_t len);

/* Frees what is only needed to add strings and files. */
void gsym_part_seal(struct gsym_part *part);

/* A call as the part stores it. @ranges: its (offset, size) pairs, @ranges_len bytes. */
struct gsym_kept_call {
	uint32_t depth;
	uint32_t nr_ranges;
	uint32_t name;
	uint32_t file;
	uint32_t line;
	const uint8_t *ranges;
	size_t ranges_len;
};

struct gsym_kept_site {
	uint64_t offset;
	uint8_t flags;
	uint32_t nr_match;
	const uint8_t *match;	/* numbers of the strings, in LEB128 */
};

/* A walk over the bytes of a function: rows, then calls, then sites. */
struct gsym_info_walk {
	const uint8_t *p;
	uint64_t rows;
	const uint8_t *program;	/* program of the rows, which precedes @p */
	uint64_t calls;		/* valid after gsym_info_calls() */
	uint64_t sites;		/* valid after gsym_info_sites() */
};

void gsym_info_start(struct gsym_info_walk *w, const struct gsym_part *part,
		     const struct gsym_added *f);
/* Return: the number of calls; gsym_info_call() must then be called that many times. */
uint64_t gsym_info_calls(struct gsym_info_walk *w);
void gsym_info_call(struct gsym_info_walk *w, struct gsym_kept_call *ret);
/* Return: the number of call sites. Called after all calls are read. */
uint64_t gsym_info_sites(struct gsym_info_walk *w);
void gsym_info_site(struct gsym_info_walk *w, struct gsym_kept_site *ret);

#endif /* USTACK_USER_GSYM_PART_H */
