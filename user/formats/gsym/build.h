/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes GSYM files. Producers (dwarf, symtab, breakpad, ...) describe functions
 * to parts, one part for each thread; the writer makes one file of all parts.
 * The file depends only on the functions and on the @order given to each, not
 * on how they were spread over parts or on the sequence of calls.
 *
 *	part = gsym_part_new();
 *	gsym_part_string(part, name, len, &f.name);
 *	gsym_part_file(part, dir, base, &row.file);
 *	gsym_part_add(part, &f);
 *	...
 *	err = gsym_write(parts, nr_parts, &options, fd, &stats, &diag);
 *	gsym_part_free(part);
 */
#ifndef USTACK_USER_GSYM_BUILD_H
#define USTACK_USER_GSYM_BUILD_H

#include "formats/gsym/reader.h"
#include "util/range.h"

/*
 * A row of a line table; it holds from @addr to the next row. @file: number
 * from gsym_part_file(), 0 for none.
 */
struct gsym_new_line {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/**
 * struct gsym_new_call - an inlined call
 * @ranges: addresses, ascending, not overlapping, inside those of its caller
 * @nr_ranges: number of @ranges, at least 1
 * @depth: 1 for a call inlined into the function itself. At most one more than
 *         the depth of the call before it, which is its caller then
 * @name: name of the inlined function, from gsym_part_string()
 * @call_file: file of the call, from gsym_part_file(); 0 if it is not known
 * @call_line: line of the call; 0 if it is not known
 */
struct gsym_new_call {
	const struct range *ranges;
	uint32_t nr_ranges;
	uint32_t depth;
	uint32_t name;
	uint32_t call_file;
	uint32_t call_line;
};

/**
 * struct gsym_new_site - a call site
 * @offset: offset of the call's return address from the function's start
 * @flags: GSYM_SITE_*
 * @match: regular expressions that the callee's name matches, from
 *         gsym_part_string()
 * @nr_match: number of @match
 */
struct gsym_new_site {
	uint64_t offset;
	uint8_t flags;
	const uint32_t *match;
	uint32_t nr_match;
};

/**
 * struct gsym_new_function - what a producer knows about one range of code
 * @range: addresses; an empty range is a symbol without size
 * @name: name, from gsym_part_string(); not 0
 * @order: decides between functions that are otherwise alike: the offset of the
 *         function's entry in the source, so that it is the same in every run
 * @lines: rows, ascending by address; rows outside of @range are left out
 * @nr_lines: number of @lines
 * @calls: inlined calls, callers before their callees, see struct gsym_new_call
 * @nr_calls: number of @calls
 * @sites: call sites
 * @nr_sites: number of @sites
 */
struct gsym_new_function {
	struct range range;
	uint32_t name;
	uint64_t order;
	const struct gsym_new_line *lines;
	size_t nr_lines;
	const struct gsym_new_call *calls;
	size_t nr_calls;
	const struct gsym_new_site *sites;
	size_t nr_sites;
};

struct gsym_part;

/* Context: one thread at a time for each part. Return: NULL if there is no memory. */
struct gsym_part *gsym_part_new(void);
void gsym_part_free(struct gsym_part *part);

/**
 * gsym_part_string() - get the number of a string
 * @part: part that the number is used in
 * @s: the string; copied
 * @len: bytes of @s
 * @ret: number; 0 for the empty string
 *
 * Return: 0; -ENOMEM, also beyond 4 GiB of strings in a part; -EINVAL if @s
 * contains a NUL.
 */
int gsym_part_string(struct gsym_part *part, const char *s, size_t len, uint32_t *ret);

/**
 * gsym_part_file() - get the number of a source file
 * @part: part that the number is used in
 * @dir: folder, from gsym_part_string()
 * @base: name, from gsym_part_string()
 * @ret: number; 0 if both are empty
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_part_file(struct gsym_part *part, uint32_t dir, uint32_t base, uint32_t *ret);

/**
 * gsym_part_add() - add a function
 * @part: part from which all numbers in @f come
 * @f: all of it is copied, in a form about as large as in the file
 *
 * Return: 0; -ENOMEM; -EINVAL if @f breaks the rules above.
 */
int gsym_part_add(struct gsym_part *part, const struct gsym_new_function *f);

/**
 * struct gsym_namer - changes the names of functions when they are written
 * @arg: passed to @start
 * @start: makes the state of a thread, which @end releases; NULL if there is no
 *         memory
 * @name: returns what is written for a name, the same in every thread: the name
 *        itself, or a string valid until the next call. NULL if names are
 *        written unchanged
 * @end: the thread is done
 *
 * It has no influence on which functions are written, nor on their order: two
 * names that become the same are one string, but their functions remain two.
 */
struct gsym_namer {
	const void *arg;
	void *(*start)(const void *arg);
	const char *(*name)(void *state, const char *name);
	void (*end)(void *state);
};

/*
 * All new names together may have at most this many times the bytes of the old
 * ones, and a MB.
 */
#define GSYM_MAX_NAMES_GROW 16u

/**
 * struct gsym_write_options - how a file is written
 * @layout: layout of the file
 * @big_endian: write numbers in big-endian order
 * @base: address that offsets count from; functions below it are left out
 * @uuid: build id
 * @uuid_len: bytes of @uuid; more than GSYM_MAX_UUID are cut off, as LLVM does
 * @merge: write functions of the same range as merged functions of the best
 *         one; without it only the best one is written. Not possible in the
 *         prototype's layout
 * @text: ranges that functions must start in, ascending; other functions are
 *        left out
 * @nr_text: number of @text; 0 if there is no such limit
 * @namer: changes the names of functions, including inlined ones; all zeros for
 *         none
 * @starts: ends of symbols without size, ascending: such a symbol ends at the
 *          first of these addresses after it, if no function starts before
 * @nr_starts: number of @starts
 * @threads: number of threads that encode; 0 means 1. It does not change the
 *           file
 */
struct gsym_write_options {
	enum gsym_layout layout;
	bool big_endian;
	uint64_t base;
	uint8_t uuid[GSYM_MAX_UUID];
	uint8_t uuid_len;
	bool merge;
	const struct range *text;
	size_t nr_text;
	struct gsym_namer namer;
	const uint64_t *starts;
	size_t nr_starts;
	unsigned int threads;
};

/* Figures about a file that was written. */
struct gsym_write_stats {
	uint64_t functions;	/* functions written */
	uint64_t merged;	/* functions written as merged ones */
	/* functions left out because there is a better one of the same range */
	uint64_t duplicates;
	/* functions left out because they start outside of @text */
	uint64_t outside;
	/* functions written although they overlap others */
	uint64_t overlaps;
	uint64_t strings;	/* bytes of the string table */
	uint64_t files;
	uint64_t bytes;		/* bytes of the file */
};

/**
 * gsym_write() - write the file
 * @parts: all parts; afterwards they can only be passed to gsym_part_free()
 * @nr_parts: number of @parts
 * @o: how the file is written
 * @fd: descriptor, open for writing, at its start; the file is written in
 *      ascending order
 * @path: name for messages
 * @stats: figures; may be NULL
 * @diag: may be NULL
 *
 * Return: 0; -EFBIG if the layout has no room for it; another negative errno.
 */
int gsym_write(struct gsym_part *const *parts, size_t nr_parts,
	       const struct gsym_write_options *o, int fd, const char *path,
	       struct gsym_write_stats *stats, struct diag *diag);

#endif /* USTACK_USER_GSYM_BUILD_H */
