// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a profile, together with what was spooled of it, and replaces the file
 * of that name. See pprof.h.
 */
#include "profile/pprof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/pprof_pack.h"
#include "profile/pprof_spool.h"
#include "util/cleanup.h"
#include "util/file.h"

#include "util/poison.h"

static int check(const struct profile *p, struct diag *diag)
{
	if (profile_error(p))
		return diag_errno(diag, -profile_error(p), "profile");
	if (p->nr_samples && !p->nr_value_types)
		return diag_set(diag, EINVAL, "profile", "has samples, but no type of values");
	if (p->period < 0)
		return diag_set(diag, EINVAL, "profile", "has a negative period");
	return 0;
}

int pprof_write(const struct profile *p, int fd, struct diag *diag)
{
	_cleanup_(cleanup_free) struct pprof_pack *wr = NULL;
	int err = check(p, diag);

	if (err)
		return err;
	wr = malloc(sizeof(*wr));
	if (!wr || pprof_pack_init(wr, fd))
		return diag_errno(diag, ENOMEM, "profile");
	pprof_pack_value_types(wr, p);
	pprof_pack_samples(wr, p);
	pprof_pack_rest(wr, p);
	err = wr->err;
	pprof_pack_release(wr);
	return err ? diag_errno(diag, -err, "profile") : 0;
}

struct contents {
	const struct profile *p;
	struct pprof_spool *spool;
};

static int write_to(int fd, void *arg, struct diag *diag)
{
	const struct contents *c = arg;
	int err = c->spool ? check(c->p, diag) : 0;

	if (err)
		return err;
	return c->spool ? pprof_spool_end(c->spool, c->p, fd, diag) : pprof_write(c->p, fd, diag);
}

int pprof_save_spooled(const struct profile *p, struct pprof_spool *spool, const char *path,
		       struct diag *diag)
{
	struct contents c = { p, spool };
	int err = file_replace(path, write_to, &c, diag);

	/* report a full disk as an error of the file, not of the profile */
	if (err && diag && diag->file && !strcmp(diag->file, "profile") && err != -EINVAL)
		diag->file = path;
	return err;
}

int pprof_save(const struct profile *p, const char *path, struct diag *diag)
{
	return pprof_save_spooled(p, NULL, path, diag);
}
