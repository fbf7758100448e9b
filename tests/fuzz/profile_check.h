/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks a profile for the fuzz targets that read one.
 */
#ifndef USTACK_FUZZ_PROFILE_CHECK_H
#define USTACK_FUZZ_PROFILE_CHECK_H

#include "fuzz.h"

#include "profile/profile.h"

/* Checks that every reference in a profile leads to an existing element. */
static inline void check_profile(const struct profile *p)
{
	u32 i, k;

	for (i = 1; i < p->nr_stacks; i++) {
		must(p->stacks[i].parent < i && p->stacks[i].location < p->nr_locations);
		must(p->stacks[i].depth == p->stacks[p->stacks[i].parent].depth + 1);
	}
	for (i = 0; i < p->nr_locations; i++) {
		must(p->locations[i].mapping < p->nr_mappings);
		for (k = 0; k < p->locations[i].nr_lines; k++) {
			u32 function = p->lines[p->locations[i].first_line + k].function;

			must(function && function < p->nr_functions);
		}
	}
	for (i = 0; i < p->nr_samples; i++)
		must(p->samples[i].stack < p->nr_stacks && p->samples[i].labels < p->nr_labels);
}

#endif /* USTACK_FUZZ_PROFILE_CHECK_H */
