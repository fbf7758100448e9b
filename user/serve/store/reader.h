/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows of a store, one by one, in the order in which they were appended, also while
 * another process or thread appends.
 *
 *	store_reader_new(dir, &position, &reader, diag);
 *	while ((n = store_reader_next(reader, &window, diag)) > 0)
 *		use(window.profile);
 *
 * A segment of bad bytes gives an error that names file, offset and reason; reading may go
 * on: that window is skipped if only its samples are bad, else the rest of that segment. The
 * diag's file is the folder, in memory of the reader; its text begins with the segment's name.
 * Memory is bounded by the limits of Documentation/store.md.
 *
 * Context: one thread at a time for each reader.
 */
#ifndef USTACK_USER_STORE_READER_H
#define USTACK_USER_STORE_READER_H

#include "serve/store/store.h"

struct store_reader;

/**
 * struct store_window - one window
 * @profile: valid until the next call; changed by nobody
 * @at: its position
 * @next: the position behind it: who starts there gets what comes after
 */
struct store_window {
	const struct profile *profile;
	struct store_position at;
	struct store_position next;
};

/**
 * store_reader_new() - read from a position on
 * @dir: the folder
 * @from: of a window; if what was there has been removed, the next one that is there
 * @ret: released by store_reader_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int store_reader_new(const char *dir, const struct store_position *from,
		     struct store_reader **ret, struct diag *diag);

/**
 * store_reader_times() - leave out windows that have no moment in common with a time range
 * @r: the reader
 * @from_ns: since 1970
 * @to_ns: behind the last moment; 0 is no end
 *
 * Segments that have none are not read but for their heads.
 */
void store_reader_times(struct store_reader *r, uint64_t from_ns, uint64_t to_ns);

/**
 * store_reader_next() - the next window
 * @r: the reader
 * @ret: the window, if there is one
 * @diag: may be NULL
 *
 * Locations have all lines that are known by now in their segment.
 *
 * Return: 1; 0 if there is none now: what is appended later is found by a later call;
 * -EBADMSG for bytes that are no segment; -ENOTSUP for one of a newer version; another
 * negative errno. After each of these, another call goes on.
 */
int store_reader_next(struct store_reader *r, struct store_window *ret,
		      struct diag *diag);

void store_reader_free(struct store_reader *r);

#endif /* USTACK_USER_STORE_READER_H */
