/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GSYM files that were made before, DIR/ab/cdef...-SUM.KIND.gsym,
 * KIND being dwarf, symtab, bsym or dynsym, what they were made of; and, empty and with the
 * end .miss, notes that servers had no debug file.
 * They are written beside their place and renamed, so that several programs may use one
 * cache at the same time.
 */
#ifndef USTACK_USER_SYMSTORE_GSYM_CACHE_H
#define USTACK_USER_SYMSTORE_GSYM_CACHE_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "symbols/symstore/symstore.h"
#include "util/diag.h"

/* To be counted up whenever conversion gives other files than before. */
#define GSYM_CACHE_FORMAT 5u

/* That servers have no debug file holds so long. */
#define GSYM_CACHE_MISS_SECONDS 86400

/**
 * struct gsym_cache - a cache
 * @dir: descriptor of its folder, -1 if there is none
 * @max: bytes that it may have
 */
struct gsym_cache {
	int dir;
	uint64_t max;
};

#define GSYM_CACHE_INIT { .dir = -1 }

/* Where the cache is unless it is said: ${XDG_CACHE_HOME:-~/.cache}/ustack/symbols. */
void gsym_cache_default(char ret[PATH_MAX]);

/**
 * gsym_cache_open() - open it, and make its folder if it is missing
 * @c: holds GSYM_CACHE_INIT
 * @path: folder; NULL is gsym_cache_default()
 * @max: bytes
 * @diag: may be NULL
 *
 * A folder that others may write to is refused: names would be theirs.
 *
 * Return: 0 or a negative errno; then nothing is kept.
 */
int gsym_cache_open(struct gsym_cache *c, const char *path, uint64_t max,
		    struct diag *diag);

/* Removes what was used longest ago, until it is within its size, and closes it. */
void gsym_cache_release(struct gsym_cache *c);

/**
 * struct gsym_cache_key - what an entry is made of
 * @build_id: first @len bytes
 * @len: of it, 0 for none
 * @own: the file
 * @debug: its debug file, or NULL
 * @bsym: its BSYM file, or NULL
 * @fetched: it is of its debug file that a server gave
 * @servers: that were asked, of a note of gsym_cache_miss(); else NULL
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
 * gsym_cache_name() - the name of an entry
 * @key: what it is made of
 * @ret: the name, without its end
 *
 * A debug file that is installed later gives another one, and so does another user's file,
 * who can give it any build id; of a BSYM file, which has none, any other or changed one.
 */
void gsym_cache_name(const struct gsym_cache_key *key, char ret[NAME_MAX]);

/**
 * gsym_cache_find() - look an entry up, and note its use
 * @c: the cache
 * @name: from gsym_cache_name()
 * @ret: its path, for gsym_open()
 *
 * Return: what it was made of, the best there is; SYMSTORE_NOTHING if there is none.
 */
enum symstore_source gsym_cache_find(const struct gsym_cache *c, const char *name,
				     char ret[PATH_MAX]);

/**
 * gsym_cache_begin() - a file to write an entry to
 * @c: the cache
 * @room: bytes that the entry may come to: where the disk has fewer, the file is in memory,
 *        and ends with this run
 *
 * Return: a descriptor of a new file without a name, or a negative errno.
 */
int gsym_cache_begin(const struct gsym_cache *c, uint64_t room);

/* Gives it its name, in place of what has it; any failure leaves it without one. */
void gsym_cache_commit(const struct gsym_cache *c, int fd, const char *name,
		       enum symstore_source source);

/**
 * gsym_cache_miss() - note that servers have no debug file
 * @c: the cache
 * @name: from gsym_cache_name(), of build id and servers
 */
void gsym_cache_miss(const struct gsym_cache *c, const char *name);

/* Return: whether that was noted, within GSYM_CACHE_MISS_SECONDS. */
bool gsym_cache_missed(const struct gsym_cache *c, const char *name);

/* Removes a damaged entry. */
void gsym_cache_remove(const struct gsym_cache *c, const char *name,
		       enum symstore_source source);

#endif /* USTACK_USER_SYMSTORE_GSYM_CACHE_H */
