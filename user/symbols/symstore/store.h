/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to user/symbols/symstore: what a store and an image are made of. */
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
	STATE_MET,	/* nobody has asked for names */
	STATE_WAITS,	/* for a process to be free */
	STATE_MADE,	/* is being made */
	STATE_FETCHED,	/* its debug file is, from a server */
	STATE_DONE,	/* @gsym, or @reason */
};

/**
 * struct symstore_image - a file
 * @file: open until names are there, so that it may be deleted meanwhile
 * @path: that it was met by first
 * @build_id: of the file, or that was asked for
 * @found: the headers count
 * @has_base: without them: @base is known, of the debug file
 * @base: see symstore_base()
 * @state: enum state
 * @make: while it is being made, into @out, which becomes @cached
 * @fetch: while its debug file is fetched, to be @fetched
 * @fetched: descriptor of it, -1 if there is none
 * @nr_tried: providers (provider.h) that were tried
 * @said: @reason, to the user
 * @gsym: NULL if there are no names
 * @source: of the names
 * @reason: see symstore_reason()
 * @refs: see symstore_put()
 * @idle: without @refs: turn of the store at which it was given back
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
	bool no_servers;	/* they are not worth asking again */
};

/* Says it to the user of the store. */
void store_note(const struct symstore *s, const char *text);

#endif /* USTACK_USER_SYMSTORE_STORE_H */
