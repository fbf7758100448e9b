/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording without end in memory that has one: when a profile has many samples, they are
 * packed into a file without a name, and the profile forgets them. Each process that was
 * sampled is a set of labels and some samples, and a machine that starts programs has new
 * ones for ever.
 *
 *	spool = pprof_spool_new("out.pb.gz");
 *	while (...) {
 *		profile_add(p, ...);
 *		if (pprof_spool_is_due(spool, p))
 *			pprof_spool_samples(spool, p, &diag);
 *	}
 *	pprof_save_spooled(p, spool, "out.pb.gz", &diag);
 *	pprof_spool_free(spool);
 *
 * What is spooled is the beginning of the file that is saved, as the order of tables is free
 * there. A stack that is sampled again later is another sample of it; who reads adds them up.
 */
#ifndef USTACK_USER_PROFILE_PPROF_SPOOL_H
#define USTACK_USER_PROFILE_PPROF_SPOOL_H

#include <stdbool.h>

#include "profile/profile.h"
#include "util/diag.h"

/* Samples that a profile keeps in memory: some megabytes with their stacks and labels. */
#define PPROF_SPOOL_SAMPLES 16384u

struct pprof_spool;

/**
 * pprof_spool_new() - begin
 * @path: what will be saved; samples are kept on its disk, or in $TMPDIR (/var/tmp) where it
 *        is "-" or no regular file; copied
 *
 * No file is made before there is something to spool.
 *
 * Return: released by pprof_spool_free(); NULL without memory.
 */
struct pprof_spool *pprof_spool_new(const char *path);
void pprof_spool_free(struct pprof_spool *spool);

/* For tests: samples that are kept, in place of PPROF_SPOOL_SAMPLES. */
void pprof_spool_set_limit(struct pprof_spool *spool, uint32_t samples);

/* Return: whether @p has so many samples that they should be spooled. */
bool pprof_spool_is_due(const struct pprof_spool *spool, const struct profile *p);

/**
 * pprof_spool_samples() - take a profile's samples out of memory
 * @spool: has taken none, or of this profile
 * @p: has the same types of values each time; loses its samples, stacks and sets of labels:
 *     see profile_forget_samples()
 * @diag: may be NULL
 *
 * On failure, as on a full disk, nothing has changed, and the next time is due when there
 * are twice as many samples.
 *
 * Return: 0 or a negative errno.
 */
int pprof_spool_samples(struct pprof_spool *spool, struct profile *p, struct diag *diag);

/**
 * pprof_spool_size() - how large a file would be that was saved now
 * @spool: unchanged
 * @p: the rest of it
 * @ret: bytes, on 0
 *
 * It packs all that is in memory, and throws it away: 0.1 s for 16,384 samples.
 *
 * Return: 0 or a negative errno.
 */
int pprof_spool_size(const struct pprof_spool *spool, const struct profile *p, uint64_t *ret);

/* Writes all: what was spooled, then @p. Once only, whether it fails or not. Return: as
 * pprof_write().
 */
int pprof_spool_end(struct pprof_spool *spool, const struct profile *p, int fd,
		    struct diag *diag);

#endif /* USTACK_USER_PROFILE_PPROF_SPOOL_H */
