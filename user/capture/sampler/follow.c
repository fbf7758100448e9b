// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads one of the sampler's two BPF objects alone, to follow processes without
 * sampling.
 */
#include "capture/sampler/follow.h"

#include <errno.h>
#include <stdlib.h>

#include "capture/sampler/programs.h"
#include "capture/sampler/programs_tables.h"

#include "util/poison.h"

struct follow {
	struct programs programs;
};

int follow_new(struct follow **ret, struct diag *diag)
{
	const struct sampler_options all = { .tables = true };
	struct follow *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return diag_errno(diag, ENOMEM, NULL);
	err = programs_load_tasks(&f->programs, &all, diag);
	if (err) {
		follow_free(f);
		return err;
	}
	*ret = f;
	return 0;
}

void follow_maps(const struct follow *f, struct table_maker_maps *ret)
{
	programs_tables_maps(&f->programs, ret);
}

void follow_free(struct follow *f)
{
	if (!f)
		return;
	programs_release(&f->programs);
	free(f);
}
