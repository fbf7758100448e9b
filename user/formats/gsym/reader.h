/* SPDX-License-Identifier: MIT */
/*
 * GSYM files: which function, source file, line and inlined calls an address belongs
 * to. This is the reader; build.h makes such files, Documentation/formats/gsym.md says
 * what is in them. gsym.h is the interface of libgsym, for programs of others: library.c
 * implements it by the functions below.
 *
 *	struct gsym_frame frames[GSYM_MAX_FRAMES];
 *	struct gsym *g;
 *
 *	err = gsym_open("a.gsym", &g, &diag);
 *	n = gsym_lookup(g, addr, frames, GSYM_MAX_FRAMES);	frames[0] is innermost
 *	gsym_close(g);
 *
 * Read are LLVM's versions 1 and 2 and the layout of the format's prototype, of either
 * byte order, alone or in a section of an ELF or Mach-O file. Nothing is decoded before
 * it is asked for: opening costs the same for any size, and nothing is allocated after.
 * A file may hold anything: what is wrong in it is an error, never a wrong access.
 *
 * Addresses are link-time addresses. Nothing is subtracted from them: the caller of a
 * frame other than the interrupted one asks for its return address minus 1.
 *
 * Context: every function may be called by any number of threads at once, but for
 * gsym_close(). There is no state but what the caller holds. A file is mapped: who
 * truncates it while it is open kills its readers (SIGBUS), so a file is replaced by
 * renaming a new one over it.
 */
#ifndef USTACK_USER_GSYM_READER_H
#define USTACK_USER_GSYM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/gsym/gsym.h"
#include "util/diag.h"

enum gsym_layout {
	GSYM_PROTOTYPE,	/* of github.com/clayborg/gsym; its files say version 1 too */
	GSYM_LLVM_1,
	GSYM_LLVM_2,
};

/* "LLVM version 1" */
const char *gsym_layout_name(enum gsym_layout layout);

#define GSYM_MAX_UUID 20u
/* Inlined calls of one another that are followed; a file with more is damaged. The concrete function
 * is a frame, too.
 */
#define GSYM_MAX_DEPTH (GSYM_MAX_FRAMES - 1)

struct gsym;

/**
 * gsym_open() - map a file
 * @path: a GSYM file, or an ELF or Mach-O file with one in its section .gsym or __gsym; "-" is
 *        standard input, of 256 MiB at most where that is a pipe
 * @ret: on success: released by gsym_close()
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG if it is none, with offset and reason; another negative errno.
 */
int gsym_open(const char *path, struct gsym **ret, struct diag *diag);

/**
 * gsym_open_descriptor() - the same of an open file
 * @fd: open for reading; may be closed afterwards
 * @path: for messages
 * @ret: see gsym_open()
 * @diag: may be NULL
 *
 * Return: see gsym_open().
 */
int gsym_open_descriptor(int fd, const char *path, struct gsym **ret, struct diag *diag);

/**
 * gsym_open_bytes() - the same of a file in memory
 * @bytes: borrowed until gsym_close(); of any alignment
 * @len: of @bytes
 * @name: for messages; borrowed until gsym_close()
 * @ret: see gsym_open()
 * @diag: may be NULL
 *
 * Return: see gsym_open().
 */
int gsym_open_bytes(const void *bytes, size_t len, const char *name, struct gsym **ret,
		    struct diag *diag);

/* NULL is fine. */
void gsym_close(struct gsym *g);

/**
 * struct gsym_info - what the header says
 * @layout: of the file
 * @big_endian: its numbers are
 * @section: where it is in its file: 0, or the section's offset
 * @base: address that the table's offsets count from
 * @addr_size: bytes of an offset in the address table
 * @nr_functions: addresses in the table
 * @nr_files: source files, the empty first one included where the layout has it
 * @strings: bytes of its string table
 * @bytes: of all of it, without what else its file has
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @uuid: build id, as the file has it
 */
struct gsym_info {
	enum gsym_layout layout;
	bool big_endian;
	uint64_t section;
	uint64_t base;
	uint8_t addr_size;
	uint32_t nr_functions;
	uint32_t nr_files;
	uint64_t strings;
	uint64_t bytes;
	uint8_t uuid_len;
	uint8_t uuid[GSYM_MAX_UUID];
};

void gsym_identify(const struct gsym *g, struct gsym_info *ret);

/**
 * gsym_lookup() - the functions at an address, by source lines and inlined calls
 * @g: open
 * @addr: link-time address
 * @ret: innermost first; the last one is the concrete function
 * @room: frames in @ret; outer ones that do not fit are not written
 *
 * As LLVM's reader does (llvm/lib/DebugInfo/GSYM/GsymReader.cpp), inlined calls are
 * looked at only if the address has a line.
 *
 * Return: number of frames, also of those that did not fit; 0 if no function has @addr;
 * -EBADMSG if what the file has there is damaged.
 */
int gsym_lookup(const struct gsym *g, uint64_t addr, struct gsym_frame *ret,
		unsigned int room);

/**
 * gsym_lookup_name() - the concrete function alone, for less
 * @g: open
 * @addr: link-time address
 * @offset: bytes from its start; may be NULL
 *
 * Return: its name, borrowed; NULL if there is none or the file is damaged there.
 */
const char *gsym_lookup_name(const struct gsym *g, uint64_t addr, uint64_t *offset);

/**
 * struct gsym_function - one entry of the table, undecoded
 * @start: address
 * @size: bytes; 0 in what came from symbols without one: it reaches to the next
 * @name: borrowed
 * @at: offset of its information in the file
 *
 * The other members are private, for the calls below.
 */
struct gsym_function {
	uint64_t start;
	uint64_t size;
	const char *name;
	uint64_t at;

	const uint8_t *info;	/* its entries, ... */
	const uint8_t *end;	/* and the end of what they may have */
};

/**
 * gsym_function() - by number
 * @g: open
 * @index: below struct gsym_info's @nr_functions; ascends with the address
 * @ret: on success
 *
 * Return: 0 or -EBADMSG.
 */
int gsym_function(const struct gsym *g, uint32_t index, struct gsym_function *ret);

/**
 * gsym_find() - by address
 * @g: open
 * @addr: link-time address
 * @ret: on success: the function that gsym_lookup() answers with
 *
 * Return: 1; 0 if no function has @addr; -EBADMSG.
 */
int gsym_find(const struct gsym *g, uint64_t addr, struct gsym_function *ret);

/**
 * gsym_extent() - where the concrete function at an address begins and ends
 * @g: open
 * @addr: link-time address
 * @start: on 1: its first address
 * @size: on 1: bytes; of a function whose size nothing says, up to the next one; 0 for the last one
 *        of these
 *
 * Return: as gsym_find().
 */
int gsym_extent(const struct gsym *g, uint64_t addr, uint64_t *start, uint64_t *size);

/**
 * gsym_function_check() - whether all that a function has can be read, and is known
 * @g: open
 * @f: by gsym_function() or gsym_find()
 * @path: of the file, for messages; borrowed by @diag
 * @diag: may be NULL; its offset counts from the start of the file that @path names
 *
 * Everything else here passes over entries of types that it does not know, as LLVM's reader
 * does, and takes the first of several of one type: damage to the word that says "line table"
 * makes a function without lines. This says so. It decodes all of the function. In the
 * prototype's layout a word that became 0 cannot be told from a function's end.
 *
 * Return: 0; -EBADMSG for damage, and for a type of a later format.
 */
int gsym_function_check(const struct gsym *g, const struct gsym_function *f, const char *path,
			struct diag *diag);

/* A row of a line table: from @addr on, up to the next row's. */
struct gsym_line {
	uint64_t addr;
	const char *dir;	/* see struct gsym_frame */
	const char *file;
	uint32_t file_index;
	uint32_t line;
};

/* Private: a walk over a line table. */
struct gsym_lines {
	const struct gsym *g;
	const uint8_t *p;
	const uint8_t *end;
	int64_t min;
	uint64_t range;
	uint64_t addr;
	uint64_t line;
	uint64_t file;
};

/* An empty walk if @f has no line table. Return: 0 or -EBADMSG. */
int gsym_lines_init(struct gsym_lines *it, const struct gsym *g,
		    const struct gsym_function *f);
/* Return: 1 with the next row; 0 at the end; -EBADMSG. */
int gsym_lines_next(struct gsym_lines *it, struct gsym_line *ret);

/**
 * struct gsym_call - a node of a function's tree of inlined calls
 * @depth: 0 for the function itself, 1 for what is inlined into it, ...
 * @name: of the inlined function
 * @call_dir: folder and ...
 * @call_file: name of the file, ...
 * @call_file_index: in the file table, ...
 * @call_line: and line, where it is called; "", 0 and 0 if that is not known
 * @nr_ranges: of addresses; see gsym_ranges_init()
 * @start: of the first range
 */
struct gsym_call {
	uint32_t depth;
	const char *name;
	const char *call_dir;
	const char *call_file;
	uint32_t call_file_index;
	uint32_t call_line;
	uint32_t nr_ranges;
	uint64_t start;

	uint64_t base;		/* private: what ranges count from, ... */
	const uint8_t *ranges;	/* and where they are */
	const uint8_t *end;
};

/* Private: a walk over such a tree, callers before what they call. */
struct gsym_calls {
	const struct gsym *g;
	const uint8_t *p;
	const uint8_t *end;
	uint32_t depth;			/* of the next node */
	bool done;
	uint64_t base[GSYM_MAX_DEPTH + 1];	/* of nodes at each depth */
};

int gsym_calls_init(struct gsym_calls *it, const struct gsym *g,
		    const struct gsym_function *f);
/* Return: 1 with the next node; 0 at the end; -EBADMSG. */
int gsym_calls_next(struct gsym_calls *it, struct gsym_call *ret);

/* Private: a walk over the ranges of a node. */
struct gsym_ranges {
	uint64_t base;
	uint64_t left;
	const uint8_t *p;
	const uint8_t *end;
};

void gsym_ranges_init(struct gsym_ranges *it, const struct gsym_call *c);
/* Return: true with the next one, [*start, *end). */
bool gsym_ranges_next(struct gsym_ranges *it, uint64_t *start, uint64_t *end);

/* Private: a walk over functions that were folded into one. */
struct gsym_merged {
	const struct gsym *g;
	const struct gsym_function *f;
	const uint8_t *p;
	const uint8_t *end;
	uint32_t left;
};

/* Other functions whose code is that of @f, which must outlive the walk. */
int gsym_merged_init(struct gsym_merged *it, const struct gsym *g,
		     const struct gsym_function *f);
/* Return: 1 with the next function; 0 at the end; -EBADMSG. */
int gsym_merged_next(struct gsym_merged *it, struct gsym_function *ret);

#define GSYM_SITE_INTERNAL 1u	/* calls something of the same file */
#define GSYM_SITE_EXTERNAL 2u

/**
 * struct gsym_site - a call that returns to an address
 * @offset: of the address that it returns to, from the function's start
 * @flags: GSYM_SITE_*
 * @nr_match: of regular expressions that the callee's name matches
 */
struct gsym_site {
	uint64_t offset;
	uint8_t flags;
	uint32_t nr_match;

	const uint8_t *match;	/* private */
};

/* Private: a walk over call sites. */
struct gsym_sites {
	const struct gsym *g;
	const uint8_t *p;
	const uint8_t *end;
	uint32_t left;
};

int gsym_sites_init(struct gsym_sites *it, const struct gsym *g,
		    const struct gsym_function *f);
/* Return: 1 with the next call site; 0 at the end; -EBADMSG. */
int gsym_sites_next(struct gsym_sites *it, struct gsym_site *ret);
/* Expression @i, below @s->nr_match. Return: it, borrowed; NULL if it is damaged. */
const char *gsym_site_match(const struct gsym *g, const struct gsym_site *s, uint32_t i);

/**
 * gsym_file() - an entry of the file table
 * @g: open
 * @index: as line tables and inlined calls have it; 0 is no file
 * @dir: "" if there is none; borrowed
 * @base: likewise
 *
 * Return: 0 or -EBADMSG.
 */
int gsym_file(const struct gsym *g, uint32_t index, const char **dir, const char **base);

#endif /* USTACK_USER_GSYM_READER_H */
