/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows of a store, one by one, in the order in which they were appended, also while
 * another process or thread appends.
 *
 *	store_reader_new(dir, &position, &reader, diag);
 *	while ((n = store_reader_next(reader, &window, diag)) > 0)
 *		use(window.profile);
 *
 * Bad bytes in a segment give an error that names file, offset and reason. Reading may go on
 * after it: the window is skipped if only its samples are bad, else the rest of that segment. The
 * diag's file is the folder, in the reader's memory; its text begins with the segment's name.
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
 * @profile: profile of the window, read-only, valid until the next call
 * @at: position of this window
 * @next: position after this window; a reader that starts there gets the next one
 */
struct store_window {
	const struct profile *profile;
	struct store_position at;
	struct store_position next;
};

/**
 * store_reader_new() - begin to read at a position
 * @dir: path of the folder
 * @from: position of the first window; if it has been removed, reading begins at the next one
 * @ret: the reader, released by store_reader_free()
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int store_reader_new(const char *dir, const struct store_position *from,
		     struct store_reader **ret, struct diag *diag);

/**
 * store_reader_times() - leave out windows that do not overlap a time range
 * @r: the reader
 * @from_ns: beginning of the range, nanoseconds since 1970
 * @to_ns: end of the range, exclusive; 0 means no end
 *
 * For a segment without a window in the range only the heads are read.
 */
void store_reader_times(struct store_reader *r, uint64_t from_ns, uint64_t to_ns);

/**
 * store_reader_next() - the next window
 * @r: the reader
 * @ret: the window, if there is one
 * @diag: may be NULL
 *
 * A location has its lines even if another window of the segment defined them, as far as the
 * segment has been read.
 *
 * Return: 1; 0 if there is no more window now: a later call finds what is appended meanwhile;
 * -EBADMSG for bad bytes; -ENOTSUP for a segment of a newer version; another negative errno.
 * After each error another call goes on.
 */
int store_reader_next(struct store_reader *r, struct store_window *ret,
		      struct diag *diag);

void store_reader_free(struct store_reader *r);

#endif /* USTACK_USER_STORE_READER_H */
