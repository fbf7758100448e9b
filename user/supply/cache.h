/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections that were made before, by build id: DIR/ab/cdef....sframe, the bytes of
 * the section behind a header. A file is written beside its place and renamed, so
 * that readers see all of an entry or none; several programs may share a cache.
 *
 * What is read back is as good as the disk: every field is checked and the bytes
 * are summed, and then the module verifies the section as it would any other.
 */
#ifndef USTACK_USER_SUPPLY_CACHE_H
#define USTACK_USER_SUPPLY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

#define CACHE_DEFAULT "/var/cache/ustack"
/* Environment: what stands for CACHE_DEFAULT */
#define CACHE_ENV "USTACK_SFRAME_CACHE"
#define CACHE_DEFAULT_MB 512u

/*
 * Who makes a table: a digest of the sources that decide its bytes and the layout of an
 * entry, see user/supply/synthesizer. An entry of another synthesizer is never used. It
 * is a digest of sources, not the program's build id: a build id changes with the
 * compiler, its options and each source of the program, and a program need not have one.
 * All entries would be lost then, also those that root has prepared by another build of
 * the same sources. libdw, which only splits CFI into its instructions, is not in it.
 */
extern const uint64_t cache_synthesizer;

#define CACHE_MAX_BUILD_ID 32u

/**
 * struct cache - an open cache
 * @dir: the directory
 * @path: of the directory, for messages; it is the string that cache_open() got
 * @owner: of the directory; what root writes there is given to it
 * @group: of the directory
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
 * @owner: user that the file belongs to. Who makes a file can give it another
 *         file's build id: an entry made from a file of root's holds for all
 *         files, one made from another user's for that user's alone
 * @shape: sum of the file's size and segments
 * @build_id: GNU build id
 * @build_id_len: 2 to CACHE_MAX_BUILD_ID
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
 * @len: bytes of @bytes
 * @vaddr: link-time address that the contents assume it to be at
 * @functions: in it
 * @rows: in it
 */
struct cache_entry {
	uint8_t *bytes;
	uint32_t len;
	uint64_t vaddr;
	uint32_t functions;
	uint32_t rows;
};

#define CACHE_ENTRY_INIT { .bytes = NULL }

/* Where the cache is unless an option says otherwise. */
const char *cache_default(void);

/**
 * cache_open() - open a cache, making the directory if it is missing
 * @c: holds CACHE_INIT
 * @path: the directory; its parent exists
 * @owner: who is to own a directory made here
 * @group: as @owner
 * @diag: may be NULL
 *
 * A directory is refused that others than its owner may write to, or whose owner
 * is neither root, nor @owner, nor the caller.
 *
 * Return: 0 or a negative errno.
 */
int cache_open(struct cache *c, const char *path, uid_t owner, gid_t group,
	       struct diag *diag);
void cache_release(struct cache *c);

/* Mixes @len bytes into a sum that starts with 0; against accidents only. */
uint64_t cache_sum(uint64_t sum, const void *bytes, size_t len);

/**
 * cache_get() - look an entry up
 * @c: open
 * @key: the file
 * @ret: holds CACHE_ENTRY_INIT; released by cache_entry_release()
 *
 * Return: 0; -ENOENT; -ESTALE when the entry is for another file or of another
 * synthesizer, -EBADMSG when it is damaged: both are to be replaced; another negative
 * errno.
 */
int cache_get(const struct cache *c, const struct cache_key *key,
	      struct cache_entry *ret);

#define CACHE_TEMPORARY_LEN 48u

/*
 * A name beside entries that nobody else uses: processes differ by pid, calls by count. What is
 * left of it after an hour is removed by cache_prune(). Not for several threads.
 */
void cache_temporary(char name[CACHE_TEMPORARY_LEN]);

/* Whether @file of the directory @dir can be read and is of another synthesizer, or torn. */
bool cache_is_stale(int dir, const char *file);

/**
 * cache_put() - write an entry, or replace it
 * @c: open
 * @key: the file
 * @entry: its section
 *
 * An entry without functions does not replace a sound one of another file: a file
 * of debug information has its program's build id.
 *
 * Return: bytes written, or a negative errno.
 */
int64_t cache_put(const struct cache *c, const struct cache_key *key,
		  const struct cache_entry *entry);

void cache_entry_release(struct cache_entry *entry);

/**
 * struct cache_pruned - what cache_prune() did
 * @entries: found
 * @bytes: of them
 * @stale: of them removed, as they are of another synthesizer
 * @removed: of the others removed, as there was no room
 */
struct cache_pruned {
	uint64_t entries;
	uint64_t bytes;
	uint64_t stale;
	uint64_t removed;
};

/**
 * cache_prune() - remove what is not used any more, and keep a cache within its size
 * @c: open
 * @max: bytes; entries are removed, those used longest ago first, until nine
 *       tenths of it are left. The day of use is known, not the minute
 * @ret: what was found and done
 *
 * Removes all entries of another synthesizer first, and what writers that died have left.
 * Touches no file that does not
 * have the name of an entry or of such a leftover.
 *
 * Return: 0 or a negative errno.
 */
int cache_prune(const struct cache *c, uint64_t max, struct cache_pruned *ret);

#endif /* USTACK_USER_SUPPLY_CACHE_H */
