/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of sections by build id. An entry is the file DIR/ab/cdef....sframe: a header and
 * the section's bytes. A file is written under another name and then renamed, so that
 * readers see a whole entry or none; several programs may share a cache.
 *
 * Entries are read back with care: every field is checked, the bytes are summed, and then
 * the module verifies the section as it would any other.
 */
#ifndef USTACK_USER_SUPPLY_CACHE_H
#define USTACK_USER_SUPPLY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

#define CACHE_DEFAULT "/var/cache/ustack"
/* Environment variable that replaces CACHE_DEFAULT. */
#define CACHE_ENV "USTACK_SFRAME_CACHE"
#define CACHE_DEFAULT_MB 512u

/*
 * Identifies the code that makes tables: a digest of the sources that decide a table's bytes
 * and an entry's layout, see user/supply/synthesizer. An entry of another synthesizer is never
 * used. The program's build id would not do: it changes with the compiler, its options and
 * each source of the program, and a program need not have one. Then all entries would be lost,
 * also those that root has prepared with another build of the same sources. libdw, which only
 * splits CFI into its instructions, is not part of the digest.
 */
extern const uint64_t cache_synthesizer;

#define CACHE_MAX_BUILD_ID 32u

/**
 * struct cache - an open cache
 * @dir: descriptor of the directory
 * @path: path of the directory, for messages; the string that cache_open() got
 * @owner: user that owns the directory; files that root writes there are given to this user
 * @group: group of the directory
 */
struct cache {
	int dir;
	const char *path;
	uid_t owner;
	gid_t group;
};

#define CACHE_INIT { .dir = -1 }

/**
 * struct cache_key - the file that a section is for
 * @arch: enum ustack_arch_id
 * @owner: user that owns the file. Anybody can make a file with another file's build id:
 *         so an entry made from root's file holds for all files, and one made from another
 *         user's file for that user's files only
 * @shape: sum over the file's size and segments
 * @build_id: GNU build id
 * @build_id_len: number of bytes, 2 to CACHE_MAX_BUILD_ID
 */
struct cache_key {
	uint32_t arch;
	uint32_t owner;
	uint64_t shape;
	uint8_t build_id[CACHE_MAX_BUILD_ID];
	uint8_t build_id_len;
};

/**
 * struct cache_entry - a section
 * @bytes: malloc'd; NULL if the file's CFI gives no function
 * @len: number of @bytes
 * @vaddr: link-time address that the contents assume it to be at
 * @functions: number of functions in it
 * @rows: number of rows in it
 */
struct cache_entry {
	uint8_t *bytes;
	uint32_t len;
	uint64_t vaddr;
	uint32_t functions;
	uint32_t rows;
};

#define CACHE_ENTRY_INIT { .bytes = NULL }

/* Path of the cache if no option sets another one. */
const char *cache_default(void);

/**
 * cache_open() - open a cache, making the directory if it is missing
 * @c: holds CACHE_INIT
 * @path: the directory; its parent exists
 * @owner: user that owns the directory if it is made here
 * @group: group of that directory
 * @diag: may be NULL
 *
 * The directory is refused if others than its owner may write to it, or if its owner is
 * neither root, nor @owner, nor the caller.
 *
 * Return: 0 or a negative errno.
 */
int cache_open(struct cache *c, const char *path, uid_t owner, gid_t group,
	       struct diag *diag);
void cache_release(struct cache *c);

/* Adds @len bytes to a sum that starts with 0. It detects accidents, not attacks. */
uint64_t cache_sum(uint64_t sum, const void *bytes, size_t len);

/**
 * cache_get() - look an entry up
 * @c: open
 * @key: the file
 * @ret: holds CACHE_ENTRY_INIT; released by cache_entry_release()
 *
 * Return: 0; -ENOENT; -ESTALE if the entry is for another file or of another synthesizer,
 * -EBADMSG if it is damaged: cache_put() may replace both; another negative errno.
 */
int cache_get(const struct cache *c, const struct cache_key *key,
	      struct cache_entry *ret);

#define CACHE_TEMPORARY_LEN 48u

/*
 * Makes a file name that no entry and nobody else has: it contains the pid and a count. A file
 * left under such a name is removed by cache_prune() after an hour. Not thread-safe.
 */
void cache_temporary(char name[CACHE_TEMPORARY_LEN]);

/* Whether @file in the directory @dir is readable, and is torn or of another synthesizer. */
bool cache_is_stale(int dir, const char *file);

/**
 * cache_put() - write an entry, or replace it
 * @c: open
 * @key: the file
 * @entry: the file's section
 *
 * An entry without functions does not replace a good one of another file, as a file with
 * debug information has its program's build id.
 *
 * Return: bytes written, or a negative errno.
 */
int64_t cache_put(const struct cache *c, const struct cache_key *key,
		  const struct cache_entry *entry);

void cache_entry_release(struct cache_entry *entry);

/**
 * struct cache_pruned - result of cache_prune()
 * @entries: number of entries found
 * @bytes: disk space of those that were not stale
 * @stale: number of entries removed because they are of another synthesizer
 * @removed: number of other entries removed to make room
 */
struct cache_pruned {
	uint64_t entries;
	uint64_t bytes;
	uint64_t stale;
	uint64_t removed;
};

/**
 * cache_prune() - remove old entries and keep a cache within its size
 * @c: open
 * @max: limit in bytes. Above it entries are removed, those used longest ago first, until
 *       nine tenths of it are left. The time of use is only known to the day
 * @ret: number of entries found and removed
 *
 * Entries of another synthesizer, and files that dead writers have left, are always removed.
 * Files whose names are neither those of entries nor those of such files are not touched.
 *
 * Return: 0 or a negative errno.
 */
int cache_prune(const struct cache *c, uint64_t max, struct cache_pruned *ret);

#endif /* USTACK_USER_SUPPLY_CACHE_H */
