/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/symstore: the structures of a store and an image. */
#ifndef USTACK_USER_SYMSTORE_STORE_H
#define USTACK_USER_SYMSTORE_STORE_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/gsym/reader.h"
#include "host/file/locate.h"
#include "symbols/symstore/bsym_dir.h"
#include "symbols/symstore/fetch.h"
#include "symbols/symstore/gsym_cache.h"
#include "symbols/symstore/make.h"
#include "symbols/symstore/symstore.h"

enum state {
	STATE_MET,	/* names were not requested */
	STATE_WAITS,	/* waits for a free jail */
	STATE_MADE,	/* a jail makes its GSYM file */
	STATE_FETCHED,	/* a jail fetches its debug file from a server */
	STATE_DONE,	/* @gsym is set, or @reason */
};

/**
 * struct symstore_image - a file with code
 * @file: the file; open until names are there, as it may be deleted meanwhile
 * @path: path under which it was first found
 * @build_id: build id of the file or of the key, @build_id_len bytes
 * @build_id_len: number of bytes, 0 if not known
 * @dev: device of the key, 0 if not known
 * @ino: inode of the key, 0 if not known
 * @generation: generation of the inode, 0 if not known
 * @found: the file was found and its headers are read
 * @has_base: if not @found: @base is known from the debug file
 * @base: see symstore_base()
 * @state: enum state
 * @make: running job that makes the GSYM file
 * @out: descriptor of the new GSYM file, -1 if there is none
 * @cached: name in the cache of the GSYM file
 * @fetch: running fetch of the debug file
 * @fetched: descriptor of the fetched debug file, -1 if there is none
 * @nr_tried: number of providers (provider.h) that were tried
 * @said: @reason was reported to the user
 * @gsym: names of the file, NULL if there are none
 * @source: source of the names
 * @reason: see symstore_reason()
 * @refs: number of references, see symstore_put()
 * @idle: with no @refs: value of the store's @turn when the last one was put
 */
struct symstore_image {
	struct supply_file file;
	char *path;
	uint8_t build_id[SYMSTORE_MAX_BUILD_ID];
	uint8_t build_id_len;
	uint64_t dev;
	uint64_t ino;
	uint64_t generation;
	bool found;
	bool has_base;
	uint64_t base;
	enum state state;
	struct make make;
	int out;
	char cached[NAME_MAX];
	struct fetch fetch;
	int fetched;
	unsigned int nr_tried;
	bool said;
	struct gsym *gsym;
	enum symstore_source source;
	char reason[256];
	uint64_t refs;
	uint64_t idle;
};

/* Return: whether a jail works for the image; it is one of those that @running counts. */
static inline bool image_is_running(const struct symstore_image *i)
{
	return i->state == STATE_MADE || i->state == STATE_FETCHED;
}

/**
 * struct symstore - the store
 * @options: options, with defaults filled in
 * @cache: cache of GSYM files
 * @bsym_dir: folder with BSYM files
 * @images: all images
 * @nr_images: number of @images
 * @room: allocated entries of @images
 * @running: number of running jails
 * @max_running: limit for @running
 * @out_of_files: the lack of file descriptors was reported
 * @turn: counts images whose last reference was put
 * @nr_idle: number of images without references
 * @no_servers: a server failed: do not ask again
 */
struct symstore {
	struct symstore_options options;
	struct gsym_cache cache;
	struct bsym_dir bsym_dir;
	struct symstore_image **images;
	size_t nr_images;
	size_t room;
	unsigned int running;
	unsigned int max_running;
	bool out_of_files;
	uint64_t turn;
	size_t nr_idle;
	bool no_servers;
};

/* Gives a message to the store's user. */
void store_note(const struct symstore *s, const char *text);

#endif /* USTACK_USER_SYMSTORE_STORE_H */
