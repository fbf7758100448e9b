/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A store of names: for a file that a process has or had mapped, it finds the functions
 * at the file's addresses.
 *
 *	symstore_new(&options, &store, &diag);
 *	image = symstore_image(store, &key);		open it at once: it may be deleted soon
 *	symstore_segment(image, offset, &segment);	link-time address of an offset
 *	symstore_want(image);				make its GSYM file in the background
 *	symstore_wait(store, NULL, NULL);
 *	n = symstore_lookup(image, vaddr, frames, GSYM_MAX_FRAMES);
 *	symstore_free(store);
 *
 * A GSYM file is made from the best source: the file's own DWARF, debug files by build id
 * or .gnu_debuglink, else symbol tables. It is kept in a cache that several programs may
 * use at the same time. If the user wants it and nothing on this machine has DWARF, debug
 * files are fetched from servers (debuginfod(8)). If a file has only the functions that
 * it exports, a BSYM file (formats/bsym/bsym.h) names the others, if the folder that the
 * user gave has one for its build id.
 *
 * The files belong to the profiled users: their content is untrusted.
 *
 * Context: symstore_lookup() and symstore_segment() may be called by any number of
 * threads at once, the other functions by one thread at a time.
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
 * struct symstore_options - options; all zero is right for most callers
 * @cache: path of the cache's folder; NULL for
 *         ${XDG_CACHE_HOME:-~/.cache}/ustack/symbols. If it cannot be written, files are
 *         made for this run only
 * @cache_bytes: limit for the cache's size; 0 for SYMSTORE_CACHE_BYTES
 * @debug_dirs: folders with debug files, ends with NULL; NULL for only /usr/lib/debug
 * @file_dirs: folders that are searched for a file by its path and name if the file
 *             itself is not found, ends with NULL; NULL for none
 * @bsym_dir: folder with BSYM files, BUILD-ID.bsym; addresses in them are link-time
 *            addresses in any code segment. NULL for none
 * @servers: URLs of debuginfod servers, separated by blanks; NULL or "" for none
 * @fetch_seconds: limit for the time of a fetch; 0 for SYMSTORE_FETCH_SECONDS. Servers
 *                 that take longer, or cannot be reached, are not asked again
 * @fetch_bytes: limit for the size of a debug file; 0 for SYMSTORE_FETCH_BYTES
 * @threads: limit for the number of jails at a time; 0 for one for each CPU
 * @note: gets messages for the user that are not errors; may be NULL. May be called by
 *        any thread, one at a time
 * @arg: passed to @note
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
 * symstore_new() - create a store
 * @options: options, copied
 * @ret: released by symstore_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno, also if others may write to @bsym_dir.
 */
int symstore_new(const struct symstore_options *options, struct symstore **ret,
		 struct diag *diag);

/* Ends running jails and frees the store. NULL is fine. */
void symstore_free(struct symstore *store);

/**
 * struct symstore_key - what is known of a file
 * @path: path as the process saw it, "[vdso]" for the vDSO; may be "" if @build_id is
 *        known
 * @build_id: the build id, @build_id_len bytes; a file with another one is not accepted
 * @build_id_len: number of bytes, 0 if not known
 * @dev: device as makedev(3) returns it, if known and @build_id is not; else 0
 * @ino: inode number, set together with @dev
 * @generation: generation of the inode; 0 if not known
 * @pid: a process that has mapped the file; 0 if there is none: then the file may be of
 *       another time or machine, and only its build id proves that it is the right one
 * @start: start address of such a mapping
 * @end: end address of that mapping
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
 * symstore_image() - find or add a file
 * @store: the store
 * @key: what is known of the file; copied
 *
 * The file is opened now, if possible: through the process's mapping, its root, or this
 * program's root. Files with the same build id share one image. This costs a few system
 * calls.
 *
 * Return: a reference to the image, which lives as long as the store, or until
 * symstore_put() and symstore_trim(); NULL if out of memory.
 */
struct symstore_image *symstore_image(struct symstore *store,
				      const struct symstore_key *key);

/* Puts a reference; only programs that run for a long time need to. */
void symstore_put(struct symstore *store, struct symstore_image *image);

/**
 * symstore_trim() - free images without references
 * @store: the store
 * @keep: number of such images to keep, those put last
 * @gone: called for each image before it is freed
 * @arg: passed to @gone
 *
 * An image whose names are being made stays until that has ended.
 *
 * Return: number of images freed.
 */
size_t symstore_trim(struct symstore *store, size_t keep,
		     void (*gone)(struct symstore_image *image, void *arg), void *arg);

/**
 * struct symstore_segment - an executable part of the file
 * @vaddr: link-time address of its first byte
 * @limit: link-time address after its last byte
 * @offset: offset of its first byte in the file
 */
struct symstore_segment {
	uint64_t vaddr;
	uint64_t limit;
	uint64_t offset;
};

/**
 * symstore_segment() - find the segment of an offset in the file
 * @image: the file
 * @offset: offset in the file; its link-time address is @ret->vaddr + (@offset -
 *          @ret->offset)
 * @ret: set if true is returned
 *
 * Return: false if the file was not found, or has no code at the offset.
 */
bool symstore_segment(const struct symstore_image *image, uint64_t offset,
		      struct symstore_segment *ret);

/**
 * symstore_base() - link-time address of the file's first byte
 * @image: the file
 * @ret: set if true is returned: an image map's addresses (formats/imagemap/imagemap.h),
 *       minus the image's base, count from here
 *
 * It is the first segment's address minus its offset, whether that byte is mapped or not:
 * 0 for a PIE, 0x400000 for most others. If the file was not found, its debug file has
 * the address: call symstore_wait() before.
 *
 * Return: false if neither tells it; a BSYM file does not.
 */
bool symstore_base(const struct symstore_image *image, uint64_t *ret);

/* Copies the file's build id. Return: number of bytes, 0 if it is not known. */
unsigned int symstore_build_id(const struct symstore_image *image,
			       uint8_t ret[SYMSTORE_MAX_BUILD_ID]);

/* The path under which the file was first found. */
const char *symstore_path(const struct symstore_image *image);

/* Requests the names of an image; a second request has no effect. */
void symstore_want(struct symstore *store, struct symstore_image *image);

/**
 * symstore_wait() - wait until all requested names are there or have failed
 * @store: the store
 * @progress: called from the caller's thread at the beginning and a few times a second,
 *            with the number of images done, the number of all, and the path of one being
 *            made; returns false to give up; may be NULL
 * @arg: passed to @progress
 *
 * Return: 0; -EINTR if @progress gave up.
 */
int symstore_wait(struct symstore *store,
		  bool (*progress)(unsigned int done, unsigned int all, const char *path,
				   void *arg),
		  void *arg);

/* Takes the results of jails that have ended, and starts new ones. Does not wait. */
void symstore_go_on(struct symstore *store);

/**
 * symstore_lookup() - find the functions at an address
 * @image: the file
 * @vaddr: link-time address; for a caller its return address minus 1
 * @ret: frames, innermost first; their strings belong to the store
 * @room: number of frames that fit into @ret
 *
 * Return: number of frames, also of those that did not fit; 0 if no function has the
 * address or the file has no names; -EAGAIN if names were not requested, or until
 * symstore_wait() or symstore_go_on() has taken them.
 */
int symstore_lookup(struct symstore_image *image, uint64_t vaddr, struct gsym_frame *ret,
		    unsigned int room);

/**
 * symstore_extent() - find the range of the concrete (not inlined) function at an address
 * @image: the file
 * @vaddr: link-time address
 * @start: start address, see gsym_extent(); set if true is returned
 * @size: size in bytes, set if true is returned
 *
 * Return: false if no function has the address, or there are no names yet.
 */
bool symstore_extent(struct symstore_image *image, uint64_t vaddr, uint64_t *start, uint64_t *size);

/* Source of an image's names, from worst to best. */
enum symstore_source {
	SYMSTORE_NOTHING,	/* no names, not requested, or not there yet */
	SYMSTORE_DYNSYM,	/* functions that the file exports */
	SYMSTORE_BSYM,		/* a BSYM file, and the functions that the file exports */
	SYMSTORE_SYMTAB,	/* a full symbol table, also in .gnu_debugdata */
	SYMSTORE_DWARF,		/* DWARF: also lines and inlined calls */
};

enum symstore_source symstore_source(const struct symstore_image *image);

/* The reason why @image has no names or fewer than possible; "" if it has all. */
const char *symstore_reason(const struct symstore_image *image);

#endif /* USTACK_USER_SYMSTORE_H */
