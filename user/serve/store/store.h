/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A store of profiles on disk, for a program that records without end. It is a folder of segments.
 * Each segment is a file that is only appended to and that needs no other file to be read.
 * Documentation/store.md describes the format.
 *
 *	store_open(dir, &options, &store, diag);
 *	store_append(store, window, &position, diag);		every ten seconds
 *	store_close(store);
 *
 * One process writes; any number of processes read at the same time (serve/store/reader.h). Once
 * store_append() has returned, its window survives a crash of the process; once store_sync() has
 * returned, also a crash of the machine. If a crash leaves an unfinished record, the next
 * store_open() cuts it off, and readers end before it.
 *
 * The oldest segments are removed when there are more bytes or older windows than allowed.
 *
 * Context: one thread at a time for each store.
 */
#ifndef USTACK_USER_STORE_H
#define USTACK_USER_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"
#include "util/diag.h"

struct store;

#define STORE_DEFAULT_SEGMENT_BYTES (64u << 20)
#define STORE_DEFAULT_SEGMENT_NS 3600000000000u
#define STORE_DEFAULT_SEGMENT_DEFINITIONS (16u << 20)

/**
 * struct store_options - limits and other options
 * @max_bytes: limit for the bytes of all files, the open one included; 0 means no limit. The open
 *             segment is never removed: it ends early so that it takes at most a quarter
 * @max_age_ns: limit for the age of a segment's last window; 0 means no limit. It is applied once
 *              the time of day has run evenly for an hour, or for this time if it is less
 * @segment_bytes: a segment ends at this size; 0 means STORE_DEFAULT_SEGMENT_BYTES
 * @segment_ns: a segment ends after this time; 0 means STORE_DEFAULT_SEGMENT_NS
 * @segment_definitions: a segment ends when its definitions, which stay in memory while it is
 *             open, have so many bytes unpacked; 0 means STORE_DEFAULT_SEGMENT_DEFINITIONS
 * @shared: let @group read the folder and its segments (0750, 0640). The process must be a member
 *          of the group, or root
 * @group: number of the group
 * @note: called with a message when something unexpected was repaired or removed; may be NULL
 * @arg: argument of @note
 */
struct store_options {
	uint64_t max_bytes;
	uint64_t max_age_ns;
	uint64_t segment_bytes;
	uint64_t segment_ns;
	uint64_t segment_definitions;
	bool shared;
	uint32_t group;
	void (*note)(const char *text, void *arg);
	void *arg;
};

/**
 * struct store_position - a place before or after a window, in the order of appending
 * @segment: number of the segment; numbers ascend, and none is used twice, not even after all
 *           segments were removed
 * @record: number of windows before this place in the segment
 *
 * Positions are ordered by @segment, then @record. All zeros are the position before everything.
 */
struct store_position {
	uint64_t segment;
	uint64_t record;
};

/**
 * struct store_info - counts of a store
 * @bytes: size of all segments
 * @segments: number of segments
 * @windows: number of windows that were appended through this struct store
 * @appended: bytes that these windows took
 * @removed: number of segments that were removed because of the limits
 * @first_ns: beginning of the oldest window, nanoseconds since 1970; 0 if there is none
 */
struct store_info {
	uint64_t bytes;
	uint64_t segments;
	uint64_t windows;
	uint64_t appended;
	uint64_t removed;
	uint64_t first_ns;
};

/**
 * store_open() - open a store for writing, and make it if there is none
 * @dir: path of the folder, 0700 if it is made here; its parent must exist
 * @options: the options, copied
 * @ret: the store, released by store_close()
 * @diag: may be NULL
 *
 * A record that a crash has left unfinished is cut off. A segment that is not readable at all is
 * renamed to NAME.bad; @options->note gets a message about either.
 *
 * Return: 0; -EBUSY if another process writes to it; -EPERM if others may write to the
 * folder, or if it cannot be given to @options->group; another negative errno.
 */
int store_open(const char *dir, const struct store_options *options, struct store **ret,
	       struct diag *diag);

/**
 * store_append() - append a window
 * @s: the store
 * @window: any profile; its @time_ns and @duration_ns give the time. Everything that its samples
 *          refer to is stored, and comments as well, but not the order of the samples. A location
 *          without lines has, when it is read, the lines that it has in any other window of its
 *          segment
 * @ret: gets the position after the window; may be NULL
 * @diag: may be NULL
 *
 * A write that fails leaves the store as it was before; the next call tries again.
 *
 * Return: 0; -ENOSPC and other negative errnos of write(2); -EFBIG also for a window that is larger
 * than @max_bytes or than Documentation/store.md allows; -EOVERFLOW if no segment number is left;
 * -ENOMEM.
 */
int store_append(struct store *s, const struct profile *window,
		 struct store_position *ret, struct diag *diag);

/* Gets the earliest position that the next window can have; the store has no window after it. */
void store_end(const struct store *s, struct store_position *ret);

/* Syncs all windows that were appended, with fdatasync(2). Return: 0 or a negative errno. */
int store_sync(struct store *s, struct diag *diag);

/* Removes segments that exceed the limits; store_append() does this, too. */
void store_expire(struct store *s);

/* Replaces the options of an open store; the open segment stays open. */
void store_limits(struct store *s, const struct store_options *options);

void store_info(const struct store *s, struct store_info *ret);

/* Closes a store; NULL does nothing. */
void store_close(struct store *s);

#endif /* USTACK_USER_STORE_H */
