/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for files: from a file that a process has or had mapped to the functions at its
 * addresses.
 *
 *	symstore_new(&options, &store, &diag);
 *	image = symstore_image(store, &key);		at once: the file may be gone soon
 *	symstore_segment(image, offset, &segment);	link-time address of an offset
 *	symstore_want(image);				its GSYM is made in the background
 *	symstore_wait(store, NULL, NULL);
 *	n = symstore_lookup(image, vaddr, frames, GSYM_MAX_FRAMES);
 *	symstore_free(store);
 *
 * A GSYM is made of the best there is: the file's own DWARF, debug files by build id or
 * .gnu_debuglink, else symbol tables. It is kept
 * in a cache that other programs use at the same time. Only where it is asked for and
 * nothing here has DWARF, debug files come from servers (debuginfod(8)). Where nothing has
 * more than what a file exports, a BSYM file (formats/bsym/bsym.h) names the rest of it, if there is
 * one by the file's build id in a folder that the user has named.
 *
 * The files are those of the profiled users: they may hold anything.
 *
 * Context: symstore_lookup() and symstore_segment() by any number of threads at once; the
 * others by one at a time.
 */
#ifndef USTACK_USER_SYMSTORE_H
#define USTACK_USER_SYMSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/gsym/reader.h"
#include "util/diag.h"

#define SYMSTORE_MAX_BUILD_ID 20u
#define SYMSTORE_CACHE_BYTES (2ull << 30)
#define SYMSTORE_FETCH_SECONDS 60u
#define SYMSTORE_FETCH_BYTES (1ull << 30)

struct symstore;
struct symstore_image;

/**
 * struct symstore_options - all zero is what most want
 * @cache: folder; NULL is ${XDG_CACHE_HOME:-~/.cache}/ustack/symbols. Where it cannot be
 *         written, files are made for this run alone
 * @cache_bytes: that it may have; 0 is SYMSTORE_CACHE_BYTES
 * @debug_dirs: where debug files are, ends with NULL; NULL is /usr/lib/debug alone
 * @file_dirs: folders that are searched for a file by its path and by its name when the
 *             file itself cannot be had, ends with NULL; NULL is none
 * @bsym_dir: folder of BSYM files, BUILD-ID.bsym; addresses in them are link-time ones, of
 *            any code segment. NULL is none
 * @servers: URLs of debuginfod servers, separated by blanks; NULL or "" is none
 * @fetch_seconds: that a debug file may take; 0 is SYMSTORE_FETCH_SECONDS. Servers that
 *                 take longer, or cannot be reached, are not asked again
 * @fetch_bytes: that it may have; 0 is SYMSTORE_FETCH_BYTES
 * @threads: that make files at a time; 0 is one for each CPU
 * @note: gets what is not an error and has to be known, in words; may be NULL. May be
 *        called by any thread, one at a time
 * @arg: for @note
 */
struct symstore_options {
	const char *cache;
	uint64_t cache_bytes;
	const char *const *debug_dirs;
	const char *const *file_dirs;
	const char *bsym_dir;
	const char *servers;
	unsigned int fetch_seconds;
	uint64_t fetch_bytes;
	unsigned int threads;
	void (*note)(const char *text, void *arg);
	void *arg;
};

/**
 * symstore_new() - begin
 * @options: copied
 * @ret: released by symstore_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno, also if others may write to @bsym_dir.
 */
int symstore_new(const struct symstore_options *options, struct symstore **ret,
		 struct diag *diag);

/* Gives up what is being made. NULL is fine. */
void symstore_free(struct symstore *store);

/**
 * struct symstore_key - how to come by a file
 * @path: as the process saw it, "[vdso]" for the vDSO; may be "" if @build_id is known
 * @build_id: first @build_id_len bytes; a file that has another one is not it
 * @build_id_len: 0 if it is not known
 * @dev: as makedev(3) has it, with @ino: if @build_id is not known and they are; else 0
 * @ino: inode
 * @generation: of the inode; 0 if it is not known
 * @pid: of a process that has it mapped, 0 for none: then the file may be of another time
 *       or machine, and only its build id tells that it is the one
 * @start: of such a mapping there
 * @end: of it
 */
struct symstore_key {
	const char *path;
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	uint8_t build_id_len;
	uint64_t dev;
	uint64_t ino;
	uint64_t generation;
	uint32_t pid;
	uint64_t start;
	uint64_t end;
};

/**
 * symstore_image() - meet a file
 * @store: the store
 * @key: copied
 *
 * The file is opened now, if it can be had: through the process's mapping, its root, this
 * program's root. What has the same build id is one image. It costs a few system calls.
 *
 * Return: a reference to the image, which lives as long as the store, or until
 * symstore_put() and symstore_trim(); NULL without memory.
 */
struct symstore_image *symstore_image(struct symstore *store,
				      const struct symstore_key *key);

/* Gives back a reference: for who runs for ever. */
void symstore_put(struct symstore *store, struct symstore_image *image);

/**
 * symstore_trim() - let go images that nobody refers to
 * @store: the store
 * @keep: so many of them stay, those that were given back last
 * @gone: is told of each before it is freed
 * @arg: for @gone
 *
 * Return: number of those that went.
 */
size_t symstore_trim(struct symstore *store, size_t keep,
		     void (*gone)(struct symstore_image *image, void *arg), void *arg);

/**
 * struct symstore_segment - a part of the file that is executable
 * @vaddr: link-time address of its first byte
 * @limit: address behind its last one
 * @offset: of its first byte, in the file
 */
struct symstore_segment {
	uint64_t vaddr;
	uint64_t limit;
	uint64_t offset;
};

/**
 * symstore_segment() - where an offset of the file is in its link-time addresses
 * @image: the file
 * @offset: in the file: the link-time address is @ret->vaddr + (@offset - @ret->offset)
 * @ret: on true
 *
 * Return: false if the file could not be had, or has nothing executable there.
 */
bool symstore_segment(const struct symstore_image *image, uint64_t offset,
		      struct symstore_segment *ret);

/**
 * symstore_base() - link-time address of the file's first byte
 * @image: the file
 * @ret: on true: an image map's addresses (formats/imagemap/imagemap.h), less the image's base,
 *       count from here
 *
 * It is the first segment's address less its offset, whether that byte is mapped or not:
 * 0 of a PIE, 0x400000 of most others. Of a file that could not be had its debug file says
 * it: symstore_wait() comes first.
 *
 * Return: false if nothing at hand says it, as no BSYM file does.
 */
bool symstore_base(const struct symstore_image *image, uint64_t *ret);

/* The build id that it has. Return: bytes, 0 if it has none or could not be had. */
unsigned int symstore_build_id(const struct symstore_image *image,
			       uint8_t ret[SYMSTORE_MAX_BUILD_ID]);

/* The path that it was met by first. */
const char *symstore_path(const struct symstore_image *image);

/* Its names will be asked for. Nothing happens if that was said before. */
void symstore_want(struct symstore *store, struct symstore_image *image);

/**
 * symstore_wait() - until all that was wanted is there or has failed
 * @store: the store
 * @progress: is told how many of how many are done and what is being made, from the
 *            caller's thread, at the beginning and a few times a second; returns false to
 *            give up; may be NULL
 * @arg: for @progress
 *
 * Return: 0; -EINTR if @progress gave up.
 */
int symstore_wait(struct symstore *store,
		  bool (*progress)(unsigned int done, unsigned int all, const char *path,
				   void *arg),
		  void *arg);

/* Takes what has been made by now, and begins with what waits: for who does not wait. */
void symstore_go_on(struct symstore *store);

/**
 * symstore_lookup() - the functions at an address
 * @image: the file
 * @vaddr: link-time address; that of a caller is its return address minus 1
 * @ret: innermost first; strings are the store's
 * @room: in @ret
 *
 * Return: number of frames, also of those that did not fit; 0 if no function has it or
 * the file has no names; -EAGAIN if it was never wanted, or until symstore_wait() or
 * symstore_go_on() has found that it is there.
 */
int symstore_lookup(struct symstore_image *image, uint64_t vaddr, struct gsym_frame *ret,
		    unsigned int room);

/**
 * symstore_extent() - where the concrete function at an address begins and ends
 * @image: the file
 * @vaddr: link-time address
 * @start: see gsym_extent(), on true
 * @size: likewise
 *
 * Return: false if no function has it, or there are no names yet.
 */
bool symstore_extent(struct symstore_image *image, uint64_t vaddr, uint64_t *start, uint64_t *size);

/* What an image's names are made of. */
enum symstore_source {
	SYMSTORE_NOTHING,	/* no names, or not wanted, or not there yet */
	SYMSTORE_DYNSYM,	/* what it exports */
	SYMSTORE_BSYM,		/* what a BSYM file says, and what it exports */
	SYMSTORE_SYMTAB,	/* a full symbol table, .gnu_debugdata included */
	SYMSTORE_DWARF,		/* lines and inlined calls, too */
};

enum symstore_source symstore_source(const struct symstore_image *image);

/* Why @image has no names or fewer than it could; "" if it has all. */
const char *symstore_reason(const struct symstore_image *image);

#endif /* USTACK_USER_SYMSTORE_H */
