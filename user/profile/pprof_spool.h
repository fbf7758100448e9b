/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lets a recording go on without end in limited memory: when a profile has many
 * samples, they are packed into a file without a name, and the profile drops
 * them. Each sampled process has a set of labels and some samples of its own,
 * so a machine that starts programs always has new ones.
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
 * The spooled data is the beginning of the file that is saved, which is
 * possible because the order of its tables is free. A stack that is sampled
 * again later is another sample with the same stack; readers add them up.
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
 * pprof_spool_new() - begin to spool
 * @path: path of the profile that will be saved; copied. Samples are kept on
 *	the same disk or, if it is "-" or no regular file, in $TMPDIR (/var/tmp)
 *
 * The file is made when the first samples are spooled.
 *
 * Return: released by pprof_spool_free(); NULL without memory.
 */
struct pprof_spool *pprof_spool_new(const char *path);
void pprof_spool_free(struct pprof_spool *spool);

/*
 * For tests: sets the number of samples that are kept, in place of
 * PPROF_SPOOL_SAMPLES.
 */
void pprof_spool_set_limit(struct pprof_spool *spool, uint32_t samples);

/* Return: whether @p has so many samples that they should be spooled. */
bool pprof_spool_is_due(const struct pprof_spool *spool, const struct profile *p);

/**
 * pprof_spool_samples() - move a profile's samples out of memory
 * @spool: has nothing yet, or samples of this profile
 * @p: must have the same value types each time; loses its samples, stacks and
 *	sets of labels, see profile_forget_samples()
 * @diag: may be NULL
 *
 * If it fails, as on a full disk, nothing has changed, and it is due again when
 * there are twice as many samples.
 *
 * Return: 0 or a negative errno.
 */
int pprof_spool_samples(struct pprof_spool *spool, struct profile *p, struct diag *diag);

/**
 * pprof_spool_size() - get the size of the file that would be saved now
 * @spool: not changed
 * @p: the rest of the profile
 * @ret: on 0: size in bytes
 *
 * Packs all that is in memory and discards it: 0.1 s for 16,384 samples.
 *
 * Return: 0 or a negative errno.
 */
int pprof_spool_size(const struct pprof_spool *spool, const struct profile *p, uint64_t *ret);

/*
 * Writes the complete file: the spooled data, then @p. May be called once for a
 * spool, even if it fails. Return: as pprof_write().
 */
int pprof_spool_end(struct pprof_spool *spool, const struct profile *p, int fd,
		    struct diag *diag);

#endif /* USTACK_USER_PROFILE_PPROF_SPOOL_H */
