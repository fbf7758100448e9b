/* SPDX-License-Identifier: MIT */
/*
 * The reader of GSYM files: they say which function, source file, line and
 * inlined calls an address belongs to. build.h makes such files,
 * Documentation/formats/gsym.md describes them. gsym.h is the interface of
 * libgsym, for other programs: library.c implements it by the functions below.
 *
 *	struct gsym_frame frames[GSYM_MAX_FRAMES];
 *	struct gsym *g;
 *
 *	err = gsym_open("a.gsym", &g, &diag);
 *	n = gsym_lookup(g, addr, frames, GSYM_MAX_FRAMES);	frames[0] is innermost
 *	gsym_close(g);
 *
 * It reads LLVM's versions 1 and 2 and the layout of the format's prototype, in
 * either byte order, alone or in a section of an ELF or Mach-O file. Nothing is
 * decoded before it is asked for: opening costs the same for any size, and
 * nothing is allocated afterwards. A file may hold anything: damage is an
 * error, never a wrong access.
 *
 * Addresses are link-time addresses. Nothing is subtracted from them: for a
 * frame other than the interrupted one the caller passes the return address
 * minus 1.
 *
 * Context: any number of threads may call all functions at once, except
 * gsym_close(). The only state is in structures of the caller. A file is
 * mapped: if somebody truncates it while it is open, its readers are killed by
 * SIGBUS. So a file must be replaced by renaming a new one over it.
 */
#ifndef USTACK_USER_GSYM_READER_H
#define USTACK_USER_GSYM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/gsym/gsym.h"
#include "util/diag.h"

enum gsym_layout {
	/* layout of github.com/clayborg/gsym; its files say version 1, too */
	GSYM_PROTOTYPE,
	GSYM_LLVM_1,
	GSYM_LLVM_2,
};

/* Return: a name such as "LLVM version 1". */
const char *gsym_layout_name(enum gsym_layout layout);

#define GSYM_MAX_UUID 20u
/*
 * Most inlined calls that may be nested; a file with more is damaged. The
 * function itself is one more frame.
 */
#define GSYM_MAX_DEPTH (GSYM_MAX_FRAMES - 1)

struct gsym;

/**
 * gsym_open() - map a file and read its header
 * @path: a GSYM file, or an ELF or Mach-O file with one in its section .gsym or
 *        __gsym; "-" is standard input, of at most 256 MiB if that is a pipe
 * @ret: the open file; released by gsym_close()
 * @diag: may be NULL
 *
 * Return: 0; -EBADMSG with offset and reason if it is not a GSYM file; another
 * negative errno.
 */
int gsym_open(const char *path, struct gsym **ret, struct diag *diag);

/**
 * gsym_open_descriptor() - the same for a file that is open
 * @fd: open for reading; may be closed afterwards
 * @path: name for messages
 * @ret: see gsym_open()
 * @diag: may be NULL
 *
 * Return: see gsym_open().
 */
int gsym_open_descriptor(int fd, const char *path, struct gsym **ret, struct diag *diag);

/**
 * gsym_open_bytes() - the same for a file in memory
 * @bytes: contents, of any alignment; borrowed until gsym_close()
 * @len: number of bytes in @bytes
 * @name: name for messages; borrowed until gsym_close()
 * @ret: see gsym_open()
 * @diag: may be NULL
 *
 * Return: see gsym_open().
 */
int gsym_open_bytes(const void *bytes, size_t len, const char *name, struct gsym **ret,
		    struct diag *diag);

/* @g may be NULL. */
void gsym_close(struct gsym *g);

/**
 * struct gsym_info - what the header of a file says
 * @layout: layout of the file
 * @big_endian: the file's numbers are big-endian
 * @section: offset of the section that is the GSYM file; 0 for a file of its
 *           own
 * @base: address that offsets in the address table count from
 * @addr_size: bytes of an offset in the address table
 * @nr_functions: number of addresses in the table
 * @nr_files: number of source files, including the empty first one if the
 *            layout has it
 * @strings: bytes of the string table
 * @bytes: bytes of the GSYM file, without other contents of the file that
 *         contains it
 * @uuid_len: bytes of @uuid, 0 if there is none
 * @uuid: build id as it is in the file
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
 * gsym_lookup() - find functions, files and lines at an address
 * @g: open
 * @addr: link-time address
 * @ret: frames, innermost first; the last one is the function that is not
 *       inlined
 * @room: number of frames in @ret; outer frames that do not fit are not written
 *
 * As in LLVM's reader (llvm/lib/DebugInfo/GSYM/GsymReader.cpp), inlined calls
 * are looked at only if the address has a line.
 *
 * Return: number of frames, including those that did not fit; 0 if no function
 * contains @addr; -EBADMSG if the file is damaged there.
 */
int gsym_lookup(const struct gsym *g, uint64_t addr, struct gsym_frame *ret,
		unsigned int room);

/**
 * gsym_lookup_name() - find only the function that is not inlined, which is
 * faster
 * @g: open
 * @addr: link-time address
 * @offset: bytes from the start of the function; may be NULL
 *
 * Return: name of the function, borrowed; NULL if there is none or the file is
 * damaged there.
 */
const char *gsym_lookup_name(const struct gsym *g, uint64_t addr, uint64_t *offset);

/**
 * struct gsym_function - a function of the table, not decoded
 * @start: first address
 * @size: bytes; 0 if it came from a symbol without size: it reaches to the next
 *        function
 * @name: name; borrowed
 * @at: offset of its information in the file
 *
 * The other members are private, for the functions below.
 */
struct gsym_function {
	uint64_t start;
	uint64_t size;
	const char *name;
	uint64_t at;

	const uint8_t *info;	/* its entries */
	const uint8_t *end;	/* end of the bytes that entries may have */
};

/**
 * gsym_function() - get a function by its number
 * @g: open
 * @index: below @nr_functions of struct gsym_info; ascends with the address
 * @ret: filled on success
 *
 * Return: 0 or -EBADMSG.
 */
int gsym_function(const struct gsym *g, uint32_t index, struct gsym_function *ret);

/**
 * gsym_find() - find the function that contains an address
 * @g: open
 * @addr: link-time address
 * @ret: filled on 1: the function that gsym_lookup() uses
 *
 * Return: 1; 0 if no function contains @addr; -EBADMSG.
 */
int gsym_find(const struct gsym *g, uint64_t addr, struct gsym_function *ret);

/**
 * gsym_extent() - find start and size of the function at an address
 * @g: open
 * @addr: link-time address
 * @start: set on 1: first address
 * @size: set on 1: bytes. If the file does not say the size, the function
 *        reaches to the next one; 0 if it is also the last one
 *
 * Return: see gsym_find().
 */
int gsym_extent(const struct gsym *g, uint64_t addr, uint64_t *start, uint64_t *size);

/**
 * gsym_function_check() - check that all of a function can be read and is known
 * @g: open
 * @f: from gsym_function() or gsym_find()
 * @path: path of the file, for messages; borrowed by @diag
 * @diag: may be NULL; its offset counts from the start of the file at @path
 *
 * All other functions skip entries of unknown types, as LLVM's reader does, and
 * use the first entry if there are several of one type. So damage to the word
 * that says "line table" makes a function without lines. This function finds
 * such damage; it decodes the whole function. In the prototype's layout a word
 * that became 0 cannot be told from the end of a function.
 *
 * Return: 0; -EBADMSG for damage, and for a type of a later format.
 */
int gsym_function_check(const struct gsym *g, const struct gsym_function *f, const char *path,
			struct diag *diag);

/* A row of a line table. It holds from @addr on, up to the next row. */
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

/* The walk is empty if @f has no line table. Return: 0 or -EBADMSG. */
int gsym_lines_init(struct gsym_lines *it, const struct gsym *g,
		    const struct gsym_function *f);
/* Return: 1 with the next row; 0 at the end; -EBADMSG. */
int gsym_lines_next(struct gsym_lines *it, struct gsym_line *ret);

/**
 * struct gsym_call - a node of a function's tree of inlined calls
 * @depth: 0 for the function itself, 1 for a call inlined into it, ...
 * @name: name of the inlined function
 * @call_dir: folder of the file that has the call; "" if it is not known
 * @call_file: name of that file; "" if it is not known
 * @call_file_index: number of that file in the file table; 0 if it is not known
 * @call_line: line of the call; 0 if it is not known
 * @nr_ranges: number of address ranges; see gsym_ranges_init()
 * @start: lowest start of the ranges
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

	uint64_t base;		/* private: base of the ranges */
	const uint8_t *ranges;	/* private: encoded ranges */
	const uint8_t *end;
};

/* Private: a walk over such a tree, callers before their callees. */
struct gsym_calls {
	const struct gsym *g;
	const uint8_t *p;
	const uint8_t *end;
	uint32_t depth;			/* depth of the next node */
	bool done;
	/* base of the ranges at each depth */
	uint64_t base[GSYM_MAX_DEPTH + 1];
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
/* Return: true with the next range, [*start, *end); false at the end. */
bool gsym_ranges_next(struct gsym_ranges *it, uint64_t *start, uint64_t *end);

/* Private: a walk over functions that were merged into one. */
struct gsym_merged {
	const struct gsym *g;
	const struct gsym_function *f;
	const uint8_t *p;
	const uint8_t *end;
	uint32_t left;
};

/* Walks over other functions that have the same code as @f, which must outlive the walk. */
int gsym_merged_init(struct gsym_merged *it, const struct gsym *g,
		     const struct gsym_function *f);
/* Return: 1 with the next function; 0 at the end; -EBADMSG. */
int gsym_merged_next(struct gsym_merged *it, struct gsym_function *ret);

#define GSYM_SITE_INTERNAL 1u	/* the callee is in the same file */
#define GSYM_SITE_EXTERNAL 2u

/**
 * struct gsym_site - a call site
 * @offset: offset of the call's return address from the function's start
 * @flags: GSYM_SITE_*
 * @nr_match: number of regular expressions that the callee's name matches
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
/* Return: expression @i, below @s->nr_match, borrowed; NULL if it is damaged. */
const char *gsym_site_match(const struct gsym *g, const struct gsym_site *s, uint32_t i);

/**
 * gsym_file() - get an entry of the file table
 * @g: open
 * @index: number as in line tables and inlined calls; 0 is no file
 * @dir: folder; "" if there is none; borrowed
 * @base: name without the folder; "" if there is none; borrowed
 *
 * Return: 0 or -EBADMSG.
 */
int gsym_file(const struct gsym *g, uint32_t index, const char **dir, const char **base);

#endif /* USTACK_USER_GSYM_READER_H */
