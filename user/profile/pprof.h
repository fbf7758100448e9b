/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles as files: gzip'd pprof (google/pprof's profile.proto), which is also
 * ustack's own format. A profile without names is the same format without
 * functions.
 */
#ifndef USTACK_USER_PROFILE_PPROF_H
#define USTACK_USER_PROFILE_PPROF_H

#include "profile/profile.h"
#include "util/diag.h"

/*
 * Limit for the unpacked size of a file: a damaged one must not take all
 * memory.
 */
#define PPROF_MAX_BYTES (2ull << 30)
/*
 * Limit for each kind of elements in a file: strings, locations, frames and so
 * on.
 */
#define PPROF_MAX_ELEMENTS (1u << 25)

/**
 * pprof_write() - write a profile
 * @p: without an error
 * @fd: open for writing
 * @diag: may be NULL; its file is "profile"
 *
 * The same profile gives the same bytes. Bytes that are not UTF-8 become
 * U+FFFD, because texts of protocol buffers must be UTF-8. A flag of a mapping
 * is set if it holds for any of its locations.
 *
 * Return: 0; -EINVAL for samples without a type of values, or a negative period; another
 * negative errno.
 */
int pprof_write(const struct profile *p, int fd, struct diag *diag);

/**
 * pprof_save() - write a file, completely or not at all
 * @p: without an error
 * @path: file, replaced by renaming, so that a reader, a full disk or a signal
 *	never leaves half a file; if it exists and is no regular file, it is
 *	written to; "-" is standard output
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int pprof_save(const struct profile *p, const char *path, struct diag *diag);

/*
 * The same for a profile of which @spool has a part, see pprof_spool.h; @spool
 * may be NULL. May be called once for a spool, even if it fails.
 */
struct pprof_spool;
int pprof_save_spooled(const struct profile *p, struct pprof_spool *spool, const char *path,
		       struct diag *diag);

/**
 * pprof_load() - read a file
 * @path: gzip'd or plain, of any producer; "-" is standard input
 * @ret: released by profile_free()
 * @diag: may be NULL
 *
 * Files of other producers may have what ustack's do not: ids in any order;
 * lines of unknown functions (left out); ids of mappings or functions without
 * such a table (taken as none); times before 1970 (taken as not known); more
 * than PROFILE_MAX_LABELS labels of a sample (the first are kept). Folding and
 * frames to drop are ignored. Values may be negative, where one profile was
 * subtracted from another.
 *
 * Return: 0; -EBADMSG for a file that is no profile or contradicts itself, with
 * the reason and the offset in the unpacked data; -EFBIG above PPROF_MAX_BYTES,
 * PPROF_MAX_ELEMENTS or 16 MB for one field; another negative errno.
 */
int pprof_load(const char *path, struct profile **ret, struct diag *diag);

struct moments;

/**
 * pprof_load_merged() - read a file whose samples may have times
 * @path: see pprof_load()
 * @moments: gets the times, see profile/moments.h; the caller releases it, also
 *	on failure. NULL for none
 * @ret: see pprof_load()
 * @diag: see pprof_load()
 *
 * Samples that differ only in their label PROFILE_LABEL_TIME become one sample
 * without it, as in a profile that was recorded without times. A sample that
 * was counted several times (up to 256) at one time becomes as many moments.
 * The weight of a moment is the sample's first value that is not the number of
 * samples.
 *
 * Return: as pprof_load(); -ENOMEM.
 */
int pprof_load_merged(const char *path, struct moments *moments, struct profile **ret,
		      struct diag *diag);

/* The same for bytes in memory; @name is used in messages. */
int pprof_parse_merged(const void *bytes, size_t len, const char *name, struct moments *moments,
		       struct profile **ret, struct diag *diag);

/* pprof_load() for bytes in memory; @name is used in messages. */
int pprof_parse(const void *bytes, size_t len, const char *name, struct profile **ret,
		struct diag *diag);

#endif /* USTACK_USER_PROFILE_PPROF_H */
