// SPDX-License-Identifier: GPL-2.0-only
#include "keeping.h"

#include <err.h>
#include <signal.h>
#include <stddef.h>

void keeping_begin(struct keeping *ret)
{
	static const struct sampler_event none = { .name = "context-switches" };
	const struct sampler_options options = { .events = &none, .nr_events = 1, .tables = true };
	struct diag diag;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (sampler_new(&options, &ret->s, &diag))
		err(2, "the programs");
	sampler_maps(ret->s, &ret->maps);
	if (keeper_new(&ret->maps, 64 << 20, 0, &ret->k, &diag))
		err(2, "the keeper");
}

void keeping_end(struct keeping *k)
{
	keeper_free(k->k);
	sampler_free(k->s);
}
