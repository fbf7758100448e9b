/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache of GSYM files, DIR/ab/cdef...-SUM.KIND.gsym. KIND is the source of the names:
 * dwarf, symtab, bsym or dynsym. Empty files that end in .miss note that servers have no
 * debug file. Files are written under another name and renamed, so that several programs
 * may use a cache at the same time.
 */
#ifndef USTACK_USER_SYMSTORE_GSYM_CACHE_H
#define USTACK_USER_SYMSTORE_GSYM_CACHE_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "symbols/symstore/symstore.h"
#include "util/diag.h"

/* Increased whenever conversion gives other files than before. */
#define GSYM_CACHE_FORMAT 5u

/* Time in seconds for which a note counts that servers have no debug file. */
#define GSYM_CACHE_MISS_SECONDS 86400

/**
 * struct gsym_cache - a cache
 * @dir: descriptor of the folder, -1 if there is none
 * @max: limit for its size in bytes
 */
struct gsym_cache {
	int dir;
	uint64_t max;
};

#define GSYM_CACHE_INIT { .dir = -1 }

/* The default folder: ${XDG_CACHE_HOME:-~/.cache}/ustack/symbols. */
void gsym_cache_default(char ret[PATH_MAX]);

/**
 * gsym_cache_open() - open the folder, and create it if it is missing
 * @c: holds GSYM_CACHE_INIT
 * @path: path of the folder; NULL for gsym_cache_default()
 * @max: limit for its size in bytes
 * @diag: may be NULL
 *
 * A folder that other users may write to is refused, as they could forge names.
 *
 * Return: 0 or a negative errno. Then nothing new is cached; if the folder can be read, @c is open,
 * and what it has is used.
 */
int gsym_cache_open(struct gsym_cache *c, const char *path, uint64_t max,
		    struct diag *diag);

/* Removes the least recently used entries until the size is within its limit, and closes. */
void gsym_cache_release(struct gsym_cache *c);

/**
 * struct gsym_cache_key - everything that determines an entry
 * @build_id: the build id, @len bytes
 * @len: number of bytes, 0 if there is none
 * @own: the file
 * @debug: the file's debug file, or NULL
 * @bsym: the file's BSYM file, or NULL
 * @fetched: the entry is made from a debug file that a server sent
 * @servers: URLs of the servers, for a note of gsym_cache_miss(); else NULL
 */
struct gsym_cache_key {
	const uint8_t *build_id;
	unsigned int len;
	const struct stat *own;
	const struct stat *debug;
	const struct stat *bsym;
	bool fetched;
	const char *servers;
};

/**
 * gsym_cache_name() - make the name of an entry
 * @key: everything that determines it
 * @ret: the name, without KIND and extension
 *
 * A debug file that is installed later gives another name. So does a file of another
 * user, who could use any build id, and for a BSYM file, which has no build id, any other
 * or changed file.
 */
void gsym_cache_name(const struct gsym_cache_key *key, char ret[NAME_MAX]);

/**
 * gsym_cache_find() - look up an entry, and mark it as used
 * @c: the cache
 * @name: from gsym_cache_name()
 * @ret: path of the entry, for gsym_open()
 *
 * Return: the best source for which there is an entry; SYMSTORE_NOTHING if there is none.
 */
enum symstore_source gsym_cache_find(const struct gsym_cache *c, const char *name,
				     char ret[PATH_MAX]);

/**
 * gsym_cache_begin() - create a file for an entry
 * @c: the cache
 * @room: limit for the entry's bytes: if the disk has less space, the file is in memory
 *        and is lost at the end of this program
 *
 * Return: descriptor of a new file without a name, or a negative errno.
 */
int gsym_cache_begin(const struct gsym_cache *c, uint64_t room);

/* Names the file, replacing an older entry; if that fails, the file stays without a name. */
void gsym_cache_commit(const struct gsym_cache *c, int fd, const char *name,
		       enum symstore_source source);

/**
 * gsym_cache_miss() - note that servers have no debug file
 * @c: the cache
 * @name: from gsym_cache_name(), for a key with build id and servers
 */
void gsym_cache_miss(const struct gsym_cache *c, const char *name);

/* Return: whether there is a note younger than GSYM_CACHE_MISS_SECONDS. */
bool gsym_cache_missed(const struct gsym_cache *c, const char *name);

/* Removes a damaged entry. */
void gsym_cache_remove(const struct gsym_cache *c, const char *name,
		       enum symstore_source source);

#endif /* USTACK_USER_SYMSTORE_GSYM_CACHE_H */
