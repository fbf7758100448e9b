/* SPDX-License-Identifier: GPL-2.0-only */
/* The sampler's programs that follow mappings, and the keeper that answers them, for one test. */
#ifndef BPFTABLES_KEEPING_H
#define BPFTABLES_KEEPING_H

#include "sampler/sampler.h"
#include "tables/keeper.h"

struct keeping {
	struct sampler *s;
	struct keeper *k;
	struct keeper_maps maps;
};

/* Loads the programs and starts the keeper; SIGCHLD is blocked. Ends the program on a failure. */
void keeping_begin(struct keeping *ret);
void keeping_end(struct keeping *k);

#endif /* BPFTABLES_KEEPING_H */
