/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of the writer, and of what makes parts: how a part keeps what it was given.
 *
 * What a function has beside its record is bytes, numbers in LEB128:
 *
 *	rows, bytes of them, the program of a line table (rows.h)
 *	calls; each: depth, ranges, (offset, size) of each, name, file, line
 *	sites; each: offset, flags, expressions, the string of each
 *
 * Offsets of ranges count from where the caller's first range starts, as in the file,
 * so that writing them is copying. Strings and files are numbers within the part.
 */
#ifndef USTACK_USER_GSYM_PART_H
#define USTACK_USER_GSYM_PART_H

#include "formats/gsym/build.h"
#include "util/buffer.h"
#include "formats/gsym/rows.h"

/**
 * struct gsym_added - a function
 * @start: first address
 * @end: the address behind it
 * @order: see struct gsym_new_function
 * @info: where its bytes are in the part's @info; 0 if it has nothing but a name
 * @name: string
 * @called: names at its call sites
 */
struct gsym_added {
	uint64_t start;
	uint64_t end;
	uint64_t order;
	uint64_t info;
	uint32_t name;
	uint32_t called;
};

/* Strings by number, from 1; @slots finds them by content, see part.c. */
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
	struct gsym_part_file *files;	/* number 1 is the first */
	uint32_t nr_files;
	uint32_t files_room;
	struct gsym_slot *file_slots;
	uint32_t nr_file_slots;
	struct gsym_added *funcs;
	size_t nr_funcs;
	size_t funcs_room;
	struct buffer info;
	/* of the function that is being added: its rows; ... */
	struct buffer rows;
	/* and ranges of the call that is being added, of its caller, ... */
	struct range *ranges;
	size_t ranges_room;
};

static inline const char *gsym_part_text(const struct gsym_part *part, uint32_t string)
{
	return string ? part->strings.bytes + part->strings.at[string - 1] : "";
}

uint32_t gsym_hash(const char *s, size_t len);

/* What finds strings and files is not needed once all are there. */
void gsym_part_seal(struct gsym_part *part);

/* A call as the part has it. @ranges: its (offset, size) pairs, @ranges_len bytes. */
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
	const uint8_t *match;	/* their strings, in LEB128 */
};

/* A walk over what a function has: rows, then calls, then sites. */
struct gsym_info_walk {
	const uint8_t *p;
	uint64_t rows;
	const uint8_t *program;	/* of the rows; @p is behind it */
	uint64_t calls;		/* after gsym_info_calls() */
	uint64_t sites;		/* after gsym_info_sites() */
};

void gsym_info_start(struct gsym_info_walk *w, const struct gsym_part *part,
		     const struct gsym_added *f);
/* The number of calls; gsym_info_call() is called as often. */
uint64_t gsym_info_calls(struct gsym_info_walk *w);
void gsym_info_call(struct gsym_info_walk *w, struct gsym_kept_call *ret);
/* The number of sites, after all calls. */
uint64_t gsym_info_sites(struct gsym_info_walk *w);
void gsym_info_site(struct gsym_info_walk *w, struct gsym_kept_site *ret);

#endif /* USTACK_USER_GSYM_PART_H */
