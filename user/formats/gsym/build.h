/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making GSYM files. Producers (dwarf, symtab, breakpad, ...) describe functions to
 * parts, one for each thread; the writer makes one file of all parts. What comes out
 * does not depend on how the functions were spread over parts, nor on their order:
 * only on what they are and on the @order that each one was given.
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

/* A row of a line table: from @addr on. @file: of gsym_part_file(), 0 for none. */
struct gsym_new_line {
	uint64_t addr;
	uint32_t file;
	uint32_t line;
};

/**
 * struct gsym_new_call - an inlined call
 * @ranges: addresses, ascending, not overlapping, inside those of its caller
 * @nr_ranges: at least 1
 * @depth: 1 for what is inlined into the function itself; at most one more than that
 *         of the call before it, which then is the caller
 * @name: of the inlined function, by gsym_part_string()
 * @call_file: by gsym_part_file(), 0 if it is not known
 * @call_line: 0 if it is not known
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
 * struct gsym_new_site - a call that returns to an address
 * @offset: of that address, from the function's start
 * @flags: GSYM_SITE_*
 * @match: regular expressions, by gsym_part_string()
 * @nr_match: number of @match
 */
struct gsym_new_site {
	uint64_t offset;
	uint8_t flags;
	const uint32_t *match;
	uint32_t nr_match;
};

/**
 * struct gsym_new_function - what a producer knows of one range of code
 * @range: an empty one is a symbol without size
 * @name: by gsym_part_string(); not 0
 * @order: breaks ties between functions that are otherwise alike: the offset of its
 *         entry in the source, so that it is the same on every run
 * @lines: ascending by address; rows outside @range are left out
 * @nr_lines: number of @lines
 * @calls: callers before what they call, see struct gsym_new_call
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
 * gsym_part_string() - the number of a string
 * @part: that it will be used in
 * @s: copied
 * @len: of @s
 * @ret: 0 for the empty string
 *
 * Return: 0; -ENOMEM, also beyond 4 GiB of strings in a part; -EINVAL if there is a NUL
 * in it.
 */
int gsym_part_string(struct gsym_part *part, const char *s, size_t len, uint32_t *ret);

/**
 * gsym_part_file() - the number of a source file
 * @part: that it will be used in
 * @dir: its folder, by gsym_part_string()
 * @base: its name, by gsym_part_string()
 * @ret: 0 if both are empty
 *
 * Return: 0 or -ENOMEM.
 */
int gsym_part_file(struct gsym_part *part, uint32_t dir, uint32_t base, uint32_t *ret);

/**
 * gsym_part_add() - add a function
 * @part: that its strings and files are of
 * @f: all of it is copied, in a form about as large as in the file
 *
 * Return: 0; -ENOMEM; -EINVAL if it breaks the rules above.
 */
int gsym_part_add(struct gsym_part *part, const struct gsym_new_function *f);

/**
 * struct gsym_namer - how names of functions are written
 * @arg: for @start
 * @start: what a thread needs, to be released by @end; NULL if there is no memory
 * @name: what is written for a name, the same in every thread: the name itself, or what
 *        is good until the next call. NULL if names are written as they are
 * @end: the thread is done
 *
 * Which functions are kept does not depend on it, nor does their order: two names that
 * become the same are the same string, and their functions are two.
 */
struct gsym_namer {
	const void *arg;
	void *(*start)(const void *arg);
	const char *(*name)(void *state, const char *name);
	void (*end)(void *state);
};

/* Names may become so many times as long, and a MB longer, all of them together. */
#define GSYM_MAX_NAMES_GROW 16u

/**
 * struct gsym_write_options - how a file is made
 * @layout: of the file
 * @big_endian: write its numbers so
 * @base: address that offsets count from; functions below it are left out
 * @uuid: build id
 * @uuid_len: up to GSYM_MAX_UUID; a longer one is cut, as LLVM does
 * @merge: keep functions of the same range as merged ones of the best of them; without
 *         it only the best one is kept. Not in the prototype's layout
 * @text: ranges that functions must start in, ascending; others are left out
 * @nr_text: number of @text; 0 for no such limit
 * @namer: of the names of functions, inlined ones included; zeros for none
 * @starts: where symbols without size end, ascending: each one at the first of these behind
 *          it, if no function starts before
 * @nr_starts: number of @starts
 * @threads: that encode; 0 for 1. The bytes are the same with any number
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

/* What became of the functions. */
struct gsym_write_stats {
	uint64_t functions;	/* written */
	uint64_t merged;	/* written as merged ones */
	uint64_t duplicates;	/* left out for a better one of the same range */
	uint64_t outside;	/* left out as they start in no text */
	uint64_t overlaps;	/* written, though they overlap others */
	uint64_t strings;	/* bytes of the string table */
	uint64_t files;
	uint64_t bytes;		/* of the file */
};

/**
 * gsym_write() - make the file
 * @parts: all parts; they are used up, and only good for gsym_part_free() then
 * @nr_parts: number of @parts
 * @o: how
 * @fd: open for writing, at its start; the file is written in ascending order
 * @path: for messages
 * @stats: may be NULL
 * @diag: may be NULL
 *
 * Return: 0; -EFBIG if the layout has no room for it; another negative errno.
 */
int gsym_write(struct gsym_part *const *parts, size_t nr_parts,
	       const struct gsym_write_options *o, int fd, const char *path,
	       struct gsym_write_stats *stats, struct diag *diag);

#endif /* USTACK_USER_GSYM_BUILD_H */
