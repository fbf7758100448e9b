/* SPDX-License-Identifier: GPL-2.0-only */
/* The insides of struct store: store.c appends, recover.c opens, expire.c removes. */
#ifndef USTACK_USER_STORE_WRITER_H
#define USTACK_USER_STORE_WRITER_H

#include "serve/store/folder.h"
#include "serve/store/pick.h"
#include "serve/store/segment.h"
#include "serve/store/store.h"

/* A file that is not written to. A moment of 0 is none. */
struct store_file {
	struct store_name name;
	uint64_t bytes;
	uint64_t first_ns;
	uint64_t last_ns;
};

/**
 * struct store - a store that is open for writing
 * @dir: its name
 * @dirfd: the folder
 * @lock: held while this is open
 * @o: options
 * @host: this one's name
 * @files: those that are at their end, in ascending order
 * @nr_files: of them
 * @files_room: of @files
 * @open: the segment that is written to; NULL if there is none
 * @open_first_ns: of its windows, 0 if there is none
 * @open_last_ns: of them
 * @newest: highest number of a segment
 * @ends_ns: of CLOCK_MONOTONIC: @open's end
 * @even_ns: of CLOCK_BOOTTIME: since when the time of day goes as that does; 0 at first
 * @clock_offset: the time of day is ahead of that by so many nanoseconds
 * @marks: what of @open's definitions is written
 * @pick: from windows to these
 * @samples: of the window that is being appended
 * @definitions: of that window, unpacked
 * @raw: its samples
 * @record: all of it, as it is written
 * @zstd: of ZSTD_CCtx
 * @info: counts; @bytes and so on are made when they are asked for
 */
struct store {
	char *dir;
	int dirfd;
	int lock;
	struct store_options o;
	char host[STORE_HOST_BYTES + 1];
	struct store_file *files;
	size_t nr_files;
	size_t files_room;
	struct store_segment *open;
	uint64_t open_first_ns;
	uint64_t open_last_ns;
	uint64_t newest;
	uint64_t ends_ns;
	uint64_t even_ns;
	int64_t clock_offset;
	struct store_marks marks;
	struct pick pick;
	struct store_samples samples;
	struct buffer definitions;
	struct buffer raw;
	struct buffer record;
	void *zstd;
	struct store_info info;
};

/* For people; @fmt without a full stop. */
__attribute__((__format__(__printf__, 2, 3)))
void store_say(const struct store *s, const char *fmt, ...);

/* Bytes that a segment may have, and nanoseconds that it may be open for. */
uint64_t store_segment_bytes(const struct store *s);
uint64_t store_segment_ns(const struct store *s);
/* Whether a segment has so many definitions that another one is to begin. */
bool store_segment_is_rich(const struct store *s, const struct store_segment *g);

/* Adds a file at the end. Return: 0 or -ENOMEM. */
int store_add_file(struct store *s, const struct store_file *f);

/* Finds what is there, mends it, and goes on in the newest segment if that is possible.
 * Return: 0 or a negative errno.
 */
int store_recover(struct store *s, struct diag *diag);

/* Begins to write behind what @segment has, and owns it then. Return: 0 or -ENOMEM. */
int store_continue(struct store *s, struct store_segment *segment);

/* Removes the oldest until there is room for so many bytes more, as far as it goes. */
void store_make_room(struct store *s, uint64_t bytes);

#endif /* USTACK_USER_STORE_WRITER_H */
