/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to user/capture/sampler: what programs.c does more where stacks are walked by tables. Without
 * @by_tables what is to be done here is nothing.
 */
#ifndef USTACK_USER_SAMPLER_PROGRAMS_TABLES_H
#define USTACK_USER_SAMPLER_PROGRAMS_TABLES_H

#include "capture/sampler/programs.h"

struct keeper_maps;

/* How changes of mappings are seen. */
enum programs_way {
	PROGRAMS_FEXIT,
	PROGRAMS_KPROBE,
	PROGRAMS_CALLS,		/* tracepoints of system calls */
};

/*
 * Before tasks are loaded: by tables, if the options say so, which programs that takes, and whose
 * mappings they keep: those of processes that may be sampled.
 */
void programs_tables_choose(struct programs *p, const struct sampler_options *o, enum programs_way way);

/* When they are loaded, before they are attached. Return: 0 or a negative errno. */
int programs_tables_init(struct programs *p);

/* Attaches what sees mappings go. Return: 0 or a negative errno. */
int programs_tables_attach(struct programs *p, enum programs_way way);

/* What the programs keep, for keeper_new(), as long as they are loaded. */
void programs_tables_maps(const struct programs *p, struct keeper_maps *ret);

/* Detaches it. */
void programs_tables_release(struct programs *p);

#endif /* USTACK_USER_SAMPLER_PROGRAMS_TABLES_H */
