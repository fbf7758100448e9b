/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of struct store: store.c appends, recover.c opens, expire.c removes. */
#ifndef USTACK_USER_STORE_WRITER_H
#define USTACK_USER_STORE_WRITER_H

#include "serve/store/folder.h"
#include "serve/store/copier.h"
#include "serve/store/segment.h"
#include "serve/store/store.h"

/* A file that is no longer written to. Times are nanoseconds since 1970; 0 means unknown. */
struct store_file {
	struct store_name name;
	uint64_t bytes;
	uint64_t first_ns;
	uint64_t last_ns;
};

/**
 * struct store - a store that is open for writing
 * @dir: path of the folder, owned
 * @dirfd: descriptor of the folder
 * @lock: descriptor of the file "lock", locked while the store is open
 * @o: the options
 * @host: name of this host
 * @files: segments that have ended, and bad files, in ascending order of their numbers
 * @nr_files: number of entries in @files
 * @files_room: number of entries that @files has memory for
 * @open: the segment that is written to; NULL if there is none
 * @open_first_ns: beginning of @open's earliest window, 0 if there is none
 * @open_last_ns: end of @open's latest window
 * @newest: highest number of a segment
 * @ends_ns: when @open ends because of its age, by CLOCK_MONOTONIC
 * @even_ns: since when the time of day has run evenly, by CLOCK_BOOTTIME; 0 at first
 * @clock_offset: time of day minus CLOCK_BOOTTIME, nanoseconds
 * @marks: how much of @open's definitions has been written
 * @copier: copies from windows to @open's definitions
 * @samples: samples of the window that is being appended
 * @definitions: new definitions of that window, unpacked
 * @raw: samples of that window as bytes, unpacked
 * @record: the whole record, as it is written
 * @zstd: a ZSTD_CCtx
 * @info: counts; store_info() computes its other members
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
	struct copier copier;
	struct store_samples samples;
	struct buffer definitions;
	struct buffer raw;
	struct buffer record;
	void *zstd;
	struct store_info info;
};

/* Passes a message to @o.note; @fmt has no full stop at its end. */
__attribute__((__format__(__printf__, 2, 3)))
void store_say(const struct store *s, const char *fmt, ...);

/* How many bytes a segment may have, and how many nanoseconds it may be open. */
uint64_t store_segment_bytes(const struct store *s);
uint64_t store_segment_ns(const struct store *s);
/* Whether a segment has so many definitions that the next record begins a new one. */
bool store_segment_is_rich(const struct store *s, const struct store_segment *g);

/* Appends to @s->files. Return: 0 or -ENOMEM. */
int store_add_file(struct store *s, const struct store_file *f);

/* Finds the segments, repairs the newest one, and continues in it if that is possible.
 * Return: 0 or a negative errno.
 */
int store_recover(struct store *s, struct diag *diag);

/* Makes @segment the open one, and takes its ownership. Return: 0 or -ENOMEM. */
int store_continue(struct store *s, struct store_segment *segment);

/* Removes the oldest segments until @bytes more fit, as far as possible. */
void store_make_room(struct store *s, uint64_t bytes);

#endif /* USTACK_USER_STORE_WRITER_H */
