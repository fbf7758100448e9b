/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A store of profiles on disk, for who records for ever: a folder of segments, each a file
 * that is only appended to and that needs no other file to be read. What is in one is
 * explained in Documentation/store.md.
 *
 *	store_open(dir, &options, &store, diag);
 *	store_append(store, window, &position, diag);		every ten seconds
 *	store_close(store);
 *
 * One process writes; any number of processes read at the same time (serve/store/reader.h). What
 * store_append() has returned for is whole after a crash of the process, and of the machine
 * too once store_sync() has returned; a record that a crash has cut is cut off by the next
 * store_open(), and readers end before it.
 *
 * The oldest segments are removed when there are more bytes, or older windows, than allowed.
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
 * struct store_options - limits
 * @max_bytes: of all files, the open one included; 0 is no limit. The open segment is never
 *             removed: it ends early so that it takes at most a quarter
 * @max_age_ns: of a segment's last window; 0 is no limit. It holds once the time of day has gone
 *              evenly for an hour, or for this time if it is less
 * @segment_bytes: a segment ends when it has so many; 0 is STORE_DEFAULT_SEGMENT_BYTES
 * @segment_ns: and when it has been open for so long; 0 is STORE_DEFAULT_SEGMENT_NS
 * @segment_definitions: and when what it has defined, which stays in memory until then, has so
 *             many bytes unpacked; 0 is STORE_DEFAULT_SEGMENT_DEFINITIONS
 * @shared: @group may read the folder and its segments (0750, 0640). The process has to be a
 *          member of it, or root
 * @group: a group's number
 * @note: gets what was mended or removed against expectation, in words; may be NULL
 * @arg: for @note
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
 * struct store_position - between two windows, in the order in which they were appended
 * @segment: number of the segment; they ascend, and none is used twice, not even after all
 *           were removed
 * @record: number of windows in front of it in the segment
 *
 * Ascending order is by @segment, then @record. All zeros are in front of everything.
 */
struct store_position {
	uint64_t segment;
	uint64_t record;
};

/**
 * struct store_info - what there is
 * @bytes: of all segments
 * @segments: number
 * @windows: that were appended through this struct store
 * @appended: bytes that these took
 * @removed: segments that the limits have removed
 * @first_ns: beginning of the oldest window, since 1970; 0 if there is none
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
 * store_open() - open a store for writing, and make it if it is not there
 * @dir: the folder, 0700 if it is made here; its parent must exist
 * @options: copied
 * @ret: released by store_close()
 * @diag: may be NULL
 *
 * What a crash has left unfinished is cut off. A segment that is not readable at all is
 * renamed to NAME.bad, and told to @options->note.
 *
 * Return: 0; -EBUSY if another process writes to it; -EPERM if others may write to the
 * folder, or if it cannot be given to @options->group; another negative errno.
 */
int store_open(const char *dir, const struct store_options *options, struct store **ret,
	       struct diag *diag);

/**
 * store_append() - append a window
 * @s: the store
 * @window: any profile; @time_ns and @duration_ns say when. All that its samples refer to is
 *          kept, comments and names too; the order of samples is not. A location without
 *          lines has, when it is read, those that the same location has in any other window
 *          of its segment
 * @ret: the position behind it; may be NULL
 * @diag: may be NULL
 *
 * A write that fails leaves the store as it was before, and the next one is tried anew.
 *
 * Return: 0; -ENOSPC and other negative errnos of write(2), of which -EFBIG may also be a
 * window that is larger than @max_bytes or than Documentation/store.md allows; -EOVERFLOW if
 * there are no more numbers; -ENOMEM.
 */
int store_append(struct store *s, const struct profile *window,
		 struct store_position *ret, struct diag *diag);

/* Where the next window comes, at the earliest: what is behind it the store does not have. */
void store_end(const struct store *s, struct store_position *ret);

/* fdatasync(2) of what was appended. Return: 0 or a negative errno. */
int store_sync(struct store *s, struct diag *diag);

/* Remove what the limits do not allow any more; store_append() does it, too. */
void store_expire(struct store *s);

/* New limits, for a store that stays open; a segment that is open stays so. */
void store_limits(struct store *s, const struct store_options *options);

void store_info(const struct store *s, struct store_info *ret);

/* NULL is nothing. */
void store_close(struct store *s);

#endif /* USTACK_USER_STORE_H */
