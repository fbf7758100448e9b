/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles as files: gzip'd pprof (google/pprof's profile.proto), which is also ustack's
 * own form. What has no names yet is the same form without functions.
 */
#ifndef USTACK_USER_PROFILE_PPROF_H
#define USTACK_USER_PROFILE_PPROF_H

#include "profile/profile.h"
#include "util/diag.h"

/* What a file may unpack to: a damaged one must not take all memory. */
#define PPROF_MAX_BYTES (2ull << 30)
/* Strings, locations, frames and so on of a file, of each kind. */
#define PPROF_MAX_ELEMENTS (1u << 25)

/**
 * pprof_write() - write a profile
 * @p: without a sticking error
 * @fd: open for writing
 * @diag: may be NULL; names "profile"
 *
 * The same profile gives the same bytes. Bytes that are not UTF-8 become U+FFFD, as
 * protocol buffers have no other texts. A mapping's flags say what any of its locations has.
 *
 * Return: 0; -EINVAL for samples without a type of values, or a negative period; another
 * negative errno.
 */
int pprof_write(const struct profile *p, int fd, struct diag *diag);

/**
 * pprof_save() - write a file, whole or not at all
 * @p: without a sticking error
 * @path: is replaced by renaming, so that a reader, a full disk or a signal never leaves
 *        half a file; what is there and is no regular file is written to; "-" is standard
 *        output
 * @diag: may be NULL
 *
 * Return: 0 or a negative errno.
 */
int pprof_save(const struct profile *p, const char *path, struct diag *diag);

/* The same of a profile of which @spool has a part, see pprof_spool.h; NULL is none. Once
 * only, whether it fails or not.
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
 * What other producers may have and ustack's do not: ids of any order, lines of functions
 * that are not known (left out), ids of mappings or functions without such a table
 * (nothing), times before 1970 (not known), more than PROFILE_MAX_LABELS labels of a sample
 * (the first are kept). Folding and frames to drop are ignored. Of values there are
 * negative ones, too, where one profile was taken from another.
 *
 * Return: 0; -EBADMSG for what is no profile or contradicts itself, with the reason and the
 * offset in what is unpacked; -EFBIG above PPROF_MAX_BYTES, PPROF_MAX_ELEMENTS or 16 MB of
 * one field; another negative errno.
 */
int pprof_load(const char *path, struct profile **ret, struct diag *diag);

struct moments;

/**
 * pprof_load_merged() - read a file whose samples may have times
 * @path: see pprof_load()
 * @moments: gets the times, as profile/moments.h keeps them; the caller's to release, also on failure.
 *           NULL for none
 * @ret: see pprof_load()
 * @diag: the same
 *
 * Samples that differ in their label PROFILE_LABEL_TIME alone become one without it: the profile
 * that was recorded without times. A sample that was counted several times (up to 256) at one time is so
 * many moments. Of the values of a sample a moment has the first that is not their number.
 *
 * Return: as pprof_load(); -ENOMEM.
 */
int pprof_load_merged(const char *path, struct moments *moments, struct profile **ret,
		      struct diag *diag);

/* The same of bytes; @name is for messages. */
int pprof_parse_merged(const void *bytes, size_t len, const char *name, struct moments *moments,
		       struct profile **ret, struct diag *diag);

/* pprof_load() of bytes; @name is for messages. */
int pprof_parse(const void *bytes, size_t len, const char *name, struct profile **ret,
		struct diag *diag);

#endif /* USTACK_USER_PROFILE_PPROF_H */
